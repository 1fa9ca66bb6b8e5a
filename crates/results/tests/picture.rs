//! Pictures of small scenes: what must be on them.

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, CastBody, ContactSnapshot, Snapshot};
use voussoir_results::picture::{Artist, Caption, LoadArrow};

/// A square block on a half-plane, 2D, pressed by 2 kN.
fn block_on_ground() -> (Cast, Snapshot) {
    let square = |low: [f64; 2], high: [f64; 2]| Surface {
        points: vec![[low[0], low[1], 0.0], [high[0], low[1], 0.0], [high[0], high[1], 0.0], [low[0], high[1], 0.0]],
        polygons: vec![vec![0, 1, 2, 3]],
    };
    let body = |name: &str, support, surface| CastBody { name: name.into(), material: 0, support, mass: 1.0, surface };
    let cast = Cast {
        dimension: 2,
        bodies: vec![
            body("ground", true, square([-2.0, -4.0], [2.0, 0.0])),
            body("block", false, square([-0.5, -0.5], [0.5, 0.5])),
        ],
        materials: vec!["stone".into()],
    };
    let at = |y: f64| BodySnapshot { position: [0.0, y, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], ..Default::default() };
    let contact = |x: f64| ContactSnapshot {
        bodies: [1, 0],
        position: [x, 0.0, 0.0],
        normal: [0.0, 1.0, 0.0],
        force: [0.0, 1000.0, 0.0],
        ..Default::default()
    };
    let snapshot =
        Snapshot { time: 0.25, step: 1, bodies: vec![at(0.0), at(0.5)], contacts: vec![contact(-0.5), contact(0.5)] };
    (cast, snapshot)
}

#[test]
fn a_picture_says_what_it_shows() {
    let (cast, snapshot) = block_on_ground();
    let caption = Caption {
        title: "a < b & c".into(),
        note: "at rest".into(),
        loads: vec![LoadArrow { point: [0.0, 1.0, 0.0], force: [0.0, -500.0, 0.0] }],
    };
    let picture = Artist::new(&cast, &[&snapshot]).draw(&snapshot, &caption);
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches("<g ").count(), picture.matches("</g>").count());
    for words in ["a &lt; b &amp; c", "t = 0.25 s", "1 free body, 1 support", "at rest"] {
        assert!(picture.contains(words), "{words}");
    }
    // both contacts are one force of 2 kN; the load is named; there is a scale in metres
    for words in ["largest force between two bodies 2 kN", "contact force, 2 kN", "load, 500 N", "m</text>"] {
        assert!(picture.contains(words), "{words}");
    }
    // the ground is no part of the size: the block fills the height of the drawing
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    // pictures are the same bits every time
    assert_eq!(picture, Artist::new(&cast, &[&snapshot]).draw(&snapshot, &caption));
}

#[test]
fn odd_scenes_are_drawn_too() {
    let (mut cast, mut snapshot) = block_on_ground();
    // nothing but a support
    cast.bodies.pop();
    snapshot.bodies.pop();
    snapshot.contacts.clear();
    let draw = |cast: &Cast, snapshot: &Snapshot| Artist::new(cast, &[snapshot]).draw(snapshot, &Caption::default());
    assert!(draw(&cast, &snapshot).contains("0 free bodies"));
    // nothing at all
    cast.bodies.clear();
    snapshot.bodies.clear();
    assert!(!draw(&cast, &snapshot).contains("NaN"));
    // a body that flew away, and one whose position is lost
    let (cast, first) = block_on_ground();
    let mut later = first.clone();
    later.bodies[1].position = [1e9, 0.0, 0.0];
    later.contacts[0].force = [f64::NAN; 3];
    let artist = Artist::new(&cast, &[&first, &later]);
    assert!(artist.draw(&later, &Caption::default()).contains("</svg>"));
}
