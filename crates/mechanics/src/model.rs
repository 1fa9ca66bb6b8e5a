//! The constant data of a run: bodies, materials, joints, supports, loads, numerical settings.

use std::sync::Arc;

use voussoir_geometry::{Detection, Pose, Solid, Space};

pub use crate::cable::{Anchor, AtRest, Cable};
use crate::elastic::ElasticPart;
use crate::joints::elastic::Influence;
pub use crate::joints::{Joint, Restitution};
use crate::sea::Sea;
pub use crate::step::adapt::AutomaticStep;
use crate::time_function::TimeFunction;
pub use crate::train::{Axle, DeckPiece, Dispersion, Train};

/// A whole structure, ready for any analysis.
#[derive(Clone, Debug)]
pub struct Model<S: Space> {
    /// All bodies; everything else refers to them by index.
    pub bodies: Vec<Body<S>>,
    /// Materials, referred to by index.
    pub materials: Vec<Material>,
    /// Laws by pair of materials.
    pub joints: JointTable,
    /// Motions of supports, referred to by [`Role::Support`].
    pub motions: Vec<Motion<S>>,
    /// Forces and moments besides gravity.
    pub loads: Vec<Load<S>>,
    /// Acceleration of gravity [m/s²].
    pub gravity: S::Vector,
    /// Cables, ties and rings.
    pub cables: Vec<Cable<S>>,
    /// Weights that travel over bodies.
    pub trains: Vec<Train<S>>,
    /// Wind and water around floes; 2D only.
    pub sea: Option<Arc<Sea>>,
    /// Elastic parts by body; bodies beyond the list are rigid.
    pub elastic: Vec<Option<ElasticPart>>,
    /// Origin of the coordinates of the model in survey coordinates [m]. It is not used in computations; results
    /// contain it.
    pub origin: S::Vector,
}

impl<S: Space> Model<S> {
    /// Bodies, materials and joints without gravity, loads, motions of supports, cables, trains and elastic parts.
    pub fn new(bodies: Vec<Body<S>>, materials: Vec<Material>, joints: JointTable) -> Self {
        Self {
            bodies,
            materials,
            joints,
            motions: Vec::new(),
            loads: Vec::new(),
            gravity: S::zero(),
            cables: Vec::new(),
            trains: Vec::new(),
            sea: None,
            elastic: Vec::new(),
            origin: S::zero(),
        }
    }

    /// Smallest mass of a free body per area [kg/m²] (2D: density times thickness); infinite without free bodies.
    pub fn least_mass_per_area(&self) -> f64 {
        let free = self.bodies.iter().filter(|body| body.role == Role::Free);
        let share = |body: &Body<S>| body.shape.mass_properties().map(|mass| body.mass / mass.volume);
        free.filter_map(share).fold(f64::INFINITY, f64::min)
    }
}

/// A body, rigid unless the model has an elastic part for it. Its own axes have their origin at the centroid.
#[derive(Clone, Debug)]
pub struct Body<S: Space> {
    /// Unique path, e.g. `arch.voussoir[9]`.
    pub name: String,
    /// Words by which selections find it.
    pub tags: Vec<String>,
    /// Shape in body axes.
    pub shape: Arc<S::Shape>,
    /// Index of the material.
    pub material: usize,
    /// Mass [kg]; in 2D per metre of depth times the scene's depth. Supports may have any mass.
    pub mass: f64,
    /// Inertia about the centroid in body axes [kg·m²].
    pub inertia: S::Inertia,
    /// Free, or a support.
    pub role: Role,
    /// Initial pose.
    pub pose: Pose<S>,
    /// Initial velocity of the centroid, world axes [m/s].
    pub velocity: S::Vector,
    /// Initial spin, body axes [rad/s].
    pub spin: S::Spin,
}

/// Role of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Free: moves under forces and contacts.
    Free,
    /// Fixed, or moved by motion `i` of the model.
    Support(Option<usize>),
}

/// Properties of a stone.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name in the scene.
    pub name: String,
    /// Density [kg/m³].
    pub density: f64,
    /// Compressive strength [Pa]; `None`: not known.
    pub strength: Option<f64>,
}

/// Symmetric table of joints by material pair.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTable {
    materials: usize,
    table: Vec<Joint>,
    /// Pairs that pass through each other.
    ignored: Vec<bool>,
    /// Pairs whose gaps are measured from their initial value.
    beds: Vec<bool>,
    /// Length of a contact point of a disc, where the joint does not give it [m]; zero: none.
    round: Vec<f64>,
}

