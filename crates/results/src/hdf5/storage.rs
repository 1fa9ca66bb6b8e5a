//! Where the bytes of a result file go: a real file, or in tests a record of every write.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Random-access bytes that grow at the end.
pub trait Storage {
    /// Writes all of `bytes` at `offset`.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Fills `bytes` from `offset`.
    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
    /// Cuts or extends to `length` bytes.
    fn set_len(&mut self, length: u64) -> io::Result<()>;
    /// Bytes there are.
    fn len(&mut self) -> io::Result<u64>;
    /// Returns when everything written has reached the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// What an error message calls this storage.
    fn path(&self) -> &Path;
}

/// A file on disk.
#[derive(Debug)]
pub struct FileStorage {
    file: File,
    path: PathBuf,
}

impl FileStorage {
    /// Makes an empty file, replacing what was there.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Opens a file for reading and writing.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        Ok(Self { file, path: path.to_owned() })
    }
}

impl Storage for FileStorage {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        positioned::write_all(&mut self.file, offset, bytes)
    }

    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        positioned::read_exact(&mut self.file, offset, bytes)
    }

    fn set_len(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn len(&mut self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

/// One system call per access where the platform has it, so that a small write is whole or absent.
#[cfg(unix)]
mod positioned {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;

    pub fn write_all(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    pub fn read_exact(file: &mut File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        file.read_exact_at(bytes, offset)
    }
}

#[cfg(not(unix))]
mod positioned {
    use std::fs::File;
    use std::io::{self, Read, Seek, SeekFrom, Write};

    pub fn write_all(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    pub fn read_exact(file: &mut File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}
