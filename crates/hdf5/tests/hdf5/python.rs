//! Agreement with the HDF5 library: files of h5py are read here, and h5py reads files written here.
//!
//! Needs an interpreter with `h5py` and `numpy`, named by the environment variable `VOUSSOIR_PYTHON`
//! (`cargo xtask test` prepares one).

use std::path::Path;
use std::process::Command;

use voussoir_hdf5::foreign::Foreign;
use voussoir_hdf5::whole::{Values, WholeFile};
use voussoir_testing::need;

/// Runs the script; without an interpreter records the calling test as skipped and returns `false`.
fn python(command: &str, path: &Path) -> bool {
    let Some(python) = need("VOUSSOIR_PYTHON", "Python with h5py and numpy") else { return false };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/h5py_files.py");
    let output = Command::new(python).arg(script).arg(command).arg(path).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    true
}

fn floats() -> Vec<f64> {
    (0..1000).map(|k| f64::from(k) / 2.0 - 3.0).collect()
}

#[test]
fn files_of_h5py_are_read() {
    let folder = tempfile::tempdir().unwrap();
    if !python("write", folder.path()) {
        return;
    }
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let check = || {
            let file = Foreign::open(&bytes)?;
            assert_eq!(file.floats("a/floats")?, floats());
            assert_eq!(file.integers("/a/integers")?, (-500..500).collect::<Vec<i64>>());
            assert_eq!(file.floats("a/integers")?[0], -500.0);
            assert_eq!(file.text("a/text")?, "a text");
            assert_eq!(file.attribute_floats("a", "half")?, Some(vec![0.5]));
            assert_eq!(file.attribute_text("a", "name")?, Some("joint".to_owned()));
            assert_eq!(file.attribute_floats("a", "nothing")?, None);
            assert!(!file.contains("a/nothing")? && file.contains("a")?);
            if file.contains("many")? {
                assert_eq!(file.names("many")?.len(), 40);
                assert_eq!(file.floats("many/name_37")?, [37.0]);
            }
            Ok::<_, voussoir_hdf5::read::ReadFault>(())
        };
        check().unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        seen += 1;
    }
    assert_eq!(seen, 9);
}

#[test]
fn files_written_in_one_go_open_in_h5py() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = WholeFile::default();
    file.dataset("a/floats", Values::Floats(&floats()));
    file.dataset("a/integers", Values::Integers(&(-500..500).collect::<Vec<i32>>()));
    file.dataset("a/none", Values::Floats(&[]));
    file.dataset("a/text", Values::Text("größer"));
    file.attribute("a", "step", Values::Integer(7));
    file.attribute("a", "time", Values::Float(0.25));
    file.attribute("a", "title", Values::Text("wall"));
    let path = folder.path().join("whole.h5");
    std::fs::write(&path, file.encode()).unwrap();
    python("check", &path);
}
