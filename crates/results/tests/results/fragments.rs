//! A run of the dynamic analysis in which a body breaks: recorded, killed, resumed, drawn.

use std::path::Path;
use std::sync::Arc;

use voussoir_mechanics::Stepper;
use voussoir_mechanics::born::BodyDescription;
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::dynamic::DYNAMIC_COLUMNS;
use voussoir_mechanics::geometry::glam::DVec2;
use voussoir_mechanics::geometry::{D2, Pose, Shape2, ShapeData, Solid, Space};
use voussoir_mechanics::model::{Body, DynamicSettings, Joint, JointTable, Material, Model, Role};
use voussoir_mechanics::snapshot::{Cast, Features, cast_with_born};
use voussoir_mechanics::state::State;
use voussoir_results::{Checkpoint, FRAMES_FILE, Recorder, Results};

use crate::common::settings;

const STEPS: u64 = 60;
const BREAKS: u64 = 25;

/// A square on the ground, and a disc above it.
fn model() -> Model<D2> {
    let body = |name: &str, shape: Shape2, y: f64, role: Role| {
        let properties = shape.mass_properties();
        Body {
            name: name.to_owned(),
            tags: Vec::new(),
            mass: properties.map_or(1.0, |p| 1000.0 * p.volume),
            inertia: properties.map_or(1.0, |p| 1000.0 * p.inertia),
            shape: Arc::new(shape),
            material: 0,
            role,
            pose: Pose::at(DVec2::new(0.0, y)),
            velocity: D2::zero(),
            spin: 0.0,
        }
    };
    let bodies = vec![
        body("ground", Shape2::half_plane(DVec2::Y).unwrap(), 0.0, Role::Support(None)),
        body("block", Shape2::rectangle(DVec2::ONE).unwrap(), 0.5, Role::Free),
        body("disc", Shape2::disc(0.2).unwrap(), 1.25, Role::Free),
    ];
    let materials = vec![Material { name: "ice".to_owned(), density: 1000.0, strength: None }];
    let joints = JointTable::uniform(1, Joint::coulomb(0.4));
    Model { gravity: DVec2::new(0.0, -9.81), ..Model::new(bodies, materials, joints) }
}

/// The cast with everything that had appeared.
fn known(state: &State<D2>) -> Cast {
    let cast = cast_with_born(&model(), &state.born).unwrap();
    Cast { features: Features { appearing: true, ..Features::default() }, ..cast }
}

/// The block breaks along its diagonal.
fn fracture(stepper: &Stepper<D2>) -> Change {
    let pose = stepper.state().poses[1];
    let part = |name: &str, points: [[f64; 2]; 3]| BodyDescription {
        name: name.to_owned(),
        tags: Vec::new(),
        material: 0,
        mass: 500.0,
        shape: ShapeData::Solid { points: points.map(|[x, y]| [x, y, 0.0]).to_vec(), faces: Vec::new() },
        position: [pose.position.x, pose.position.y, 0.0],
        rotation: D2::rotation_to_quaternion(pose.rotation),
        velocity: [0.0; 3],
        spin: [0.0; 3],
    };
    let lower = part("block.lower", [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]]);
    let upper = part("block.upper", [[0.5, 0.5], [-0.5, 0.5], [0.5, -0.5]]);
    Change { remove: vec![1], create: vec![lower, upper], ..Change::default() }
}

/// Goes on until `until`: a frame every step, a checkpoint every ten.
fn go(recorder: &mut Recorder, stepper: &mut Stepper<D2>, until: u64) {
    while stepper.state().step < until {
        if stepper.state().step == BREAKS {
            let before = known(stepper.state()).bodies.len();
            let change = fracture(stepper);
            stepper.change(&change).unwrap();
            recorder.appear(&known(stepper.state()).bodies[before..]).unwrap();
        }
        stepper.step().unwrap();
        recorder.frame(&stepper.snapshot()).unwrap();
        if stepper.state().step.is_multiple_of(10) {
            recorder.checkpoint(stepper.state()).unwrap();
        }
    }
}

fn start(dir: &Path) -> (Recorder, Stepper<D2>) {
    let stepper = Stepper::new(model(), DynamicSettings { step: 5e-3, ..DynamicSettings::default() }).unwrap();
    let mut recorder = Recorder::create(dir, &known(stepper.state()), settings()).unwrap();
    recorder.frame(&stepper.snapshot()).unwrap();
    (recorder, stepper)
}

#[test]
fn a_run_killed_before_or_after_a_body_broke_resumes_to_the_same_bytes() {
    let calm = tempfile::tempdir().unwrap();
    let (mut recorder, mut whole) = start(calm.path());
    go(&mut recorder, &mut whole, STEPS);
    recorder.finish().unwrap();
    for kill in [18, 25, 27, 44] {
        let troubled = tempfile::tempdir().unwrap();
        let (mut recorder, mut stepper) = start(troubled.path());
        go(&mut recorder, &mut stepper, kill);
        drop(recorder);
        let checkpoint = Checkpoint::read(troubled.path()).unwrap();
        let state: State<D2> = checkpoint.state().unwrap();
        let mut recorder = Recorder::resume(troubled.path(), &known(&state), DYNAMIC_COLUMNS, &checkpoint).unwrap();
        let settings = stepper.settings().clone();
        let mut stepper = Stepper::with_state(model(), settings, state).unwrap();
        go(&mut recorder, &mut stepper, STEPS);
        recorder.finish().unwrap();
        assert_eq!(stepper.state(), whole.state());
        let bytes = |dir: &Path| std::fs::read(dir.join(FRAMES_FILE)).unwrap();
        assert!(bytes(calm.path()) == bytes(troubled.path()), "killed after {kill} steps");
    }
    let results = Results::open(calm.path()).unwrap();
    let there =
        |frame: usize| -> Vec<bool> { results.bodies(frame).unwrap().iter().map(|body| !body.absent).collect() };
    assert_eq!(there(BREAKS as usize), [true, true, true, false, false]);
    assert_eq!(there(BREAKS as usize + 1), [true, false, true, true, true]);
    assert_eq!(results.cast().bodies[4].name, "block.upper");
    assert_eq!(results.cast().bodies[2].ball(), Some(0.2));
}
