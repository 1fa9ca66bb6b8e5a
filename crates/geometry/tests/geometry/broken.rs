//! Invalid shapes: repaired and listed, or refused with the location.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DQuat, DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{Checked, Pose, Repair, Shape2, Shape3, ShapeError, Solid};

fn box_vertices() -> Vec<DVec3> {
    (0..8).map(|i| dvec3(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1))).collect()
}

fn box_faces() -> Vec<Vec<u32>> {
    vec![vec![0, 4, 6, 2], vec![1, 3, 7, 5], vec![0, 1, 5, 4], vec![2, 6, 7, 3], vec![0, 2, 3, 1], vec![4, 5, 7, 6]]
}

fn triangles(faces: &[Vec<u32>]) -> Vec<Vec<u32>> {
    faces.iter().flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]]).collect()
}

fn build(vertices: Vec<DVec3>, faces: Vec<Vec<u32>>) -> Result<Checked<Shape3>, ShapeError> {
    Shape3::polyhedron(vertices, faces)
}

fn face_count(shape: &Shape3) -> usize {
    match shape {
        Shape3::Polyhedron(p) => p.face_count(),
        _ => 0,
    }
}

#[test]
fn a_sound_box_needs_no_repair() {
    let checked = build(box_vertices(), box_faces()).expect("sound");
    assert!(checked.repairs.is_empty());
    assert_eq!(face_count(&checked.shape), 6);
}

#[test]
fn an_open_box_is_refused_at_the_hole() {
    let mut faces = box_faces();
    faces.pop();
    let error = build(box_vertices(), faces).unwrap_err();
    assert!(matches!(error, ShapeError::Open { .. }), "{error}");
    assert!(error.to_string().contains("open"));
    // all vertices of the missing face have z = 1, that is, an index of 4 or more
    let ShapeError::Open { start, end, .. } = error else { unreachable!() };
    assert!(start >= 4 && end >= 4);
}

#[test]
fn faces_wound_inwards_are_turned_and_named() {
    let mut faces = box_faces();
    faces[3].reverse();
    let checked = build(box_vertices(), faces).expect("repairable");
    assert_eq!(checked.repairs, [Repair::WoundInwards { faces: vec![3], all: false }]);
    assert_eq!(checked.repairs[0].to_string(), "face 3 had an inward normal: reversed");
    assert!((checked.shape.mass_properties().unwrap().volume - 1.0).abs() < 1e-15);

    let mut faces = box_faces();
    faces.iter_mut().for_each(|f| f.reverse());
    let checked = build(box_vertices(), faces).expect("repairable");
    assert_eq!(checked.repairs[0].to_string(), "all faces had inward normals: reversed");
    assert_eq!(checked.shape, build(box_vertices(), box_faces_rotated_like(&checked.shape)).unwrap().shape);
}

/// The faces of a shape, to build it once more.
fn box_faces_rotated_like(shape: &Shape3) -> Vec<Vec<u32>> {
    shape.surface(1.0).polygons
}

#[test]
fn a_triangulated_box_becomes_six_faces() {
    let checked = build(box_vertices(), triangles(&box_faces())).expect("sound");
    assert_eq!(checked.repairs, [Repair::MergedFaces { from: 12, to: 6 }]);
    assert_eq!(face_count(&checked.shape), 6);
}

#[test]
fn a_soup_of_triangles_with_their_own_vertices_becomes_a_box() {
    // as STL files give it, with single-precision noise
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for t in triangles(&box_faces()) {
        faces.push((vertices.len() as u32..vertices.len() as u32 + 3).collect());
        vertices.extend(t.iter().map(|&v| {
            let p = box_vertices()[v as usize] * 0.31 + 12.7;
            dvec3(f64::from(p.x as f32), f64::from(p.y as f32), f64::from(p.z as f32))
        }));
    }
    let checked = build(vertices, faces).expect("repairable");
    assert_eq!(checked.repairs[0], Repair::DuplicateVertices { count: 28 });
    assert_eq!(face_count(&checked.shape), 6);
}

