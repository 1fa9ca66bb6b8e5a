//! Mesh files: the same block in all formats, parts, errors.

use std::path::Path;

use voussoir_geometry::D3;
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::Model;
use voussoir_model::mesh::{self, obj, ply, stl};
use voussoir_model::{AnyModel, Scene, build};

const CORNERS: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0],
    [2.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 0.5],
    [2.0, 0.0, 0.5],
    [2.0, 1.0, 0.5],
    [0.0, 1.0, 0.5],
];
const FACES: [[usize; 4]; 6] = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// Triangles of blocks moved by multiples of their sizes.
fn triangles(places: &[[f64; 3]]) -> Vec<[[f64; 3]; 3]> {
    let moved = |corner: usize, at: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|k| CORNERS[corner][k] + at[k]) };
    let mut all = Vec::new();
    for at in places {
        for [a, b, c, d] in FACES {
            all.push([a, b, c].map(|i| moved(i, at)));
            all.push([a, c, d].map(|i| moved(i, at)));
        }
    }
    all
}

fn binary_stl(triangles: &[[[f64; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|x| (*x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text_stl(triangles: &[[[f64; 3]; 3]]) -> String {
    let mut text = "solid block\n".to_string();
    for triangle in triangles {
        text += " facet normal 0 0 0\n  outer loop\n";
        for [x, y, z] in triangle {
            text += &format!("   vertex {x} {y} {z:e}\n");
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid block\n"
}

fn obj_text() -> String {
    let mut text = "# a block\no block\n".to_string();
    for [x, y, z] in CORNERS {
        text += &format!("v {x} {y} {z}\n");
    }
    text += "vn 0 0 1\n";
    for face in FACES {
        text += &format!("f {}\n", face.map(|i| format!("{}//1", i + 1)).join(" "));
    }
    text
}

fn ply_header(format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment a block\nelement vertex 8\nproperty double x\nproperty double y\n\
         property double z\nproperty uchar red\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n"
    )
}

fn text_ply() -> Vec<u8> {
    let mut text = ply_header("ascii");
    for [x, y, z] in CORNERS {
        text += &format!("{x} {y} {z} 200\n");
    }
    for [a, b, c, d] in FACES {
        text += &format!("4 {a} {b} {c} {d}\n");
    }
    text.into_bytes()
}

fn binary_ply(big: bool) -> Vec<u8> {
    let mut bytes = ply_header(if big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
    for corner in CORNERS {
        bytes.extend(corner.iter().flat_map(|x| if big { x.to_be_bytes() } else { x.to_le_bytes() }));
        bytes.push(200);
    }
    for face in FACES {
        bytes.push(4);
        bytes.extend(face.iter().flat_map(|i| {
            let i = *i as i32;
            if big { i.to_be_bytes() } else { i.to_le_bytes() }
        }));
    }
    bytes
}

/// The model of a mesh file, twice as large, with further keys of the joint and the body.
fn model(name: &str, bytes: &[u8], joint: &str, body: &str) -> Result<Model<D3>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), bytes).expect("written");
    let text = format!(
        "[materials.stone]\ndensity = 1.0\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n{joint}\n\
         [[bodies]]\nname = \"m\"\nmaterial = \"stone\"\nmesh = \"{name}\"\nscale = 2.0\nposition = [0, 0, 1]\n{body}\n"
    );
    let scene = Scene::parse(&text, "mesh.toml").map_err(|e| e.to_string())?;
    let built = build(&scene, folder.path()).map_err(|e| e.message)?;
    let AnyModel::Three(model) = built.model else { panic!("2D") };
    Ok(std::sync::Arc::unwrap_or_clone(model))
}

/// Names and volumes of the bodies of a mesh file.
fn bodies(name: &str, bytes: &[u8]) -> Result<Vec<(String, f64)>, String> {
    let model = model(name, bytes, "", "")?;
    Ok(model.bodies.iter().map(|body| (body.name.clone(), body.mass)).collect())
}

#[test]
fn the_same_block_comes_from_every_format() {
    let one = triangles(&[[0.0; 3]]);
    for (name, bytes) in [
        ("block.obj", obj_text().into_bytes()),
        ("block.OBJ", obj_text().replace('\n', "\r\n").into_bytes()),
        ("binary.stl", binary_stl(&one)),
        ("text.stl", text_stl(&one).into_bytes()),
        ("text.ply", text_ply()),
        ("little.ply", binary_ply(false)),
        ("big.ply", binary_ply(true)),
    ] {
        let found = bodies(name, &bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].0, "m.part[0]");
        // 2 × 1 × 0.5, scaled by 2
        assert!((found[0].1 - 8.0).abs() < 1e-9, "{name}: {}", found[0].1);
    }
}

#[test]
fn blocks_that_touch_in_one_heap_of_triangles_are_told_apart() {
    // side by side, on top, with shared faces, edges and corners
    let places = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.5], [2.0, 0.0, 0.5], [0.0, 1.0, 0.0], [2.0, 1.0, 0.5]];
    let found = bodies("wall.stl", &binary_stl(&triangles(&places))).expect("six blocks");
    assert_eq!(found.len(), places.len());
    assert!(found.iter().all(|(_, mass)| (mass - 8.0).abs() < 1e-9));
    // running bond: corners in the middle of other edges
    let places = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.5]];
    assert_eq!(bodies("bond.stl", &binary_stl(&triangles(&places))).expect("three blocks").len(), 3);
}

