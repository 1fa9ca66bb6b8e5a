//! Readers and builder never panic, and their memory is bounded, for any input.

use std::path::Path;

use proptest::prelude::*;
use voussoir_geometry::{Shape3, glam::DVec3};
use voussoir_model::import::{ImportError, ImportOptions, Imported, dxf, gmsh};
use voussoir_model::mesh::{obj, ply, stl};
use voussoir_model::{Scene, build, render, templates};

/// Scenes with some variety, to be mutated.
fn seeds() -> Vec<String> {
    let mut seeds = Vec::new();
    // tests on samples are left out: packings of mutated counts take minutes
    let has_dim = |template: &&voussoir_model::Template| template.parameters().any(|parameter| parameter.key == "dim");
    for template in templates().iter().filter(has_dim) {
        for dim in template.dimensions.iter().map(u8::to_string) {
            let dim = dim.as_str();
            let small = match template.name {
                "wall" => vec![("dim", dim), ("courses", "3"), ("bricks", "2")],
                "masonry-wall" => vec![("dim", dim), ("length", "2.5"), ("courses", "11")],
                "arch-wall" => vec![("dim", dim), ("length", "12.0")],
                "stair" => vec![("treads", "3")],
                "masonry-cylinder" => vec![("courses", "2"), ("rings", "2"), ("slices", "5")],
                "pier-dome" => vec![("slices", "10"), ("rings", "3")],
                "column" => vec![("dim", dim), ("drums", "2")],
                "arch" => vec![("dim", dim), ("voussoirs", "5")],
                "bridge" | "flying-buttress" => vec![("dim", dim), ("voussoirs", "7")],
                _ => vec![("dim", dim), ("count", "3")],
            };
            seeds.push(render(template.name, &small).expect("valid"));
        }
    }
    seeds.push(include_str!("everything.toml").into());
    seeds
}

/// Builds scenes that are small enough for a test.
fn parse_and_build(text: &str) {
    if let Ok(scene) = Scene::parse(text, "random.toml")
        && scene.body_count() < 2000
    {
        match build(&scene, Path::new("/nowhere")) {
            Ok(_) => {}
            Err(error) => {
                assert!(error.text.get(error.span.clone()).is_some());
                assert!(!error.render().is_empty());
            }
        }
    }
}

/// Replaces some stretches of a text.
fn mutate(text: &str, cuts: &[(prop::sample::Index, usize, String)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, length, insert) in cuts {
        let at = at.index(chars.len() + 1);
        let end = (at + length).min(chars.len());
        chars.splice(at..end, insert.chars());
    }
    chars.into_iter().collect()
}

/// Words that are likely to matter.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        prop::sample::select(vec![
            "nan",
            "-1",
            "1e308",
            "-inf",
            "0",
            "1e-300",
            "[",
            "]",
            "\"",
            "= ",
            "\n[[bodies]]\n",
            "99999999999999999999",
            "true",
            "{}",
            "[1,2,3]",
            "\"*\"",
            "generator",
            "shape = \"box\"\n",
            "dim = 2\n",
            "#",
            "\u{1F9F1}",
        ])
        .prop_map(str::to_string),
        "\\PC{0,6}",
    ]
}

fn cuts() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, String)>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, words()), 1..4)
}

const OBJ: &[u8] = b"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
const STL: &[u8] = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
const PLY: &[u8] = b"ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

const DXF: &str = "  0\nSECTION\n  2\nHEADER\n  9\n$INSUNITS\n 70\n     4\n  0\nENDSEC\n  0\nSECTION\n  2\nBLOCKS\n  0\nBLOCK\n  2\nb\n 10\n0.0\n  0\nLWPOLYLINE\n  8\nl\n 90\n3\n 70\n1\n 39\n0.5\n 10\n0.0\n 20\n0.0\n 42\n0.5\n 10\n1.0\n 20\n0.0\n 10\n0.0\n 20\n1.0\n  0\nENDBLK\n  0\nENDSEC\n  0\nSECTION\n  2\nENTITIES\n  0\nINSERT\n  2\nb\n 10\n1.0\n 20\n2.0\n 30\n3.0\n 41\n2.0\n 50\n30.0\n 70\n2\n 44\n3.0\n  0\nPOLYLINE\n 70\n64\n  0\nVERTEX\n 70\n192\n 10\n0.0\n 20\n0.0\n 30\n0.0\n  0\nVERTEX\n 70\n192\n 10\n1.0\n  0\nVERTEX\n 70\n192\n 10\n0.0\n 20\n1.0\n  0\nVERTEX\n 70\n192\n 10\n0.0\n 30\n1.0\n  0\nVERTEX\n 70\n128\n 71\n1\n 72\n3\n 73\n2\n  0\nVERTEX\n 70\n128\n 71\n1\n 72\n2\n 73\n4\n  0\nVERTEX\n 70\n128\n 71\n2\n 72\n3\n 73\n4\n  0\nVERTEX\n 70\n128\n 71\n3\n 72\n1\n 73\n-4\n  0\nSEQEND\n  0\n3DFACE\n  8\nf\n 10\n0.0\n 11\n1.0\n 12\n1.0\n 22\n1.0\n 13\n0.0\n 23\n1.0\n  0\nENDSEC\n  0\nEOF\n";
const GMSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"stone\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n2\n1 2 2 5 5 1 2 3\n2 4 2 1 1 1 2 3 4\n$EndElements\n";
const GMSH_4: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 1\n1 0 0 0 1 1 1 1 5 0\n1 0 0 0 1 1 1 1 1 1 1\n$EndEntities\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";

