//! Load cases and partial factors of `voussoir assess`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Load cases, partial factors and requirements of `voussoir assess`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Assessment")]
pub struct AssessmentSpec {
    /// Code from which factors are taken: "en-1990-road", "en-1990-rail", "en-1990-building", "en-1998-3-kl1", "-kl2",
    /// "-kl3", "uic-778-3" or "cs-454"; default: all factors are 1. `voussoir assess` lists the clauses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Factors that replace those of the preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factors: Option<FactorsSpec>,
    /// Names of loads that are permanent, besides fill and loads with `mass = true`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permanent: Vec<String>,
    /// Adequacy factor that every case must reach; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<f64>,
    /// Horizontal directions in which the collapse acceleration is computed: "x", "-x", …; default: both directions of all
    /// horizontal axes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<String>,
    /// Design acceleration of the ground [g]: adds a case for each of the directions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<f64>,
    /// Load cases; default: permanent actions alone, and with each variable action as the leading one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<CaseSpec>,
}

/// Partial factors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Factors")]
pub struct FactorsSpec {
    /// On permanent actions that are unfavourable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permanent: Option<f64>,
    /// On permanent actions that are favourable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub favourable: Option<f64>,
    /// On variable actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<f64>,
    /// Compressive strengths are divided by this factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
    /// Friction coefficients are divided by this factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Source of these factors, printed with them: a clause, a national annex, an agreement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// One load case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Case")]
pub struct CaseSpec {
    /// Its name.
    pub name: String,
    /// Factor on the weight of the blocks; default: `permanent` of the factors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Factors on loads and trains, by name; what is not named does not act.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actions: BTreeMap<String, f64>,
    /// The action that is multiplied until collapse: one of `actions`, or "acceleration". A train that leads is placed at
    /// its worst position; others act at time 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leading: Option<String>,
    /// Constant acceleration of the ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<CaseAcceleration>,
}

/// Constant acceleration of the ground in a load case, as inertia forces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseAcceleration {
    /// Direction of the inertia forces: "x", "-x", "y", … or numbers such as "1,0.3,0".
    pub direction: String,
    /// Size [g].
    pub value: f64,
}
