//! Files of frictional contact problems, for exchange with other programs.
//!
//! ```text
//! local:    u = W r + q
//! global:   M v = H r + f,   u = Hᵀ v + w
//! the law:  K* ∋ u + μ‖u_T‖ n ⊥ r ∈ K = { ‖r_T‖ ≤ μ rₙ }
//! ```
//! Contact k has the components `dim·k … dim·k + dim − 1`, the normal one first. W need not be symmetric or of full
//! rank; M need not be block diagonal.
//!
//! | module | content |
//! |---|---|
//! | [`text`] | reads the text files of Siconos: dense, sparse block, sparse; local and global |
//! | [`fclib`] | reads and writes the HDF5 files of FCLIB; local and global |
//! | [`global`] | a global problem as stored in files, from and to [`voussoir_contact::Problem`] |
//! | [`local`] | checks of local problems |
//! | [`condense`] | from global to local |
//! | [`sparse`] | sparse matrices |
//! | [`measure`] | error measures: that of Siconos, and the dimensionless residual |
//! | [`solve`](mod@solve) | one call from a problem to a solution with its error measures |
//!
//! For any content of a file, reading ends with a consistent, finite problem or with a [`ProblemError`]; memory is
//! allocated only if the file is long enough for the announced data.

pub mod condense;
mod error;
pub mod fclib;
pub mod global;
pub mod local;
pub mod measure;
pub mod solve;
pub mod sparse;
pub mod text;

use std::path::Path;

use voussoir_contact::local::LocalProblem;
use voussoir_hdf5::foreign::SIGNATURE;

pub use error::ProblemError;
pub use global::GlobalProblem;

/// A problem in the form of its file.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemForm {
    /// W and q.
    Local(LocalProblem),
    /// M, H, f and w.
    Global(GlobalProblem),
}

impl ProblemForm {
    /// Components per contact.
    pub fn dim(&self) -> usize {
        match self {
            Self::Local(problem) => problem.dim,
            Self::Global(problem) => problem.dim,
        }
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        match self {
            Self::Local(problem) => problem.friction.len(),
            Self::Global(problem) => problem.friction.len(),
        }
    }

    /// The local form; a global problem is condensed.
    pub fn to_local(&self) -> Result<LocalProblem, ProblemError> {
        match self {
            Self::Local(problem) => Ok(problem.clone()),
            Self::Global(problem) => condense::condense(problem),
        }
    }
}

/// Description of a problem in its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Title.
    pub title: String,
    /// Description.
    pub description: String,
    /// Step of the simulation that the problem comes from.
    pub step: Option<u64>,
    /// Time of the simulation at the start of that step [s].
    pub time: Option<f64>,
}

/// Content of a problem file.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemFile {
    /// The problem.
    pub form: ProblemForm,
    /// Description of the problem.
    pub about: About,
    /// Impulses to start from (contacts × dim), if the file has them.
    pub guess: Option<Vec<f64>>,
    /// Warnings about the interpretation of the file.
    pub warnings: Vec<String>,
}

impl ProblemFile {
    /// Creates the content from a problem without description.
    pub fn new(form: ProblemForm) -> Self {
        Self { form, about: About::default(), guess: None, warnings: Vec::new() }
    }

    /// LMGC90 writes only one triangle of M: such a matrix is completed to a symmetric one.
    pub(crate) fn with_both_triangles(mut self) -> Self {
        if let ProblemForm::Global(problem) = &mut self.form
            && problem.mass.is_one_triangle()
        {
            problem.mass = problem.mass.with_both_triangles();
            self.warnings.push(
                "M has entries on one side of its diagonal only; it is taken as one triangle of a \
                                symmetric matrix, as LMGC90 writes it"
                    .to_owned(),
            );
        }
        self
    }
}

/// Reads a problem file of any kind.
pub fn read(path: &Path) -> Result<ProblemFile, ProblemError> {
    let bytes = std::fs::read(path).map_err(|source| ProblemError::Read { path: path.to_owned(), source })?;
    read_bytes(&bytes).map_err(|error| error.in_file(path))
}

/// Reads a problem file of any kind from its bytes.
pub fn read_bytes(bytes: &[u8]) -> Result<ProblemFile, ProblemError> {
    if bytes.starts_with(SIGNATURE) { fclib::read(bytes) } else { text::read(bytes) }
}
