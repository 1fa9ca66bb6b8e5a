//! Numbers that an engineer asks of a recorded moment: what interfaces carry, how blocks are stressed, where thrust
//! runs, how far joints are open. Everything follows from a [`Cast`](voussoir_mechanics::snapshot::Cast) and a
//! [`Snapshot`](voussoir_mechanics::snapshot::Snapshot), so it can be asked of any frame of any results file.
//!
//! | module | what lives there |
//! |---|---|
//! | [`interface`] | resultants, centres of pressure, joint use, openings |
//! | [`stress`] | mean stress of blocks and its principal values |
//! | [`coupled`] | point forces by the coupled rule |
//! | [`crushing`] | pressures of stress blocks |
//! | [`descent`] | what goes through horizontal cuts |
//! | [`openings`] | how wide joints are open, however wide |
//! | [`probe`] | the probes of a scene |
//! | [`thrust`] | thrust lines and the force network |
//! | [`quantity`] | what blocks may be coloured by |

pub mod coupled;
pub mod crushing;
pub mod descent;
pub mod interface;
pub mod openings;
pub mod probe;
pub mod quantity;
pub mod stress;
pub mod thrust;

pub use coupled::couple;
pub use descent::{Cut, load_descent};
pub use interface::{Interface, interfaces};
pub use openings::Joints;
pub use probe::observe;
pub use quantity::Quantity;
pub use stress::{mean_stress, principal};
pub use thrust::{ThrustLine, force_network, thrust_lines};
