//! Largest multipliers: closed forms, published values, and answers without a number.

use voussoir_geometry::Space;
use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_mechanics::model::{Anchor, Cable};
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_statics::conic::Engine;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::limit::{LimitAnswer, LimitSettings, LimitVerdict, limit};
use voussoir_statics::loads::Question;
use voussoir_statics::{StaticsError, Structure};

use crate::common::{close, plane, space, stack, stone};

fn wall(courses: u32, bricks: u32, brick: &str, friction: f64) -> String {
    let keys = format!("generator = \"wall\", courses = {courses}, bricks = {bricks}, brick = {brick}");
    stone(friction) + &format!("bodies = [{{ name = \"wall\", {keys}, material = \"stone\" }}]\n")
}

/// A load on the block `stack.block[0]`.
fn load(force: &str, point: &str) -> String {
    format!("loads = [{{ name = \"push\", select = \"stack.block[0]\", force = {force}, point = {point} }}]\n")
}

fn solved<S: Space>(mut structure: Structure<S>, question: &Question<S>, settings: &LimitSettings) -> LimitAnswer {
    limit(&mut structure, question, settings).unwrap()
}

fn multiplier<S: Space>(structure: Structure<S>, question: &Question<S>, settings: &LimitSettings) -> f64 {
    let answer = solved(structure, question, settings);
    assert_eq!(answer.verdict, LimitVerdict::Limit, "{answer:?}");
    let (lower, upper) = (answer.multiplier.unwrap(), answer.upper.unwrap());
    assert!((upper - lower).abs() < 1e-7 * (1.0 + lower.abs()), "{lower} … {upper}");
    lower
}

/// Validation case V5.8.walls: friction 0.3, 0.5, 0.65, 0.8; both solvers.
#[test]
fn in_plane_walls_pushed_sideways() {
    let table = [
        (4, 4, "[2.0, 1.0]", [0.3000, 0.5000, 0.6416, 0.7260]),
        (8, 4, "[2.0, 1.0]", [0.3000, 0.5000, 0.5664, 0.6345]),
        (10, 4, "[0.4, 0.175]", [0.3000, 0.5000, 0.5917, 0.6557]),
        (6, 6, "[1.0, 1.0]", [0.2900, 0.3095, 0.3816, 0.4615]),
    ];
    for (courses, bricks, brick, expected) in table {
        for (friction, expected) in [0.3, 0.5, 0.65, 0.8].into_iter().zip(expected) {
            let of = |engine| {
                let settings = LimitSettings { engine, ..Default::default() };
                multiplier(plane(&wall(courses, bricks, brick, friction)), &Question::Acceleration(DVec2::X), &settings)
            };
            let own = of(Engine::Own);
            close(own, expected, 3e-4);
            close(of(Engine::Clarabel), own, 1e-7);
        }
    }
}

/// Two solvers that stop at different points prove intervals that share a number.
#[test]
fn what_both_solvers_prove_agrees() {
    for (courses, bricks, friction) in [(6, 5, 0.6), (12, 6, 0.6), (12, 8, 0.75)] {
        let of = |engine| {
            let settings = LimitSettings { engine, ..Default::default() };
            let question = Question::Acceleration(DVec3::X);
            let answer = solved(space(&wall(courses, bricks, "[0.5, 0.25, 0.25]", friction)), &question, &settings);
            (answer.multiplier.unwrap(), answer.upper.unwrap())
        };
        let (own, other) = (of(Engine::Own), of(Engine::Clarabel));
        assert!(own.0 <= own.1 + 1e-14 && other.0 <= other.1 + 1e-14, "{own:?} {other:?}");
        assert!(own.0.max(other.0) <= own.1.min(other.1) + 1e-12, "{own:?} {other:?}");
        assert!(own.1 - own.0 < 1e-5 && other.1 - other.0 < 1e-5, "{own:?} {other:?}");
    }
}

