//! Bodies, joints, loads, supports and the analyses. No files and no clocks.
//!
//! The [`model`] is constant during a run; the [`state`] contains everything that changes.
//!
//! | module | content |
//! |---|---|
//! | [`model`] | bodies, materials, joints, supports, loads, numerical settings |
//! | [`joints`] | laws of joints, one file each |
//! | [`cable`] | cables: tension, prestress, work of the jack |
//! | [`carried`] | masses of loads that are weights |
//! | [`train`] | axle trains: loads that travel |
//! | [`time_function`] | numbers that depend on time: constants, tables, sines |
//! | [`motion`] | prescribed motions of supports |
//! | [`sea`] | wind, water and Coriolis force on floes |
//! | [`kinematics`] | velocity of a point of a body |
//! | `check` | validity of a model, settings and a state |
//! | [`inspect`] | inspection before a run: interfaces, overlaps, floating bodies |
//! | [`construction`] | bodies that are added, released and removed |
//! | [`state`] | positions, velocities, contact memory: the content of a checkpoint |
//! | [`any`] | models and states of either dimension |
//! | [`analysis`] | the interface of every analysis |
//! | [`dynamic`] | the dynamic analysis behind that interface |
//! | [`explicit`] | the explicit analysis: discrete elements in the plane |
//! | [`events`] | the event-driven analysis |
//! | [`stepper`] | the dynamic analysis itself, one step at a time |
//! | [`steer`] | forces and velocities given between two steps |
//! | [`probe`] | named measures of a run |
//! | [`report`] | report of a step of any analysis: common part and columns |
//! | [`contacts`] | contacts after a step |
//! | [`measures`] | resultants, reactions, energies, momentum |
//! | [`born`] | bodies that appear in a run |
//! | [`snapshot`] | the state at one time, dimension erased, for recorders |
//! | [`error`] | errors |

pub mod analysis;
pub mod any;
pub mod born;
pub mod cable;
pub mod carried;
mod check;
pub mod construction;
pub mod contacts;
pub mod dynamic;
pub mod elastic;
pub mod error;
pub mod events;
pub mod explicit;
pub mod inspect;
pub mod joints;
pub mod kinematics;
pub mod measures;
pub mod model;
pub mod motion;
pub mod probe;
pub mod report;
pub mod sea;
pub mod snapshot;
pub mod state;
pub mod steer;
mod step;
pub mod stepper;
pub mod time_function;
pub mod train;

pub use analysis::Analysis;
pub use any::{AnyModel, AnyState, StagePosition, StateRef};
pub use contacts::{ContactRecord, ContactStatus};
pub use error::MechanicsError;
pub use explicit::Explicit;
pub use stepper::Stepper;
pub use voussoir_contact as contact;
pub use voussoir_geometry as geometry;
