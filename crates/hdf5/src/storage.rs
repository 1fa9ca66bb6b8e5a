//! Output of a results file: a file, or in tests a log of every write.

use std::fs::File;
use std::io;
use std::path::Path;

use super::sums::StorageNote;

/// Random-access bytes that grow at the end.
pub trait Storage {
    /// Writes all of `bytes` at `offset`.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Fills `bytes` from `offset`.
    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
    /// Cuts or extends to `length` bytes.
    fn set_len(&mut self, length: u64) -> io::Result<()>;
    /// Length [bytes].
    fn length(&mut self) -> io::Result<u64>;
    /// Returns after all written bytes have reached the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Stores the checksums of bytes before readers can see them; without effect in storages without checksums.
    fn note(&mut self, _: &StorageNote) -> io::Result<()> {
        Ok(())
    }
}

/// A file on disk.
#[derive(Debug)]
pub struct FileStorage {
    file: File,
}

impl FileStorage {
    /// Creates an empty file; an existing file is overwritten.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Self { file })
    }

    /// Opens a file for reading and writing.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        Ok(Self { file })
    }
}

impl Storage for FileStorage {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        positioned::write_all(&self.file, offset, bytes)
    }

    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        positioned::read_exact(&self.file, offset, bytes)
    }

    fn set_len(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// One system call per access, so that a small write is whole or absent.
pub(super) mod positioned {
    use std::fs::File;
    use std::io;

    #[cfg(unix)]
    use std::os::unix::fs::FileExt;
    #[cfg(windows)]
    use std::os::windows::fs::FileExt;

    #[cfg(unix)]
    pub fn write_all(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    #[cfg(unix)]
    pub fn read_exact(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        file.read_exact_at(bytes, offset)
    }

    #[cfg(windows)]
    pub fn write_all(file: &File, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match file.seek_write(bytes, offset)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                n => (bytes, offset) = (&bytes[n..], offset + n as u64),
            }
        }
        Ok(())
    }

    #[cfg(windows)]
    pub fn read_exact(file: &File, mut offset: u64, mut bytes: &mut [u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match file.seek_read(bytes, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => (bytes, offset) = (&mut bytes[n..], offset + n as u64),
            }
        }
        Ok(())
    }
}
