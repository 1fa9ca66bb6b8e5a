//! A wall that is hit, falls and comes to rest as a heap: no block penetrates another.

use crate::common::*;
use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_geometry::{D2, D3, Pose, Shape2, Shape3, Solid, Space};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::{Model, Restitution, Role};

/// Steps of 1 ms; the deepest penetration of a contact, relative to the size of the smaller body.
fn deepest<S: Space>(model: Model<S>, steps: usize) -> f64 {
    let sizes: Vec<f64> = model.bodies.iter().map(|body| body.shape.size()).collect();
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let mut deepest: f64 = 0.0;
    for _ in 0..steps {
        stepper.step().unwrap();
        for contact in stepper.contacts() {
            let [a, b] = [contact.key.candidate, contact.key.antagonist].map(|i| sizes[i as usize]);
            deepest = deepest.max(-contact.gap / a.min(b));
        }
    }
    deepest
}

/// A wall of bricks in running bond, one brick thick, and something that flies at it.
#[test]
fn a_wall_in_the_plane_falls_and_nothing_goes_through() {
    let mut model = model::<D2>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for course in 0..4 {
        let brick = Shape2::rectangle(DVec2::new(0.5, 0.25)).unwrap();
        for i in 0..3 {
            let x = 0.5 * i as f64 + if course % 2 == 1 { 0.25 } else { 0.0 };
            add(&mut model, brick.clone(), Pose::at(DVec2::new(x, 0.25 * course as f64 + 0.125)), Role::Free);
        }
    }
    let stone = Shape2::polygon(vec![DVec2::new(-0.2, -0.2), DVec2::new(0.25, -0.1), DVec2::new(0.0, 0.25)]).unwrap();
    let centre = stone.shape.mass_properties().unwrap().centroid;
    add(&mut model, stone.shape.translated(-centre), Pose::at(DVec2::new(-1.5, 0.8)), Role::Free);
    let stone = model.bodies.last_mut().unwrap();
    stone.velocity = DVec2::new(9.0, 1.0);
    stone.spin = 6.0;
    let found = deepest(model, 2000);
    assert!(found < 1e-4, "{found:e}");
}

#[test]
fn a_wall_in_space_falls_and_nothing_goes_through() {
    for (velocity, spin) in [
        (DVec3::new(0.5, 8.0, 0.5), DVec3::new(3.0, 2.0, -4.0)),
        (DVec3::new(0.0, 6.0, 0.5), DVec3::new(3.0, 2.0, 1.0)),
        (DVec3::new(0.0, 3.0, 0.5), DVec3::new(3.0, 2.0, 1.0)),
    ] {
        let mut model = model::<D3>(0.6, Restitution::Inelastic);
        floor(&mut model);
        for course in 0..3 {
            let brick = Shape3::cuboid(DVec3::new(0.5, 0.25, 0.25)).unwrap();
            for i in 0..2 {
                let x = 0.5 * i as f64 + if course % 2 == 1 { 0.25 } else { 0.0 };
                add(&mut model, brick.clone(), Pose::at(DVec3::new(x, 0.0, 0.25 * course as f64 + 0.125)), Role::Free);
            }
        }
        let stone = Shape3::cuboid(DVec3::new(0.3, 0.25, 0.2)).unwrap();
        add(&mut model, stone, Pose::at(DVec3::new(0.2, -1.0, 0.4)), Role::Free);
        let stone = model.bodies.last_mut().unwrap();
        stone.velocity = velocity;
        stone.spin = spin;
        let found = deepest(model, 2000);
        assert!(found < 1e-4, "{velocity}: {found:e}");
    }
}
