//! Balls, deformed bodies, declared scalars and bodies that appear: from the recorder to results, pictures and exports.

use std::path::Path;

use serde_json::Value;
use voussoir_mechanics::snapshot::{BodyForm, BodySnapshot, Cast, CastBody, Deformed, Features, FieldInfo, Snapshot};
use voussoir_results::export::{GlbOptions, glb, write_csv, write_obj, write_vtu};
use voussoir_results::picture::{Artist, Caption, Style};
use voussoir_results::{Checkpoint, FRAMES_FILE, Precision, Recorder, RecorderSettings, Results, ResultsError};

use voussoir_testing::need;

use crate::common::{cuboid, settings};
use crate::exports::{floats, parts};

/// Frame in which two bodies appear: a box and a ball.
const APPEAR: u64 = 8;
/// Frame in which the first ball vanishes.
const VANISH: u64 = 12;
const FRAMES: u64 = 21;

fn body(name: &str, support: bool, form: impl Into<BodyForm>) -> CastBody {
    CastBody { name: name.to_owned(), material: 0, support, mass: 10.0, volume: 1.0, form: form.into() }
}

/// A floor, a block that is sheared, a rigid block, a ball.
pub fn cast() -> Cast {
    let block = || cuboid([0.5, 0.25, 0.5]);
    let field = |name: &str, unit: &str| FieldInfo { name: name.to_owned(), unit: unit.to_owned() };
    Cast {
        dimension: 3,
        bodies: vec![
            body("floor", true, cuboid([3.0, 1.0, 0.1])),
            body("sheared", false, block()),
            body("rigid", false, block()),
            body("ball", false, BodyForm::Ball { radius: 0.3 }),
        ],
        materials: vec!["stone".to_owned()],
        cables: vec![],
        features: Features {
            appearing: true,
            deforming: true,
            point_fields: vec![field("von_mises", "Pa")],
            body_fields: vec![field("strain_energy", "J")],
        },
        origin: [0.0; 3],
    }
}

/// Bodies that appear in the run.
pub fn newborn() -> Vec<CastBody> {
    vec![body("fragment", false, cuboid([0.1, 0.2, 0.1])), body("crumb", false, BodyForm::Ball { radius: 0.125 })]
}

/// Shear of the second block in a frame: x moves by this part of z.
pub fn shear(frame: u64) -> f64 {
    0.2 * (0.3 * frame as f64).sin()
}

/// Turned about z by a small angle, and moved along x.
fn pose(x: f64, frame: u64) -> BodySnapshot {
    let (sine, cosine) = (0.02 * frame as f64).sin_cos();
    BodySnapshot {
        position: [x + 0.01 * frame as f64, 0.0, 0.6],
        rotation: [0.0, 0.0, sine, cosine],
        velocity: [1.0, 0.0, 0.0],
        ..BodySnapshot::default()
    }
}

pub fn snapshot(frame: u64) -> Snapshot {
    let floor = BodySnapshot { rotation: [0.0, 0.0, 0.0, 1.0], ..BodySnapshot::default() };
    let mut bodies = vec![floor, pose(-1.5, frame), pose(0.0, frame), pose(1.5, frame)];
    bodies[3].absent = frame >= VANISH;
    if frame >= APPEAR {
        bodies.extend([pose(2.0, frame), pose(2.5, frame)]);
    }
    let form = cuboid([0.5, 0.25, 0.5]).points;
    let moved = |&[x, y, z]: &[f64; 3]| [x + shear(frame) * z, y, z];
    let sheared = Deformed {
        body: 1,
        points: form.iter().map(moved).collect(),
        values: vec![(0..8).map(|k| 1e6 * shear(frame).abs() + f64::from(k)).collect()],
    };
    let energies = (0..bodies.len()).map(|i| if i == 1 { shear(frame).powi(2) } else { f64::NAN }).collect();
    Snapshot {
        time: 0.1 * frame as f64,
        step: 10 * frame,
        bodies,
        deformed: vec![sheared],
        body_fields: vec![energies],
        ..Snapshot::default()
    }
}

/// Records frames `from..to`, with a checkpoint every `save` frames.
fn record(recorder: &mut Recorder, from: u64, to: u64, save: u64) {
    for frame in from..to {
        if frame == APPEAR {
            recorder.appear(&newborn()).unwrap();
        }
        recorder.frame(&snapshot(frame)).unwrap();
        if frame % save == save - 1 {
            recorder.checkpoint(&(frame + 1)).unwrap();
        }
    }
}

