//! Fill as a load and as a mass.

use voussoir_geometry::glam::DVec3;
use voussoir_geometry::{D3, Vector};
use voussoir_statics::Structure;
use voussoir_statics::limit::{LimitSettings, limit};
use voussoir_statics::loads::Question;

use crate::common::{close, space, stone};

/// A semicircular arch of 15 voussoirs.
fn arch(more: &str) -> String {
    let keys = "generator = \"arch\", span = 5.0, thickness = 0.5, width = 2.0, voussoirs = 15";
    stone(0.6) + &format!("bodies = [{{ name = \"arch\", {keys}, material = \"stone\" }}]\n{more}")
}

const FILL: &str = "loads = [{ name = \"fill\", select = \"arch\", fill = { density = 1800, level = 3.5 } }]";

/// Multiplier of an acceleration along x.
fn endured(structure: &mut Structure<D3>) -> f64 {
    let answer = limit(structure, &Question::Acceleration(DVec3::X), &LimitSettings::default()).unwrap();
    assert!(answer.gap.unwrap() < 1e-6, "{answer:?}");
    answer.multiplier.unwrap()
}

/// The same fill as added masses at the centroids, and torques that shift their weights to where the columns are.
#[test]
fn fault_fill_takes_part_in_an_earthquake() {
    let mut filled = space(&arch(FILL));
    let (mut masses, mut torques, mut named) = (String::new(), String::new(), 0);
    for load in filled.model.loads.iter().filter(|load| filled.node[load.body].is_some()) {
        let body = &filled.model.bodies[load.body];
        let torque = body.pose.direction(load.point).cross(load.force);
        masses += &format!("{{ select = \"{}\", mass = {:e} }}, ", body.name, load.force.length() / 9.81);
        torques += &format!(
            "{{ name = \"torque{named}\", select = \"{}\", moment = [{:e}, {:e}, {:e}] }}, ",
            body.name, torque.x, torque.y, torque.z
        );
        named += 1;
    }
    let mut same = space(&arch(&format!("added_masses = [{masses}]\nloads = [{torques}]")));
    let (fill, mass) = (endured(&mut filled), endured(&mut same));
    assert!((fill - mass).abs() < 1e-6, "{fill} with fill, {mass} with added masses");
    // a load that is no mass steadies, and is named
    let mut steadied = space(&arch(&FILL.replace("fill =", "mass = false, fill =")));
    let answer = limit(&mut steadied, &Question::Acceleration(DVec3::X), &LimitSettings::default()).unwrap();
    assert!(answer.multiplier.unwrap() > 2.0 * fill, "{answer:?}");
    assert_eq!(answer.not_accelerated, ["fill"]);
    assert!(filled.not_accelerated(&Question::Acceleration(DVec3::X), 0.0).is_empty());
}

/// A tilt turns gravity and the fill with it: the same as an acceleration against the fixed ground. Axles likewise.
#[test]
fn a_tilt_and_an_acceleration_do_the_same_to_masses() {
    let train = "trains = [{ name = \"axle\", axles = [{ load = 50e3 }], deck = \"arch.voussoirs\", \
                 start = [0, 0, 0], direction = [1, 0, 0], distance = { constant = -0.8 } }]";
    let mut structure = space(&arch(&format!("{FILL}\n{train}")));
    let alone = endured(&mut space(&arch(FILL)));
    let accelerated = endured(&mut structure);
    assert!((accelerated - alone).abs() > 1e-3, "the axle changes nothing");
    // the centroid of a block and the top of it differ in height: the tilt acts where the axle is
    let question = Question::Tilt(DVec3::X);
    let (live, dead) = (structure.live_load(&question, 0.0).unwrap(), structure.dead_load(0.0, None));
    let sum = |loads: &[f64], axis: usize| loads.chunks_exact(6).map(|f| f[axis]).sum::<f64>();
    close(sum(&live, 0), -sum(&dead, 2), 1e-12);
    let pushed = structure.live_load(&Question::Acceleration(DVec3::X), 0.0).unwrap();
    close(sum(&pushed, 0), -sum(&dead, 2), 1e-12);
}

/// Weight of the fill on each body [kN].
fn weights(text: &str) -> Vec<(String, f64)> {
    let structure = space(text);
    let of = |load: &voussoir_mechanics::model::Load<D3>| {
        (structure.model.bodies[load.body].name.clone(), load.force.length() / 1e3)
    };
    structure.model.loads.iter().map(of).collect()
}

