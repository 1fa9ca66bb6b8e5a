//! The scene file: the structs are parser, JSON Schema and documentation at the same time.
//!
//! Lengths in m, masses in kg, times in s, forces in N; angles in radians, in degrees where the key ends with `_deg`. z
//! points up in 3D, y in 2D. The structs represent the text; [`crate::build()`] checks its meaning. A struct that has a
//! counterpart in `geometry` or `mechanics` ends with `Spec` ([`cables::CableSpec`] specifies a cable of the model); the
//! JSON Schema uses the name without the suffix.
//!
//! | module | content |
//! |---|---|
//! | [`assessment`] | load cases and partial factors of `voussoir assess` |
//! | [`bodies`] | bodies: inline shapes, generators, mesh files |
//! | [`generated`] | the keys of the generators |
//! | [`bridge`] | the keys of bridges and flying buttresses |
//! | [`masonry`] | the keys of bonded walls and their openings |
//! | [`round`] | the keys of stairs, cylinders and domes on piers |
//! | [`actions`] | supports with their motions, loads, functions of time, selections |
//! | [`cables`] | cables, ties and rings |
//! | [`construction`] | bodies that stages add and remove |
//! | [`joints`] | laws between materials: friction, impact, springs, bonds |
//! | [`trains`] | axle trains |
//! | [`ice`] | the keys of fields of floes |
//! | [`elastic`] | elastic blocks |
//! | [`environment`] | wind, water and Coriolis force |
//! | [`sample`] | tests on samples of grains |
//! | [`stages`] | analyses and recording |
//! | [`probes`] | quantities that are columns of the history |
//! | [`numbers`] | lists of a fixed number of numbers |
//! | [`read`] | TOML to these structs, errors with line and column |

pub mod actions;
pub mod assessment;
pub mod bodies;
pub mod bridge;
pub mod cables;
pub mod construction;
pub mod elastic;
pub mod environment;
pub mod explicit;
pub mod fill;
pub mod generated;
pub mod ice;
mod introspect;
pub mod joints;
pub mod masonry;
pub mod numbers;
pub mod probes;
pub mod read;
pub mod round;
pub mod sample;
pub mod stages;
pub mod trains;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{SceneError, Source};
use actions::{AddedMass, LoadSpec, Support};
use assessment::AssessmentSpec;
use bodies::{BodySpec, FormSpec};
use cables::CableSpec;
use elastic::{ElasticBlocksSpec, GlueSpec};
use environment::EnvironmentSpec;
pub use joints::{JointSpec, LawSpec, RestitutionLaw, RestitutionSpec};
use probes::ProbeSpec;
use sample::SampleSpec;
use stages::{RecordSpec, StageSpec};
use trains::TrainSpec;

/// A scene: an assembly of bodies in contact, its supports and loads, and the analyses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Title in one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Number of dimensions: 3 (default, z up) or 2 (y up).
    #[serde(default = "three")]
    #[schemars(range(min = 2, max = 3))]
    pub dim: u8,
    /// Acceleration of gravity [m/s²]: a number (downwards, default 9.81; zero with an `environment`) or a vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<NumberOrVector>,
    /// Thickness perpendicular to the plane in 2D [m], default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Accept bodies that overlap at the start by more than 1e-3 of their size (default false: an error).
    #[serde(default, skip_serializing_if = "is_false")]
    pub allow_overlap: bool,
    /// Most bodies that the scene may have, default 120 000: a wrong count would otherwise take minutes to be noticed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bodies: Option<u64>,
    /// COMPAS file that the scene was imported from, relative to the scene: `voussoir export --to compas` names blocks as this
    /// file does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compas: Option<String>,
    /// Identifier of the problem of the COMPAS file that this scene is, for a file with several problems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compas_problem: Option<String>,
    /// Materials by name.
    #[serde(default)]
    pub materials: BTreeMap<String, MaterialSpec>,
    /// Joint laws between materials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointSpec>,
    /// Bodies: shapes, generators, mesh files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodySpec>,
    /// Bodies that are fixed or have a prescribed motion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supports: Vec<Support>,
    /// Forces and torques besides gravity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<LoadSpec>,
    /// Additional masses of bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added_masses: Vec<AddedMass>,
    /// Cables, ties and rings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cables: Vec<CableSpec>,
    /// Axle trains that travel over bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trains: Vec<TrainSpec>,
    /// Blocks that are glued into one body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub glue: Vec<GlueSpec>,
    /// Blocks that are elastic in dynamic stages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elastic: Vec<ElasticBlocksSpec>,
    /// Load cases and partial factors of `voussoir assess`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assessment: Option<AssessmentSpec>,
    /// A test on a sample of grains, for `voussoir sample` and `voussoir calibrate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleSpec>,
    /// Wind, water and Coriolis force around floes (2D).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<EnvironmentSpec>,
    /// Analyses, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageSpec>,
    /// Named quantities, one column of `history.csv` each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<ProbeSpec>,
    /// Recording of results.
    #[serde(default)]
    pub record: RecordSpec,
    /// The text of this scene.
    #[serde(skip)]
    pub source: Source,
}