pub fn sample(dir: &Path) -> Results {
    let mut recorder = Recorder::create(dir, &cast(), settings()).unwrap();
    record(&mut recorder, 0, FRAMES, 5);
    recorder.finish().unwrap();
    Results::open(dir).unwrap()
}

fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
}

#[test]
fn deformed_points_and_scalars_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    assert_eq!(results.cast().features, cast().features);
    for frame in 0..FRAMES {
        let (read, written) = (results.frame(frame as usize).unwrap(), snapshot(frame));
        let [read_one, written_one] = [&read, &written].map(|snapshot| &snapshot.deformed[0]);
        assert_eq!((read.deformed.len(), read_one.body), (1, 1));
        for (p, q) in read_one.points.iter().zip(&written_one.points) {
            // 2⁻¹² of a displacement of 0.1 m
            assert!(close(p, q, 3e-5), "{p:?} {q:?}");
        }
        let size = 1e6 * shear(frame).abs() + 8.0;
        assert!(close(&read_one.values[0], &written_one.values[0], size * f64::powi(2.0, -12)));
        assert!((read.body_fields[0][1] - shear(frame).powi(2)).abs() < 1e-4);
        assert!(read.body_fields[0][2].is_nan());
    }
}

#[test]
fn a_body_is_absent_before_it_appears_and_after_it_vanishes() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    let all: Vec<CastBody> = cast().bodies.into_iter().chain(newborn()).collect();
    assert_eq!(results.cast().bodies, all);
    let birth = snapshot(APPEAR).bodies[4].position;
    for frame in 0..FRAMES {
        let bodies = results.bodies(frame as usize).unwrap();
        let absent: Vec<bool> = bodies.iter().map(|body| body.absent).collect();
        let unborn = frame < APPEAR;
        assert_eq!(absent, [false, false, false, frame >= VANISH, unborn, unborn]);
        if unborn {
            // so that displacements count from there
            assert!(close(&bodies[4].position, &birth, 1e-9));
        }
    }
    let (position, velocity) = results.body_at(2, 5).unwrap();
    assert!(close(&position, &snapshot(APPEAR).bodies[5].position, 1e-9) && velocity == [0.0; 3]);
}

#[test]
fn a_killed_run_with_bodies_that_appear_resumes_to_the_same_bytes() {
    let calm = tempfile::tempdir().unwrap();
    sample(calm.path());
    let bytes = |dir: &Path| std::fs::read(dir.join(FRAMES_FILE)).unwrap();
    for kill in [6, 8, 9, 14, 20] {
        let troubled = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::create(troubled.path(), &cast(), settings()).unwrap();
        record(&mut recorder, 0, kill, 5);
        drop(recorder);
        let checkpoint = Checkpoint::read(troubled.path()).unwrap();
        let from: u64 = checkpoint.state().unwrap();
        let mut known = cast();
        if from > APPEAR {
            known.bodies.extend(newborn());
        }
        let mut recorder =
            Recorder::resume(troubled.path(), &known, voussoir_mechanics::dynamic::DYNAMIC_COLUMNS, &checkpoint)
                .unwrap();
        record(&mut recorder, from, FRAMES, 5);
        recorder.finish().unwrap();
        assert!(bytes(calm.path()) == bytes(troubled.path()), "killed before frame {kill}");
    }
}

#[test]
fn a_live_run_shows_bodies_that_appear() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(), settings()).unwrap();
    let mut results = Results::open(dir.path()).unwrap();
    for frame in 0..FRAMES {
        record(&mut recorder, frame, frame + 1, 100);
        results.refresh().unwrap();
        let bodies = results.frame(frame as usize).unwrap().bodies.len();
        assert_eq!((bodies, results.cast().bodies.len()), if frame < APPEAR { (4, 4) } else { (6, 6) });
    }
    assert_eq!(results.frame(0).unwrap().bodies.len(), 6);
}

