//! Joints with a thickness, the associated law, contacts that are too far to matter.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose};
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::{DynamicSettings, FrictionLaw, Joint, JointTable, Restitution, Role};
use voussoir_mechanics::{MechanicsError, Stepper, contact::SolverKind};

/// Blocks a bed apart stand as they are, closer ones overlap.
fn beds<S: Kit>() {
    let bed = 0.01;
    let stand = |distance: f64| {
        let mut model = model::<S>(0.6, Restitution::Inelastic);
        let joint = Joint { friction: 0.6, restitution: Restitution::Inelastic, thickness: bed };
        model.joints = JointTable::uniform(1, joint);
        floor(&mut model);
        for i in 0..3 {
            let at = 0.5 + distance + i as f64 * (1.0 + distance);
            add(&mut model, S::block(1.0, 1.0), Pose::at(S::v(0.0, at)), Role::Free);
        }
        model
    };
    let model = stand(bed);
    assert!(inspect(&model, None).overlaps.is_empty());
    assert!(inspect(&model, None).floating.is_empty());
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 100);
    assert!(reports.iter().all(|r| r.displacement < 1e-9 && r.penetration < 1e-9), "{:?}", reports.last());
    assert_eq!(inspect(&stand(0.5 * bed), None).overlaps.len(), 3);
}

#[test]
fn blocks_a_bed_apart_stand() {
    beds::<D2>();
    beds::<D3>();
}

/// The gap under a sliding block is h μ v with the associated law, nothing with Coulomb's.
#[test]
fn associated_law_floats_on_a_bounded_gap() {
    let (h, mu) = (1e-3, 0.4);
    let slide = |friction_law| {
        let mut model = model::<D3>(mu, Restitution::Inelastic);
        floor(&mut model);
        let block = add(&mut model, D3::block(1.0, 0.5), Pose::at(D3::v(0.0, 0.25)), Role::Free);
        let pull = push(block, D3::v(0.8 * G * model.bodies[block].mass, 0.0));
        model.loads.push(pull);
        let mut stepper = Stepper::new(model, DynamicSettings { friction_law, ..settings(h) }).unwrap();
        run(&mut stepper, 200);
        let gap = stepper.contacts().iter().map(|contact| contact.gap).fold(0.0, f64::max);
        (gap, velocity(&stepper, block).length())
    };
    let (gap, speed) = slide(FrictionLaw::Associated);
    assert!((gap / (h * mu * speed) - 1.0).abs() < 0.02, "{gap} at {speed} m/s");
    assert!((speed / ((0.8 - mu) * G * 0.2) - 1.0).abs() < 0.02, "{speed}");
    let (gap, speed) = slide(FrictionLaw::Coulomb);
    assert!(gap < 1e-9 && (speed / ((0.8 - mu) * G * 0.2) - 1.0).abs() < 1e-6, "{gap} at {speed} m/s");
}

#[test]
fn solvers_of_coulombs_law_refuse_the_associated_one() {
    let friction_law = FrictionLaw::Associated;
    for solver in [SolverKind::Nlgs, SolverKind::ProximalNewton] {
        let model = model::<D2>(0.5, Restitution::Inelastic);
        let refused = Stepper::new(model, DynamicSettings { friction_law, solver, ..settings(1e-3) }).err();
        assert!(matches!(refused, Some(MechanicsError::Part { .. })), "{refused:?}");
    }
}

/// A block on one corner, the other 4 mm above the ground: within the alert distance, but out of reach in a step.
#[test]
fn contacts_out_of_reach_are_not_in_the_problem() {
    let tilt = 0.008;
    let mut model = model::<D2>(0.8, Restitution::Inelastic);
    floor(&mut model);
    let centre = D2::v(0.25 * f64::cos(tilt) - f64::sin(tilt), 0.25 * f64::sin(tilt) + f64::cos(tilt));
    let pose = Pose { position: centre, rotation: D2::turn(tilt) };
    add(&mut model, D2::block(0.5, 2.0), pose, Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-4)).unwrap();
    let (problem, _) = stepper.next_problem();
    assert_eq!(problem.contacts(), 1);
    // on its way it is met in time: the block comes down on both corners without penetration
    let reports = run(&mut stepper, 3000);
    assert_eq!(stepper.contacts().len(), 2);
    assert!(reports.iter().all(|r| r.penetration < 1e-9));
}
