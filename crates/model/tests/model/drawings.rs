//! Drawings and meshes as scenes: DXF, Gmsh, OBJ, STL; repairs, merges, omissions, invalid input.

use std::fmt::Write;
use std::path::Path;

use voussoir_geometry::D3;
use voussoir_mechanics::model::{Model, Role};
use voussoir_model::import::{ImportError, ImportOptions, Imported, LengthUnit, NoteKind, Up, dxf, import, meshes};
use voussoir_model::mesh::{obj, stl};
use voussoir_model::{AnyModel, Scene, build};

use crate::gmsh::gmsh_4;

pub const CUBE: [[usize; 4]; 6] = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// Corners of a box of these sizes at a place.
pub fn corners(at: [f64; 3], size: [f64; 3]) -> [[f64; 3]; 8] {
    let [x, y, z] = at;
    let [a, b, c] = size;
    let ring = |z: f64| [[x, y, z], [x + a, y, z], [x + a, y + b, z], [x, y + b, z]];
    let [[p, q, r, s], [t, u, v, w]] = [ring(z), ring(z + c)];
    [p, q, r, s, t, u, v, w]
}

pub fn options() -> ImportOptions {
    ImportOptions { name: "drawing".into(), ground: false, ..ImportOptions::default() }
}

/// Writes the scene to a folder, reads it back and builds it.
pub fn built(imported: &Imported) -> Model<D3> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &imported.files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let text = imported.to_toml("a drawing").unwrap();
    let scene = Scene::parse(&text, "drawing.toml").unwrap_or_else(|e| panic!("{e}\n{text}"));
    match build(&scene, folder.path()).unwrap_or_else(|e| panic!("{e}\n{text}")).model {
        AnyModel::Three(model) => std::sync::Arc::unwrap_or_clone(model),
        AnyModel::Two(_) => panic!("a drawing is in 3D"),
    }
}

pub fn volumes(model: &Model<D3>) -> Vec<f64> {
    model.bodies.iter().filter(|b| b.role == Role::Free).map(|b| b.mass / 2000.0).collect()
}

pub fn noted(imported: &Imported, kind: NoteKind, words: &str) -> bool {
    imported.notes.iter().any(|note| note.kind == kind && note.text.contains(words))
}

// ---------------------------------------------------------------------------------------------------------- DXF

/// Lines of a DXF file: a code, then its value.
fn pair(text: &mut String, code: i32, value: impl std::fmt::Display) {
    let _ = write!(text, "{code:>3}\n{value}\n");
}

fn point(text: &mut String, code: i32, p: [f64; 3]) {
    for (k, x) in p.into_iter().enumerate() {
        pair(text, code + 10 * k as i32, x);
    }
}

fn face(text: &mut String, layer: &str, points: [[f64; 3]; 4]) {
    pair(text, 0, "3DFACE");
    pair(text, 8, layer);
    for (k, p) in points.into_iter().enumerate() {
        point(text, 10 + k as i32, p);
    }
}

fn faces_of_box(text: &mut String, layer: &str, at: [f64; 3], size: [f64; 3]) {
    let c = corners(at, size);
    for f in CUBE {
        face(text, layer, f.map(|i| c[i]));
    }
}

fn polyface(text: &mut String, layer: &str, at: [f64; 3], size: [f64; 3]) {
    pair(text, 0, "POLYLINE");
    pair(text, 8, layer);
    pair(text, 66, 1);
    pair(text, 70, 64);
    for p in corners(at, size) {
        pair(text, 0, "VERTEX");
        pair(text, 8, layer);
        point(text, 10, p);
        pair(text, 70, 192);
    }
    for f in CUBE {
        pair(text, 0, "VERTEX");
        pair(text, 8, layer);
        point(text, 10, [0.0; 3]);
        pair(text, 70, 128);
        for (k, i) in f.into_iter().enumerate() {
            // edges that are not drawn are negative
            let number = i as i64 + 1;
            pair(text, 71 + k as i32, if k == 2 { -number } else { number });
        }
    }
    pair(text, 0, "SEQEND");
}

fn outline(text: &mut String, layer: &str, closed: bool, thickness: f64, corners: &[[f64; 3]]) {
    pair(text, 0, "LWPOLYLINE");
    pair(text, 8, layer);
    pair(text, 90, corners.len());
    pair(text, 70, i32::from(closed));
    if thickness != 0.0 {
        pair(text, 39, thickness);
    }
    for [x, y, bulge] in corners {
        pair(text, 10, x);
        pair(text, 20, y);
        if *bulge != 0.0 {
            pair(text, 42, bulge);
        }
    }
}

