//! Mechanisms and proofs, checked by functions that are independent of the solvers.

use voussoir_geometry::{D2, D3, Space, Vector};
use voussoir_statics::Structure;
use voussoir_statics::decide::MECHANISM_TOLERANCE;
use voussoir_statics::limit::{GAP, LimitAnswer, LimitSettings, LimitVerdict, limit};
use voussoir_statics::loads::Question;
use voussoir_statics::mechanism::{FlowRule, Mechanism};
use voussoir_statics::stand::{StandSettings, VerdictWord, stand};

use crate::common::{plane, space, stone};
use crate::random::{Random, structure};

/// Velocity of a point of a body, world axes, from the velocity of its centroid and its angular velocity.
fn velocity_at<S: Space>(structure: &Structure<S>, mechanism: &Mechanism, body: usize, x: S::Vector) -> [f64; 3] {
    let Some(node) = structure.node[body] else { return [0.0; 3] };
    let (linear, spin) = S::unpack(&mechanism.velocities[node as usize * S::DOFS..][..S::DOFS]);
    let pose = &structure.poses[body];
    let (v, w) = (linear.to_3d(), S::spin_to_3d(S::spin_to_world(pose.rotation, spin)));
    let r = (x - pose.position).to_3d();
    [v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2], v[2] + w[0] * r[1] - w[1] * r[0]]
}

/// Largest violation of the flow rule, and power of gravity and loads of the model [W].
fn examine<S: Space>(structure: &Structure<S>, mechanism: &Mechanism) -> (f64, f64) {
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut violation = 0.0f64;
    for contact in &structure.contacts {
        let of = |body: u32| velocity_at(structure, mechanism, body as usize, contact.position);
        let (a, b) = (of(contact.key.candidate), of(contact.key.antagonist));
        let u: [f64; 3] = std::array::from_fn(|k| a[k] - b[k]);
        let n = contact.normal.to_3d();
        let normal = dot(u, n);
        let slip: [f64; 3] = std::array::from_fn(|k| u[k] - normal * n[k]);
        let least = match mechanism.flow {
            FlowRule::Coulomb => 0.0,
            _ => contact.friction * dot(slip, slip).sqrt(),
        };
        violation = violation.max(least - normal);
    }
    let mut power = 0.0;
    for &body in &structure.body {
        let at = structure.poses[body].position;
        let weight = (structure.model.gravity * structure.model.bodies[body].mass).to_3d();
        power += dot(weight, velocity_at(structure, mechanism, body, at));
    }
    for load in &structure.model.loads {
        let at = structure.poses[load.body].point(load.point);
        power += dot((load.force).to_3d(), velocity_at(structure, mechanism, load.body, at));
    }
    (violation, power)
}

/// All blocks that are said to move do, the flow rule holds, and the loads do positive work.
fn check_collapse<S: Space>(structure: &Structure<S>, mechanism: &Mechanism, what: &str) {
    let (violation, power) = examine(structure, mechanism);
    assert!(violation <= 2.0 * MECHANISM_TOLERANCE, "{what}: violation {violation:e}\n{mechanism:?}");
    assert!(power > 0.0, "{what}: power {power:e}\n{mechanism:?}");
    check_motion(structure, mechanism, what);
}

fn check_motion<S: Space>(structure: &Structure<S>, mechanism: &Mechanism, what: &str) {
    assert!(mechanism.moving > 0 && mechanism.crushing.is_empty(), "{what}: {mechanism:?}");
    for body in &mechanism.bodies {
        let index = structure.model.bodies.iter().position(|other| other.name == body.name).unwrap();
        let size = structure.size[structure.node[index].unwrap() as usize];
        let speed = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(speed(body.velocity) + 0.5 * size * speed(body.spin) > 5e-5, "{what}: {body:?} does not move");
    }
}

/// A box at rest below one that floats: the box is neither crushed nor does it move.
#[test]
fn fault_a_box_at_rest_is_not_crushed() {
    let boxed = |name: &str, z: f64| {
        format!(
            "{{ name = \"{name}\", material = \"stone\", shape = \"box\", size = [1, 1, 1], position = [0, 0, {z}] }},\n"
        )
    };
    let text = stone(0.6)
        + "bodies = [\n{ name = \"g\", shape = \"ground\", material = \"stone\" },\n"
        + &boxed("a", 0.5)
        + &boxed("b", 3.5)
        + "]";
    let mut structure = space(&text);
    let answer = stand(&mut structure, &StandSettings::default());
    assert_eq!(answer.verdict, VerdictWord::Collapses);
    let mechanism = answer.mechanism.unwrap();
    assert_eq!(mechanism.bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["b"]);
    check_collapse(&structure, &mechanism, "floating");
}

