//! Settings of the explicit analysis.

use crate::error::MechanicsError;

/// Settings of the explicit analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplicitSettings {
    /// Time step [s]; `None`: `safety` times the critical step.
    pub step: Option<f64>,
    /// Automatic step divided by the critical step, 0 … 1.
    pub safety: f64,
    /// Estimate of the critical step.
    pub critical: CriticalStep,
    /// Fictitious masses for equilibrium searches.
    pub mass_scaling: MassScaling,
    /// Damping of all bodies.
    pub damping: Damping,
    /// Distance of the tangent points of rounded corners from the corner [m]; `None`: a fiftieth of the shortest side.
    pub rounding: Option<f64>,
    /// Points of a joint between two sides: 2, or 3 (weights 1/6, 2/3, 1/6).
    pub points: u8,
    /// Distance that a body may travel before contacts are detected again [m]; `None`: from the sizes.
    pub margin: Option<f64>,
    /// When the stage ends.
    pub goal: ExplicitGoal,
    /// Steps from one complete report to the next, at least 1.
    pub report_every: u64,
    /// Bodies that are guided, and which of their motions (x, y, rotation) are free.
    pub guides: Vec<(usize, [bool; 3])>,
    /// Groups of guided bodies that move together in their free motions.
    pub linked: Vec<Vec<usize>>,
}

/// Estimates of the critical time step of central differences, Δt_cr = 2/ω_max.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CriticalStep {
    /// ω² from row sums of M^-½ K M^-½ (Gerschgorin): never above the exact step.
    #[default]
    Gerschgorin,
    /// m and k of every single body (equation 2.17 of Rouxinol, Providência and Lemos 2007).
    Simple,
    /// Largest eigenvalue of M⁻¹K by Lanczos iteration.
    Eigen,
}

/// Fictitious masses; weights are unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MassScaling {
    /// True masses.
    #[default]
    Off,
    /// The same critical step for every degree of freedom, masses true on average.
    Even,
    /// The same, with this critical step [s].
    Step(f64),
}

/// Damping for equilibrium searches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Damping {
    /// None.
    #[default]
    Off,
    /// F = −α m v, α [1/s].
    Viscous(f64),
    /// The same with α adapted to the power of the motion.
    Adaptive(Adaptive),
    /// F = −β |F| sgn v in every degree of freedom.
    Local {
        /// β of blocks.
        blocks: f64,
        /// β of discs.
        particles: f64,
    },
}

/// Adaptive viscous damping: the power of damping is `ratio` times the change of kinetic energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// R = ΣP_D/|ΣĖ_k|.
    pub ratio: f64,
    /// Largest coefficient, used in the first step [1/s].
    pub start: f64,
    /// Factor by which α rises or falls in a step.
    pub up: f64,
    /// Band in which α is kept.
    pub band: f64,
}

/// When an explicit stage ends.
#[derive(Clone, Debug, PartialEq)]
pub enum ExplicitGoal {
    /// After a simulated time [s].
    Time(f64),
    /// When forces balance.
    Rest(Rest),
    /// Load increments, each held until the structure is at rest or collapses.
    Increments(Increments),
}

/// Equilibrium: the mean unbalanced force relative to the mean contact force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Largest mean unbalanced force divided by the mean contact force.
    pub unbalanced: f64,
    /// Steps after which the search ends without an answer.
    pub patience: u64,
}

/// Load increments up to collapse.
#[derive(Clone, Debug, PartialEq)]
pub struct Increments {
    /// Name of the load that is multiplied by the load factor.
    pub load: String,
    /// First load factor.
    pub from: f64,
    /// Increment of the load factor.
    pub by: f64,
    /// Smallest increment: after a collapse the last increment is halved down to it.
    pub refine: f64,
    /// Steps over which an increment is applied.
    pub ramp: u64,
    /// Largest load factor; the stage ends there without collapse.
    pub most: f64,
    /// Bodies whose displacement shows a collapse.
    pub watched: Vec<usize>,
    /// Displacement of the watched bodies since the last rest that is a collapse [m].
    pub displacement: f64,
    /// Criterion of rest, and the largest number of steps until it is met.
    pub rest: Rest,
}

impl Default for ExplicitSettings {
    fn default() -> Self {
        Self {
            step: None,
            safety: 0.8,
            critical: CriticalStep::default(),
            mass_scaling: MassScaling::default(),
            damping: Damping::default(),
            rounding: None,
            points: 2,
            margin: None,
            goal: ExplicitGoal::Time(1.0),
            report_every: 1,
            guides: Vec::new(),
            linked: Vec::new(),
        }
    }
}

impl Default for Adaptive {
    fn default() -> Self {
        Self { ratio: 0.5, start: 1e4, up: 1.05, band: 0.9 }
    }
}

impl ExplicitSettings {
    /// Criterion of rest, if the stage ends at rest.
    pub fn rest(&self) -> Option<Rest> {
        match &self.goal {
            ExplicitGoal::Time(_) => None,
            ExplicitGoal::Rest(rest) => Some(*rest),
            ExplicitGoal::Increments(increments) => Some(increments.rest),
        }
    }

    /// Checks that all settings are in range.
    pub fn check(&self) -> Result<(), MechanicsError> {
        let require = |good: bool, setting, value, expected| {
            if good { Ok(()) } else { Err(MechanicsError::Setting { setting, value, expected }) }
        };
        let positive = |x: f64| x > 0.0 && x.is_finite();
        require(positive(self.safety) && self.safety <= 1.0, "safety", self.safety, "above 0 and at most 1")?;
        for (name, value) in [("step", self.step), ("rounding", self.rounding), ("margin", self.margin)] {
            if let Some(value) = value {
                require(positive(value), name, value, "a positive number")?;
            }
        }
        require(matches!(self.points, 2 | 3), "points", f64::from(self.points), "2 or 3")?;
        match self.damping {
            Damping::Off => {}
            Damping::Viscous(alpha) => require(alpha >= 0.0 && alpha.is_finite(), "viscous", alpha, "zero or more")?,
            Damping::Adaptive(Adaptive { ratio, start, up, band }) => {
                require(positive(ratio), "ratio", ratio, "a positive number")?;
                require(positive(start), "start", start, "a positive number")?;
                require(up > 1.0 && up.is_finite(), "up", up, "above 1")?;
                require(band > 0.0 && band < 1.0, "band", band, "between 0 and 1")?;
            }
            Damping::Local { blocks, particles } => {
                for beta in [blocks, particles] {
                    require((0.0..1.0).contains(&beta), "local", beta, "from 0 up to, but not including, 1")?;
                }
            }
        }
        let timed = matches!(self.goal, ExplicitGoal::Time(_));
        if timed && self.mass_scaling != MassScaling::Off {
            return Err(MechanicsError::Part {
                what: "mass_scaling".to_owned(),
                reason: "scaled masses change motions in time; use it with `until` or `increments`".to_owned(),
            });
        }
        Ok(())
    }
}