fn drawing(unit: Option<i32>, blocks: &str, entities: &str) -> String {
    let mut text = String::new();
    if let Some(unit) = unit {
        pair(&mut text, 0, "SECTION");
        pair(&mut text, 2, "HEADER");
        pair(&mut text, 9, "$ACADVER");
        pair(&mut text, 1, "AC1027");
        pair(&mut text, 9, "$INSUNITS");
        pair(&mut text, 70, unit);
        pair(&mut text, 0, "ENDSEC");
    }
    pair(&mut text, 0, "SECTION");
    pair(&mut text, 2, "BLOCKS");
    text += blocks;
    pair(&mut text, 0, "ENDSEC");
    pair(&mut text, 0, "SECTION");
    pair(&mut text, 2, "ENTITIES");
    text += entities;
    pair(&mut text, 0, "ENDSEC");
    pair(&mut text, 0, "EOF");
    text
}

fn read_dxf(text: &str, options: &ImportOptions) -> Result<Imported, ImportError> {
    dxf::read(Path::new("drawing.dxf"), text.as_bytes(), options)
}

#[test]
fn faces_that_share_edges_are_blocks_even_where_blocks_touch() {
    let mut entities = String::new();
    // the second stands on the first, face on face
    faces_of_box(&mut entities, "piers", [0.0, 0.0, 0.0], [1.0, 2.0, 0.5]);
    faces_of_box(&mut entities, "piers", [0.0, 0.0, 0.5], [1.0, 2.0, 0.5]);
    faces_of_box(&mut entities, "arch ring", [0.0, 0.0, 1.0], [1.0, 2.0, 0.25]);
    let imported = read_dxf(&drawing(None, "", &entities), &options()).unwrap();
    let model = built(&imported);
    let mut found = volumes(&model);
    found.sort_by(f64::total_cmp);
    assert_eq!(found.len(), 3);
    for (found, expected) in found.iter().zip([0.5, 1.0, 1.0]) {
        assert!((found - expected).abs() < 1e-12);
    }
    // layers are tags
    let tagged = |tag: &str| model.bodies.iter().filter(|b| b.tags.iter().any(|t| t == tag)).count();
    assert_eq!((tagged("piers"), tagged("arch ring")), (2, 1));
}

#[test]
fn drawings_say_their_unit_and_users_overrule_it() {
    let mut entities = String::new();
    polyface(&mut entities, "0", [0.0; 3], [1000.0, 500.0, 200.0]);
    let text = drawing(Some(4), "", &entities);
    let imported = read_dxf(&text, &options()).unwrap();
    assert!((volumes(&built(&imported))[0] - 0.1).abs() < 1e-12);
    assert!(noted(&imported, NoteKind::Changed, "lengths were converted from mm"));
    let inches = read_dxf(&text, &ImportOptions { unit: Some(LengthUnit::Inch), scale: 0.1, ..options() }).unwrap();
    assert!((volumes(&built(&inches))[0] - 1e8 * 0.00254f64.powi(3)).abs() < 1e-9);
    assert!(noted(&inches, NoteKind::Changed, "it was read in in"));
}

#[test]
fn closed_outlines_are_extruded_also_where_they_are_not_convex() {
    // an L with its own thickness, a square that only comes back to its start, an open line
    let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(|[x, y]| [x, y, 0.0]);
    let square = [[3.0, 0.0], [4.0, 0.0], [4.0, 1.0], [3.0, 1.0], [3.0, 0.0]].map(|[x, y]| [x, y, 0.0]);
    let mut entities = String::new();
    outline(&mut entities, "L", true, 0.5, &l);
    outline(&mut entities, "square", false, 0.0, &square);
    outline(&mut entities, "0", false, 0.0, &l[..3]);
    let text = drawing(None, "", &entities);
    let extruded = read_dxf(&text, &ImportOptions { extrude: Some(0.2), up: Up::Y, ..options() }).unwrap();
    let model = built(&extruded);
    let found = volumes(&model);
    assert!((found[0] - 1.5).abs() < 1e-12 && (found[1] - 0.2).abs() < 1e-12, "{found:?}");
    // y upwards: the square, 1 m high, has its centroid at half of that
    assert!((model.bodies[1].pose.position.z - 0.5).abs() < 1e-12);
    assert!(noted(&extruded, NoteKind::Dropped, "open LWPOLYLINE"));
    assert!(noted(&extruded, NoteKind::Repaired, "cut into"), "{:?}", extruded.notes);
    // without --extrude the square is no block, and alone it is an error
    let plain = read_dxf(&text, &options()).unwrap();
    assert!(noted(&plain, NoteKind::Dropped, "1 closed outlines without thickness"));
    let mut only = String::new();
    outline(&mut only, "square", true, 0.0, &square[..4]);
    let error = read_dxf(&drawing(None, "", &only), &options()).unwrap_err();
    assert!(error.help.unwrap().contains("--extrude"));
}

