//! A further analysis in the same loop: a body on a parabola, one event per bounce. It is defined in this file only.

use voussoir_mechanics::analysis::{Analysis, StageEnd};
use voussoir_mechanics::any::{AnyState, StateRef};
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::report::{Cell, Column, ColumnRole, StepReport};
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_mechanics::{MechanicsError, dynamic, model::DynamicSettings};
use voussoir_results::{Recorder, RecorderSettings, read_columns};
use voussoir_run::folder_recorder::FolderRecorder;
use voussoir_run::{Control, Ending, SceneFile, drive};

const SCENE: &str = r#"
materials.rubber.density = 1000.0
joints = [{ between = ["rubber", "rubber"], friction = 0.0 }]
bodies = [
    { name = "floor", shape = "ground", material = "rubber" },
    { name = "ball", shape = "sphere", radius = 0.1, position = [0.0, 0.0, 1.1], material = "rubber" },
]
stages = [{ analysis = "dynamic", duration = 1.0, step = 1e-3 }]
"#;

const COLUMNS: &[Column] =
    &[Column { head: "height_m", label: "height of the bounce", unit: "m", role: ColumnRole::Measure }];

/// A ball that bounces with restitution ½, one event per bounce, until it bounces lower than 1 cm.
#[derive(Debug)]
struct Bounces {
    state: AnyState,
    base: Snapshot,
    height: f64,
    time: f64,
    bounces: u64,
}

impl Analysis for Bounces {
    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn advance(&mut self) -> Result<StepReport, MechanicsError> {
        let fall = (2.0 * self.height / 9.81_f64).sqrt();
        self.height *= 0.25;
        self.time += fall + (2.0 * self.height / 9.81).sqrt();
        self.bounces += 1;
        Ok(StepReport {
            step: self.bounces,
            time: self.time,
            converged: true,
            residual: 0.0,
            contacts: 1,
            statuses: [0, 1, 0],
            kinetic_energy: 0.0,
            potential_energy: 0.0,
            ledger: Default::default(),
            penetration: 0.0,
            closure: 0.0,
            load: 0.0,
            displacement: 1.0 - self.height,
            speed: 0.0,
            support_reaction: [0.0; 3],
            cables: Vec::new(),
            probes: Vec::new(),
            own: vec![Cell::Number(self.height)],
        })
    }

    fn is_done(&self) -> bool {
        self.height < 0.01
    }

    fn change(&mut self, _: &Change) -> Result<(), MechanicsError> {
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        let mut now = self.base.clone();
        (now.time, now.step) = (self.time, self.bounces);
        now.bodies[1].position[2] = 0.1 + self.height;
        now
    }

    fn save(&mut self) -> StateRef<'_> {
        self.state.borrow()
    }

    fn into_state(self: Box<Self>) -> AnyState {
        self.state
    }
}

#[test]
fn the_loop_and_the_recorder_know_no_analysis() {
    let file = SceneFile::read(SCENE, "bounces.toml", std::path::Path::new(".")).unwrap();
    let state = file.built.model.initial_state(&[]);
    let base = dynamic::begin(&file.built.model, &DynamicSettings::default(), state.clone()).unwrap().snapshot();
    let folder = tempfile::tempdir().unwrap();
    let settings = RecorderSettings {
        title: "Bounces".to_owned(),
        scene: SCENE.to_owned(),
        tolerance: 0.0,
        weight: 1.0,
        kinetic_energy: 0.0,
        columns: COLUMNS.to_vec(),
        probes: Vec::new(),
        overwrite: false,
        precision: None,
    };
    let recorder = Recorder::create(folder.path(), &file.built.model.cast(), settings).unwrap();
    let mut recorder = FolderRecorder::new(recorder, &file.built, SCENE, None);
    let mut toy = Bounces { state, base, height: 1.0, time: 0.0, bounces: 0 };
    let ending = drive::drive(&mut toy, StageEnd::WhenDone, &[], &mut [&mut recorder], &Control::default()).unwrap();
    assert_eq!(ending, Ending::Finished);
    // 1/4, 1/16, 1/64, 1/256 m: four bounces
    assert_eq!(recorder.finish().unwrap().steps, 4);
    let history = std::fs::read_to_string(folder.path().join("history.csv")).unwrap();
    let mut lines = history.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let column = lines.next().unwrap().iter().position(|head| *head == "height_m").unwrap();
    let heights: Vec<f64> = lines.map(|row| row[column].parse().unwrap()).collect();
    assert_eq!(heights, [0.25, 0.0625, 0.015625, 0.00390625]);
    let columns = read_columns(folder.path()).unwrap();
    assert!(columns.iter().any(|info| info.head == "height_m" && info.unit == "m"));
}