#[test]
fn a_column_slides_or_tips() {
    let settings = LimitSettings::default();
    // λ = min(μ, b/(n h)): n blocks b wide, h high
    for (count, friction, expected) in [(1, 0.5, 0.5), (5, 0.3, 0.3), (5, 0.7, 0.4), (3, 0.9, 2.0 / 3.0)] {
        let flat = plane(&stack(count, "[0.4, 0.2]", friction));
        close(multiplier(flat, &Question::Acceleration(DVec2::X), &settings), expected, 1e-7);
        let solid = space(&stack(count, "[0.4, 0.3, 0.2]", friction));
        close(multiplier(solid, &Question::Acceleration(DVec3::X), &settings), expected, 1e-7);
        // the same table, tilted: tan θ
        let flat = plane(&stack(count, "[0.4, 0.2]", friction));
        close(multiplier(flat, &Question::Tilt(DVec2::X), &settings), expected, 1e-7);
    }
    // across a corner of a square: half the diagonal over half the height, if it does not slide
    let solid = space(&stack(1, "[0.4, 0.4, 1.0]", 0.9));
    let diagonal = 0.4 * 2f64.sqrt();
    close(multiplier(solid, &Question::Acceleration(DVec3::new(1.0, 1.0, 0.0)), &settings), diagonal, 1e-7);
}

#[test]
fn a_mechanism_says_what_moves() {
    let settings = LimitSettings::default();
    let tips = solved(plane(&stack(3, "[0.4, 0.4]", 0.8)), &Question::Acceleration(DVec2::X), &settings);
    let mechanism = tips.mechanism.unwrap();
    assert_eq!((mechanism.moving, mechanism.hinges.len(), mechanism.sliding.len()), (3, 1, 0));
    assert_eq!(mechanism.hinges[0].between, ["stack.block[0]", "stack.ground"]);
    assert!((mechanism.hinges[0].at[0] - 0.2).abs() < 1e-12);
    // at the limit the powers of the weight and of the push cancel
    let powers = [mechanism.dead_power_w, tips.multiplier.unwrap() * mechanism.live_power_w];
    assert!((powers[0] + powers[1]).abs() < 1e-6 * powers[1]);
    let slides = solved(plane(&stack(3, "[0.4, 0.1]", 0.5)), &Question::Acceleration(DVec2::X), &settings);
    let mechanism = slides.mechanism.unwrap();
    assert!(mechanism.hinges.is_empty() && !mechanism.sliding.is_empty());
    assert!(mechanism.violation < 1e-7);
}

#[test]
fn a_load_that_only_presses_has_no_limit() {
    let text = stack(3, "[0.4, 0.2]", 0.6) + &load("[0.0, -1000.0]", "[0.05, 0.2]");
    let answer = solved(plane(&text), &Question::Named("push".into()), &LimitSettings::default());
    assert_eq!((answer.verdict, answer.multiplier), (LimitVerdict::Unbounded, None));
    assert!(answer.mechanism.is_none());
}

#[test]
fn a_structure_that_falls_by_itself_says_so() {
    // the upper block hangs over by more than half of its length
    let block = |name: &str, x: f64, y: f64| {
        let shape = "shape = \"rectangle\", size = [1.0, 0.2]";
        format!("{{ name = \"{name}\", {shape}, position = [{x}, {y}], material = \"stone\" }}")
    };
    let text = stone(0.6)
        + &format!("bodies = [{}, {}]\n", block("table", 0.0, -0.1), block("stone", 0.501, 0.1))
        + "supports = [{ select = \"table\" }]\n";
    let answer = solved(plane(&text), &Question::Acceleration(DVec2::X), &LimitSettings::default());
    // a push the other way would hold it: λ h/2 = −0.001 m
    assert_eq!(answer.verdict, LimitVerdict::Falls);
    close(answer.multiplier.unwrap(), -0.01, 1e-6);
    let mechanism = answer.mechanism.unwrap();
    assert!(mechanism.dead_power_w > 0.0);
    assert!((mechanism.hinges[0].at[0] - 0.5).abs() < 1e-12);
    // nothing vertical helps
    let text = text + "loads = [{ name = \"push\", select = \"stone\", force = [0.0, -1.0], point = [0.9, 0.2] }]\n";
    let answer = solved(plane(&text), &Question::Named("push".into()), &LimitSettings::default());
    assert_eq!(answer.verdict, LimitVerdict::Falls);
    assert!(answer.multiplier.is_none_or(|m| m < 0.0));
}

#[test]
fn questions_without_sense_are_errors() {
    let ask = |text: &str, name: &str| {
        limit(&mut plane(text), &Question::Named(name.into()), &LimitSettings::default()).unwrap_err()
    };
    let text = stack(1, "[0.4, 0.2]", 0.6) + &load("[1000.0, 0.0]", "[0.0, 0.1]");
    assert!(matches!(ask(&text, "pull"), StaticsError::UnknownLoad { .. }));
    let on_support = text.replace("stack.block[0]", "stack.ground");
    assert!(matches!(ask(&on_support, "push"), StaticsError::TouchesNothing { .. }));
    let bird = "{ name = \"bird\", shape = \"disc\", radius = 0.1, position = [0.0, 5.0], material = \"stone\" }";
    let flying = text.replace("bodies = [", &format!("bodies = [{bird}, ")).replace("stack.block[0]", "bird");
    assert!(matches!(ask(&flying, "push"), StaticsError::TouchesNothing { .. }));
    let zero = stack(1, "[0.4, 0.2]", 0.6) + &load("[0.0, 0.0]", "[0.0, 0.1]");
    assert!(matches!(ask(&zero, "push"), StaticsError::TouchesNothing { .. }));
}