#[test]
fn arcs_become_chords_of_their_circle() {
    // a disc of radius 1 drawn as two half circles: a polygon of 36 corners
    let mut entities = String::new();
    outline(&mut entities, "0", true, 1.0, &[[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]);
    let imported = read_dxf(&drawing(None, "", &entities), &options()).unwrap();
    let expected = 18.0 * (std::f64::consts::TAU / 36.0).sin();
    assert!((volumes(&built(&imported))[0] - expected).abs() < 1e-12);
    assert!(noted(&imported, NoteKind::Changed, "chords"));
}

#[test]
fn references_are_followed_scaled_turned_mirrored_in_rows() {
    let mut block = String::new();
    pair(&mut block, 0, "BLOCK");
    pair(&mut block, 2, "brick");
    point(&mut block, 10, [1.0, 1.0, 0.0]);
    polyface(&mut block, "0", [1.0, 1.0, 0.0], [0.5, 0.25, 0.2]);
    pair(&mut block, 0, "ENDBLK");
    let mut entities = String::new();
    pair(&mut entities, 0, "INSERT");
    pair(&mut entities, 8, "bond");
    pair(&mut entities, 2, "brick");
    point(&mut entities, 10, [10.0, 0.0, 3.0]);
    pair(&mut entities, 41, 2.0);
    pair(&mut entities, 42, -1.0);
    pair(&mut entities, 50, 90.0);
    for (code, value) in [(70, 3), (71, 2)] {
        pair(&mut entities, code, value);
    }
    for (code, value) in [(44, 1.5), (45, 0.5)] {
        pair(&mut entities, code, value);
    }
    let model = built(&read_dxf(&drawing(None, &block, &entities), &options()).unwrap());
    assert_eq!(model.bodies.len(), 6);
    assert!(volumes(&model).iter().all(|v| (v - 0.05).abs() < 1e-12));
    assert!(model.bodies.iter().all(|b| b.tags.contains(&"bond".to_owned())));
    // turned by 90 degrees: columns go along y, rows along −x; the block's x is y, its mirrored y is x
    let at: Vec<[f64; 3]> = model.bodies.iter().map(|b| b.pose.position.to_array()).collect();
    let expected = |column: f64, row: f64| [10.0 - 0.5 * row + 0.125, 1.5 * column + 0.5, 3.1];
    for (k, found) in at.iter().enumerate() {
        let wanted = expected((k % 3) as f64, (k / 3) as f64);
        assert!((0..3).all(|i| (found[i] - wanted[i]).abs() < 1e-12), "{found:?} {wanted:?}");
    }
}

#[test]
fn drawings_that_cannot_be_read_say_why() {
    let mut entities = String::new();
    faces_of_box(&mut entities, "0", [0.0; 3], [1.0; 3]);
    let text = drawing(None, "", &entities);
    let cut = read_dxf(&text[..text.len() / 2], &options()).unwrap_err();
    assert!(cut.message.contains("truncated"), "{cut}");
    let wrong = read_dxf(&text.replacen(" 11\n1\n", " 11\nfive\n", 1), &options()).unwrap_err();
    assert!(wrong.line > 0 && wrong.message.contains("\"five\" is not a number"), "{wrong}");
    let binary = read_dxf("AutoCAD Binary DXF\r\n", &options()).unwrap_err();
    assert!(binary.help.unwrap().contains("text"));
    let other = read_dxf("solid cube\nfacet\n", &options()).unwrap_err();
    assert!(other.line == 1 && other.message.contains("not a group code"), "{other}");
    // a block that refers to itself
    let mut block = String::new();
    pair(&mut block, 0, "BLOCK");
    pair(&mut block, 2, "a");
    pair(&mut block, 0, "INSERT");
    pair(&mut block, 2, "a");
    pair(&mut block, 0, "ENDBLK");
    let mut insert = String::new();
    pair(&mut insert, 0, "INSERT");
    pair(&mut insert, 2, "a");
    assert!(read_dxf(&drawing(None, &block, &insert), &options()).unwrap_err().message.contains("contains itself"));
}

// ------------------------------------------------------------------------------------------------- OBJ, STL, PLY

fn obj_box(at: [f64; 3], size: [f64; 3], first: usize, name: &str, faces: &[[usize; 4]]) -> String {
    let mut text = if name.is_empty() { String::new() } else { format!("o {name}\n") };
    for [x, y, z] in corners(at, size) {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c, d] in faces {
        // triangles, to be merged
        let _ =
            writeln!(text, "f {} {} {}\nf {} {} {}", a + first, b + first, c + first, a + first, c + first, d + first);
    }
    text
}

fn read_obj(text: &str, options: &ImportOptions) -> Result<Imported, ImportError> {
    meshes::scene(Path::new("wall.obj"), &obj::read(text.as_bytes()).unwrap(), options)
}

#[test]
fn objects_become_blocks_that_keep_their_names_and_stand_on_a_ground() {
    let text = obj_box([0.0, 0.0, 2.0], [1.0, 1.0, 1.0], 1, "lower stone", &CUBE)
        + &obj_box([0.0, 0.0, 3.0], [1.0, 1.0, 1.0], 9, "upper", &CUBE);
    let imported = read_obj(&text, &ImportOptions { ground: true, ..options() }).unwrap();
    assert!(noted(&imported, NoteKind::Merged, "24 coplanar faces of 2 blocks into 12 faces"));
    assert!(noted(&imported, NoteKind::Changed, "z = 2 m"));
    let model = built(&imported);
    assert_eq!(model.bodies.len(), 3);
    assert!(model.bodies[0].tags.contains(&"lower_stone".to_owned()));
    assert!(model.bodies[2].role != Role::Free && model.bodies[2].pose.position.z == 2.0);
}

#[test]
fn what_is_wrong_with_a_mesh_is_mended_or_listed() {
    // without lid: closed again; a sheet: left out; a face twice: once
    let mut twice = CUBE.to_vec();
    twice.push(CUBE[2]);
    let text = obj_box([0.0; 3], [1.0; 3], 1, "open", &CUBE[..5])
        + &obj_box([2.0, 0.0, 0.0], [1.0; 3], 9, "sheet", &CUBE[..1])
        + &obj_box([4.0, 0.0, 0.0], [1.0; 3], 17, "double", &twice);
    let imported = read_obj(&text, &options()).unwrap();
    assert!(noted(&imported, NoteKind::Repaired, "open: planar holes"), "{:?}", imported.notes);
    assert!(noted(&imported, NoteKind::Dropped, "sheet: "), "{:?}", imported.notes);
    assert!(noted(&imported, NoteKind::Repaired, "double: duplicate faces"), "{:?}", imported.notes);
    assert_eq!(volumes(&built(&imported)).len(), 2);
    let error = read_obj(&obj_box([0.0; 3], [1.0; 3], 1, "", &CUBE[..1]), &options()).unwrap_err();
    assert!(error.message.contains("its only block cannot be used"), "{error}");
}

#[test]
fn wrong_units_are_guessed_and_absurd_ones_refused() {
    let text = obj_box([0.0; 3], [900.0, 400.0, 300.0], 1, "", &CUBE);
    let large = read_obj(&text, &options()).unwrap();
    assert!(noted(&large, NoteKind::Changed, "--unit mm"), "{:?}", large.notes);
    let right = read_obj(&text, &ImportOptions { unit: Some(LengthUnit::Millimetre), ..options() }).unwrap();
    assert!(!right.notes.iter().any(|note| note.text.contains("--unit")), "{:?}", right.notes);
    let absurd = read_obj(&text, &ImportOptions { scale: 1e6, ..options() }).unwrap_err();
    assert!(absurd.message.contains("wrong units?"), "{absurd}");
}

#[test]
fn rounded_corners_of_triangles_find_their_neighbours() {
    // the same corner with other last digits in every triangle
    let (mut text, mut k) = ("solid\n".to_owned(), 0);
    for [a, b, c, d] in CUBE {
        for triangle in [[a, b, c], [a, c, d]] {
            text += "facet normal 0 0 0\nouter loop\n";
            for i in triangle {
                let p = corners([100.0; 3], [1.0; 3])[i].map(|x| {
                    k += 1;
                    x + 4e-6 * (f64::from(k) * 12.9898).sin()
                });
                let _ = writeln!(text, "vertex {} {} {}", p[0], p[1], p[2]);
            }
            text += "endloop\nendfacet\n";
        }
    }
    let mesh = stl::read((text + "endsolid\n").as_bytes()).unwrap();
    let imported = meshes::scene(Path::new("cube.stl"), &mesh, &options()).unwrap();
    assert!(noted(&imported, NoteKind::Repaired, "within the rounding of the file"), "{:?}", imported.notes);
    let volume = volumes(&built(&imported));
    assert!(volume.len() == 1 && (volume[0] - 1.0).abs() < 1e-4, "{volume:?}");
}

#[test]
fn files_are_known_by_the_end_of_their_name() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in
        [("a.msh", gmsh_4(true, false, false)), ("b.OBJ", obj_box([0.0; 3], [1.0; 3], 1, "", &CUBE).into_bytes())]
    {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert!(import(&path, &options()).is_ok(), "{name}");
    }
    let unknown = folder.path().join("c.step");
    std::fs::write(&unknown, "ISO-10303-21;").unwrap();
    assert!(import(&unknown, &options()).unwrap_err().help.unwrap().contains(".dxf"));
    assert!(import(&folder.path().join("missing.dxf"), &options()).unwrap_err().message.contains("cannot be read"));
}