#[test]
fn vertices_inside_faces_and_edges_vanish() {
    // the top face as a fan around its middle, one edge of it split where only the top knows
    let mut vertices = box_vertices();
    vertices.extend([dvec3(0.5, 0.5, 1.0), dvec3(0.5, 0.0, 1.0), dvec3(9.0, 9.0, 9.0)]);
    let mut faces = box_faces();
    faces.pop();
    faces.extend([vec![4, 9, 8], vec![9, 5, 8], vec![5, 7, 8], vec![7, 6, 8], vec![6, 4, 8]]);
    let checked = build(vertices, faces).expect("repairable");
    assert_eq!(face_count(&checked.shape), 6);
    let told: Vec<String> = checked.repairs.iter().map(Repair::to_string).collect();
    assert_eq!(
        told,
        ["1 unused vertices removed", "10 coplanar faces merged into 6", "1 vertices on straight edges removed"]
    );
}

#[test]
fn an_uneven_face_is_refused_by_name() {
    let mut vertices = box_vertices();
    vertices[7].z += 3.1e-3;
    let error = build(vertices, box_faces()).unwrap_err();
    let ShapeError::NotPlanar { face, off, .. } = error else { panic!("{error}") };
    assert!([1, 3, 5].contains(&face) && off > 5e-4 && off < 3.1e-3, "{face} {off}");
    assert!(error.to_string().contains("not planar"));
}

#[test]
fn a_dent_is_refused_by_name() {
    // a box of triangles with the middle of the top pushed in
    let mut vertices = box_vertices();
    vertices.push(dvec3(0.5, 0.5, 0.8));
    let mut faces = box_faces();
    faces.pop();
    faces.extend([vec![4, 5, 8], vec![5, 7, 8], vec![7, 6, 8], vec![6, 4, 8]]);
    let error = build(vertices, faces).unwrap_err();
    assert!(matches!(error, ShapeError::NotConvex { .. }), "{error}");
    assert!(error.to_string().contains("not convex"));
}

#[test]
fn an_l_shape_is_refused() {
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    let mut vertices: Vec<DVec3> = outline.iter().map(|&(x, y)| dvec3(x, y, 0.0)).collect();
    vertices.extend(outline.iter().map(|&(x, y)| dvec3(x, y, 1.0)));
    let mut faces: Vec<Vec<u32>> = (0..6).map(|i| vec![i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i]).collect();
    faces.extend([vec![5, 4, 3, 2, 1, 0], vec![6, 7, 8, 9, 10, 11]]);
    assert!(matches!(build(vertices, faces), Err(ShapeError::NotConvex { .. })));
}

#[test]
fn two_boxes_in_one_surface_are_refused() {
    let mut vertices = box_vertices();
    vertices.extend(box_vertices().iter().map(|v| *v + dvec3(3.0, 0.0, 0.0)));
    let mut faces = box_faces();
    faces.extend(box_faces().into_iter().map(|f| f.into_iter().map(|v| v + 8).collect()));
    assert_eq!(build(vertices, faces).unwrap_err(), ShapeError::Disconnected { parts: 2 });
}