fn kerbs(fill: &str) -> String {
    stone(0.6)
        + "bodies = [\n\
           { name = \"g\", shape = \"ground\", material = \"stone\" },\n\
           { name = \"slab\", shape = \"box\", size = [1, 5, 0.5], position = [0, 0, 0.25], material = \"stone\" },\n\
           { name = \"k0\", shape = \"box\", size = [1, 0.5, 1], position = [0, -2.25, 1.0], material = \"stone\" },\n\
           { name = \"k1\", shape = \"box\", size = [1, 0.5, 1], position = [0, 2.25, 1.0], material = \"stone\" },\n\
           ]\n"
        + &format!("loads = [{{ name = \"fill\", select = [\"slab\", \"k0\", \"k1\"], fill = {fill} }}]")
}

/// Between two kerbs of 0.5 m a slab of 5 m × 1 m carries 4 m of fill, 1 m deep: 4 m³ of 1000 kg/m³.
#[test]
fn fault_fill_covers_what_is_uncovered() {
    let found = weights(&kerbs("{ density = 1000, level = 1.5 }"));
    assert_eq!(found.len(), 1, "{found:?}");
    close(found[0].1, 39.24, 1e-9);
    // above the kerbs: 0.5 m more over all of 5 m²
    let total: f64 = weights(&kerbs("{ density = 1000, level = 2.0 }")).iter().map(|(_, weight)| weight).sum();
    close(total, 39.24 + 0.5 * 5.0 * 9.81, 1e-9);
    // one side of the plane y = 0.5 only: 1.5 m of the slab are left
    let side = "{ density = 1000, level = 1.5, side = { point = [0, 0.5, 0], direction = [0, 2, 0] } }";
    close(weights(&kerbs(side))[0].1, 1.5 * 9.81, 1e-9);
    let structure = space(&kerbs(side));
    let load = &structure.model.loads[0];
    let at = structure.model.bodies[load.body].pose.point(load.point);
    close(at.get(1), 0.5 + 0.75, 1e-12);
}

/// Blocks that stand askew, half covered and inclined: the fill is the volume below the level and above all bodies, which a
/// fine grid of columns approaches.
#[test]
fn fill_is_the_volume_above_the_highest_faces() {
    let block = |name: &str, size: &str, at: &str, turn: f64| {
        format!(
            "{{ name = \"{name}\", shape = \"box\", size = {size}, position = {at}, material = \"stone\", \
             rotation = {{ axis = [0.3, 0.2, 1.0], angle_deg = {turn} }} }},\n"
        )
    };
    let text = stone(0.6)
        + "allow_overlap = true\nbodies = [\n{ name = \"g\", shape = \"ground\", material = \"stone\" },\n"
        + &block("a", "[2.0, 1.0, 0.5]", "[0, 0, 1]", 20.0)
        + &block("b", "[0.6, 1.4, 0.7]", "[0.4, 0.3, 1.5]", 65.0)
        + &block("c", "[0.5, 0.5, 0.5]", "[-0.6, -0.2, 1.9]", 40.0)
        + "]\nloads = [{ name = \"fill\", select = [\"a\", \"b\", \"c\"], fill = { density = 1000, level = 1.7 } }]";
    let structure = space(&text);
    let volume: f64 = structure.model.loads.iter().map(|load| load.force.length() / 9810.0).sum();
    // the highest point of any block above each place of a grid
    let blocks: Vec<_> = structure.model.bodies[1..].iter().collect();
    let (mut sum, n) = (0.0, 900);
    let cell = 4.0 / n as f64;
    let half = [[2.0, 1.0, 0.5], [0.6, 1.4, 0.7], [0.5, 0.5, 0.5]].map(|s: [f64; 3]| s.map(|x| x / 2.0));
    for i in 0..n {
        for j in 0..n {
            let (x, y) = (-2.0 + (i as f64 + 0.5) * cell, -2.0 + (j as f64 + 0.5) * cell);
            let tops = blocks.iter().zip(half).filter_map(|(body, half)| {
                // the line x, y in the axes of the block, clipped by its six planes
                let (a, b) =
                    (body.pose.local_point(DVec3::new(x, y, 0.0)), body.pose.local_point(DVec3::new(x, y, 1.0)));
                let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
                for k in 0..3 {
                    let (start, along) = (a.get(k), b.get(k) - a.get(k));
                    let ends = [(-half[k] - start) / along, (half[k] - start) / along];
                    low = low.max(ends[0].min(ends[1]));
                    high = high.min(ends[0].max(ends[1]));
                }
                (low < high).then_some(high)
            });
            if let Some(top) = tops.reduce(f64::max) {
                sum += (1.7 - top).max(0.0) * cell * cell;
            }
        }
    }
    close(volume, sum, 2e-3);
}