#[test]
fn undeclared_and_ill_fitting_frames_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let rigid = Cast { features: Features::default(), ..cast() };
    let mut recorder = Recorder::create(&dir.path().join("a"), &rigid, settings()).unwrap();
    assert!(matches!(recorder.appear(&newborn()), Err(ResultsError::Undeclared { .. })));
    let plain = Snapshot { body_fields: vec![], ..snapshot(0) };
    assert!(matches!(recorder.frame(&plain), Err(ResultsError::Undeclared { .. })));
    recorder.frame(&Snapshot { deformed: vec![], ..plain }).unwrap();

    let mut recorder = Recorder::create(&dir.path().join("b"), &cast(), settings()).unwrap();
    let mut bad = snapshot(0);
    bad.deformed[0].points.pop();
    assert!(matches!(recorder.frame(&bad), Err(ResultsError::Mismatch { found: 7, expected: 8, .. })));
    let mut bad = snapshot(0);
    bad.deformed.push(bad.deformed[0].clone());
    assert!(matches!(recorder.frame(&bad), Err(ResultsError::DeformedOrder { body: 1 })));
    let long = CastBody { name: "n".repeat(65), ..newborn().remove(0) };
    assert!(matches!(recorder.appear(&[long]), Err(ResultsError::LongName { most: 64, .. })));
    assert!(matches!(recorder.frame(&snapshot(APPEAR)), Err(ResultsError::Mismatch { found: 6, expected: 4, .. })));
}

/// The corner of the sheared block with the largest coordinates, in the world.
fn corner(frame: u64) -> [f64; 3] {
    let now = pose(-1.5, frame);
    let (sine, cosine) = (0.04 * frame as f64).sin_cos();
    let [x, y, z] = [0.5 + 0.5 * shear(frame), 0.25, 0.5];
    [now.position[0] + cosine * x - sine * y, sine * x + cosine * y, now.position[2] + z]
}

#[test]
fn obj_and_csv_have_deformed_points_and_balls() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    write_obj(&results, &[5, 15], &dir.path().join("obj")).unwrap();
    for frame in [5, 15] {
        let text = std::fs::read_to_string(dir.path().join(format!("obj/frame_{frame:04}.obj"))).unwrap();
        let vertex = |line: &str| -> Option<Vec<f64>> {
            Some(line.strip_prefix("v ")?.split(' ').map(|x| x.parse().unwrap()).collect())
        };
        let found = text.lines().filter_map(vertex).any(|v| close(&v, &corner(frame), 3e-5));
        assert!(found, "frame {frame}");
        let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("o ")).collect();
        let all = match frame {
            5 => vec!["floor", "sheared", "rigid", "ball"],
            _ => vec!["floor", "sheared", "rigid", "fragment", "crumb"],
        };
        assert_eq!(names, all);
    }
    write_csv(&results, &[15], &dir.path().join("csv")).unwrap();
    let read = |name: &str| std::fs::read_to_string(dir.path().join("csv").join(name)).unwrap();
    let bodies = read("bodies.csv");
    assert!(bodies.lines().next().unwrap().ends_with("joint_use,radius_m,strain_energy_j"));
    assert!(bodies.lines().any(|line| line.contains(",crumb,") && line.contains("1.25e-1")));
    let points = read("points.csv");
    assert!(points.lines().next().unwrap().ends_with("z_m,von_mises_pa"));
    assert_eq!(points.lines().count(), 9);
}

