//! Contacts of bodies with prescribed positions: frame indifference (X9).

use std::sync::Arc;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose, Shape2, Solid};

use super::arrays::Four;
use super::settings::ExplicitSettings;
use super::step::Explicit;
use crate::joints::Elastic;
use crate::model::{Body, Joint, JointTable, Material, Model, Role};
use crate::state::State;

fn body(name: &str, shape: Shape2, at: DVec2) -> Body<D2> {
    let mass = shape.mass_properties().unwrap();
    Body {
        name: name.to_owned(),
        tags: Vec::new(),
        shape: Arc::new(shape),
        material: 0,
        mass: mass.volume,
        inertia: mass.inertia,
        role: Role::Free,
        pose: Pose::at(at),
        velocity: DVec2::ZERO,
        spin: 0.0,
    }
}

/// Moves both bodies to poses over a step, and returns the forces of the contacts.
fn carry(explicit: &mut Explicit, poses: [Pose<D2>; 2], dt: f64) {
    for (i, pose) in poses.iter().enumerate() {
        let old = explicit.arrays.pos[i];
        let shift = [pose.position.x - old[0], pose.position.y - old[1], pose.rotation - old[3]];
        explicit.arrays.vel[i] = Four([shift[0] / dt, shift[1] / dt, shift[2] / dt, 0.0]);
    }
    explicit.place(&poses);
    explicit.arrays.force.iter_mut().for_each(|force| *force = Four::default());
    explicit.contacts(dt);
}

#[test]
fn x9_forces_turn_with_the_pair() {
    let block = || Shape2::rectangle(DVec2::new(0.2, 0.2)).unwrap();
    let disc = || Shape2::disc(0.1).unwrap();
    let pairs = [(disc(), disc()), (block(), block()), (block(), disc()), (disc(), block())];
    for (lower, upper) in pairs {
        let joint = Joint { elastic: Some(Elastic::new(1e8, 5e7)), ..Joint::coulomb(0.9) };
        let bodies = vec![body("lower", lower, DVec2::ZERO), body("upper", upper, DVec2::new(0.0, 0.2))];
        let materials = vec![Material { name: "stone".into(), density: 1.0, strength: None }];
        let model = Model::new(bodies, materials, JointTable::uniform(1, joint));
        let state = State::initial(&model);
        let settings = ExplicitSettings { margin: Some(1.0), ..ExplicitSettings::default() };
        let mut explicit = Explicit::new(Arc::new(model), settings, state).unwrap();
        // pressed by 1 mm and sheared by 0.2 mm
        let at = |x: f64, y: f64| [Pose::at(DVec2::ZERO), Pose::at(DVec2::new(x, y))];
        carry(&mut explicit, at(0.0, 0.199), 1e-3);
        carry(&mut explicit, at(2e-4, 0.199), 1e-3);
        let first = explicit.arrays.force[1];
        assert!(first[1] > 0.0 && first[0].abs() > 1e-3 * first[1], "{first:?}");
        let steps = 1000;
        for i in 1..=steps {
            let turn = std::f64::consts::FRAC_PI_2 * f64::from(i) / f64::from(steps);
            let poses = at(2e-4, 0.199).map(|pose| {
                let position = DVec2::from_angle(turn).rotate(pose.position - DVec2::new(0.3, 0.1));
                Pose { position, rotation: turn }
            });
            if i == 1 {
                // the pair is carried to the start of its turn without slip
                let start = at(2e-4, 0.199).map(|pose| Pose::at(pose.position - DVec2::new(0.3, 0.1)));
                carry(&mut explicit, start, 1e-3);
            }
            carry(&mut explicit, poses, 1e-3);
            let force =
                DVec2::from_angle(-turn).rotate(DVec2::new(explicit.arrays.force[1][0], explicit.arrays.force[1][1]));
            let error = (force - DVec2::new(first[0], first[1])).length() / first[1];
            assert!(error < 1e-10, "step {i}: {error}");
        }
    }
}