/// Fill at rest presses on both halves of an arch with K γ ∫ (level − z) dz, at the height of its faces.
#[test]
fn fill_presses_sideways() {
    let text = arch(&FILL.replace("level = 3.5", "level = 3.5, lateral = 0.5"));
    let structure = space(&text);
    let sideways: Vec<_> = structure.model.loads.iter().filter(|load| !load.mass).collect();
    let half = |sign: f64| sideways.iter().map(|load| load.force.x).filter(|x| sign * x > 0.0).sum::<f64>();
    // polygons between the springings at z = 0 and the crown; the face of the keystone is level
    let (crown, gamma) = (3.0 * (std::f64::consts::PI / 30.0).cos(), 1800.0 * 9.81);
    let expected = 0.5 * gamma * 2.0 * (3.5 * crown - 0.5 * crown * crown);
    close(half(1.0), expected, 1e-9);
    close(half(-1.0), -expected, 1e-9);
    assert!(sideways.iter().all(|load| load.force.z == 0.0 && load.force.y.abs() < 1e-6));
    for load in sideways {
        let (body, at) = (&structure.model.bodies[load.body], load.point);
        let above = body.pose.point(at).z - body.pose.position.z;
        assert!(above > 0.0, "{} m", above);
    }
    // without a coefficient there is no such load
    assert!(space(&arch(FILL)).model.loads.iter().all(|load| load.mass));
}

/// A wedge of 4 m × 1 m × 2 m under fill up to 2 m: N = weight of both, and the fill presses with K γ ∫ (2 − h) dh · 2 m = 3 K γ.
/// Pushed against the fill it slides at μN + m K_p 3γ, away from it at μN − Kₐ 3γ. At rest both with K₀.
#[test]
fn fill_resists_by_movement() {
    let wedge = |lateral: &str, force: f64| {
        let text = stone(0.5)
            + "bodies = [\n{ name = \"g\", shape = \"ground\", material = \"stone\" },\n\
               { name = \"wedge\", shape = \"polyhedron\", material = \"stone\", vertices = [[0, 0, 0], [4, 0, 0], [4, 0, 1], \
               [0, 2, 0], [4, 2, 0], [4, 2, 1]] },\n]\nloads = [\n"
            + &format!(
                "{{ name = \"fill\", select = \"wedge\", fill = {{ density = 1800, level = 2.0{lateral} }} }},\n\
                 {{ name = \"push\", select = \"wedge\", force = [{force}, 0, 0], point = [2, 1, 0.0] }},\n]"
            );
        let mut structure = space(&text);
        let weight: f64 = structure.model.bodies[1].mass * 9.81;
        let answer = limit(&mut structure, &Question::Named("push".to_owned()), &LimitSettings::default()).unwrap();
        assert!(answer.gap.unwrap() < 1e-5 * answer.multiplier.unwrap(), "{answer:?}");
        (answer.multiplier.unwrap(), weight)
    };
    let (gamma, sine) = (1800.0 * 9.81, 35f64.to_radians().sin());
    let (rest, active, passive) = (1.0 - sine, (1.0 - sine) / (1.0 + sine), (1.0 + sine) / (1.0 - sine));
    let constant = format!(", lateral = {rest:?}");
    let moves = ", lateral = { friction_angle_deg = 35, mobilisation = 0.6 }";
    for (lateral, against, away) in [("", 0.0, 0.0), (&constant, rest, rest), (moves, 0.6 * passive, active)] {
        let (found, weight) = wedge(lateral, -1000.0);
        let grip = 0.5 * (weight + 12.0 * gamma);
        close(1000.0 * found, grip + against * 3.0 * gamma, 1e-6);
        close(1000.0 * wedge(lateral, 1000.0).0, grip - away * 3.0 * gamma, 1e-6);
    }
}

/// Any pressure in the range may be found: an arch carries at least as much as with the pressure at rest.
#[test]
fn fill_by_movement_carries_at_least_as_much_as_at_rest() {
    let carried = |lateral: &str| {
        let load = "{ name = \"axle\", select = \"arch.voussoir[4]\", force = [0, 0, -1000] }";
        let fill = FILL.replace("level = 3.5", &format!("level = 3.5{lateral}"));
        let mut structure = space(&arch(&fill.replace("} }]", &format!("}} }}, {load}]"))));
        limit(&mut structure, &Question::Named("axle".to_owned()), &LimitSettings::default())
            .unwrap()
            .multiplier
            .unwrap()
    };
    let rest = carried(&format!(", lateral = {:?}", 1.0 - 35f64.to_radians().sin()));
    let moves = carried(", lateral = { friction_angle_deg = 35 }");
    assert!(carried("") < rest && 1.05 * rest < moves, "{} {rest} {moves}", carried(""));
}
