//! Errors of results folders.

use std::io;
use std::path::{Path, PathBuf};

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The path of the results folder is not a folder.
    #[error("{}: is a file, not a folder", path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// A folder with results is not overwritten without the option for it.
    #[error("{}: already contains results ({file}); choose another folder or overwrite them", dir.display())]
    AlreadyThere {
        /// The folder.
        dir: PathBuf,
        /// The file that was found.
        file: &'static str,
    },
    /// Two runs cannot write to one folder.
    #[error("{}: another run is writing to this folder", dir.display())]
    InUse {
        /// The folder.
        dir: PathBuf,
    },
    /// The system refuses a write: no space, no permission.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system refuses a read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is damaged or has another content than its name.
    #[error("{}: damaged, or not a file of Voussoir: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Description of the damage.
        reason: String,
    },
    /// A file was written by another version.
    #[error("{}: has format {found}; this program reads format {expected}", path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format number.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// A checkpoint belongs to another scene.
    #[error("{}: the checkpoint belongs to another scene; run from the start instead", path.display())]
    OtherScene {
        /// The checkpoint.
        path: PathBuf,
    },
    /// The given values do not match the run.
    #[error("{what}: {found} given, the run has {expected}")]
    Mismatch {
        /// The counted items.
        what: &'static str,
        /// The number given.
        found: usize,
        /// The number expected.
        expected: usize,
    },
    /// A body cannot be drawn.
    #[error("body {body} (\"{name}\"): polygon {polygon} refers to a point that the surface does not have")]
    BadSurface {
        /// Index of the body.
        body: usize,
        /// Name of the body.
        name: String,
        /// Index of the polygon.
        polygon: usize,
    },
    /// A recorded feature was not declared in the cast.
    #[error("{what} were not declared in the features of the cast")]
    Undeclared {
        /// The feature.
        what: &'static str,
    },
    /// A name is longer than the limit that was chosen when the file was created.
    #[error("body \"{name}\": its name is longer than {most} bytes, the limit for bodies that appear in this run")]
    LongName {
        /// Name of the body.
        name: String,
        /// Limit in bytes.
        most: usize,
    },
    /// Deformed bodies are listed in ascending order, each once.
    #[error("body {body}: deformed bodies of a frame must be bodies of the run, in ascending order")]
    DeformedOrder {
        /// Index of the body.
        body: usize,
    },
    /// A drawing format for plane structures was requested for a 3D structure.
    #[error("DXF drawings are made of scenes in 2D; use obj or glb for scenes in 3D")]
    NotPlane,
    /// There is no such frame.
    #[error("{}: frame {frame} is requested, but the file has {frames} frames", path.display())]
    NoSuchFrame {
        /// The file.
        path: PathBuf,
        /// The requested frame, from 0.
        frame: usize,
        /// The number of frames.
        frames: usize,
    },
    /// The content exceeds a limit of the format.
    #[error("too large for a {what} file; choose fewer frames")]
    TooLarge {
        /// Name of the format.
        what: &'static str,
    },
    /// Recording failed before; the recorder accepts nothing more.
    #[error("{}: recording stopped after an earlier error", dir.display())]
    Stopped {
        /// The folder.
        dir: PathBuf,
    },
}

impl ResultsError {
    /// For `map_err` after a write.
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.to_owned(), source }
    }

    /// For `map_err` after a read.
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    /// For `map_err` after decoding.
    pub(crate) fn damaged<E: ToString>(path: &Path) -> impl FnOnce(E) -> Self {
        move |reason| Self::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }
}