#[test]
fn other_broken_solids() {
    let mut vertices = box_vertices();
    vertices[3].y = f64::NAN;
    assert_eq!(build(vertices, box_faces()).unwrap_err(), ShapeError::NotFinite { vertex: 3 });
    let flat: Vec<DVec3> = box_vertices().iter().map(|v| dvec3(v.x, v.y, 0.0)).collect();
    assert!(build(flat, box_faces()).is_err());
    let thin: Vec<DVec3> = box_vertices().iter().map(|v| dvec3(v.x, v.y, 1e-10 * v.z)).collect();
    assert!(build(thin, box_faces()).is_err());
    let mut faces = box_faces();
    faces[2][1] = 99;
    assert_eq!(build(box_vertices(), faces).unwrap_err(), ShapeError::BadIndex { face: 2, index: 99, vertices: 8 });
    let huge: Vec<DVec3> = box_vertices().iter().map(|v| *v * 1e12).collect();
    assert!(matches!(build(huge, box_faces()), Err(ShapeError::AbsurdSize { .. })));
    let tiny: Vec<DVec3> = box_vertices().iter().map(|v| *v * 1e-12).collect();
    assert!(matches!(build(tiny, box_faces()), Err(ShapeError::AbsurdSize { .. })));
    let mut faces = box_faces();
    faces.push(vec![0, 1, 2]);
    assert!(matches!(build(box_vertices(), faces), Err(ShapeError::NonManifold { .. })));
    assert!(matches!(build(vec![], vec![]), Err(ShapeError::TooFew { .. })));
    assert!(build(box_vertices(), vec![vec![], vec![1], vec![1, 2], vec![1, 2, 3], vec![3, 2, 1]]).is_err());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Shape3::cuboid(dvec3(1.0, bad, 1.0)).is_err());
        assert!(Shape3::sphere(bad).is_err() && Shape2::disc(bad).is_err());
        assert!(Shape2::rectangle(dvec2(bad, 1.0)).is_err());
    }
    assert!(Shape3::half_space(DVec3::ZERO).is_err() && Shape2::half_plane(DVec2::NAN).is_err());
    assert!(matches!(Shape3::sphere(1e9), Err(ShapeError::AbsurdSize { .. })));
}

#[test]
fn hulls() {
    let mut points = box_vertices();
    // points inside, on faces, on edges, twice
    points.extend([dvec3(0.5, 0.5, 0.5), dvec3(0.5, 0.5, 1.0), dvec3(0.5, 0.0, 0.0), dvec3(1.0, 1.0, 1.0)]);
    let shape = Shape3::hull(&points).expect("sound");
    assert_eq!(face_count(&shape), 6);
    assert!((shape.mass_properties().unwrap().volume - 1.0).abs() < 1e-15);
    assert!(matches!(Shape3::hull(&points[..3]), Err(ShapeError::TooFew { .. })));
    let flat: Vec<DVec3> = points.iter().map(|p| dvec3(p.x, p.y, 0.3)).collect();
    assert!(matches!(Shape3::hull(&flat), Err(ShapeError::ZeroVolume { .. })));
    assert!(Shape3::hull(&[DVec3::NAN; 5]).is_err());
    assert!(Shape2::hull(&[dvec2(0.0, 0.0), dvec2(1.0, 1.0), dvec2(2.0, 2.0)]).is_err());
    assert!(Shape2::hull(&[]).is_err());
}

#[test]
fn facets_that_are_only_nearly_coplanar_still_make_a_sound_hull() {
    // merging all that are flat within the tolerance would give a face with a notch
    let points = [
        dvec3(0.8163090036293871, -0.8135444596118898, 0.2959774463091649),
        dvec3(0.9583774715494986, 0.19103729969786887, -0.8632472520428727),
        dvec3(0.5744863974725752, -0.8513990955849209, -0.7045093388261574),
        dvec3(0.9520869941825978, 0.024442836309918364, -0.5947301045657445),
        dvec3(0.9585065233082092, -0.08323800549450465, -0.37470849801513945),
        dvec3(-0.9389453624115487, 0.0, 0.0),
        dvec3(0.0, 0.988440579436567, 0.0),
    ];
    assert!(Shape3::hull(&points).is_ok());
}

#[test]
fn compounds() {
    let brick = cuboid(1.0, 1.0, 1.0);
    let touching = vec![(at(0.0, 0.0, 0.0), brick.clone()), (at(1.0, 0.0, 0.0), brick.clone())];
    let pair = Shape3::compound(touching.clone()).expect("parts may touch");
    let nested = Shape3::compound(vec![(at(0.0, 5.0, 0.0), pair.clone()), (at(0.0, 0.0, 0.0), pair)]).expect("sound");
    assert!(matches!(&nested, Shape3::Compound(c) if c.parts().len() == 4));
    let mut overlapping = touching;
    overlapping[1].0.position.x = 0.9;
    let error = Shape3::compound(overlapping).unwrap_err();
    assert!(
        matches!(error, ShapeError::OverlappingParts { first: 0, second: 1, depth } if (depth - 0.1).abs() < 1e-12)
    );
    assert_eq!(Shape3::compound(vec![]).unwrap_err(), ShapeError::NoParts);
    let plane = Shape3::half_space(DVec3::Z).expect("sound");
    assert_eq!(Shape3::compound(vec![(Pose::identity(), plane)]).unwrap_err(), ShapeError::EndlessPart { part: 0 });
    let nowhere = Pose { position: DVec3::NAN, rotation: DQuat::IDENTITY };
    assert_eq!(Shape3::compound(vec![(nowhere, brick)]).unwrap_err(), ShapeError::BadPlacement { part: 0 });
}

