//! Recorded values are read back.

use crate::common::{SCENE, cast, report, settings, snapshot, whole_run};
use voussoir_mechanics::dynamic::DYNAMIC_COLUMNS;
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_results::{FRAMES_FILE, HISTORY_FILE, Precision, Recorder, Results, ResultsError, SCENE_FILE, Summary};

fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + a.abs()))
}

fn assert_same(read: &Snapshot, written: &Snapshot) {
    assert_eq!((read.time, read.step), (written.time, written.step));
    assert_eq!(read.bodies.len(), written.bodies.len());
    for (r, w) in read.bodies.iter().zip(&written.bodies) {
        assert!(close(&r.position, &w.position, 1e-10) && close(&r.rotation, &w.rotation, 1e-10));
        assert!(close(&r.velocity, &w.velocity, 1e-7) && close(&r.spin, &w.spin, 1e-7));
        assert_eq!(r.absent, w.absent);
    }
    assert_eq!(read.contacts.len(), written.contacts.len());
    for (r, w) in read.contacts.iter().zip(&written.contacts) {
        assert_eq!((r.bodies, r.status), (w.bodies, w.status));
        // as docs/results.md says: 2⁻¹³, 2⁻¹² of the size of a force, 2⁻⁹ of a gap; bodies hardly move here
        assert!(close(&r.position, &w.position, 3e-6) && close(&r.normal, &w.normal, f64::powi(2.0, -13)));
        let size = w.force.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(close(&r.force, &w.force, (f64::powi(2.0, -12) * size).max(0.02)));
        assert!((r.gap - w.gap).abs() < 3e-9 + f64::powi(2.0, -9) * w.gap.abs());
        assert_eq!((r.area, r.friction), (w.area, w.friction));
        assert!((r.slip - w.slip).abs() < 3e-6 + f64::powi(2.0, -9) * w.slip);
    }
}

#[test]
fn frames_come_back_within_the_tolerance() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 9, 600, 3, 100);
    let results = Results::open(dir.path()).unwrap();
    assert_eq!(results.frames(), 201);
    assert_eq!(*results.cast(), cast(9));
    assert_eq!(results.title(), "Made-up");
    for frame in [0, 1, 2, 57, 128, 200] {
        assert_same(&results.frame(frame).unwrap(), &snapshot(9, 3 * frame as u64));
        assert_eq!(results.times()[frame], 3e-3 * frame as f64);
    }
    assert!(matches!(results.frame(201), Err(ResultsError::NoSuchFrame { frame: 201, frames: 201, .. })));
    assert_eq!(std::fs::read_to_string(dir.path().join(SCENE_FILE)).unwrap(), SCENE);
}

#[test]
fn exact_precision_keeps_every_bit_of_a_pose() {
    let dir = tempfile::tempdir().unwrap();
    let settings = voussoir_results::RecorderSettings { precision: Some(Precision::EXACT), ..settings() };
    let mut recorder = Recorder::create(dir.path(), &cast(4), settings).unwrap();
    for step in 0..5 {
        recorder.frame(&snapshot(4, step)).unwrap();
    }
    recorder.finish().unwrap();
    let results = Results::open(dir.path()).unwrap();
    for step in 0..5 {
        let (read, written) = (results.frame(step).unwrap(), snapshot(4, step as u64));
        for (r, w) in read.bodies.iter().zip(&written.bodies) {
            assert_eq!((r.position, r.rotation), (w.position, w.rotation));
            assert_eq!(r.velocity, w.velocity.map(|v| f64::from(v as f32)));
        }
        for (r, w) in read.contacts.iter().zip(&written.contacts) {
            assert_eq!(r.force, w.force.map(|v| f64::from(v as f32)));
        }
    }
}

#[test]
fn a_structure_at_rest_costs_next_to_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(200), settings()).unwrap();
    recorder.frame(&snapshot(200, 13)).unwrap();
    let size = || std::fs::metadata(dir.path().join(FRAMES_FILE)).unwrap().len();
    let first = size();
    for step in 0..100 {
        // noise far below the tolerance
        let mut still = snapshot(200, 13);
        still.bodies.iter_mut().for_each(|body| body.position[0] += 1e-13 * step as f64);
        still.contacts.iter_mut().for_each(|contact| contact.force[2] += 1e-6 * step as f64);
        recorder.frame(&still).unwrap();
    }
    assert!(size() - first < 100 * 1500, "{} bytes a frame", (size() - first) / 100);
}

#[test]
fn a_live_run_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(3), settings()).unwrap();
    let mut results = Results::open(dir.path()).unwrap();
    assert_eq!(results.frames(), 0);
    for step in 0..300u64 {
        recorder.frame(&snapshot(3, step)).unwrap();
        if step % 37 == 0 {
            assert_eq!(results.refresh().unwrap() as u64, step + 1);
            assert_same(&results.frame(step as usize).unwrap(), &snapshot(3, step));
        }
    }
}

/// Columns of a dynamic run before those of cables and probes.
const COLUMNS: usize = 34;