impl JointTable {
    /// The same joint everywhere.
    pub fn uniform(materials: usize, joint: Joint) -> Self {
        let pairs = materials * materials;
        let (ignored, beds, round) = (vec![false; pairs], vec![false; pairs], vec![0.0; pairs]);
        Self { materials, table: vec![joint; pairs], ignored, beds, round }
    }

    /// Sets the joint between two materials, in either order.
    pub fn set(&mut self, a: usize, b: usize, joint: Joint) {
        self.table[a * self.materials + b] = joint;
        self.table[b * self.materials + a] = joint;
    }

    /// Lets bodies of two materials pass through each other.
    pub fn ignore(&mut self, a: usize, b: usize) {
        self.ignored[a * self.materials + b] = true;
        self.ignored[b * self.materials + a] = true;
    }

    /// True when bodies of two materials pass through each other.
    pub fn ignores(&self, a: usize, b: usize) -> bool {
        self.ignored[a * self.materials + b]
    }

    /// Gaps between two materials are measured from their initial value if it is at most the thickness of the joint: a
    /// bed of mortar fills them.
    pub fn set_beds(&mut self, a: usize, b: usize) {
        self.beds[a * self.materials + b] = true;
        self.beds[b * self.materials + a] = true;
    }

    /// Sets the length of a contact point of a disc [m]: the mean diameter of the discs of both materials.
    pub fn set_disc_lengths<S: Space>(&mut self, bodies: &[Body<S>]) {
        for a in 0..self.materials {
            for b in 0..self.materials {
                self.round[a * self.materials + b] = mean_diameter(bodies, [a, b]);
            }
        }
    }

    /// Length of a contact point without area in 2D [m]: that of the joint, for discs the mean diameter of the discs
    /// of the two materials; zero without springs.
    pub fn point_length(&self, a: usize, b: usize, disc: bool) -> f64 {
        match self.between(a, b).elastic.map(|elastic| elastic.influence) {
            Some(Influence::Length(length)) => length,
            Some(_) if disc => self.round[a * self.materials + b],
            _ => 0.0,
        }
    }

    /// True if gaps between two materials are measured from their initial value.
    pub fn has_beds(&self, a: usize, b: usize) -> bool {
        self.beds[a * self.materials + b]
    }

    /// Distance of bodies of two materials in contact [m]; zero if gaps are measured from their initial value.
    pub fn width(&self, a: usize, b: usize) -> f64 {
        if self.has_beds(a, b) { 0.0 } else { self.between(a, b).thickness }
    }

    /// True if any joint has a mortar bed.
    pub fn has_any_beds(&self) -> bool {
        self.beds.contains(&true)
    }

    /// Number of materials that the table is for.
    pub fn materials(&self) -> usize {
        self.materials
    }

    /// True if any joint has a bond.
    pub fn has_bonds(&self) -> bool {
        self.table.iter().any(|joint| joint.bond.is_some())
    }

    /// True when a joint satisfies a condition.
    pub fn any(&self, condition: impl Fn(&Joint) -> bool) -> bool {
        self.table.iter().any(condition)
    }

    /// The thickest joint [m].
    pub fn thickest(&self) -> f64 {
        self.table.iter().map(|joint| joint.thickness).fold(0.0, f64::max)
    }

    /// The joint between two materials.
    pub fn between(&self, a: usize, b: usize) -> Joint {
        self.table[a * self.materials + b]
    }
}

/// Mean diameter of the discs of two materials [m]; zero without discs.
pub fn mean_diameter<S: Space>(bodies: &[Body<S>], [a, b]: [usize; 2]) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for radius in bodies.iter().filter(|body| [a, b].contains(&body.material)).filter_map(|b| b.shape.centred_ball()) {
        (sum, count) = (sum + 2.0 * radius, count + 1);
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Prescribed motion of a support: `direction × function(t)` read as position, velocity or acceleration,
/// and optionally a rotation about `pivot`.
#[derive(Clone, Debug)]
pub struct Motion<S: Space> {
    /// Quantity that the time function prescribes.
    pub quantity: MotionQuantity,
    /// Direction and amplitude of the translation, world axes.
    pub direction: S::Vector,
    /// Axis and amplitude of the rotation, world axes [rad per unit of the function].
    pub rotation: S::Spin,
    /// Point about which the support turns, world [m].
    pub pivot: S::Vector,
    /// The time dependence.
    pub function: TimeFunction,
    /// More translations at the same time, read as the same quantity: direction and amplitude, and time dependence.
    pub components: Vec<(S::Vector, TimeFunction)>,
}

/// Level at which a motion is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionQuantity {
    /// Displacement from the start [m], angle [rad].
    Position,
    /// [m/s], [rad/s].
    Velocity,
    /// [m/s²], [rad/s²]; starts from rest.
    Acceleration,
}

