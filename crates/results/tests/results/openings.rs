//! Opening widths of joints beyond the range of contact detection.

use voussoir_mechanics::snapshot::{BodySnapshot, ContactSnapshot, Snapshot};
use voussoir_results::measures::Joints;

#[test]
fn a_hinge_gapes_wider_than_contacts_are_found() {
    let still = BodySnapshot { rotation: [0.0, 0.0, 0.0, 1.0], ..BodySnapshot::default() };
    let corner = |x: f64| ContactSnapshot {
        bodies: [1, 0],
        position: [x, 0.0, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..ContactSnapshot::default()
    };
    let contacts = vec![corner(0.0), corner(1.0)];
    let built = Snapshot { bodies: vec![still; 2], contacts, ..Snapshot::default() };
    let joints = Joints::of(&built, 1e-6);
    // the second body turns about the corner at the origin by 0.1; both move by the same way
    let turn = [0.0, -f64::sin(0.05), 0.0, f64::cos(0.05)];
    let moved = |rotation| BodySnapshot { position: [3.0, 0.0, 1.0], rotation, ..still };
    let later = Snapshot { bodies: vec![moved(still.rotation), moved(turn)], ..Snapshot::default() };
    let gaps: Vec<f64> = joints.gaps(&later, 0.5).iter().map(|point| point.gap).collect();
    assert!(gaps[0].abs() < 1e-15 && (gaps[1] - f64::sin(0.1)).abs() < 1e-15, "{gaps:?}");
    assert_eq!(joints.gaps(&later, 0.05).len(), 1, "what is farther apart is no joint");
    // contacts of bodies that did not touch are those found
    let met = ContactSnapshot { bodies: [0, 2], gap: 1e-3, ..corner(5.0) };
    let found = joints.gaps(&Snapshot { contacts: vec![met, corner(0.0)], ..later }, 0.5);
    assert_eq!((found.len(), found[2].gap), (3, 1e-3));
}

/// Springs are pressed together where a joint is first seen; as drawn it is closed, not open by as much.
#[test]
fn a_joint_on_springs_is_closed_as_built() {
    let still = BodySnapshot { rotation: [0.0, 0.0, 0.0, 1.0], ..BodySnapshot::default() };
    let pressed = ContactSnapshot { bodies: [1, 0], normal: [0.0, 0.0, 1.0], gap: -2e-3, ..ContactSnapshot::default() };
    let loaded = Snapshot { bodies: vec![still; 2], contacts: vec![pressed], ..Snapshot::default() };
    let joints = Joints::of(&loaded, 1e-6);
    let lifted = |z: f64| Snapshot {
        bodies: vec![still, BodySnapshot { position: [0.0, 0.0, z], ..still }],
        ..Snapshot::default()
    };
    for (z, gap) in [(0.0, -2e-3), (2e-3, 0.0), (5e-3, 3e-3)] {
        assert!((joints.gaps(&lifted(z), 0.5)[0].gap - gap).abs() < 1e-15, "lifted by {z}");
    }
    // nothing is open before
    let later = Joints::of(&Snapshot { time: 0.1, ..loaded }, 1e-6);
    assert!(later.gaps(&lifted(5e-3), 0.5).is_empty());
}
