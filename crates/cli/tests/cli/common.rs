//! Common parts of the tests of the command, which run the real program in a folder of their own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use voussoir_results::{CHECKPOINT_FILE, CHECKPOINT_VOLATILE};

/// A folder in which the program runs.
pub struct Workshop {
    folder: tempfile::TempDir,
}

impl Workshop {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_voussoir"));
        command.args(arguments).current_dir(self.folder.path()).env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Answer {
        Answer(self.command(arguments).output().unwrap())
    }

    /// Starts the program without waiting.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Writes a scene from a template with a checkpoint after every seventh step.
    pub fn scene(&self, name: &str, template: &[&str]) -> PathBuf {
        let answer = self.run(&[&["new"], template].concat());
        let text = answer.expect(0).stdout() + "checkpoint_every = { steps = 7 }\n";
        self.write(name, &text)
    }
}

/// Output of the program.
pub struct Answer(pub Output);

impl Answer {
    /// Checks the exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.0.status.code(), Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout(), self.stderr());
        self
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Stdout is one JSON object.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.0.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout()))
    }
}

/// All files that must be bit-identical in two results folders.
pub fn assert_same_results(a: &Path, b: &Path) {
    for file in ["history.csv", "results.vtkhdf", "scene.toml", "initial.svg", "final.svg"] {
        let [x, y] = [a, b].map(|dir| std::fs::read(dir.join(file)).unwrap());
        assert!(x == y, "{file} differs between {} and {}", a.display(), b.display());
    }
    // the last checkpoint, but for the bytes that depend on computing time
    let [x, y] = [a, b].map(|dir| {
        let mut bytes = std::fs::read(dir.join(CHECKPOINT_FILE)).unwrap();
        bytes[CHECKPOINT_VOLATILE].fill(0);
        bytes
    });
    assert!(x == y, "the checkpoints of {} and {} differ", a.display(), b.display());
    let [x, y] = [a, b].map(|dir| {
        let text = std::fs::read_to_string(dir.join("summary.json")).unwrap();
        let mut summary: serde_json::Value = serde_json::from_str(&text).unwrap();
        for key in ["wall_time_s", "ms_per_step"] {
            assert!(summary.as_object_mut().unwrap().remove(key).is_some());
        }
        summary
    });
    assert_eq!(x, y);
}
