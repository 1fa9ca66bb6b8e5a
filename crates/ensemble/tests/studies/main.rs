//! Studies of real scenes: closed forms end to end, one table for every engine, refusals before the first sample.

mod hand;
mod refusals;
mod samples;

use std::path::Path;

use voussoir_ensemble::EnsembleResult as Result;
use voussoir_ensemble::study::{EnsembleStudy, Part, SampleTable, StudyEngine, StudySpec};

/// A low block on a ground: it slides at an acceleration of μ g before it rocks.
pub const BLOCK: &str = r#"
title = "Low block"
materials.stone.density = 2000.0
joints = [{ between = ["stone", "stone"], friction = 0.6 }]
[[bodies]]
name = "ground"
shape = "box"
size = [6.0, 4.0, 0.5]
position = [0.0, 0.0, -0.25]
material = "stone"
[[bodies]]
name = "block"
shape = "box"
size = [2.0, 1.0, 0.4]
position = [0.0, 0.0, 0.2]
material = "stone"
[[supports]]
select = "ground"
[[stages]]
analysis = "dynamic"
duration = 1.0
step = 5e-3
"#;

/// A study of the low block.
pub fn study(text: &str, base: &Path) -> Result<EnsembleStudy> {
    EnsembleStudy::new(StudySpec::parse(text)?, BLOCK.to_owned(), base.to_owned(), base)
}

/// Computes a study in a folder with some threads.
pub fn table(study: &EnsembleStudy, dir: &Path, threads: usize) -> SampleTable {
    study.run(dir, &StudyEngine { threads, part: Part::WHOLE }, &mut |_, _, _| true).unwrap();
    study.table(dir).unwrap()
}
