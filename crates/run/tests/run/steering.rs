//! A dynamic analysis that is steered between two steps.

use std::path::Path;

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::steer::{Push, Steering, SupportDrive};
use voussoir_run::{SceneFile, drive};

const FRICTION: f64 = 0.5;
const GRAVITY: f64 = 9.81;

/// A low block on a table, in two or three dimensions: its mass is 400 kg.
fn begin(dim: usize) -> Box<dyn Analysis> {
    let (table, block) = match dim {
        2 => (
            "\"rectangle\", size = [10.0, 1.0], position = [0.0, -0.5]",
            "\"rectangle\", size = [1.0, 0.2], position = [0.0, 0.1]",
        ),
        _ => (
            "\"box\", size = [10.0, 10.0, 1.0], position = [0.0, 0.0, -0.5]",
            "\"box\", size = [1.0, 1.0, 0.2], position = [0.0, 0.0, 0.1]",
        ),
    };
    let text = format!(
        "dim = {dim}\nmaterials.stone.density = 2000.0\njoints = [{{ between = [\"*\", \"*\"], friction = {FRICTION} }}]\n\
         bodies = [{{ name = \"table\", material = \"stone\", shape = {table} }}, \
         {{ name = \"block\", material = \"stone\", shape = {block} }}]\nsupports = [{{ select = \"table\" }}]\n\
         stages = [{{ analysis = \"dynamic\", duration = 1.0, step = 1e-3 }}]\n"
    );
    let file = SceneFile::read(&text, "table.toml", Path::new(".")).unwrap();
    drive::begin(&file.built.model, &file.built.stages[0].analysis, drive::first_state(&file.built)).unwrap()
}

fn speed(analysis: &dyn Analysis, body: usize) -> f64 {
    analysis.snapshot().bodies[body].velocity[0]
}

#[test]
fn a_push_beyond_friction_accelerates_and_its_end_brings_rest() {
    for dim in [2, 3] {
        for share in [0.8, 1.5] {
            let mut analysis = begin(dim);
            let force = [share * FRICTION * 400.0 * GRAVITY, 0.0, 0.0];
            let pushes = vec![Push { body: 1, force, moment: [0.0; 3] }];
            analysis.steer(&Steering { pushes, supports: Vec::new() }).unwrap();
            (0..100).for_each(|_| assert!(analysis.advance().unwrap().converged));
            let expected = (share - 1.0).max(0.0) * FRICTION * GRAVITY * 0.1;
            assert!((speed(&*analysis, 1) - expected).abs() < 1e-6, "{dim}D, {share}: {}", speed(&*analysis, 1));
            analysis.steer(&Steering::default()).unwrap();
            (0..100).for_each(|_| assert!(analysis.advance().unwrap().converged));
            assert!(speed(&*analysis, 1).abs() < 1e-9);
        }
    }
}

#[test]
fn a_driven_support_carries_what_lies_on_it() {
    for dim in [2, 3] {
        let mut analysis = begin(dim);
        let drive = |velocities| Steering { pushes: Vec::new(), supports: vec![SupportDrive { body: 0, velocities }] };
        analysis.steer(&drive(vec![(0.0, [0.2, 0.0, 0.0])])).unwrap();
        (0..100).for_each(|_| assert!(analysis.advance().unwrap().converged));
        let there = analysis.snapshot().bodies[0].position[0];
        assert!((there - 0.02).abs() < 1e-12 && (speed(&*analysis, 1) - 0.2).abs() < 1e-9);
        analysis.steer(&drive(vec![(0.0, [0.2, 0.0, 0.0]), (0.1, [0.0; 3])])).unwrap();
        (0..100).for_each(|_| assert!(analysis.advance().unwrap().converged));
        assert!((analysis.snapshot().bodies[0].position[0] - there).abs() < 1e-12);
        assert!(speed(&*analysis, 1).abs() < 1e-9);
        // a free body is not driven, and what is not finite is refused
        let free = SupportDrive { body: 1, velocities: Vec::new() };
        assert!(analysis.steer(&Steering { pushes: Vec::new(), supports: vec![free] }).is_err());
        let endless = Push { body: 1, force: [f64::INFINITY, 0.0, 0.0], moment: [0.0; 3] };
        assert!(analysis.steer(&Steering { pushes: vec![endless], supports: Vec::new() }).is_err());
        assert!(analysis.advance().unwrap().converged);
    }
}