impl Scene {
    /// Reads a scene from TOML. Errors give the line and the expected keys or values.
    ///
    /// ```
    /// let error = voussoir_model::Scene::parse("gravty = 9.81", "arch.toml").unwrap_err();
    /// assert_eq!((error.line, error.column), (1, 1));
    /// assert_eq!(error.message, "unknown key `gravty`");
    /// assert!(error.help.unwrap().starts_with("did you mean `gravity`?"));
    /// ```
    pub fn parse(text: &str, file: &str) -> Result<Self, SceneError> {
        read::scene(text, file)
    }

    /// Number of bodies of the scene, without building them (a mesh counts as one).
    pub fn body_count(&self) -> u64 {
        let count = |body: &BodySpec| match &body.form {
            FormSpec::Generated(generator) => crate::generators::count(generator),
            FormSpec::Shaped(_) | FormSpec::Mesh(_) => 1,
        };
        self.bodies.iter().fold(0, |total: u64, body| total.saturating_add(count(body)))
    }

    /// The scene as TOML, without the comments of its text.
    pub fn to_toml(&self) -> Result<String, SceneError> {
        toml::to_string(self).map_err(|e| self.source.error(0..0, format!("the scene cannot be written as TOML: {e}")))
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: String::new(),
            dim: 3,
            gravity: None,
            depth: None,
            allow_overlap: false,
            max_bodies: None,
            compas: None,
            compas_problem: None,
            materials: BTreeMap::new(),
            joints: Vec::new(),
            bodies: Vec::new(),
            supports: Vec::new(),
            loads: Vec::new(),
            added_masses: Vec::new(),
            cables: Vec::new(),
            trains: Vec::new(),
            glue: Vec::new(),
            elastic: Vec::new(),
            assessment: None,
            sample: None,
            environment: None,
            stages: Vec::new(),
            probes: Vec::new(),
            record: RecordSpec::default(),
            source: Source::default(),
        }
    }
}

/// A material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Material")]
pub struct MaterialSpec {
    /// Density [kg/m³], above zero.
    pub density: f64,
    /// A material of the library whose strengths and elastic constants are used: "tuffeau-dry", "granite", … (`voussoir
    /// materials`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// Compressive strength [Pa]; default: that of `like`, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compressive_strength: Option<f64>,
    /// Tensile strength [Pa]; default: that of `like`, or none. Elastic blocks show how much of it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tensile_strength: Option<f64>,
    /// True: all blocks of this material are elastic in dynamic stages, with the defaults of `[[elastic]]`; default: rigid.
    #[serde(default, skip_serializing_if = "is_false")]
    pub elastic: bool,
    /// Young's modulus of elastic blocks [Pa]; default: that of `like`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young_modulus: Option<f64>,
    /// Poisson's ratio of elastic blocks; default: that of `like`, else 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson_ratio: Option<f64>,
    /// Drag coefficient of air on floes of this material; default: that of the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_drag: Option<f64>,
    /// Drag coefficient of water on floes of this material; default: that of the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water_drag: Option<f64>,
}

impl MaterialSpec {
    /// A material with this density and no strength.
    pub fn of_density(density: f64) -> Self {
        Self {
            density,
            like: None,
            compressive_strength: None,
            tensile_strength: None,
            elastic: false,
            young_modulus: None,
            poisson_ratio: None,
            air_drag: None,
            water_drag: None,
        }
    }
}

/// A number, or one number per axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
pub enum NumberOrVector {
    /// A number.
    Number(f64),
    /// One number per axis.
    Vector(Vec<f64>),
}

impl NumberOrVector {
    /// The numbers as written.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Number(number) => std::slice::from_ref(number),
            Self::Vector(numbers) => numbers,
        }
    }
}

fn three() -> u8 {
    3
}

pub(crate) fn is_false(value: &bool) -> bool {
    !value
}