#[test]
fn history_reads_back_to_the_same_bits() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 3, 50, 10, 20);
    let text = std::fs::read_to_string(dir.path().join(HISTORY_FILE)).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 51);
    assert!(rows.iter().all(|row| row.len() == COLUMNS + 2));
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    for step in 1..=50 {
        let (row, report) = (&rows[step as usize], report(step));
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        assert_eq!(number("time_s").to_bits(), report.time.to_bits());
        assert_eq!(number("displacement_m").to_bits(), report.displacement.to_bits());
        assert_eq!(number("residual").to_bits(), report.residual.to_bits());
        assert_eq!(number("reaction_z_n"), report.support_reaction[2]);
        assert_eq!(row[column("solver")], "proximal-newton");
        assert_eq!(row[column("status")], if step == 7 { "stalled" } else { "converged" });
    }
}

#[test]
fn the_summary_is_that_of_all_steps() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 3, 50, 10, 20);
    let summary = Summary::read(dir.path()).unwrap();
    assert!(summary.finished);
    assert_eq!((summary.bodies, summary.steps, summary.converged_steps), (3, 50, 49));
    assert_eq!((summary.max_residual, summary.worst_step), (1e-5, Some(7)));
    assert_eq!(summary.max_penetration_m, 4e-12);
    assert_eq!(summary.max_displacement_m, 0.05 / 3.0);
    assert_eq!(summary.support_reaction_n, summary.weight_n);
    assert_eq!(summary.frames, 6);
    assert_eq!(summary.contacts, 350 % 95);
    // T + V + dissipation = (0.5 − 0.75 + 0.2) t²
    assert!((summary.energy_error_j - 0.05 * 0.05 * 0.05).abs() < 1e-15);
    assert!(summary.wall_time_s > 0.0 && summary.ms_per_step > 0.0);
    let keys: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.path().join("summary.json")).unwrap()).unwrap();
    for key in [
        "bodies",
        "contacts",
        "steps",
        "converged_steps",
        "max_residual",
        "max_penetration_m",
        "max_displacement_m",
        "max_speed_m_s",
        "kinetic_energy_j",
        "weight_n",
        "support_reaction_n",
        "wall_time_s",
        "ms_per_step",
    ] {
        assert!(keys.get(key).is_some_and(serde_json::Value::is_number), "{key}");
    }
}

#[test]
fn readers_can_be_shared_between_threads() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 3, 20, 2, 10);
    let results = Results::open(dir.path()).unwrap();
    std::thread::scope(|scope| {
        for first in 0..4 {
            let results = &results;
            scope.spawn(move || {
                for frame in (first..results.frames()).step_by(4) {
                    assert_same(&results.frame(frame).unwrap(), &snapshot(3, 2 * frame as u64));
                }
            });
        }
    });
}

#[test]
fn probes_are_the_last_columns_of_the_history() {
    let dir = tempfile::tempdir().unwrap();
    let probes = vec!["crown_m".to_owned(), "thrust_n".to_owned()];
    let settings = voussoir_results::RecorderSettings { probes, ..settings() };
    let mut recorder = Recorder::create(dir.path(), &cast(2), settings).unwrap();
    let mut seen = report(1);
    seen.probes = vec![-0.25, f64::NAN];
    recorder.begin_stage(DYNAMIC_COLUMNS);
    recorder.step(&seen, true).unwrap();
    recorder.finish().unwrap();
    let text = std::fs::read_to_string(dir.path().join(HISTORY_FILE)).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    // after the tensions of both cables
    assert_eq!(lines[0][COLUMNS..], ["cable_ring_n", "cable_tie_n", "crown_m", "thrust_n"]);
    assert_eq!(lines[1][COLUMNS + 2..], ["-2.5e-1", "NaN"]);
}

#[test]
fn thinned_histories_keep_summaries_whole() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(2), settings()).unwrap();
    recorder.begin_stage(DYNAMIC_COLUMNS);
    for step in 1..=20 {
        recorder.step(&report(step), step % 10 == 0).unwrap();
    }
    let summary = recorder.finish().unwrap();
    // step 7 missed its tolerance and has no row, but counts
    assert_eq!((summary.steps, summary.converged_steps, summary.worst_step), (20, 19, Some(7)));
    let text = std::fs::read_to_string(dir.path().join(HISTORY_FILE)).unwrap();
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn columns_are_described() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 3, 10, 10, 20);
    let columns = voussoir_results::read_columns(dir.path()).unwrap();
    let text = std::fs::read_to_string(dir.path().join(HISTORY_FILE)).unwrap();
    let heads: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    // every column of the history, in order; those of timing.csv follow
    assert!(columns.iter().map(|column| column.head.as_str()).zip(&heads).all(|(a, b)| a == *b));
    assert!(columns.iter().all(|column| !column.label.is_empty()));
    assert!(columns.iter().filter(|c| c.head.ends_with("_j")).all(|c| c.unit == "J"));
}