/// A force and a moment on one body.
#[derive(Clone, Debug)]
pub struct Load<S: Space> {
    /// Name in the scene.
    pub name: String,
    /// Index of the body.
    pub body: usize,
    /// Force, world axes [N].
    pub force: S::Vector,
    /// Moment, world axes [N·m].
    pub moment: S::Spin,
    /// Point of attack in body axes [m]; the centroid is zero.
    pub point: S::Vector,
    /// Multiplies force and moment.
    pub function: TimeFunction,
    /// Least and greatest multiple of the force that static analyses may use: a pressure that follows the movement of
    /// the body. `[1, 1]`: the force itself.
    pub range: [f64; 2],
    /// True for the weight of an item that moves with the body (fill, a statue): if the ground accelerates, its mass
    /// accelerates too ([`crate::carried`]).
    pub mass: bool,
}

/// Settings of the dynamic analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct DynamicSettings {
    /// Time step [s]; the first one if steps are automatic.
    pub step: f64,
    /// Limits and accuracy of automatic steps; `None`: all steps are equal.
    pub automatic: Option<AutomaticStep>,
    /// θ of the Moreau–Jean scheme, ½ … 1.
    pub theta: f64,
    /// Tolerance on the unit-free residual of the true law.
    pub tolerance: f64,
    /// Residual accepted in motion ([`DynamicSettings::motion_tolerance`]); `None`: by `tolerance`.
    pub motion_tolerance: Option<f64>,
    /// Contacts are detected up to this distance [m]; `None`: 0.5 % of the smallest block, for each pair at least
    /// twice the distance that its bodies may travel in a step.
    pub alert: Option<f64>,
    /// Treatment of negative gaps.
    pub gap: GapRule,
    /// Method of contact detection, and number of nodes.
    pub detection: Detection,
    /// The solver.
    pub solver: voussoir_contact::SolverKind,
    /// Settings of Gauss–Seidel.
    pub sweeping: voussoir_contact::nlgs::Sweeping,
    /// The friction law.
    pub friction_law: FrictionLaw,
}

impl DynamicSettings {
    /// Residual accepted in a step in which bodies move, where the quick methods of the solver do not reach
    /// [`DynamicSettings::tolerance`]. By default a hundred times that tolerance, never above 1e-6 unless the tolerance
    /// is.
    ///
    /// Solvers aim at the tolerance in every step, then at the geometric mean of the two (1e-7), at last at this
    /// residual. In motion a few steps need hundreds of factorisations for the last
    /// digits, while the time scheme places every impact and every change of sliding within a step only: there its
    /// error is of the order of the velocity a·h that loads add in a step, and the residual is relative to the same
    /// velocity. `docs/tolerance.md` has the study behind the default. Structures at rest, in which errors would add
    /// up, always meet the tolerance.
    pub fn motion_tolerance(&self) -> f64 {
        self.motion_tolerance.unwrap_or((100.0 * self.tolerance).min(1e-6)).max(self.tolerance)
    }
}

/// Laws of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionLaw {
    /// Coulomb's: sliding is along the joint.
    #[default]
    Coulomb,
    /// Associated: sliding also opens the joint, uₙ = μ‖u_T‖, which makes the problem convex. The term g/h closes the
    /// opened gap again, so that it stays near h μ‖u_T‖. A relaxation for comparison with other programs.
    Associated,
}

/// Treatment of penetration left by earlier steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GapRule {
    /// Negative gaps are neither corrected nor allowed to grow (clipped gap), except those from rotation with sliding:
    /// deeper than 1e-5 of the smaller body and deeper than at the start.
    Clip,
    /// Negative gaps are corrected, at most at this speed [m/s].
    Stabilized(f64),
}

impl Default for DynamicSettings {
    fn default() -> Self {
        Self {
            step: 1e-3,
            automatic: None,
            theta: 0.5,
            tolerance: 1e-8,
            motion_tolerance: None,
            alert: None,
            gap: GapRule::Clip,
            detection: Detection::default(),
            solver: voussoir_contact::SolverKind::Auto,
            sweeping: voussoir_contact::nlgs::Sweeping::default(),
            friction_law: FrictionLaw::Coulomb,
        }
    }
}
