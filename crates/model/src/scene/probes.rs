//! Probes: named measures that become columns of `history.csv`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Selection;

/// A named measure of a run: one column of `history.csv`, called like the probe with its unit, and a plot of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// What is measured.
    pub quantity: ProbeQuantity,
    /// Of which bodies. All quantities but "cable-tension" and "cut-load" need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Selection>,
    /// The other side of joints, for "force", "reaction", "moment", "eccentricity", "joint-stress", "opening", "slip" and "contacts";
    /// default: all other bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Selection>,
    /// Which number of it. Vectors: "x", "y", "z" or "length" (default); forces also "normal" (sum of the normal forces,
    /// compression positive) and "tangential". Stresses: "xx", "yy", "zz", "yz", "zx", "xy", "principal-1" (most tension)
    /// to "principal-3", or "pressure" (default).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<ProbeComponent>,
    /// Point about which a "moment" is taken [m]; default: the centroid of the bodies `of`, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Vec<f64>>,
    /// Which "contacts" are counted; default: all that carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ProbeStatus>,
    /// Which cable, for "cable-tension": its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cable: Option<String>,
    /// Height of the cut of a "cut-load" [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
}

/// What probes measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeQuantity {
    /// Of the centroid of the bodies [m].
    Position,
    /// Of the centroid, from where the bodies are drawn [m].
    Displacement,
    /// Of the centroid [m/s].
    Velocity,
    /// Force on the bodies `of` through joints with the bodies `with` [N].
    Force,
    /// Force of the bodies `of`, a support for instance, on the bodies `with` [N].
    Reaction,
    /// Moment on the bodies `of` of the forces from the bodies `with` [N·m].
    Moment,
    /// Centre of pressure of the joint less its centre [m].
    Eccentricity,
    /// Pressure of a joint that carries all on the part that is symmetric about its centre of pressure, N/(2 b′ w): it
    /// crushes at the compressive strength. The largest of the joints between `of` and `with` [Pa].
    JointStress,
    /// How far a joint is open: the largest distance along the normal between points that touch as drawn [m].
    Opening,
    /// How far a joint has slipped: the largest distance along the joint between points that touch as drawn [m].
    Slip,
    /// Mean stress of the bodies by their contact forces (Love–Weber), tension positive [Pa].
    Stress,
    /// Tension of a cable, zero where it hangs loose or has snapped [N].
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
    /// Along the z axis; moments in 2D have no other.
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
    /// Largest principal stress (most tension).
    #[serde(rename = "principal-1")]
    Principal1,
    /// Middle principal stress.
    #[serde(rename = "principal-2")]
    Principal2,
    /// Smallest principal stress (most compression); 2D has two.
    #[serde(rename = "principal-3")]
    Principal3,
    /// Mean pressure, compression positive.
    Pressure,
}

/// Status of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeStatus {
    /// Carries nothing.
    Open,
    /// Carries and does not slip.
    Stick,
    /// Carries and slips.
    Slide,
}
