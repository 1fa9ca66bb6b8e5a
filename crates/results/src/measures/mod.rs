//! Measures of a recorded frame: forces of interfaces, stresses of blocks, thrust lines, openings of joints. All of
//! them follow from a [`Cast`](voussoir_mechanics::snapshot::Cast) and a
//! [`Snapshot`](voussoir_mechanics::snapshot::Snapshot), so they are available for every frame of every results file.
//!
//! | module | content |
//! |---|---|
//! | [`interface`] | resultants, centres of pressure, friction utilisation, openings |
//! | [`stress`] | mean stress of blocks and its principal values |
//! | [`coupled`] | point forces by the coupled rule |
//! | [`crushing`] | pressures of stress blocks |
//! | [`descent`] | forces through horizontal cuts |
//! | [`floes`] | concentration, passed area and groups of floes |
//! | [`openings`] | opening widths of joints |
//! | [`probe`] | the probes of a scene |
//! | [`thrust`] | thrust lines and the force network |
//! | [`quantity`] | quantities for the colour of blocks |

pub mod coupled;
pub mod crushing;
pub mod descent;
pub mod floes;
pub mod interface;
pub mod openings;
pub mod probe;
pub mod quantity;
pub mod stress;
pub mod thrust;

pub use coupled::couple;
pub use descent::{Cut, load_descent};
pub use interface::{InterfaceResultant, interfaces};
pub use openings::Joints;
pub use probe::observe;
pub use quantity::BlockQuantity;
pub use stress::{mean_stress, principal};
pub use thrust::{ChainThrustLine, force_network, thrust_lines};
