//! Errors of a model, its settings or a state.

/// Errors of this crate. A step that does not converge is not an error: it has a status.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MechanicsError {
    /// A body is invalid.
    #[error("body {index} (\"{name}\"): {reason}")]
    Body {
        /// Index in the model.
        index: usize,
        /// Name in the scene.
        name: String,
        /// The fault, and a valid value.
        reason: String,
    },
    /// A load, motion or joint refers to a missing item or has an invalid number.
    #[error("{what}: {reason}")]
    Part {
        /// Which part, e.g. `load "footfall"`.
        what: String,
        /// The fault, and a valid value.
        reason: String,
    },
    /// A function of time is invalid.
    #[error("{what}: invalid function of time: {reason}")]
    TimeFunction {
        /// Which part it belongs to.
        what: String,
        /// Description of the error.
        reason: String,
    },
    /// A setting is out of range.
    #[error("setting {setting} is {value}: it must be {expected}")]
    Setting {
        /// Name of the setting.
        setting: &'static str,
        /// Value given.
        value: f64,
        /// Advice: what would be right.
        expected: &'static str,
    },
    /// The solver does not support the friction law or the impact laws.
    #[error(transparent)]
    Solver(#[from] voussoir_contact::Unsupported),
    /// A state does not belong to the model.
    #[error("the state has {found} {what}; the model needs {expected}")]
    State {
        /// The counted items.
        what: &'static str,
        /// Number in the state.
        found: usize,
        /// Number that the model needs.
        expected: usize,
    },
    /// A body is added at the place of another one.
    #[error("\"{name}\" cannot be added at t = {time} s: it overlaps \"{other}\" by {depth:.3e} m")]
    NoRoom {
        /// The body that is added.
        name: String,
        /// The body at its place.
        other: String,
        /// How deep they overlap [m].
        depth: f64,
        /// [s]
        time: f64,
    },
    /// A step produced a number that is not finite.
    #[error("body {index} (\"{name}\") has a non-finite position or velocity after the step to t = {time} s")]
    NotFinite {
        /// Index in the model.
        index: usize,
        /// Name in the scene.
        name: String,
        /// End of the step [s].
        time: f64,
    },
}
