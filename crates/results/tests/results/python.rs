//! Independent readers agree: h5py and VTK's own `vtkHDFReader`, the one that ParaView uses.
//!
//! Needs an interpreter with `vtk`, `h5py` and `numpy`, named by the environment variable `VOUSSOIR_PYTHON`
//! (`cargo xtask test` prepares one).

use std::path::Path;
use std::process::Command;

use crate::common::{cast, run, settings, snapshot, whole_run};
use serde_json::json;
use voussoir_results::Recorder;
use voussoir_testing::need;

/// What the script should find in frames `frames` of a made-up run with a frame every `every` steps.
fn expectations(dir: &Path, bodies: usize, count: u64, every: u64, frames: &[u64]) {
    let cast = cast(bodies);
    let start = snapshot(bodies, 0);
    let checks: Vec<_> = frames
        .iter()
        .map(|&frame| {
            let now = snapshot(bodies, frame * every);
            let (body, first) = (now.bodies[bodies - 1], start.bodies[bodies - 1]);
            // turned about y by the angle of the quaternion
            let angle = 2.0 * body.rotation[1].atan2(body.rotation[3]);
            let (sin, cos) = angle.sin_cos();
            let turn = |p: &[f64; 3]| [cos * p[0] + sin * p[2], p[1], cos * p[2] - sin * p[0]];
            // a body that is not there is drawn as a point
            let size = if body.absent { 0.0 } else { 1.0 };
            let place = |p: &[f64; 3]| std::array::from_fn::<f64, 3, _>(|k| size * turn(p)[k] + body.position[k]);
            json!({
                "frame": frame, "time": now.time, "step": now.step, "contacts": now.contacts.len(),
                "position": body.position, "rotation": body.rotation, "velocity": body.velocity,
                "displacement": std::array::from_fn::<f64, 3, _>(|k| body.position[k] - first.position[k]),
                "points": cast.bodies[bodies - 1].surface().points.iter().map(place).collect::<Vec<_>>(),
                "contact": now.contacts.last().map(|c| json!({
                    "position": c.position, "gap": c.gap, "force": c.force, "normal": c.normal, "area": c.area,
                    "friction": c.friction, "status": c.status, "bodies": c.bodies, "damage": c.damage,
                    "slip": c.slip,
                })),
                "cables": now.cables.iter().enumerate().flat_map(|(index, cable)| {
                    let piece = move |ends: &[[f64; 3]]| json!({ "ends": ends, "force": cable.force, "cable": index });
                    cable.points.windows(2).map(piece)
                }).collect::<Vec<_>>(),
            })
        })
        .collect();
    let expected = json!({ "frames": count, "bodies": bodies, "checks": checks });
    std::fs::write(dir.join("expected.json"), expected.to_string()).unwrap();
}

/// Runs the script; says why and returns when there is no interpreter.
fn check(dir: &Path) {
    let Some(python) = need("VOUSSOIR_PYTHON", "Python with vtk, h5py and numpy") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/check_vtkhdf.py");
    let output = Command::new(python).arg(script).arg(dir).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn a_finished_run_opens_in_h5py_and_vtk() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 9, 1400, 5, 100);
    // 280 frames: arrays of one row per frame have three chunks, contacts a tree of two levels
    expectations(dir.path(), 9, 281, 5, &[0, 1, 19, 95, 127, 128, 280]);
    check(dir.path());
}

#[test]
fn a_run_that_was_dropped_opens_too() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(2), settings()).unwrap();
    recorder.frame(&snapshot(2, 0)).unwrap();
    run(&mut recorder, 2, 0, 33, 1, 20);
    std::mem::forget(recorder);
    expectations(dir.path(), 2, 34, 1, &[0, 1, 33]);
    check(dir.path());
}

#[test]
fn one_frame_opens_without_time() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 3, 1, 5, 10);
    expectations(dir.path(), 3, 1, 5, &[0]);
    check(dir.path());
}

#[test]
fn many_bodies_fill_several_chunks() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 4500, 6, 2, 4);
    expectations(dir.path(), 4500, 4, 2, &[0, 1, 3]);
    check(dir.path());
}
