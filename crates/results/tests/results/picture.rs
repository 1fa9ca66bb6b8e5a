//! Pictures of small scenes and their required content.

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodySnapshot, CableSnapshot, Cast, CastBody, ContactSnapshot, Features, Snapshot};
use voussoir_results::measures::BlockQuantity;
use voussoir_results::picture::{Artist, Caption, FlowArrow, LoadArrow, PictureError, Style, ViewDirection};

/// A square block on a half-plane, 2D, pressed by 2 kN.
fn block_on_ground() -> (Cast, Snapshot) {
    let square = |low: [f64; 2], high: [f64; 2]| Surface {
        points: vec![[low[0], low[1], 0.0], [high[0], low[1], 0.0], [high[0], high[1], 0.0], [low[0], high[1], 0.0]],
        polygons: vec![vec![0, 1, 2, 3]],
    };
    let body = |name: &str, support, surface: Surface| CastBody {
        name: name.into(),
        material: 0,
        support,
        mass: 1.0,
        volume: 1.0,
        form: surface.into(),
    };
    let cast = Cast {
        dimension: 2,
        bodies: vec![
            body("ground", true, square([-2.0, -4.0], [2.0, 0.0])),
            body("block", false, square([-0.5, -0.5], [0.5, 0.5])),
        ],
        materials: vec!["stone".into()],
        cables: vec![],
        features: Features::default(),
        origin: [0.0; 3],
    };
    let at = |y: f64| BodySnapshot { position: [0.0, y, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], ..Default::default() };
    let contact = |x: f64| ContactSnapshot {
        bodies: [1, 0],
        position: [x, 0.0, 0.0],
        normal: [0.0, 1.0, 0.0],
        force: [0.0, 1000.0, 0.0],
        ..Default::default()
    };
    let snapshot = Snapshot {
        time: 0.25,
        step: 1,
        bodies: vec![at(0.0), at(0.5)],
        contacts: vec![contact(-0.5), contact(0.5)],
        ..Snapshot::default()
    };
    (cast, snapshot)
}

#[test]
fn a_picture_says_what_it_shows() {
    let (cast, snapshot) = block_on_ground();
    let caption = Caption {
        title: "a < b & c".into(),
        note: "at rest".into(),
        loads: vec![LoadArrow { point: [0.0, 1.0, 0.0], force: [0.0, -500.0, 0.0] }],
        flows: vec![FlowArrow { point: [0.0, 1.0, 0.0], velocity: [10.0, 0.0, 0.0], wind: true }],
    };
    let picture = Artist::new(&cast, &[&snapshot]).draw(&snapshot, &caption);
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches("<g ").count(), picture.matches("</g>").count());
    for words in ["a &lt; b &amp; c", "t = 0.25 s", "1 free body, 1 support", "at rest", "wind, 10 m/s"] {
        assert!(picture.contains(words), "{words}");
    }
    // both contacts are one force of 2 kN; the load is named; there is a scale in metres
    for words in ["largest force between two bodies 2 kN", "force between blocks, 2 kN", "load, 500 N", "m</text>"] {
        assert!(picture.contains(words), "{words}");
    }
    // the ground is no part of the size: the block fills the height of the drawing
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    // pictures are bit-identical in every run
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

/// Pixels of a PNG file: width and red, green, blue, row by row.
fn pixels(file: &[u8]) -> (usize, Vec<[u8; 3]>) {
    let image = tiny_skia::Pixmap::decode_png(file).unwrap();
    (image.width() as usize, image.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect())
}