/// A stone balanced on a corner, its centroid off by `off`, beside a stack.
fn balanced(off: f64) -> Structure<D3> {
    space(
        &(stone(0.6)
            + "bodies = [\n{ name = \"stack\", generator = \"stack\", material = \"stone\", count = 4, size = 1.0 },\n"
            + &format!(
                "{{ name = \"top\", material = \"stone\", shape = \"polyhedron\", vertices = [[3, 0, 0], \
                 [2.5, -0.5, 0.5], [3.5, -0.5, 0.5], [3.5, 0.5, 0.5], [2.5, 0.5, 0.5], [{}, 0, 1]] }},\n]",
                3.0 + off
            )),
    )
}

/// Balanced within 1e-8 the stone is in equilibrium to the tolerance, with no margin; off by a millimetre it falls and
/// the stack beside it is left alone.
#[test]
fn fault_a_stone_on_a_corner_does_not_crush_the_stack_beside_it() {
    let edge = stand(&mut balanced(1e-8), &StandSettings::default());
    assert_eq!((edge.verdict, edge.margin), (VerdictWord::Stands, Some(0.0)), "{edge:?}");
    assert!(edge.mechanism.is_none(), "{edge:?}");
    let mut structure = balanced(1e-3);
    let answer = stand(&mut structure, &StandSettings::default());
    assert_eq!(answer.verdict, VerdictWord::Collapses, "{answer:?}");
    let mechanism = answer.mechanism.unwrap();
    assert_eq!(mechanism.bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["top"]);
    check_collapse(&structure, &mechanism, "balanced");
}

/// What a proved answer must satisfy: bounds that meet, forces in equilibrium inside their cones at the lower bound, a
/// mechanism that moves and does work on the load.
fn check_limit(structure: &Structure<D2>, question: &Question<D2>, answer: &LimitAnswer, what: &str) {
    if !answer.proved {
        assert_eq!(answer.verdict, LimitVerdict::Undecided, "{what}: {answer:?}");
        return;
    }
    let (Some(lower), Some(upper)) = (answer.multiplier, answer.upper) else { return };
    let (live, dead) = (structure.live_load(question, 0.0).unwrap(), structure.dead_load(0.0, question.without()));
    let scale = structure.size_of(&dead) / structure.size_of(&live);
    assert!(upper - lower <= GAP * upper.abs().max(0.01 * scale), "{what}: {lower} … {upper}");
    let mechanism = answer.mechanism.as_ref().unwrap();
    check_motion(structure, mechanism, what);
    assert!(mechanism.live_power_w > 0.0, "{what}: {mechanism:?}");
    let (violation, dead_power) = examine(structure, mechanism);
    assert!(violation <= 1e-5, "{what}: violation {violation:e}");
    // the inertia of the masses does positive work, and at the upper bound as much as the weights take
    let Question::Acceleration(direction) = question else { panic!("{what}: another question") };
    let g = structure.model.gravity.length();
    let inertia = |&body: &usize| {
        let [x, y, _] = velocity_at(structure, mechanism, body, structure.poses[body].position);
        structure.model.bodies[body].mass * g * (direction.x * x + direction.y * y)
    };
    let live_power: f64 = structure.body.iter().map(inertia).sum();
    assert!(live_power > 0.0, "{what}: the load does the work {live_power:e}");
    let left = (dead_power + upper * live_power) / live_power;
    assert!(left.abs() <= GAP * upper.abs().max(0.01 * scale), "{what}: {left:e} from the upper bound {upper}");
    // the forces that are left in the contacts carry the lower bound
    let total: Vec<f64> = dead.iter().zip(&live).map(|(d, l)| d + lower * l).collect();
    let missing = structure.size_of(&structure.imbalance(&total)) / structure.size_of(&total);
    assert!(missing <= 1e-5, "{what}: imbalance {missing:e}");
    for contact in &structure.contacts {
        let normal = contact.force.dot(contact.normal);
        let shear = (contact.force - contact.normal * normal).length();
        let outside = (shear - contact.friction * normal).max(-normal);
        assert!(outside <= 1e-6 * structure.unit_of(&dead).max(normal), "{what}: {outside:e} outside of the cone");
    }
}

/// 500 random structures: what is called proved is, checked independently; collapses are true mechanisms.
#[test]
fn nothing_is_proved_with_bounds_apart() {
    let (mut proved, mut collapsed) = (0, 0);
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let text = structure(&mut random);
        let mut structure = plane(&text);
        let what = format!("seed {seed}");
        let answer = stand(&mut structure, &StandSettings { best_margins: Some(false), ..StandSettings::default() });
        if answer.verdict == VerdictWord::Collapses {
            check_collapse(&structure, answer.mechanism.as_ref().unwrap(), &what);
            collapsed += 1;
        }
        let sign = if random.number() < 0.5 { -1.0 } else { 1.0 };
        let question = Question::Acceleration(voussoir_geometry::glam::DVec2::X * sign);
        let answer = limit(&mut structure, &question, &LimitSettings::default()).unwrap();
        check_limit(&structure, &question, &answer, &what);
        proved += usize::from(answer.proved);
    }
    assert!(proved > 450 && collapsed > 20, "{proved} proved, {collapsed} collapsed");
}
