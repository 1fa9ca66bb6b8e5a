//! `cargo xtask lmgc90 FOLDER`: the aqueduct and the bridge of LMGC90's own examples, imported and run.
//!
//! The files belong to LMGC90 and are not part of this repository: FOLDER has `Aqueduc_PR` and `Bridge_PR` inside.

use std::path::Path;

use voussoir_geometry::D3;
use voussoir_mechanics::Stepper;
use voussoir_mechanics::contact::SolverKind;
use voussoir_mechanics::contact::nlgs::{Order, Stop, Sweeping};
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_model::import::{ImportOptions, import};
use voussoir_model::{AnyModel, build};

use crate::clock::cpu_seconds;

/// Kinetic energy [J], largest speed [m/s] and displacement [m] of the bridge that LMGC90 gives, by step.
const BRIDGE: [(u64, [f64; 3]); 5] = [
    (51, [0.148, 2.53e-3, 8.65e-5]),
    (101, [145.7, 0.0610, 8.89e-4]),
    (201, [7575.0, 0.446, 0.02528]),
    (301, [4.377e4, 1.064, 0.0977]),
    (401, [2.075e5, 2.259, 0.2569]),
];

/// Median time of a step of the aqueduct in LMGC90 [ms], on an idle core.
const LMGC90_STEP: f64 = 642.0;

/// Runs both models.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let Some(folder) = arguments.first() else {
        return Err("give the folder with Aqueduc_PR and Bridge_PR".to_owned());
    };
    let folder = Path::new(folder);
    aqueduct(&load(&folder.join("Aqueduc_PR"))?)?;
    bridge(&load(&folder.join("Bridge_PR"))?)
}

fn load(path: &Path) -> Result<Model<D3>, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let imported = import(path, &ImportOptions { name, ..ImportOptions::default() }).map_err(|e| e.to_string())?;
    let place = std::env::temp_dir().join(format!("voussoir-lmgc90-{}", std::process::id()));
    let fail = |error: std::io::Error| format!("{}: {error}", place.display());
    std::fs::create_dir_all(&place).map_err(fail)?;
    imported.write_geometry(&place).map_err(fail)?;
    let built = build(&imported.scene, &place).map_err(|e| e.to_string());
    std::fs::remove_dir_all(&place).map_err(fail)?;
    for note in &imported.notes {
        println!("{note}");
    }
    match built?.model {
        AnyModel::Three(model) => Ok(std::sync::Arc::unwrap_or_clone(model)),
        AnyModel::Two(_) => Err("the model is not in 3D".to_owned()),
    }
}

fn aqueduct(model: &Model<D3>) -> Result<(), String> {
    let settings = DynamicSettings { step: 1e-4, ..DynamicSettings::default() };
    let weight: f64 =
        model.bodies.iter().filter(|b| b.role == voussoir_mechanics::model::Role::Free).map(|b| b.mass).sum();
    let weight = weight * model.gravity.length();
    let overlap = inspect(model, None).interfaces.iter().map(|i| -i.worst_gap).fold(0.0, f64::max);
    let mut stepper = Stepper::new(model.clone(), settings).map_err(|e| e.to_string())?;
    stepper.set_clock(cpu_seconds);
    let (start, mut detection) = (cpu_seconds(), 0.0);
    let (mut converged, mut residual, mut last) = (0, 0.0f64, None);
    for _ in 0..240 {
        let report = stepper.step().map_err(|e| e.to_string())?;
        detection += 1e3 / 240.0 * report.seconds[0];
        converged += usize::from(report.converged);
        residual = residual.max(report.solve.residual);
        last = Some(report);
    }
    let Some(last) = last else { return Ok(()) };
    let mean = 1e3 / 240.0 * (cpu_seconds() - start);
    println!("\naqueduct: {} bodies, {} contacts", model.bodies.len(), last.contacts);
    println!("  overlaps      {overlap:.1e} m at the most, as drawn; not pushed apart");
    println!("  converged     {converged} of 240 steps, largest residual {residual:.1e}");
    println!("  reaction      {:.6e} N, weight {weight:.6e} N", last.support_reaction[2]);
    println!("  speed         {:.1e} m/s, penetration {:.1e} m", last.speed, last.penetration);
    println!("  step          {mean:.2} ms of computing time in the mean: {:.0} times LMGC90", LMGC90_STEP / mean);
    println!("  detection     {detection:.2} ms of it\n");
    Ok(())
}

/// The bridge with every step converged, and with LMGC90's rule for when sweeps may stop (QM/16, 1.666e-4, a look every
/// 50 sweeps, as its example has it): its bridge creeps before it falls, because its sweeps end before forces balance.
fn bridge(model: &Model<D3>) -> Result<(), String> {
    let loose =
        Sweeping { order: Order::Forward, stop: Stop::Change { share: 1.666e-4, every: 50 }, ..Sweeping::default() };
    for (name, solver, sweeping) in
        [("converged to 1e-8", SolverKind::Auto, Sweeping::default()), ("LMGC90's rule", SolverKind::Nlgs, loose)]
    {
        let settings = DynamicSettings { step: 1e-3, solver, sweeping, ..DynamicSettings::default() };
        let mut stepper = Stepper::new(model.clone(), settings).map_err(|e| e.to_string())?;
        let (mut residual, mut sweeps) = (0.0f64, 0);
        println!("bridge, {name}");
        println!(
            "  {:>9} {:>11} {:>10} {:>14}   {:<20} {:>14} {:>8}",
            "", "kinetic J", "speed m/s", "displacement m", "over LMGC90's", "worst residual", "sweeps"
        );
        for (step, given) in BRIDGE {
            while stepper.state().step < step {
                let report = stepper.step().map_err(|e| e.to_string())?;
                residual = residual.max(report.solve.residual);
                sweeps += report.solve.iterations;
                if report.step == step {
                    let found = [report.kinetic_energy, report.speed, report.displacement];
                    let [a, b, c] = [0, 1, 2].map(|i| found[i] / given[i]);
                    println!(
                        "  step {step:>4} {:>11.3e} {:>10.4} {:>14.4e}   {a:>6.3} {b:>6.3} {c:>6.3} {residual:>14.1e} {sweeps:>8}",
                        found[0], found[1], found[2]
                    );
                }
            }
        }
    }
    Ok(())
}
