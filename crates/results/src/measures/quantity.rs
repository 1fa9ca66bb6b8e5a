//! Quantities that colour blocks.

use std::str::FromStr;

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodyForm, Cast, CastBody, Snapshot};

use super::interface::InterfaceResultant;
use super::interfaces;
use super::stress::{mean_stress, pressure, principal};
use crate::vector::{distance, length};

/// A property of every block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockQuantity {
    /// Material: a colour per name.
    #[default]
    Material,
    /// Distance of the centroid from its place in the first frame [m].
    Displacement,
    /// Speed of the centroid [m/s].
    Speed,
    /// Mean pressure [Pa].
    Pressure,
    /// Largest principal compression of the mean stress [Pa].
    Stress,
    /// Largest use of friction among its joints, ‖T‖/(μN).
    Use,
    /// Largest damage among its joints.
    Damage,
    /// Largest accumulated slip of its joints [m].
    Slip,
    /// Speed of rotation [rad/s].
    Spin,
    /// Square root of the area in 2D, cube root of the volume in 3D [m].
    Size,
    /// Sum of its contact forces [N]; event-driven stages: impulses over the force step.
    Force,
    /// Equivalent stress of von Mises inside an elastic block, its largest value [Pa].
    VonMises,
    /// Largest principal tension inside an elastic block [Pa].
    LargestTension,
    /// Largest utilisation of the strengths inside an elastic block.
    Utilisation,
}

impl BlockQuantity {
    /// All of them, in the order they are offered.
    pub const ALL: [Self; 14] = [
        Self::Material,
        Self::Displacement,
        Self::Speed,
        Self::Pressure,
        Self::Stress,
        Self::Use,
        Self::Damage,
        Self::Slip,
        Self::Spin,
        Self::Size,
        Self::Force,
        Self::VonMises,
        Self::LargestTension,
        Self::Utilisation,
    ];

    /// Name on the command line and in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Displacement => "displacement",
            Self::Speed => "speed",
            Self::Pressure => "pressure",
            Self::Stress => "stress",
            Self::Use => "use",
            Self::Damage => "damage",
            Self::Slip => "slip",
            Self::Spin => "spin",
            Self::Size => "size",
            Self::Force => "force",
            Self::VonMises => "von-mises",
            Self::LargestTension => "largest-tension",
            Self::Utilisation => "utilisation",
        }
    }

    /// Label for users.
    pub fn label(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Displacement => "displacement",
            Self::Speed => "speed",
            Self::Pressure => "mean pressure",
            Self::Stress => "principal compression",
            Self::Use => "friction utilisation ‖T‖/μN",
            Self::Damage => "joint damage",
            Self::Slip => "joint slip",
            Self::Spin => "speed of rotation",
            Self::Size => "size",
            Self::Force => "sum of contact forces",
            Self::VonMises => "von Mises stress",
            Self::LargestTension => "largest tension",
            Self::Utilisation => "utilisation of the strengths",
        }
    }

    /// SI unit; empty for pure numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Displacement | Self::Slip | Self::Size => "m",
            Self::Speed => "m/s",
            Self::Spin => "rad/s",
            Self::Force => "N",
            Self::Pressure | Self::Stress | Self::VonMises | Self::LargestTension => "Pa",
            Self::Material | Self::Use | Self::Damage | Self::Utilisation => "",
        }
    }

    /// The fixed scale of the quantity, if it has one.
    pub fn fixed_range(self) -> Option<[f64; 2]> {
        matches!(self, Self::Use | Self::Damage).then_some([0.0, 1.0])
    }

    /// Name of the field of frames with values at the points of elastic blocks; `None` for other quantities.
    pub fn field(self) -> Option<&'static str> {
        match self {
            Self::VonMises => Some("von_mises"),
            Self::LargestTension => Some("largest_tension"),
            Self::Utilisation => Some("utilisation"),
            _ => None,
        }
    }

    /// One value per body; `None` for materials, which have names instead. NaN for supports (which carry all loads and
    /// have a prescribed motion), for absent bodies, and where the quantity is undefined. `first` is the first frame of
    /// the run.
    pub fn values(self, cast: &Cast, first: &Snapshot, snapshot: &Snapshot) -> Option<Vec<f64>> {
        let bodies = || cast.bodies.iter().zip(&snapshot.bodies);
        let mut values: Vec<f64> = match self {
            Self::Material => return None,
            Self::Displacement => {
                let pairs = snapshot.bodies.iter().zip(&first.bodies);
                pairs.map(|(now, then)| distance(now.position, then.position)).collect()
            }
            Self::Speed => bodies().map(|(_, body)| length(body.velocity)).collect(),
            Self::Pressure => mean_stress(cast, snapshot).iter().map(|s| pressure(s, cast.dimension)).collect(),
            Self::Stress => {
                let smallest = |s| principal(s, cast.dimension).into_iter().fold(0.0, f64::min);
                mean_stress(cast, snapshot)
                    .iter()
                    .map(|s| if s[0].is_nan() { f64::NAN } else { -smallest(s) })
                    .collect()
            }
            Self::Use => largest_of_joints(cast, &interfaces(snapshot), InterfaceResultant::friction_use),
            Self::Damage => largest_of_joints(cast, &interfaces(snapshot), |interface| interface.damage),
            Self::Slip => longest_slip(cast, snapshot),
            Self::Spin => bodies().map(|(_, body)| length(body.spin)).collect(),
            Self::Size => cast.bodies.iter().map(|body| size(body, cast.dimension)).collect(),
            Self::Force => contact_forces(cast, snapshot),
            Self::VonMises | Self::LargestTension | Self::Utilisation => {
                let named = cast.features.body_fields.iter().position(|info| Some(info.name.as_str()) == self.field());
                named.and_then(|at| snapshot.body_fields.get(at)).cloned().unwrap_or_default()
            }
        };
        values.resize(cast.bodies.len(), f64::NAN);
        for (value, _) in values.iter_mut().zip(&cast.bodies).filter(|(_, body)| body.support) {
            *value = f64::NAN;
        }
        for (value, _) in values.iter_mut().zip(&snapshot.bodies).filter(|(_, body)| body.absent) {
            *value = f64::NAN;
        }
        Some(values)
    }
}