#[test]
fn stones_drawn_without_joints_make_room_for_them() {
    // 4 × 2 × 1 m: two side by side, one on both
    let heap = binary_stl(&triangles(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.5]]));
    let joined = model("bond.stl", &heap, "thickness = 0.02", "inset = 0.01").expect("three blocks");
    assert!(joined.bodies.iter().all(|body| (body.mass - 3.98 * 1.98 * 0.98).abs() < 1e-9));
    let inspection = inspect(&joined, Some(1e-6));
    // through joints they touch as before
    assert_eq!(inspection.interfaces.len(), 3);
    assert!(inspection.interfaces.iter().all(|interface| interface.worst_gap.abs() < 1e-12));
    // a head joint, and a bed over both but for its head joint
    let area: f64 = inspection.interfaces.iter().map(|interface| interface.area).sum();
    assert!((area - 1.98 * 0.98 - 2.0 * 1.98 * 1.98).abs() < 1e-9, "{area}");

    let refused = |bytes: &[u8], body: &str| model("wrong.stl", bytes, "", body).expect_err("wrong");
    assert!(refused(&heap, "inset = -0.01").contains("the inset"));
    assert!(refused(&heap, "inset = 0.6").contains("the nearest face is 5.000e-1 m from the centroid"));
    let mut dented = triangles(&[[0.0; 3]]);
    dented
        .iter_mut()
        .flatten()
        .filter(|corner| **corner == [2.0, 1.0, 0.5])
        .for_each(|corner| *corner = [1.5, 0.75, 0.25]);
    assert!(refused(&binary_stl(&dented), "inset = 0.01").contains("not a convex polyhedron"));
}

#[test]
fn objects_without_shared_vertices_are_welded() {
    // every triangle with its own vertices
    let mut text = String::new();
    for (i, triangle) in triangles(&[[0.0; 3]]).iter().enumerate() {
        for [x, y, z] in triangle {
            text += &format!("v {x} {y} {z}\n");
        }
        text += if i == 0 { "f 1 2 3\n" } else { "f -3 -2 -1\n" };
    }
    assert_eq!(bodies("soup.obj", text.as_bytes()).expect("one block").len(), 1);
}

#[test]
fn open_meshes_are_refused() {
    let mut open = triangles(&[[0.0; 3]]);
    open.pop();
    let message = bodies("open.stl", &binary_stl(&open)).unwrap_err();
    assert!(message.contains("open"), "{message}");
    let mut dent = obj_text();
    dent = dent.replace("v 2 1 0.5", "v 1.5 0.5 0.2");
    assert!(bodies("dent.obj", dent.as_bytes()).is_err());
}

#[test]
fn errors_name_the_line_or_byte() {
    let message = |result: Result<mesh::Mesh, mesh::MeshError>| result.expect_err("wrong").to_string();
    insta::assert_snapshot!(message(obj::read(b"v 0 0 0\nv 1 x 0\n")), @r#"line 2: "x" is not a number"#);
    insta::assert_snapshot!(message(obj::read(b"v 0 0 nan\n")), @"line 1: a coordinate is NaN");
    insta::assert_snapshot!(message(obj::read(b"v 0 0 0\nf 1 2\n")), @"line 2: a face has 2 vertices; 3 to 10000 are possible");
    insta::assert_snapshot!(message(obj::read(b"v 0 0 0\nf 1 1 -2\n")), @"line 2: there is no vertex -2");
    insta::assert_snapshot!(message(obj::read(b"v 0 0 0\nf 1 2 3\n")), @"face 0 refers to vertex 1, but there are 1");
    insta::assert_snapshot!(message(obj::read(b"# nothing\n")), @"the mesh has no faces");
    insta::assert_snapshot!(message(stl::read(b"solid a\nfacet\nvertex 0 0 0\nendfacet\n")), @"line 4: a facet has 1 vertices, not three");
    insta::assert_snapshot!(message(stl::read(&[7; 100])), @r#"byte 0: neither text ("solid …") nor a binary STL: 117901063 triangles do not fit 100 bytes"#);
    insta::assert_snapshot!(message(ply::read(b"plx\n")), @r#"line 1: the file does not start with "ply""#);
    insta::assert_snapshot!(
        message(ply::read(b"ply\nformat ascii 1.0\nelement vertex 999999999999\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n")),
        @"line 9: the file ends too early"
    );
    insta::assert_snapshot!(
        message(ply::read(b"ply\nformat binary_little_endian 1.0\nelement face 1\nproperty list uint int vertex_indices\nend_header\n\xff\xff\xff\x3f\0\0")),
        @"byte 104: a list has the length 1073741823"
    );
    let missing = mesh::read_file(Path::new("/nowhere/block.obj")).expect_err("missing").to_string();
    assert!(missing.starts_with("/nowhere/block.obj cannot be read: "), "{missing}");
    insta::assert_snapshot!(message(mesh::read_file(Path::new("block.dae"))), @"block.dae is not a mesh that we read; the name must end in .obj, .stl or .ply");
}
