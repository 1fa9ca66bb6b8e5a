//! `cargo xtask statics`: computing time of verdicts and collapse multipliers without a warm start, compared with clarabel.
//!
//! `stand` includes detection, forces and the check of the certificate. `limit` multiplies a horizontal
//! acceleration. Clarabel solves the same conic programs.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::model::Model;
use voussoir_model::{AnyModel, Scene, build, render};
use voussoir_statics::Structure;
use voussoir_statics::conic::Engine;
use voussoir_statics::limit::{LimitAnswer, LimitSettings, limit};
use voussoir_statics::loads::Question;
use voussoir_statics::stand::{StandSettings, decide};
use voussoir_statics::structure::CLOSED;

use crate::place::root;

/// A scene: name, template, parameters, and what is measured.
struct Reference {
    name: &'static str,
    template: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    limit: bool,
    clarabel: bool,
}

const BRICK: (&str, &str) = ("brick", "[0.5,0.25,0.25]");

const SCENES: &[Reference] = &[
    Reference { name: "arch-27", template: "arch", parameters: &[("voussoirs", "27")], limit: true, clarabel: true },
    Reference {
        name: "wall-210",
        template: "wall",
        parameters: &[("courses", "20"), ("bricks", "10"), BRICK],
        limit: true,
        clarabel: true,
    },
    Reference {
        name: "wall-1000",
        template: "wall",
        parameters: &[("courses", "40"), ("bricks", "25"), BRICK],
        limit: true,
        clarabel: true,
    },
    Reference {
        name: "wall-2430",
        template: "wall",
        parameters: &[("courses", "60"), ("bricks", "40"), BRICK],
        limit: true,
        clarabel: false,
    },
    Reference {
        name: "wall-20000",
        template: "wall",
        parameters: &[("courses", "160"), ("bricks", "125"), BRICK],
        limit: false,
        clarabel: false,
    },
];

/// Measures the scenes named (all of them by default).
pub fn run(names: &[String]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| SCENES.iter().all(|scene| scene.name != name.as_str())) {
        let known: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
        return Err(format!("there is no scene `{name}`; there are {}", known.join(", ")));
    }
    println!(
        "{:<12} {:>7} {:>9} {:>9} {:>10} {:>7} {:>10} {:>21} {:>11} {:>21}",
        "scene", "blocks", "contacts", "stand s", "imbalance", "newton", "limit s", "bounds", "clarabel s", "bounds"
    );
    let mut csv = String::from(
        "scene,blocks,contacts,stand_s,imbalance,stand_newton,limit_s,limit_newton,lower,upper,clarabel_s,clarabel_lower,\
         clarabel_upper\n",
    );
    for scene in SCENES.iter().filter(|scene| names.is_empty() || names.iter().any(|name| name == scene.name)) {
        let text = render(scene.template, scene.parameters).map_err(|error| error.to_string())?;
        let parsed = Scene::parse(&text, scene.name).map_err(|error| error.to_string())?;
        match build(&parsed, Path::new(".")).map_err(|error| error.to_string())?.model {
            AnyModel::Two(model) => measure(scene, std::sync::Arc::unwrap_or_clone(model), &mut csv)?,
            AnyModel::Three(model) => measure(scene, std::sync::Arc::unwrap_or_clone(model), &mut csv)?,
        }
    }
    let path = root().join("target/statics.csv");
    std::fs::write(&path, csv).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn measure<S: Space>(scene: &Reference, model: Model<S>, csv: &mut String) -> Result<(), String> {
    let clock = Instant::now();
    let mut structure = Structure::new(model.clone(), CLOSED).map_err(|error| error.to_string())?;
    let dead = structure.dead_load(0.0, None);
    let verdict = decide(&mut structure, &dead, &StandSettings::default());
    let stand_s = clock.elapsed().as_secs_f64();
    if verdict.stands() != Some(true) {
        return Err(format!("{}: {:?}", scene.name, verdict.certificate));
    }
    let mut axis = [0.0; 3];
    axis[0] = 1.0;
    let question = Question::<S>::Acceleration(S::Vector::from_slice(&axis));
    let limited = |engine: Engine| -> Result<(f64, LimitAnswer), String> {
        let mut structure = Structure::new(model.clone(), CLOSED).map_err(|error| error.to_string())?;
        let clock = Instant::now();
        let settings = LimitSettings { engine, ..LimitSettings::default() };
        let answer = limit(&mut structure, &question, &settings).map_err(|error| error.to_string())?;
        Ok((clock.elapsed().as_secs_f64(), answer))
    };
    let own = if scene.limit { Some(limited(Engine::Own)?) } else { None };
    let other = if scene.clarabel { Some(limited(Engine::Clarabel)?) } else { None };
    let seconds = |found: &Option<(f64, LimitAnswer)>| found.as_ref().map_or(String::new(), |(s, _)| format!("{s:.3}"));
    let bounds = |found: &Option<(f64, LimitAnswer)>| {
        let value = |of: fn(&LimitAnswer) -> Option<f64>| {
            found.as_ref().and_then(|(_, answer)| of(answer)).map_or(String::new(), |m| format!("{m:.7}"))
        };
        [value(|answer| answer.multiplier), value(|answer| answer.upper)]
    };
    let shown = |found: &Option<(f64, LimitAnswer)>| match found {
        Some(_) => bounds(found).join(" … "),
        None => String::new(),
    };
    println!(
        "{:<12} {:>7} {:>9} {:>9.3} {:>10.1e} {:>7} {:>10} {:>21} {:>11} {:>21}",
        scene.name,
        structure.nodes(),
        structure.contacts.len(),
        stand_s,
        verdict.imbalance,
        verdict.iterations,
        seconds(&own),
        shown(&own),
        seconds(&other),
        shown(&other)
    );
    let _ = writeln!(
        csv,
        "{},{},{},{stand_s},{},{},{},{},{},{},{}",
        scene.name,
        structure.nodes(),
        structure.contacts.len(),
        verdict.imbalance,
        verdict.iterations,
        seconds(&own),
        own.as_ref().map_or(0, |(_, answer)| answer.iterations),
        bounds(&own).join(","),
        seconds(&other),
        bounds(&other).join(",")
    );
    Ok(())
}
