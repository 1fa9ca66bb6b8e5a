//! Text files that a scene refers to: tables, records, outlines.

use std::path::Path;

/// Longest file that is read [bytes].
const LONGEST_FILE: u64 = 256 << 20;

/// The text of a file beside the scene, or the reason why it cannot be read, without the name of the file.
pub(crate) fn read_text(base: &Path, file: &str) -> Result<String, String> {
    let path = base.join(file);
    let unreadable = |e: std::io::Error| format!("cannot be read: {e}");
    if std::fs::metadata(&path).map_err(unreadable)?.len() > LONGEST_FILE {
        return Err(format!("longer than {LONGEST_FILE} bytes"));
    }
    std::fs::read_to_string(&path).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_FILE, read_text};

    #[test]
    fn a_file_is_read_or_the_reason_is_given() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.csv"), "1,2\n").unwrap();
        assert_eq!(read_text(folder.path(), "a.csv"), Ok("1,2\n".to_owned()));
        assert!(read_text(folder.path(), "b.csv").unwrap_err().starts_with("cannot be read: "));
        // a sparse file needs no space on the disk
        std::fs::File::create(folder.path().join("c.csv")).unwrap().set_len(LONGEST_FILE + 1).unwrap();
        assert_eq!(read_text(folder.path(), "c.csv"), Err("longer than 268435456 bytes".to_owned()));
    }
}
