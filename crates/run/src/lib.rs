//! Running and studying scenes, with or without results folders. Prints nothing; independent of terminals.
//!
//! `examples/arch.rs` shows the use of this crate in ten lines.
//!
//! | module | content |
//! |---|---|
//! | [`scene_file`] | scenes from files, and their meshes |
//! | [`scene_text`] | the text of a scene, edited by key |
//! | [`drive`] | the loop over all stages, the same for every command |
//! | [`observe`] | the interface of observers of the loop |
//! | [`probes`], [`dump`], [`folder_recorder`] | observers: probes, dump of contact problems, recorder of a folder |
//! | [`folder`] | a run into a results folder, and resuming one |
//! | [`run_scene`] | the scene of a run: loads at any time, description of the model |
//! | [`compas`] | results of a folder for COMPAS |
//! | [`compare`] | the collapse load by three analyses |
//! | [`modes`] | vibration modes, drawn, recorded, calibrated on measurements |
//! | [`samples`] | tests on samples of grains, calibration of their springs |
//! | [`freeze`] | scenes with their packings written into the text |
//! | [`pictures`] | pictures of a results folder |
//! | [`description`] | description of a scene before a run |
//! | [`statics`] | static studies: stand, limit, pushover; variation and search |
//! | [`mod@validate`] | the validation cases: scenes, expected values, invariants |
//! | [`figures`] | numbers with units |
//! | [`error`] | errors |

pub mod compare;
pub mod compas;
pub mod description;
pub mod drive;
pub mod dump;
pub mod error;
pub mod figures;
pub mod folder;
pub mod folder_recorder;
pub mod freeze;
pub mod last_state;
pub mod modes;
pub mod observe;
pub mod pictures;
pub mod probes;
pub mod run_scene;
pub mod samples;
pub mod scene_file;
pub mod scene_text;
pub mod statics;
pub mod validate;

pub use drive::{Control, Ending, Facts, RunOutcome};
pub use error::{Result, RunError};
pub use observe::{Flow, Observer, StepPlace};
pub use scene_file::SceneFile;
pub use scene_text::SceneText;
