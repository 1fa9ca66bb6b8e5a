//! Scene files, generators, mesh files and templates; all of them become a model.
//!
//! ```
//! use voussoir_model::{Scene, build};
//! let text = voussoir_model::templates::render("arch", &[("voussoirs", "13")])?;
//! let scene = Scene::parse(&text, "arch.toml")?;
//! let built = build(&scene, std::path::Path::new("."))?;
//! assert_eq!(built.model.bodies(), 13 + 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`scene`] | the structs of a scene file, and their reader |
//! | [`mod@build`] | a scene becomes a model |
//! | [`generators`] | walls, arches, domes, stairs, piles |
//! | [`accelerogram`] | recorded ground motions: PEER AT2, CSV |
//! | [`library`] | stones and mortars with their sources; Barton's friction |
//! | [`mod@import`] | models of other programs to scenes |
//! | [`mesh`] | OBJ, STL and PLY files |
//! | [`mod@templates`] | commented scenes to start from |
//! | [`mod@schema`] | JSON Schema of scenes |
//! | [`error`], [`place`], [`suggest`] | errors with line, column and help |
//! | [`further`] | mistakes beyond the first one |
//! | [`presets`] | partial factors of codes with their clauses |

pub mod accelerogram;
pub mod build;
pub mod error;
pub mod further;
pub mod generators;
pub mod import;
pub mod library;
pub mod mesh;
pub mod place;
pub mod presets;
pub mod scene;
pub mod schema;
pub mod suggest;
pub mod templates;

pub use build::{
    AnyModel, Built, CheckpointInterval, RecordSettings, Stage, StageAnalysis, StaticSettings, build, waiting,
};
pub use error::SceneError;
pub use import::import;
pub use scene::Scene;
pub use schema::schema;
pub use templates::{Template, TemplateError, render, templates};