/// For every body the largest value among its interfaces; interfaces with a negligible force are excluded.
fn largest_of_joints(
    cast: &Cast,
    interfaces: &[InterfaceResultant],
    value: impl Fn(&InterfaceResultant) -> f64,
) -> Vec<f64> {
    let count = cast.bodies.len();
    let mut most = vec![0.0f64; count];
    let known = |interface: &&InterfaceResultant| interface.bodies.iter().all(|&body| (body as usize) < count);
    for interface in interfaces.iter().filter(known) {
        for body in interface.bodies {
            most[body as usize] = most[body as usize].max(interface.size());
        }
    }
    let mut values = vec![0.0f64; count];
    for interface in interfaces.iter().filter(known) {
        for body in interface.bodies.map(|body| body as usize) {
            if interface.size() >= 1e-2 * most[body] {
                values[body] = values[body].max(value(interface));
            }
        }
    }
    values
}

/// Square root of the area of a body in 2D, cube root of the volume in 3D [m].
fn size(body: &CastBody, dimension: usize) -> f64 {
    if dimension == 3 {
        return body.volume.cbrt();
    }
    let area = |surface: &Surface| -> f64 {
        let polygon = |polygon: &Vec<u32>| {
            let at = |k: usize| surface.points[polygon[k % polygon.len()] as usize];
            let cross = |k: usize| at(k)[0] * at(k + 1)[1] - at(k)[1] * at(k + 1)[0];
            0.5 * (0..polygon.len()).map(cross).sum::<f64>().abs()
        };
        surface.polygons.iter().map(polygon).sum()
    };
    match &body.form {
        BodyForm::Ball { radius } => radius * std::f64::consts::PI.sqrt(),
        BodyForm::Polygons(surface) => area(surface).sqrt(),
    }
}

/// For every body the sum of the sizes of its contact forces [N].
fn contact_forces(cast: &Cast, snapshot: &Snapshot) -> Vec<f64> {
    let mut values = vec![0.0f64; cast.bodies.len()];
    for contact in &snapshot.contacts {
        for body in contact.bodies {
            if let Some(value) = values.get_mut(body as usize) {
                *value += length(contact.force);
            }
        }
    }
    values
}

/// For every body the largest accumulated slip of its contacts, with or without a present force [m].
fn longest_slip(cast: &Cast, snapshot: &Snapshot) -> Vec<f64> {
    let mut values = vec![0.0f64; cast.bodies.len()];
    for contact in &snapshot.contacts {
        for body in contact.bodies {
            if let Some(value) = values.get_mut(body as usize) {
                *value = value.max(contact.slip);
            }
        }
    }
    values
}

impl FromStr for BlockQuantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|quantity| quantity.name() == text)
            .ok_or_else(|| format!("unknown quantity `{text}`; valid quantities: {}", names()))
    }
}
