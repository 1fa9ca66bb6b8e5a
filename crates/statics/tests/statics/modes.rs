//! Vibration modes of columns of rigid blocks: closed forms and an independent eigen-solver.

use std::fmt::Write;
use std::path::Path;

use voussoir_model::{AnyModel, Scene, build};
use voussoir_statics::modes::calibrate::{MeasuredMode, SpringGroup};
use voussoir_statics::modes::{ModeOptions, Modes, Vibrating, modes};

/// A clamped column of n blocks.
fn column(n: usize) -> AnyModel {
    column_on(n, [5e9, 2e9])
}

/// A clamped column of n blocks whose lowest joint is of another material than the others: springs of the two joints.
fn two_joints(n: usize, low: [f64; 2], high: [f64; 2]) -> AnyModel {
    let text = column_text(n, high).replacen("material = \"stone\"", "material = \"rock\"", 1).replace(
        "joints = [",
        &format!(
            "materials.rock.density = 2000.0\njoints = [{{ between = [\"rock\", \"stone\"], friction = 0.7, elastic = {{ normal = {}, tangential = {} }} }}, ",
            low[0], low[1]
        ),
    );
    build(&Scene::parse(&text, "column.toml").unwrap(), Path::new(".")).unwrap().model
}

fn column_on(n: usize, springs: [f64; 2]) -> AnyModel {
    build(&Scene::parse(&column_text(n, springs), "column.toml").unwrap(), Path::new(".")).unwrap().model
}

fn column_text(n: usize, [normal, tangential]: [f64; 2]) -> String {
    let mut text = format!(
        "dim = 2\nallow_overlap = true\nmaterials.stone.density = 2000.0\n\
         joints = [{{ between = [\"stone\", \"stone\"], friction = 0.7, elastic = {{ normal = {normal}, tangential = {tangential} }} }}]\n\
         bodies = [\n"
    );
    for i in 0..=n {
        let y = 0.25 * i as f64;
        writeln!(text, "{{ name = \"b{i}\", shape = \"rectangle\", size = [0.4, 0.25], position = [0.0, {y}], material = \"stone\" }},")
            .unwrap();
    }
    text + "]\nsupports = [{ select = \"b0\" }]\n"
}

fn solve(n: usize, rounding: f64, three_points: bool, count: usize) -> Modes {
    modes(&column(n), &ModeOptions { count, rounding, three_points }).unwrap()
}

fn close(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-8 + 0.6e-6 / expected
}

#[test]
fn x3_modes_of_a_clamped_column() {
    let sharp: [(usize, &[f64], f64); 4] = [
        (1, &[292.381161, 503.292121, 804.778720], 804.778720),
        (2, &[150.900995, 311.051637, 429.788818, 694.957635], 1228.418065),
        (5, &[41.685095, 143.251874, 171.987742, 351.880675], 1427.789538),
        (10, &[12.401856, 65.316404, 75.222135, 151.784562], 1464.769845),
    ];
    let rounded: [(usize, &[f64], f64); 3] = [
        (1, &[282.210247, 490.548480, 752.489254], 752.489254),
        (5, &[38.971441, 139.624655, 164.039524, 338.073671], 1323.168160),
        (10, &[11.518815, 61.419554, 73.317468, 144.004634], 1356.648384),
    ];
    for (rounding, list) in [(0.0, &sharp[..]), (0.01, &rounded[..])] {
        for (n, expected, highest) in list {
            let found = solve(*n, rounding, false, expected.len());
            for (f, e) in found.frequencies.iter().zip(*expected) {
                assert!(close(*f, *e), "n = {n}: {:?}", found.frequencies);
            }
            assert!(close(found.highest, *highest), "n = {n}: {}", found.highest);
        }
    }
}

#[test]
fn x4_three_points_are_a_continuous_bed() {
    for (n, expected) in [(1, 244.328993), (5, 25.788421), (10, 7.314775)] {
        let found = solve(n, 0.0, true, 1);
        assert!(close(found.frequencies[0], expected), "n = {n}: {:?}", found.frequencies);
    }
}

#[test]
fn axial_modes_have_a_closed_form() {
    let n = 10;
    // ω_j = 2 √(2kₙ/m) sin((2j − 1)π/(4n + 2)) with both points together 2kₙ = kn b
    let root = (5e9 * 0.4 / 200.0f64).sqrt();
    for three_points in [false, true] {
        let found = solve(n, 0.0, three_points, 30);
        for j in 1..=n {
            let omega = 2.0 * root * ((2 * j - 1) as f64 * std::f64::consts::PI / (4 * n + 2) as f64).sin();
            let axial = omega / std::f64::consts::TAU;
            assert!(found.frequencies.iter().any(|f| (f / axial - 1.0).abs() < 1e-9), "{j}: {axial}");
        }
    }
    // all modes together carry the whole mass
    let all = solve(n, 0.0, false, 30);
    for axis in 0..2 {
        let sum: f64 = all.participation.iter().map(|mode| mode[axis]).sum();
        assert!((sum / all.mass - 1.0).abs() < 1e-9, "{sum} {}", all.mass);
    }
}