#[test]
fn polygons() {
    let square = |points: &[(f64, f64)]| Shape2::polygon(points.iter().map(|&(x, y)| dvec2(x, y)).collect());
    let clockwise = square(&[(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]).expect("repairable");
    assert_eq!(clockwise.repairs, [Repair::Clockwise]);
    let extra = square(&[(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)])
        .expect("repairable");
    assert_eq!(
        extra.repairs,
        [Repair::DuplicateVertices { count: 2 }, Repair::CollinearVertices { count: 1, off: 0.0 }]
    );
    assert!((extra.shape.mass_properties().unwrap().volume - 1.0).abs() < 1e-15);
    let arrow = square(&[(0.0, 0.0), (1.0, 0.3), (2.0, 0.0), (1.0, 2.0)]).unwrap_err();
    assert!(matches!(arrow, ShapeError::NotConvex { vertex: 2, .. }), "{arrow}");
    let star: Vec<DVec2> = (0..5).map(|i| DVec2::from_angle(f64::from(i) * 0.8 * std::f64::consts::PI)).collect();
    assert!(matches!(Shape2::polygon(star), Err(ShapeError::SelfCrossing { .. })));
    assert!(matches!(square(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), Err(ShapeError::ZeroVolume { .. })));
    assert!(matches!(square(&[(0.0, 0.0), (1.0, 1.0)]), Err(ShapeError::TooFew { .. })));
    assert!(matches!(square(&[(0.0, 0.0), (1.0, f64::NAN), (2.0, 2.0)]), Err(ShapeError::NotFinite { vertex: 1 })));
}

proptest! {
    #![proptest_config(cases(96))]
    #[test]
    fn no_input_panics(
        vertices in prop::collection::vec(prop::array::uniform3(prop_oneof![-2.0..2.0f64, Just(0.0), Just(1.0), Just(f64::NAN), Just(1e300)]), 0..12),
        faces in prop::collection::vec(prop::collection::vec(0u32..12, 0..6), 0..12),
    ) {
        let vertices: Vec<DVec3> = vertices.into_iter().map(DVec3::from).collect();
        let _ = Shape3::hull(&vertices);
        let flat: Vec<DVec2> = vertices.iter().map(|v| v.truncate()).collect();
        let _ = Shape2::polygon(flat.clone());
        let _ = Shape2::hull(&flat);
        let _ = build(vertices, faces);
    }

    #[test]
    fn hulls_hold_their_points_and_are_sound(
        points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 4..200),
        grid in 1..5i32,
        round in any::<bool>(),
    ) {
        // points on a coarse grid have many coplanar quadruples
        let snap = |x: f64| if round { (x * f64::from(grid)).round() } else { x };
        let points: Vec<DVec3> = points.into_iter().map(|p| DVec3::from(p.map(snap))).collect();
        match Shape3::hull(&points) {
            Ok(Shape3::Polyhedron(p)) => {
                for (n, d) in p.normals().iter().zip(p.offsets()) {
                    prop_assert!(points.iter().all(|x| n.dot(*x) - d < 1e-4));
                }
                prop_assert_eq!(p.vertices().len() + p.face_count(), p.edges().len() + 2);
            }
            Ok(_) => prop_assert!(false),
            Err(error) => {
                let flat = matches!(error, ShapeError::ZeroVolume { .. } | ShapeError::AbsurdSize { .. });
                prop_assert!(flat, "{}", error);
            }
        }
    }
}