/// Two cubes with sides of 1 m: a red one (material 1) at y = 0, and at y = 3 one of material 0 behind it.
fn two_cubes() -> (Cast, Snapshot) {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 0.5 } else { -0.5 });
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let cube = Surface { points: (0..8).map(corner).collect(), polygons: quads.iter().map(|q| q.to_vec()).collect() };
    let body = |material: usize| CastBody {
        name: format!("cube {material}"),
        material,
        support: false,
        mass: 1.0,
        volume: 1.0,
        form: cube.clone().into(),
    };
    let cast = Cast {
        dimension: 3,
        bodies: vec![body(1), body(0)],
        materials: vec!["pale".into(), "dark".into()],
        cables: vec![],
        features: Features::default(),
        origin: [0.0; 3],
    };
    let at = |y: f64| BodySnapshot { position: [0.0, y, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], ..Default::default() };
    (cast, Snapshot { bodies: vec![at(0.0), at(3.0)], ..Default::default() })
}

#[test]
fn a_bitmap_shows_the_nearer_body_from_either_side() {
    let (cast, snapshot) = two_cubes();
    let seen = |view: &str| {
        let style = Style { direction: view.parse().unwrap(), ..Style::default() };
        let artist = Artist::styled(&cast, &[&snapshot], style);
        let (width, image) = pixels(&artist.png(&snapshot, &Caption::default(), 1.0).unwrap());
        // the middle of the drawing lies half its height below the head
        let height = image.len() / width;
        image[(height / 2) * width + width / 2]
    };
    let (front, back) = (seen("front"), seen("back"));
    // the dark cube hides the pale one from the front, and is hidden from the back
    assert!(front[0] + 20 < back[0], "{front:?} {back:?}");
}

#[test]
fn values_have_the_colours_of_the_bar() {
    let (cast, first) = two_cubes();
    let mut later = first.clone();
    later.bodies[0].position[0] = 0.02;
    let style = Style { direction: "front".parse().unwrap(), colour: BlockQuantity::Displacement, ..Style::default() };
    let artist = Artist::styled(&cast, &[&first, &later], style);
    let picture = artist.draw(&later, &Caption::default());
    assert!(picture.contains("displacement [mm]") && picture.contains(">20</text>"));
    let (width, image) = pixels(&artist.png(&later, &Caption::default(), 1.0).unwrap());
    // the front face of the cube that moved has the hue of the top of the bar, under some shade
    let middle = image[image.len() / width / 2 * width + (width - 120) / 2];
    let top = [253.0, 231.0, 37.0];
    let shade: Vec<f64> = middle.iter().zip(top).map(|(&have, want)| f64::from(have) / want).collect();
    assert!(shade.iter().all(|s| (s - shade[0]).abs() < 0.03 && (0.8..1.01).contains(s)), "{middle:?}");
}

#[test]
fn everything_that_can_be_shown_is_in_the_legend() {
    let (cast, mut snapshot) = block_on_ground();
    snapshot.bodies[1].velocity = [0.5, 0.0, 0.0];
    snapshot.contacts[1].gap = 2e-3;
    snapshot.cables = vec![CableSnapshot { points: vec![[0.0; 3], [0.5, 0.5, 0.0]], force: 700.0 }];
    let style = Style { show: "all,contacts".parse().unwrap(), ..Style::default() };
    let picture = Artist::styled(&cast, &[&snapshot], style).draw(&snapshot, &Caption::default());
    for words in [
        "open joint, up to 2 mm",
        "cable, up to 700 N",
        "velocity, 500 mm/s",
        "centre of pressure",
        "contact force, 1 kN",
    ] {
        assert!(picture.contains(words) || picture.contains(&words.replace("500 mm/s", "0.5 m/s")), "{words}");
    }
}

#[test]
fn huge_bitmaps_are_refused() {
    let (cast, snapshot) = block_on_ground();
    let artist = Artist::new(&cast, &[&snapshot]);
    assert!(matches!(artist.png(&snapshot, &Caption::default(), 100.0), Err(PictureError::TooLarge { .. })));
    assert!("forces".parse::<voussoir_results::picture::Show>().unwrap_err().contains("resultants"));
    assert!("iso".parse::<ViewDirection>().is_ok());
}
