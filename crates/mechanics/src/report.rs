//! Report of one step: a common part, and columns of the analysis with unit and role.
//!
//! History, summary, charts, progress and page read columns by their role; none of them knows an analysis.

use serde::{Deserialize, Serialize};

use crate::state::EnergyLedger;

/// Report of a step of any analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// Steps done, all stages together.
    pub step: u64,
    /// Time at the end of the step [s].
    pub time: f64,
    /// True if the step met its tolerance.
    pub converged: bool,
    /// Residual of the contact law (unit-free), the worst of the sub-steps if the step was cut.
    pub residual: f64,
    /// Contacts that took part.
    pub contacts: usize,
    /// Contacts by status: open, stick, slide.
    pub statuses: [usize; 3],
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy of gravity relative to the start [J].
    pub potential_energy: f64,
    /// Ledger entries so far [J].
    pub ledger: EnergyLedger,
    /// Largest penetration, ≥ 0 [m].
    pub penetration: f64,
    /// Largest closure of springs, ≥ 0 [m].
    pub closure: f64,
    /// Loads along gravity, without the weight of the bodies [N].
    pub load: f64,
    /// Largest displacement of a centroid from the start [m].
    pub displacement: f64,
    /// Largest speed of a centroid [m/s].
    pub speed: f64,
    /// Force of all supports on the free bodies, padded to three components [N].
    pub support_reaction: [f64; 3],
    /// All cables in model order.
    pub cables: Vec<CableReport>,
    /// Values of the probes, in their order; empty without probes.
    pub probes: Vec<f64>,
    /// Values of the analysis's own columns, in the order of [`Analysis::columns`](crate::analysis::Analysis::columns).
    pub own: Vec<Cell>,
}

impl StepReport {
    /// The report of an analysis that has not done a step.
    pub fn empty() -> Self {
        Self {
            step: 0,
            time: 0.0,
            converged: true,
            residual: 0.0,
            contacts: 0,
            statuses: [0; 3],
            kinetic_energy: 0.0,
            potential_energy: 0.0,
            ledger: EnergyLedger::default(),
            penetration: 0.0,
            closure: 0.0,
            load: 0.0,
            displacement: 0.0,
            speed: 0.0,
            support_reaction: [0.0; 3],
            cables: Vec::new(),
            probes: Vec::new(),
            own: Vec::new(),
        }
    }

    /// Value of one of the analysis's own columns; `columns` are those of the analysis that made the report.
    pub fn own(&self, columns: &[Column], head: &str) -> Option<Cell> {
        self.own.get(columns.iter().position(|column| column.head == head)?).copied()
    }
}

/// One cable in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CableReport {
    /// Mean tension over the step [N]; zero if the cable is slack, broken or absent.
    pub tension: f64,
    /// True if the cable snapped in this step or before.
    pub broken: bool,
}

/// One value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A measured quantity.
    Number(f64),
    /// A count or an index.
    Count(u64),
    /// A word of a fixed vocabulary, such as the name of a solver.
    Word(&'static str),
}

impl Cell {
    /// The value as a number; words have none.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(value),
            Self::Count(count) => Some(count as f64),
            Self::Word(_) => None,
        }
    }
}

/// A column of the history: head, meaning, unit and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Head in `history.csv`; ends in the unit where there is one.
    pub head: &'static str,
    /// Label for users.
    pub label: &'static str,
    /// Unit, such as `J`; empty for counts, ratios and words.
    pub unit: &'static str,
    /// Its use by readers.
    pub role: ColumnRole,
}

/// Role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnRole {
    /// Number of the step.
    Step,
    /// Simulated time.
    Time,
    /// Count of contacts, by status.
    Contacts,
    /// Accuracy of the solution of the step.
    Certificate,
    /// Effort of the step: iterations, factorisations, names of solvers.
    Effort,
    /// Energy of the bodies.
    Energy,
    /// Work done on the structure since the start.
    Work,
    /// Energy dissipated, stored or lost since the start.
    Taken,
    /// Largest displacement.
    Displacement,
    /// Another measure that is plotted over time by itself.
    Measure,
    /// Component of the force of all supports.
    Reaction,
    /// Tension of a cable.
    Cable,
    /// A probe of the scene.
    Probe,
    /// Computing time of a part of the step; not reproducible, kept apart from the history.
    Timing,
}