/// Reads a drawing; what is rejected says what and where.
fn import(which: usize, bytes: &[u8]) -> Result<Imported, ImportError> {
    let options = ImportOptions { extrude: Some(0.3), ..ImportOptions::default() };
    let found = match which {
        0 => dxf::read(Path::new("random.dxf"), bytes, &options),
        _ => gmsh::from_bytes(Path::new("random.msh"), bytes, &options),
    };
    if let Err(error) = &found {
        assert!(!error.message.is_empty() && error.to_string().starts_with("random."));
    }
    found
}

fn read_all(bytes: &[u8]) {
    for read in [obj::read, stl::read, ply::read] {
        if let Ok(mesh) = read(bytes) {
            for part in mesh.parts().unwrap_or_default() {
                let vertices = part.vertices.iter().copied().map(DVec3::from_array).collect();
                let _ = Shape3::polyhedron(vertices, part.faces);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_refused_politely(text in "\\PC{0,200}") {
        parse_and_build(&text);
    }

    #[test]
    fn mutated_scenes_do_no_harm(seed in 0usize..11, cuts in cuts()) {
        parse_and_build(&mutate(&seeds()[seed], &cuts));
    }

    #[test]
    fn any_bytes_are_no_mesh(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&bytes);
        for start in [&b"ply\nformat binary_little_endian 1.0\n"[..], b"solid ", b"v 0 0 0\nf "] {
            read_all(&[start, &bytes].concat());
        }
    }

    #[test]
    fn mutated_meshes_do_no_harm(which in 0usize..3, cuts in cuts()) {
        let text = String::from_utf8_lossy([OBJ, STL, PLY][which]).to_string();
        read_all(mutate(&text, &cuts).as_bytes());
    }

    #[test]
    fn any_bytes_are_no_drawing(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for which in 0..2 {
            let _ = import(which, &bytes);
        }
        let heads: [&[u8]; 4] = [
            b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n3\n",
            b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n",
            b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Entities\n",
            b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Elements\n",
        ];
        for head in heads {
            let _ = import(1, &[head, &bytes].concat());
        }
    }

    #[test]
    fn mutated_drawings_do_no_harm(which in 0usize..3, cuts in cuts()) {
        let text = [DXF, GMSH_2, GMSH_4][which];
        let _ = import(which, mutate(text, &cuts).as_bytes());
    }

    #[test]
    fn mutated_binary_meshes_do_no_harm(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        count in 0u32..5,
        numbers in prop::collection::vec(any::<f32>(), 60),
    ) {
        let mut bytes = vec![0u8; 80];
        bytes.extend(count.to_le_bytes());
        for triangle in numbers.chunks(12).take(count as usize) {
            bytes.extend(triangle.iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend([0, 0]);
        }
        read_all(&bytes);
        let i = at.index(bytes.len());
        bytes[i] = byte;
        read_all(&bytes);
    }
}

#[test]
fn drawings_that_were_cut_off_are_refused() {
    for (which, text) in [DXF, GMSH_2, GMSH_4].into_iter().enumerate() {
        assert!(import(which, text.as_bytes()).is_ok(), "{:?}", import(which, text.as_bytes()));
        for length in 0..text.len() - 2 {
            // what is missing may be no more than the end of a line
            let cut = import(which, &text.as_bytes()[..length]);
            assert!(cut.is_err(), "{which}, {length} bytes: {cut:?}");
        }
    }
}