#[test]
fn cohesion_holds_without_weight() {
    // T = c A + μ W on a base of 0.4 m × 1 m, pushed low enough not to tip
    let weight = 0.4 * 0.2 * 2000.0 * 9.81;
    let text = stack(1, "[0.4, 0.2]", 0.5) + &load("[1.0, 0.0]", "[0.0, 0.0]");
    for cohesion in [0.0, 1e3, 5e4] {
        let settings = LimitSettings { capacity: Capacity { cohesion, ..Default::default() }, ..Default::default() };
        let answer = multiplier(plane(&text), &Question::Named("push".into()), &settings);
        close(answer, 0.5 * weight + 0.4 * cohesion, 1e-6);
    }
}

#[test]
fn a_crushed_joint_carries_the_rectangle_about_the_force() {
    // a heavy load at e from the middle of a base b: N = f_c (b − 2e) t
    let (b, strength) = (0.4, 1e6);
    let capacity = Capacity { compression: Some(strength), ..Default::default() };
    let settings = LimitSettings { capacity, ..Default::default() };
    for e in [0.0, 0.05, 0.15] {
        let expected = strength * (b - 2.0 * e);
        let light = |text: String| text.replace("2000.0", "1e-3");
        let text = light(stack(1, "[0.4, 0.2]", 0.6) + &load("[0.0, -1.0]", &format!("[{e}, 0.2]")));
        for engine in [Engine::Own, Engine::Clarabel] {
            let settings = LimitSettings { engine, ..settings.clone() };
            close(multiplier(plane(&text), &Question::Named("push".into()), &settings), expected, 1e-6);
        }
        // in space: cells, from below
        let text = light(stack(1, "[0.4, 1.0, 0.2]", 0.6) + &load("[0.0, 0.0, -1.0]", &format!("[{e}, 0.0, 0.2]")));
        let answer = multiplier(space(&text), &Question::Named("push".into()), &settings);
        assert!(answer <= expected * (1.0 + 1e-6) && answer > expected * 0.97, "{answer} {expected}");
    }
}

#[test]
fn sliding_without_dilatancy_never_carries_more() {
    // in-plane wall whose mechanism slides; the associated value is 0.3095
    let question = Question::Acceleration(DVec2::X);
    let of = |associated| {
        let settings = LimitSettings { associated, ..Default::default() };
        solved(plane(&wall(6, 6, "[1.0, 1.0]", 0.5)), &question, &settings)
    };
    let (associated, true_friction) = (of(true), of(false));
    assert_eq!(true_friction.verdict, LimitVerdict::Limit, "{} passes", true_friction.passes);
    let (a, b) = (associated.multiplier.unwrap(), true_friction.multiplier.unwrap());
    assert!(b <= a * 1.001 && b >= a * 0.92, "{b} {a}");
}

/// States of sliding without dilatancy that an independent iteration (quadratic programs, validation case V5.8.walls)
/// finds too; and passes that would go round in circles.
#[test]
fn states_without_dilatancy_use_no_more_friction_than_they_have() {
    for (courses, bricks, brick, friction, expected) in
        [(6, 6, "[1.0, 1.0]", 0.65, Some(0.343877)), (10, 4, "[0.4, 0.175]", 0.8, None)]
    {
        let settings = LimitSettings { associated: false, ..Default::default() };
        let structure = plane(&wall(courses, bricks, brick, friction));
        let answer = solved(structure, &Question::Acceleration(DVec2::X), &settings);
        let state = (answer.passes, answer.change, answer.friction_excess, answer.multiplier);
        assert_eq!(answer.verdict, LimitVerdict::Limit, "{state:?}");
        assert!(answer.friction_excess <= 1e-4 && answer.change <= 1e-4, "{state:?}");
        if let (Some(expected), Some(found)) = (expected, answer.multiplier) {
            // passes end at changes of 1e-4, with a dilatancy of a hundredth of the friction
            close(found, expected, 5e-4);
        }
    }
}

