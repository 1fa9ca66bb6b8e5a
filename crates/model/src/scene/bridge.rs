//! Keys of masonry bridges and flying buttresses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::generated::ArchKind;
use super::numbers::Numbers;

/// A bridge of one or several spans. Free bodies: `name.span[k].voussoir[i]` (tag `voussoirs`), `name.pier[k].block[j]`
/// upwards, `name.pier[k].saddle` between the arches and, where they differ, `name.pier[k].cap` (tag `piers`), `name.abutment[i].block[j]` and
/// `name.abutment[i].skewback` where abutments have courses (tag `abutments`), `name.backing[i]` from left to right (tag
/// `backing`), `name.spandrel.course[j].brick[i]` (tag `spandrel`; in 3D `name.spandrel[side]`). Supports:
/// `name.springer[i]` or `name.abutment[i]`, `name.abutment[i].wall`, `name.pier[k].ground`, `name.abutment[i].ground`.
///
/// The origin is the middle between the outermost springing points of the intrados, at the height from which `springing`,
/// `backing` and `road` are measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bridge {
    /// Spans from left to right.
    pub spans: Vec<BridgeSpan>,
    /// Piers from left to right, one between each two spans; a single table stands for all piers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub piers: Vec<BridgePier>,
    /// Abutments at both ends; default: supports that continue the rings by their thickness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abutments: Option<BridgeAbutments>,
    /// Level up to which masonry backs the haunches [m]: blocks with vertical joints above the voussoirs that lie below this
    /// level as a whole, above piers and abutments. Default: no backing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing: Option<f64>,
    /// Points [x, level] of the road from left to right [m]; beyond the first and the last point the road is level. Needed by
    /// `spandrel` and by `wall` of the abutments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub road: Vec<Numbers<2>>,
    /// Spandrel masonry between the rings and the road; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spandrel: Option<BridgeSpandrel>,
    /// Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
}

// The keys of the form are repeated from `Arch`: a flattened common struct could not reject unknown keys.
/// One span of a bridge; the form of the ring is given as for an arch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BridgeSpan {
    /// Form: "semicircular" (default), "segmental", "pointed", "parabolic", "three-centred" or "flat".
    #[serde(default)]
    pub kind: ArchKind,
    /// Clear distance between the inner springing points [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<f64>,
    /// Inner radius [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Height of the inner crown above the springing points [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
    /// Angle of embrace [degrees], at most 180.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embrace_deg: Option<f64>,
    /// Thickness of the ring [m].
    pub thickness: f64,
    /// Number of voussoirs; even for pointed arches.
    pub voussoirs: u64,
    /// Level of the inner springing points [m]; default 0.
    #[serde(default)]
    pub springing: f64,
}

/// A pier of rectangular or battered courses; the arches spring from a saddle stone on top of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BridgePier {
    /// Width at the springing: distance between the inner springing points of the two spans [m].
    pub width: f64,
    /// Height from the foot to the lower of the two springings [m].
    pub height: f64,
    /// Width at the foot [m]; default: as at the springing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foot: Option<f64>,
    /// Number of courses; default 1: a monolith.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub courses: Option<u64>,
}

/// Abutments at both ends of a bridge. Their top is level with the outer springing point of the ring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BridgeAbutments {
    /// Length of the top behind the extrados [m].
    pub length: f64,
    /// Height below the springing [m]; default: the thickness of the ring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Number of courses below a skewback stone, all free on a support; default: each abutment is one support.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub courses: Option<u64>,
    /// Thickness of a wall behind each abutment that is a support and rises to the road [m]; default: no wall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall: Option<f64>,
}

/// Spandrel masonry in running bond: over the whole depth in 2D, walls at both faces in 3D. Stones above the ring end at
/// its joints, so that all stones are convex.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BridgeSpandrel {
    /// Height of a course [m].
    pub course: f64,
    /// Length of a stone [m].
    pub brick: f64,
    /// Thickness of each of the two walls [m]; 3D only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
}

/// A flying buttress: half an arch that rises from a pier on the left and leans on a wall on the right, both along x.
/// `name.voussoir[i]` from the pier to the wall (tag `voussoirs`), `name.coping[i]` above them (tag `coping`),
/// `name.pier.block[j]` upwards, `name.pier.skewback` and `name.pier.pinnacle[j]` (tag `pier`), supports `name.ground` and
/// `name.wall`. The origin is the point of the wall at the level of the inner springing point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlyingButtress {
    /// Form of the whole arch of which this is the left half: "segmental" (default), "semicircular", "pointed", "parabolic" or
    /// "three-centred".
    #[serde(default = "segmental")]
    pub kind: ArchKind,
    /// Clear distance between pier and wall [m].
    pub span: f64,
    /// Height of the inner head above the springing [m]; not for semicircular arches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
    /// Thickness of the ring [m].
    pub thickness: f64,
    /// Number of voussoirs.
    pub voussoirs: u64,
    /// Heights of a straight coping above the extrados at the pier and at the wall [m]; default: no coping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coping: Option<Numbers<2>>,
    /// Width of the pier along x [m].
    pub pier_width: f64,
    /// Height of the pier from its foot to the springing [m].
    pub pier_height: f64,
    /// Number of courses of the pier below the skewback; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub courses: Option<u64>,
    /// Height of the pinnacle above the skewback [m]; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinnacle: Option<f64>,
    /// Number of courses of the pinnacle; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinnacle_courses: Option<u64>,
    /// Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
}

fn segmental() -> ArchKind {
    ArchKind::Segmental
}