#[test]
fn plane_drawings_become_blocks_discs_and_supports() {
    let mut text = String::new();
    let polyline = |text: &mut String, layer: &str, closed: i32, points: &[[f64; 2]]| {
        for (code, value) in [
            (0, "LWPOLYLINE".to_owned()),
            (8, layer.to_owned()),
            (90, points.len().to_string()),
            (70, closed.to_string()),
        ] {
            pair(text, code, value);
        }
        for p in points {
            pair(text, 10, p[0]);
            pair(text, 20, p[1]);
        }
    };
    pair(&mut text, 0, "SECTION");
    pair(&mut text, 2, "ENTITIES");
    polyline(&mut text, "sandstone", 1, &[[0.0, 0.0], [2.0, 0.0], [1.9, 1.0], [0.1, 1.0]]);
    polyline(&mut text, "sandstone-support", 1, &[[-1.0, -1.0], [3.0, -1.0], [3.0, 0.0], [-1.0, 0.0]]);
    pair(&mut text, 0, "CIRCLE");
    pair(&mut text, 8, "soil");
    pair(&mut text, 10, 1.0);
    pair(&mut text, 20, 1.25);
    pair(&mut text, 40, 0.25);
    // a wall on the left: the strip lies away from the blocks
    pair(&mut text, 0, "LINE");
    pair(&mut text, 8, "rock");
    for (code, value) in [(10, -1.5), (20, 0.0), (11, -1.5), (21, 2.0)] {
        pair(&mut text, code, value);
    }
    polyline(&mut text, "voussoir-thrust", 1, &[[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]]);
    polyline(&mut text, "voussoir-thrust", 0, &[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]);
    let end = |text: &str| format!("{text}  0\nENDSEC\n  0\nEOF\n");
    let options = ImportOptions { planar: true, ..options() };
    let imported = dxf::read(Path::new("d.dxf"), end(&text).as_bytes(), &options).unwrap();
    let written = imported.to_toml("a drawing").unwrap();
    let scene = Scene::parse(&written, "d.toml").unwrap();
    let AnyModel::Two(model) = build(&scene, Path::new(".")).unwrap().model else { panic!("a plane drawing") };
    let names: Vec<(&str, bool)> = model.bodies.iter().map(|b| (b.name.as_str(), b.role == Role::Free)).collect();
    assert_eq!(names, [("sandstone-0", true), ("sandstone-1", false), ("soil-0", true), ("rock-0", false)]);
    assert!((model.bodies[0].mass - 2000.0 * 1.9).abs() < 1e-9);
    assert!((model.bodies[2].mass - 2000.0 * std::f64::consts::PI / 16.0).abs() < 1e-9);
    // 5 % of the length, to the left
    assert!((model.bodies[3].pose.position.x + 1.55).abs() < 1e-12);
    assert_eq!(model.materials.len(), 3);
    polyline(&mut text, "sandstone", 0, &[[0.0, 3.0], [2.0, 3.0], [1.9, 4.0]]);
    let error = dxf::read(Path::new("d.dxf"), end(&text).as_bytes(), &options).unwrap_err();
    assert!(error.to_string().contains("must be closed"), "{error}");
}