#[test]
fn glb_morphs_deformed_bodies_and_shares_one_ball() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    let frames: Vec<usize> = (0..FRAMES as usize).collect();
    let file = glb(&results, &frames, &GlbOptions::default()).unwrap();
    let (about, bytes) = parts(&file);
    let node = |name: &str| about["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name).unwrap();
    // both balls are one mesh, scaled by their radii; the one that appears later has no size yet
    assert_eq!(node("ball")["mesh"], node("crumb")["mesh"]);
    assert_eq!(node("ball")["scale"][0], 0.3);
    assert_eq!(node("crumb")["scale"][0], 0.0);
    assert_ne!(node("sheared")["mesh"], node("rigid")["mesh"]);
    let primitive = &about["meshes"][node("sheared")["mesh"].as_u64().unwrap() as usize]["primitives"][0];
    let still = floats(&about, bytes, &primitive["attributes"]["POSITION"]);
    let targets = primitive["targets"].as_array().unwrap();
    assert_eq!(targets.len(), frames.len());
    for (frame, target) in targets.iter().enumerate() {
        let moved = floats(&about, bytes, &target["POSITION"]);
        for (x, by) in still.as_chunks::<3>().0.iter().zip(moved.as_chunks::<3>().0) {
            let expected = shear(frame as u64) * f64::from(x[2]);
            assert!((f64::from(by[0]) - expected).abs() < 3e-5 && by[1] == 0.0 && by[2] == 0.0);
        }
    }
    // one animation of weights: at the time of each target that one alone
    let channels = about["animations"][0]["channels"].as_array().unwrap();
    let weights: Vec<&Value> = channels.iter().filter(|channel| channel["target"]["path"] == "weights").collect();
    let [channel] = weights[..] else { panic!("{weights:?}") };
    let sampler = &about["animations"][0]["samplers"][channel["sampler"].as_u64().unwrap() as usize];
    let values = floats(&about, bytes, &sampler["output"]);
    assert_eq!((values.len(), values.iter().sum::<f32>()), (frames.len() * frames.len(), frames.len() as f32));
    // one frame has the deformed points themselves
    let file = glb(&results, &[15], &GlbOptions::default()).unwrap();
    let (about, bytes) = parts(&file);
    let node = about["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "sheared").unwrap();
    let primitive = &about["meshes"][node["mesh"].as_u64().unwrap() as usize]["primitives"][0];
    let points = floats(&about, bytes, &primitive["attributes"]["POSITION"]);
    let reach = points.iter().copied().fold(0.0, f32::max);
    assert!((f64::from(reach) - (0.5 + 0.5 * shear(15).abs())).abs() < 3e-5, "{reach}");
}

#[test]
fn pictures_show_circles_and_deformed_blocks() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    let style = Style { direction: "front".parse().unwrap(), ..Style::default() };
    let first = results.frame(0).unwrap();
    let artist = Artist::styled(results.cast(), &[&first], style);
    let circles = |frame: usize| {
        let picture = artist.draw(&results.frame(frame).unwrap(), &Caption::default());
        let drawn = picture.split("<circle").skip(1).filter(|part| part.contains("url(#drawing-ball")).count();
        (drawn, picture)
    };
    // a ball; the ball and the one that appeared; that one alone
    assert_eq!((circles(0).0, circles(APPEAR as usize).0, circles(VANISH as usize).0), (1, 2, 1));
    assert!(circles(0).1.contains("<radialGradient"));
    // the front face of the sheared block is a parallelogram: two frames differ, the rigid case does not
    let still = Snapshot { deformed: vec![], ..results.frame(5).unwrap() };
    assert_ne!(artist.draw(&still, &Caption::default()), circles(5).1);
}

#[test]
fn rigid_runs_cost_what_they_did() {
    let size = |features: Features| {
        let dir = tempfile::tempdir().unwrap();
        let cast = Cast { features, ..crate::common::cast(9) };
        let mut recorder = Recorder::create(dir.path(), &cast, settings()).unwrap();
        for step in 0..200 {
            recorder.frame(&crate::common::snapshot(9, step)).unwrap();
        }
        recorder.finish().unwrap();
        std::fs::metadata(dir.path().join(FRAMES_FILE)).unwrap().len()
    };
    let rigid = size(Features::default());
    let declared = size(Features { deforming: true, ..Features::default() });
    // what is declared and not used costs three numbers per frame and their headers
    assert!(declared - rigid < 200 * 24 + 12_000, "{rigid} {declared}");
}

#[test]
fn exact_precision_keeps_single_precision_of_deformed_points() {
    let dir = tempfile::tempdir().unwrap();
    let settings = RecorderSettings { precision: Some(Precision::EXACT), ..settings() };
    let mut recorder = Recorder::create(dir.path(), &cast(), settings).unwrap();
    record(&mut recorder, 0, 4, 100);
    recorder.finish().unwrap();
    let results = Results::open(dir.path()).unwrap();
    for frame in 0..4 {
        let (read, written) = (results.frame(frame).unwrap(), snapshot(frame as u64));
        for (p, q) in read.deformed[0].points.iter().zip(&written.deformed[0].points) {
            assert!(close(p, q, 1e-8), "{p:?} {q:?}");
        }
    }
}

#[test]
fn independent_readers_find_balls_deformed_and_new_bodies() {
    let Some(python) = need("VOUSSOIR_PYTHON", "Python with vtk, h5py and numpy") else { return };
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    write_vtu(&results, &[5, 15], &dir.path().join("vtu")).unwrap();
    let frame = |frame: u64| {
        let now = snapshot(frame);
        serde_json::json!({
            "time": now.time, "corner": corner(frame), "bodies": now.bodies.len(),
            "positions": now.bodies.iter().map(|body| body.position).collect::<Vec<_>>(),
            "rotation": now.bodies[3].rotation, "absent": now.bodies[3].absent,
            "von_mises": now.deformed[0].values[0], "energy": shear(frame).powi(2),
        })
    };
    let frames: Vec<Value> = (0..FRAMES).map(frame).collect();
    let expected = serde_json::json!({ "frames": frames, "appear": APPEAR });
    std::fs::write(dir.path().join("expected.json"), expected.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/check_forms.py");
    let run = std::process::Command::new(python).arg(script).arg(dir.path()).output().unwrap();
    assert!(run.status.success(), "{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
}