/// A column of every analysis: its description, and its value.
pub type CommonColumn = (Column, fn(&StepReport) -> Cell);

const fn column(head: &'static str, label: &'static str, unit: &'static str, role: ColumnRole) -> Column {
    Column { head, label, unit, role }
}

/// Columns of every analysis that come before its own.
pub const LEADING_COLUMNS: &[CommonColumn] = &[
    (column("step", "step", "", ColumnRole::Step), |r| Cell::Count(r.step)),
    (column("time_s", "time", "s", ColumnRole::Time), |r| Cell::Number(r.time)),
    (column("contacts", "contacts in the problem", "", ColumnRole::Contacts), |r| Cell::Count(r.contacts as u64)),
    (column("open", "open", "", ColumnRole::Contacts), |r| Cell::Count(r.statuses[0] as u64)),
    (column("stick", "stick", "", ColumnRole::Contacts), |r| Cell::Count(r.statuses[1] as u64)),
    (column("slide", "slide", "", ColumnRole::Contacts), |r| Cell::Count(r.statuses[2] as u64)),
    (column("penetration_m", "largest penetration", "m", ColumnRole::Measure), |r| Cell::Number(r.penetration)),
    (column("closure_m", "largest closure of springs", "m", ColumnRole::Measure), |r| Cell::Number(r.closure)),
    (column("residual", "residual of the contact law", "", ColumnRole::Certificate), |r| Cell::Number(r.residual)),
    (column("converged", "1 if the step met its tolerance", "", ColumnRole::Certificate), |r| {
        Cell::Count(u64::from(r.converged))
    }),
];

/// Columns of every analysis that come after its own.
pub const TRAILING_COLUMNS: &[CommonColumn] = &[
    (column("kinetic_j", "kinetic", "J", ColumnRole::Energy), |r| Cell::Number(r.kinetic_energy)),
    (column("potential_j", "potential", "J", ColumnRole::Energy), |r| Cell::Number(r.potential_energy)),
    (column("work_gravity_j", "work of gravity", "J", ColumnRole::Work), |r| Cell::Number(r.ledger.gravity)),
    (column("work_loads_j", "work of loads", "J", ColumnRole::Work), |r| Cell::Number(r.ledger.loads)),
    (column("work_supports_j", "work of supports", "J", ColumnRole::Work), |r| Cell::Number(r.ledger.supports)),
    (column("work_construction_j", "energy of added bodies minus removed bodies", "J", ColumnRole::Work), |r| {
        Cell::Number(r.ledger.construction)
    }),
    (column("work_restitution_j", "energy added by Newton's restitution", "J", ColumnRole::Work), |r| {
        Cell::Number(r.ledger.restitution)
    }),
    (column("dissipated_friction_j", "friction, dissipated", "J", ColumnRole::Taken), |r| {
        Cell::Number(r.ledger.friction)
    }),
    (column("dissipated_impact_j", "impacts, dissipated", "J", ColumnRole::Taken), |r| Cell::Number(r.ledger.impact)),
    (column("dissipated_cohesion_j", "cohesion, dissipated", "J", ColumnRole::Taken), |r| {
        Cell::Number(r.ledger.cohesion)
    }),
    (column("stored_elastic_j", "elastic energy of springs and cables", "J", ColumnRole::Taken), |r| {
        Cell::Number(r.ledger.elastic)
    }),
    (column("numerical_j", "numerical dissipation", "J", ColumnRole::Taken), |r| Cell::Number(r.ledger.numerical)),
    (column("displacement_m", "largest displacement", "m", ColumnRole::Displacement), |r| Cell::Number(r.displacement)),
    (column("speed_m_s", "largest speed", "m/s", ColumnRole::Measure), |r| Cell::Number(r.speed)),
    (column("reaction_x_n", "support reaction, x", "N", ColumnRole::Reaction), |r| Cell::Number(r.support_reaction[0])),
    (column("reaction_y_n", "support reaction, y", "N", ColumnRole::Reaction), |r| Cell::Number(r.support_reaction[1])),
    (column("reaction_z_n", "support reaction, z", "N", ColumnRole::Reaction), |r| Cell::Number(r.support_reaction[2])),
];
