//! Cables in static analyses: ties, rings, given tensions.

use voussoir_geometry::glam::DVec3;
use voussoir_statics::limit::{LimitSettings, LimitVerdict, limit};
use voussoir_statics::loads::Question;
use voussoir_statics::stand::{Certificate, StandSettings, stand};

use crate::common::{close, space, stone};

/// A row of blocks that sticks out from a fixed one; `cable` are the keys of a cable through all of them.
fn beam(blocks: usize, cable: &str) -> String {
    stone(0.8)
        + &format!(
            "bodies = [{{ name = \"beam\", generator = \"stack\", count = {}, size = [0.4, 0.4, 0.5], ground = \"none\", \
             rotation = {{ axis = [0, 1, 0], angle_deg = 90.0 }}, material = \"stone\" }}]\n\
             supports = [{{ select = \"beam.block[0]\" }}]\n\
             cables = [{{ name = \"tendon\", through = [\"beam\"], stiffness = 6e6, {cable} }}]\n",
            blocks + 1
        )
}

/// Four blocks of 160 kg, one metre from the joint, whose half height is 0.2 m: P = 5 W.
#[test]
fn a_beam_stands_by_its_prestress() {
    let needed = 5.0 * 4.0 * 160.0 * 9.81;
    for (share, stands) in [(1.001, Certificate::Forces), (0.999, Certificate::Mechanism)] {
        let mut structure = space(&beam(4, &format!("prestress = {}", share * needed)));
        let answer = stand(&mut structure, &StandSettings::default());
        assert_eq!(answer.certificate, stands, "{share}");
        assert!(!answer.cables[0].tie);
        close(answer.cables[0].tension_n, share * needed, 1e-12);
        if stands == Certificate::Forces {
            close(answer.support_reaction_n, 4.0 * 160.0 * 9.81, 1e-6);
            assert!(answer.residual < 1e-6, "{}", answer.residual);
        }
    }
}

/// The same by a tie through five bodies that is just strong enough, or without limit.
#[test]
fn a_tie_pulls_with_what_is_needed_up_to_its_strength() {
    let needed = 5.0 * 4.0 * 160.0 * 9.81;
    for (keys, stands) in [
        (format!("strength = {}", 1.001 * needed), Certificate::Forces),
        (format!("strength = {}", 0.999 * needed), Certificate::Mechanism),
        ("at_rest = \"tie\", prestress = 1e3".to_owned(), Certificate::Forces),
    ] {
        let mut structure = space(&beam(4, &keys));
        let answer = stand(&mut structure, &StandSettings::default());
        assert_eq!(answer.certificate, stands, "{keys}");
        if stands == Certificate::Forces {
            assert!(answer.cables[0].tie && answer.cables[0].tension_n >= 0.9999 * needed, "{:?}", answer.cables);
        } else {
            assert!(answer.mechanism.is_some_and(|mechanism| mechanism.moving == 4));
        }
    }
}

/// Limit analysis: a load at the tip grows until the tie, at its strength S, is used up: λ F · 2 m = S · 0.2 m − W · 1
/// m.
#[test]
fn the_strength_of_a_tie_limits_the_load() {
    let weight = 4.0 * 160.0 * 9.81;
    let strength = 8.0 * weight;
    let load =
        "loads = [{ name = \"push\", select = \"beam.block[4]\", force = [0, 0, -1000.0], point = [2.5, 0, 0] }]\n";
    let mut structure = space(&(beam(4, &format!("strength = {strength}")) + load));
    let answer = limit(&mut structure, &Question::Named("push".to_owned()), &LimitSettings::default()).unwrap();
    assert_eq!(answer.verdict, LimitVerdict::Limit);
    close(answer.multiplier.unwrap(), (strength * 0.2 - weight) / 2000.0, 1e-6);
    close(answer.upper.unwrap(), (strength * 0.2 - weight) / 2000.0, 1e-6);
}

/// A ring around n balls that are pushed outwards: T = F/(2 sin(π/n)), no other tension balances them.
#[test]
fn a_ring_carries_radial_loads() {
    for n in [3, 5, 8] {
        let out = |k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / n as f64;
            DVec3::new(angle.cos(), angle.sin(), 0.0)
        };
        let text = |list: &dyn Fn(usize) -> String| (0..n).map(list).collect::<Vec<_>>().join(",\n");
        let ball = |k: usize| {
            let at = out(k) * 4.0;
            format!(
                "{{ name = \"ball{k}\", shape = \"sphere\", radius = 0.2, position = [{}, {}, 0.0], material = \"stone\" }}",
                at.x, at.y
            )
        };
        let push = |k: usize| {
            let force = out(k) * 40e3;
            format!("{{ name = \"push{k}\", select = \"ball{k}\", force = [{}, {}, 0.0] }}", force.x, force.y)
        };
        let through = (0..n).map(|k| format!("\"ball{k}\"")).collect::<Vec<_>>().join(", ");
        let scene = format!(
            "gravity = 0.0\n{}bodies = [{}]\nloads = [{}]\n\
             cables = [{{ name = \"ring\", through = [{through}], closed = true, stiffness = 1e6 }}]\n",
            stone(0.6),
            text(&ball),
            text(&push)
        );
        let mut structure = space(&scene);
        let answer = stand(&mut structure, &StandSettings::default());
        assert_eq!(answer.stands, Some(true), "{n}");
        close(answer.cables[0].tension_n, 40e3 / (2.0 * (std::f64::consts::PI / n as f64).sin()), 1e-7);
    }
}

/// A block that hangs: the reaction of the hook comes through the cable, and the block does not float.
#[test]
fn a_hung_block_stands() {
    let scene = stone(0.6)
        + "bodies = [{ name = \"hook\", shape = \"box\", size = 0.1, position = [0, 0, 2.0], material = \"stone\" }, \
           { name = \"block\", shape = \"box\", size = 0.5, material = \"stone\" }]\n\
           supports = [{ select = \"hook\" }]\n\
           cables = [{ name = \"rope\", through = [\"hook\", \"block\"], stiffness = 1e6 }]\n";
    let mut structure = space(&scene);
    assert!(structure.floating().is_empty());
    let answer = stand(&mut structure, &StandSettings::default());
    assert_eq!(answer.stands, Some(true));
    close(answer.cables[0].tension_n, 250.0 * 9.81, 1e-7);
    close(answer.support_reaction_n, 250.0 * 9.81, 1e-7);
}
