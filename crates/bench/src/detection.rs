//! `cargo xtask detection`: cost of contact detection.
//!
//! Times are computing time of all threads, so that they hold on a busy machine: the least of several repeats for long
//! times, the mean where the resolution of the clock matters.

use std::path::Path;

use voussoir_geometry::{D3, Detection, Method, Nodes, Space};
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build, render};

use crate::clock::cpu_seconds;

/// Walls: courses, bricks in a course.
const WALLS: [[usize; 2]; 3] = [[40, 25], [100, 100], [316, 316]];
/// Steps of the coherent measurement.
const STEPS: usize = 30;

/// Measures cold detection of growing walls and coherent detection of a standing one.
pub fn run() -> Result<(), String> {
    println!("{:<14} {:>8} {:>9} {:>9} {:>12}", "cold", "blocks", "contacts", "CPU s", "growth");
    let mut before: Option<(f64, f64)> = None;
    for [courses, bricks] in WALLS {
        let model = wall(courses, bricks)?;
        let blocks = model.bodies.len() as f64;
        let (mut least, mut contacts) = (f64::INFINITY, 0);
        for _ in 0..3 {
            let start = cpu_seconds();
            contacts = inspect(&model, None).contacts;
            least = least.min(cpu_seconds() - start);
        }
        let growth = before.map_or(f64::NAN, |(n, t)| (least / t).ln() / (blocks / n).ln());
        println!("{:<14} {blocks:>8} {contacts:>9} {least:>9.3} {growth:>12.2}", format!("wall {courses}×{bricks}"));
        before = Some((blocks, least));
    }
    println!("\n{:<24} {:>9} {:>9} {:>14}", "coherent, wall 60×40", "contacts", "CPU ms", "µs a contact");
    for (name, detection) in [
        ("clip", Detection::default()),
        ("clip, four nodes", Detection { nodes: Nodes::Four, ..Detection::default() }),
        ("common plane", Detection { method: Method::CommonPlane, nodes: Nodes::All, ..Detection::default() }),
        ("swept", Detection { method: Method::Swept, nodes: Nodes::All, ..Detection::default() }),
    ] {
        let (contacts, mean) = coherent(wall(60, 40)?, detection)?;
        println!("{name:<24} {contacts:>9} {:>9.2} {:>14.2}", 1e3 * mean, 1e6 * mean / contacts as f64);
    }
    Ok(())
}

fn wall(courses: usize, bricks: usize) -> Result<Model<D3>, String> {
    let (courses, bricks) = (courses.to_string(), bricks.to_string());
    let parameters = [("courses", courses.as_str()), ("bricks", bricks.as_str()), ("brick", "[0.5,0.25,0.25]")];
    let text = render("wall", &parameters).map_err(|e| e.to_string())?;
    let scene = Scene::parse(&text, "wall").map_err(|e| e.to_string())?;
    match build(&scene, Path::new(".")).map_err(|e| e.to_string())?.model {
        AnyModel::Three(model) => Ok(std::sync::Arc::unwrap_or_clone(model)),
        AnyModel::Two(_) => Err("the wall is not in 3D".to_owned()),
    }
}

/// Contacts, and mean seconds of detection in a step of a standing structure.
fn coherent<S: Space>(model: Model<S>, detection: Detection) -> Result<(usize, f64), String> {
    let settings = DynamicSettings { step: 1e-3, detection, ..DynamicSettings::default() };
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    stepper.set_clock(cpu_seconds);
    // contacts of bodies at rest would not be detected again
    stepper.recompute();
    let (mut sum, mut contacts) = (0.0, 0);
    for step in 0..=STEPS {
        let report = stepper.step().map_err(|e| e.to_string())?;
        contacts = report.contacts;
        // the first step is from cold
        sum += if step > 0 { report.seconds[0] } else { 0.0 };
    }
    Ok((contacts, sum / STEPS as f64))
}