#[test]
fn modes_need_springs() {
    let text = "dim = 2\nmaterials.stone.density = 2000.0\njoints = [{ between = [\"*\", \"*\"], friction = 0.7 }]\n\
                bodies = [{ name = \"ground\", shape = \"ground\", material = \"stone\" },\
                { name = \"block\", shape = \"rectangle\", size = [1.0, 1.0], position = [0.0, 0.5], material = \"stone\" }]\n";
    let model = build(&Scene::parse(text, "block.toml").unwrap(), Path::new(".")).unwrap().model;
    let error = modes(&model, &ModeOptions { count: 1, ..ModeOptions::default() }).unwrap_err();
    assert!(error.to_string().contains("springs"), "{error}");
}

/// Frequencies of a structure as measured modes.
fn measured(model: &AnyModel, count: usize) -> Vec<MeasuredMode> {
    let found = modes(model, &ModeOptions { count, ..ModeOptions::default() }).unwrap();
    let mode = |(mode, &frequency): (usize, &f64)| MeasuredMode { mode, frequency, weight: 1.0 };
    found.frequencies.iter().enumerate().map(mode).collect()
}

fn group(pairs: &[bool], springs: [bool; 2]) -> SpringGroup {
    SpringGroup { name: "joint".to_owned(), pairs: pairs.to_vec(), springs }
}

#[test]
fn frequencies_of_stiffer_springs_give_back_their_factors() {
    let options = ModeOptions::default();
    let drawn = Vibrating::drawn(&column(5));
    // f ~ √k: one common factor
    let twice: Vec<MeasuredMode> =
        measured(&column(5), 3).into_iter().map(|m| MeasuredMode { frequency: 2.0 * m.frequency, ..m }).collect();
    let found = drawn.calibrate(&options, &[group(&[true], [true, true])], &twice).unwrap();
    assert!((found.factors[0] - 4.0).abs() < 1e-9, "{found:?}");
    // the springs share the energy of every mode
    let both = [group(&[true], [true, false]), group(&[true], [false, true])];
    // changes that leave the modes in their order
    let target = measured(&column_on(5, [6e9, 1.9e9]), 4);
    let found = drawn.calibrate(&options, &both, &target).unwrap();
    assert!((found.factors[0] / 1.2 - 1.0).abs() < 1e-8 && (found.factors[1] / 0.95 - 1.0).abs() < 1e-8, "{found:?}");
    for (shares, (after, wanted)) in found.shares.iter().zip(found.after.iter().zip(&target)) {
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        assert!((after / wanted.frequency - 1.0).abs() < 1e-9, "{found:?}");
    }
}

#[test]
fn joints_of_different_materials_have_factors_of_their_own() {
    let before = two_joints(4, [5e9, 2e9], [5e9, 2e9]);
    let AnyModel::Two(model) = &before else { panic!("2D") };
    let rock = model.materials.iter().position(|material| material.name == "rock").unwrap();
    let mixed: Vec<bool> = (0..4).map(|k| k / 2 != k % 2).collect();
    let stone: Vec<bool> = (0..4).map(|k| k / 2 == k % 2 && k / 2 != rock).collect();
    let groups = [group(&mixed, [true, true]), group(&stone, [true, true])];
    let target = measured(&two_joints(4, [2.5e9, 1e9], [15e9, 6e9]), 4);
    let found = Vibrating::drawn(&before).calibrate(&ModeOptions::default(), &groups, &target).unwrap();
    assert!((found.factors[0] - 0.5).abs() < 1e-8 && (found.factors[1] - 3.0).abs() < 1e-8, "{found:?}");
    // more factors than frequencies
    let error = Vibrating::drawn(&before).calibrate(&ModeOptions::default(), &groups, &target[..1]).unwrap_err();
    assert!(error.to_string().contains("2 factors cannot be found from 1 frequencies"), "{error}");
}

#[test]
fn a_joint_that_has_opened_carries_no_springs() {
    use voussoir_mechanics::AnyState;
    let model = column(2);
    let mut state = model.initial_state(&[]);
    let AnyState::Two(plane) = &mut state else { panic!("2D") };
    // the upper block is lifted: the lower one vibrates alone
    plane.poses[2].position.y += 1e-3;
    let found = Vibrating::in_state(&model, &state).unwrap().modes(&ModeOptions { count: 3, ..Default::default() });
    let found = found.unwrap();
    assert_eq!((found.loose, found.points), (1, 2));
    for (f, e) in found.frequencies.iter().zip([292.381161, 503.292121, 804.778720]) {
        assert!(close(*f, e), "{:?}", found.frequencies);
    }
    // shapes: one body moves by about 1, the others rest
    let moves = |body: &voussoir_mechanics::snapshot::BodySnapshot| body.velocity.iter().any(|x| *x != 0.0);
    assert_eq!(found.shapes[0].iter().filter(|body| moves(body)).count(), 1);
}
