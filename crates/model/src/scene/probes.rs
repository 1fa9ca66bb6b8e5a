//! Probes: named quantities that are columns of `history.csv`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Selection;
use super::numbers::Numbers;

/// A named quantity of a run: one column of `history.csv`, named after the probe and its unit, and a plot of the
/// report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Probe")]
pub struct ProbeSpec {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// Which quantity.
    pub quantity: ProbeQuantity,
    /// Of which bodies. All quantities but "cable-tension" and "cut-load" need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Selection>,
    /// The other side of joints, for "force", "reaction", "moment", "eccentricity", "joint-stress", "opening", "slip" and "contacts";
    /// default: all other bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Selection>,
    /// Component. Vectors: "x", "y", "z" or "length" (default); forces also "normal" (sum of the normal forces,
    /// compression positive) and "tangential". Stresses: "xx", "yy", "zz", "yz", "zx", "xy", "principal-1" (largest
    /// tension) to "principal-3", or "pressure" (default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<ProbeComponent>,
    /// Reference point of a "moment" [m]; default: the centroid of the bodies `of`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Vec<f64>>,
    /// Which "contacts" are counted; default: all contacts with a force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ProbeStatus>,
    /// Which cable, for "cable-tension": its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cable: Option<String>,
    /// The box of a "concentration": smallest and largest corner [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<[Numbers<2>; 2]>,
    /// The line of a "passed-area": a point [m], and a direction that points beyond the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<[Numbers<2>; 2]>,
    /// A point of the surface of one elastic body `of`, as drawn [m]: "displacement", "von-mises", "largest-tension",
    /// "largest-compression" and "utilisation" are then those of the nearest point of its mesh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vec<f64>>,
    /// Height of the cut of a "cut-load" [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
}

/// Quantities of probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeQuantity {
    /// Of the centroid of the bodies [m].
    Position,
    /// Of the centroid, relative to the drawing [m].
    Displacement,
    /// Of the centroid [m/s].
    Velocity,
    /// Force on the bodies `of` through joints with the bodies `with` [N].
    Force,
    /// Force of the bodies `of`, for example a support, on the bodies `with` [N].
    Reaction,
    /// Torque on the bodies `of` by the forces from the bodies `with` [N·m].
    Moment,
    /// Centre of pressure minus centre of the joint [m].
    Eccentricity,
    /// Pressure of a joint with its force uniformly distributed over the part that is symmetric about the centre of
    /// pressure, N/(2 b′ w): the joint crushes at the compressive strength. The largest of the joints between `of` and
    /// `with` [Pa].
    JointStress,
    /// Opening of a joint: the largest normal distance between points that are in contact in the drawing [m].
    Opening,
    /// Slip of a joint: the largest tangential distance between points that are in contact in the drawing [m].
    Slip,
    /// Mean stress of the bodies from their contact forces (Love–Weber), tension positive [Pa].
    Stress,
    /// Largest equivalent stress of von Mises in the elastic bodies `of` [Pa].
    VonMises,
    /// Largest principal tension in the elastic bodies `of` [Pa].
    LargestTension,
    /// Largest principal compression in the elastic bodies `of`, positive [Pa].
    LargestCompression,
    /// Area of the bodies `of` in the box `within`, over the area of the box (2D).
    Concentration,
    /// Area of the bodies `of` whose centroid is beyond the `line`, also of those that have left the sea there (2D) [m²].
    PassedArea,
    /// Mean number of neighbours among the bodies `of` with which a body has contact forces.
    Coordination,
    /// Number of bodies of the largest group of the bodies `of` that contact forces connect.
    LargestGroup,
    /// Largest utilisation of the strengths of the stone in the elastic bodies `of`: σ₁ over the tensile, −σ₃ over the compressive
    /// strength.
    Utilisation,
    /// Tension of a cable, zero for a slack or broken cable [N].
    CableTension,
    /// Vertical force through a horizontal cut: on bodies with the centroid above `height`, from those below [N].
    CutLoad,
    /// Number of contacts between the bodies `of` and the bodies `with`.
    Contacts,
}

/// Components of vectors and stresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeComponent {
    /// Along the x axis.
    X,
    /// Along the y axis.
    Y,
    /// Along the z axis; the only component of torques in 2D.
    Z,
    /// Length of the vector.
    Length,
    /// Sum of the normal forces, compression positive.
    Normal,
    /// Length of the sum of the tangential forces.
    Tangential,
    /// Normal stress along x.
    Xx,
    /// Normal stress along y.
    Yy,
    /// Normal stress along z.
    Zz,
    /// Shear stress.
    Yz,
    /// Shear stress.
    Zx,
    /// Shear stress.
    Xy,
    /// Largest principal stress (largest tension).
    #[serde(rename = "principal-1")]
    Principal1,
    /// Middle principal stress.
    #[serde(rename = "principal-2")]
    Principal2,
    /// Smallest principal stress (largest compression); 2D has two.
    #[serde(rename = "principal-3")]
    Principal3,
    /// Mean pressure, compression positive.
    Pressure,
}

/// Status of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeStatus {
    /// No force.
    Open,
    /// Force without slip.
    Stick,
    /// Force with slip.
    Slide,
}