#[test]
fn corners_that_merely_touch_hold_nothing_together() {
    // four blocks in a square, two columns side by side on separate supports: only friction at the common corner could
    // keep the columns together when they are pulled apart
    let block = |name: &str, x: f64, y: f64| {
        let shape = "shape = \"rectangle\", size = [1.0, 1.0]";
        format!("{{ name = \"{name}\", {shape}, position = [{x}, {y}], material = \"stone\" }}")
    };
    let bodies = [block("a", -0.5, 0.5), block("b", 0.5, 0.5), block("c", -0.5, 1.5), block("d", 0.5, 1.5)].join(", ");
    let ground = "{ name = \"ground\", shape = \"ground\", material = \"stone\" }";
    let text = stone(0.5) + &format!("bodies = [{bodies}, {ground}]\n");
    let structure = plane(&text);
    let pairs: std::collections::BTreeSet<[u32; 2]> =
        structure.contacts.iter().map(|contact| [contact.key.candidate, contact.key.antagonist]).collect();
    assert!(
        !pairs.contains(&[0, 3]) && !pairs.contains(&[3, 0]) && !pairs.contains(&[1, 2]) && !pairs.contains(&[2, 1])
    );
    assert_eq!(pairs.len(), 6);
    // a corner in the middle of a face does lean
    let lean = "{ name = \"e\", shape = \"rectangle\", size = [1.0, 1.0], position = [0.0, 0.7071067811865476], \
                rotation = { angle_deg = 45.0 }, material = \"stone\" }";
    let text = stone(0.5) + &format!("bodies = [{lean}, {ground}]\n");
    assert_eq!(plane(&text).contacts.len(), 1);
}

/// A tie between the centroids of bodies.
fn tie<S: voussoir_geometry::Space>(bodies: &[usize], strength: f64) -> Cable<S> {
    Cable {
        name: "tie".to_owned(),
        anchors: bodies.iter().map(|&body| Anchor { body, point: S::zero() }).collect(),
        closed: false,
        stiffness: 1e6,
        prestress: 0.0,
        function: TimeFunction::Constant(1.0),
        strength: Some(strength),
        breaks: false,
        fitted: true,
        at_rest: None,
    }
}

#[test]
fn a_cable_holds_up_to_its_strength() {
    // a slender block tips at b/h; a cable from its centroid to the side holds with its strength S at h/2:
    // λ W h/2 = W b/2 + S h/2
    let text = stack(1, "[0.2, 1.0]", 2.0).replace(
        "bodies = [",
        "supports = [{ select = \"anchor\" }]\nbodies = [{ name = \"anchor\", shape = \"disc\", radius = 0.01, \
         position = [-3.0, 0.5], material = \"stone\" }, ",
    );
    let weight = 0.2 * 2000.0 * 9.81;
    for strength in [100.0, 500.0] {
        let mut structure = plane(&text);
        let at = |name: &str| structure.model.bodies.iter().position(|body| body.name == name).unwrap();
        let bodies = [at("stack.block[0]"), at("anchor")];
        structure.add_cable(tie(&bodies, strength)).unwrap();
        let found = multiplier(structure, &Question::Acceleration(DVec2::X), &LimitSettings::default());
        close(found, 0.2 + strength / weight, 1e-6);
    }
}

#[test]
fn the_funicular_of_a_bare_arch_is_its_thrust_line() {
    use voussoir_statics::line::LineKind;
    use voussoir_statics::stand::{StandSettings, stand};
    let keys = "generator = \"arch\", radius = 0.9, thickness = 0.2, voussoirs = 21, material = \"stone\"";
    let text = stone(0.7)
        + &format!("bodies = [{{ name = \"arch\", {keys} }}]\n")
        + "loads = [{ name = \"push\", select = \"arch.voussoir[5]\", force = [0.0, -900.0], point = [-0.7, 0.8] }]\n";
    let mut structure = plane(&text);
    assert_eq!(stand(&mut structure, &StandSettings::default()).stands, Some(true));
    let chain = structure.chains().pop().unwrap();
    let found = structure.line(&chain, LineKind::Found, &structure.contacts);
    let dead = structure.dead_load(0.0, None);
    let funicular = structure.funicular(&chain, &found, &dead).unwrap();
    assert_eq!(found.points.len(), 22);
    for (a, b) in found.points.iter().zip(&funicular.points) {
        (0..2).for_each(|k| assert!((a.at[k] - b.at[k]).abs() < 1e-6, "{:?} {:?}", a.at, b.at));
    }
}
