//! Meshes of Gmsh, versions 2.2 and 4.1, text and binary.

use std::fmt::Write;
use std::path::Path;

use voussoir_model::import::{ImportError, Imported, NoteKind, gmsh};

use crate::drawings::{CUBE, built, corners, noted, options, volumes};

/// Two boxes, one on the other, sharing the nodes between them: node numbers of each.
fn stacked() -> (Vec<[f64; 3]>, [[u64; 8]; 2]) {
    let mut nodes = corners([0.0; 3], [1.0, 1.0, 0.5]).to_vec();
    nodes.extend(&corners([0.0, 0.0, 0.5], [1.0, 1.0, 1.0])[4..]);
    ([nodes].concat(), [[1, 2, 3, 4, 5, 6, 7, 8], [5, 6, 7, 8, 9, 10, 11, 12]])
}

const NAMES: &str = "$PhysicalNames\n3\n2 9 \"skin\"\n3 1 \"pier\"\n3 2 \"all stones\"\n$EndPhysicalNames\n";

fn gmsh_2(binary: bool) -> Vec<u8> {
    let (nodes, boxes) = stacked();
    let mut out = format!("$MeshFormat\n2.2 {} 8\n", i32::from(binary)).into_bytes();
    if binary {
        out.extend(1i32.to_le_bytes());
        out.push(b'\n');
    }
    out.extend(format!("$EndMeshFormat\n{NAMES}$Nodes\n{}\n", nodes.len()).bytes());
    for (i, p) in nodes.iter().enumerate() {
        if binary {
            out.extend((i as i32 + 1).to_le_bytes());
            out.extend(p.iter().flat_map(|x| x.to_le_bytes()));
        } else {
            out.extend(format!("{} {} {} {}\n", i + 1, p[0], p[1], p[2]).bytes());
        }
    }
    // the lower box is in two groups: its element is there twice
    let elements = [(1, 1, boxes[0]), (2, 1, boxes[0]), (2, 2, boxes[1])];
    out.extend(format!("{}$EndNodes\n$Elements\n{}\n", if binary { "\n" } else { "" }, elements.len() + 1).bytes());
    if binary {
        for number in [15i32, 1, 2, 1, 7, 7, 1] {
            out.extend(number.to_le_bytes());
        }
        for number in [5i32, 3, 2] {
            out.extend(number.to_le_bytes());
        }
    } else {
        out.extend(b"1 15 2 7 7 1\n");
    }
    for (i, (group, entity, corners)) in elements.into_iter().enumerate() {
        if binary {
            for number in [i as i64 + 2, group, entity].into_iter().chain(corners.map(|n| n as i64)) {
                out.extend((number as i32).to_le_bytes());
            }
        } else {
            let corners = corners.map(|n| n.to_string()).join(" ");
            out.extend(format!("{} 5 2 {group} {entity} {corners}\n", i + 2).bytes());
        }
    }
    out.extend(if binary { &b"\n$EndElements\n"[..] } else { b"$EndElements\n" });
    out
}

/// Numbers of a file of version 4.1.
enum Number {
    Int(i64),
    Size(u64),
    Real(f64),
}
use Number::{Int, Real, Size};

fn put(out: &mut Vec<u8>, binary: bool, big: bool, numbers: &[Number]) {
    for number in numbers {
        let (text, bytes) = match number {
            Int(n) => (n.to_string(), (*n as i32).to_le_bytes().to_vec()),
            Size(n) => (n.to_string(), n.to_le_bytes().to_vec()),
            Real(x) => (x.to_string(), x.to_le_bytes().to_vec()),
        };
        if binary {
            out.extend(if big { bytes.into_iter().rev().collect::<Vec<_>>() } else { bytes });
        } else {
            out.extend(text.bytes());
            out.push(b' ');
        }
    }
    if !binary {
        out.push(b'\n');
    }
}

/// Volumes 1 and 2 with all surfaces as entities; elements are hexahedra, or the surfaces alone.
pub fn gmsh_4(binary: bool, big: bool, surfaces_only: bool) -> Vec<u8> {
    let (nodes, boxes) = stacked();
    let mut out = format!("$MeshFormat\n4.1 {} 8\n", i32::from(binary)).into_bytes();
    if binary {
        out.extend(if big { 1i32.to_be_bytes() } else { 1i32.to_le_bytes() });
        out.push(b'\n');
    }
    let newline = if binary { "\n" } else { "" };
    out.extend(format!("$EndMeshFormat\n{NAMES}$Entities\n").bytes());
    // surfaces 1 … 6 of the lower box, 7 … 11 of the upper, which stands on surface 2
    put(&mut out, binary, big, &[Size(0), Size(0), Size(11), Size(2)]);
    for tag in 1..=11 {
        let mut numbers = vec![Int(tag)];
        numbers.extend((0..6).map(|_| Real(0.0)));
        numbers.extend([Size(1), Int(9), Size(0)]);
        put(&mut out, binary, big, &numbers);
    }
    for (tag, groups, around) in [(1, vec![1, 2], vec![1, 2, 3, 4, 5, 6]), (2, vec![2], vec![-2, 7, 8, 9, 10, 11])] {
        let mut numbers = vec![Int(tag)];
        numbers.extend((0..6).map(|_| Real(0.5)));
        numbers.push(Size(groups.len() as u64));
        numbers.extend(groups.into_iter().map(Int));
        numbers.push(Size(around.len() as u64));
        numbers.extend(around.into_iter().map(Int));
        put(&mut out, binary, big, &numbers);
    }
    out.extend(format!("{newline}$EndEntities\n$Nodes\n").bytes());
    put(&mut out, binary, big, &[Size(1), Size(12), Size(1), Size(12)]);
    put(&mut out, binary, big, &[Int(3), Int(1), Int(0), Size(12)]);
    for i in 1..=12 {
        put(&mut out, binary, big, &[Size(i)]);
    }
    for p in &nodes {
        put(&mut out, binary, big, &p.map(Real));
    }
    out.extend(format!("{newline}$EndNodes\n$Elements\n").bytes());
    if surfaces_only {
        put(&mut out, binary, big, &[Size(11), Size(11), Size(1), Size(11)]);
        let lower = CUBE.map(|f| f.map(|i| boxes[0][i]));
        let upper = [1, 2, 3, 4, 5].map(|k| CUBE[k].map(|i| boxes[1][i]));
        for (k, quad) in lower.into_iter().chain(upper).enumerate() {
            let tag = k as i64 + 1;
            put(&mut out, binary, big, &[Int(2), Int(tag), Int(3), Size(1)]);
            let mut numbers = vec![Size(tag as u64)];
            numbers.extend(quad.map(Size));
            put(&mut out, binary, big, &numbers);
        }
    } else {
        put(&mut out, binary, big, &[Size(2), Size(2), Size(1), Size(2)]);
        for (k, corners) in boxes.into_iter().enumerate() {
            put(&mut out, binary, big, &[Int(3), Int(k as i64 + 1), Int(5), Size(1)]);
            let mut numbers = vec![Size(k as u64 + 1)];
            numbers.extend(corners.map(Size));
            put(&mut out, binary, big, &numbers);
        }
    }
    out.extend(format!("{newline}$EndElements\n").bytes());
    out
}

fn read_gmsh(bytes: &[u8]) -> Result<Imported, ImportError> {
    gmsh::from_bytes(Path::new("blocks.msh"), bytes, &options())
}

#[test]
fn the_same_blocks_and_groups_in_every_version_of_gmsh() {
    let files = [
        ("2.2", gmsh_2(false)),
        ("2.2 binary", gmsh_2(true)),
        ("4.1", gmsh_4(false, false, false)),
        ("4.1 binary", gmsh_4(true, false, false)),
        ("4.1 binary, other byte order", gmsh_4(true, true, false)),
        ("4.1, surfaces of volumes", gmsh_4(false, false, true)),
    ];
    for (name, bytes) in files {
        let imported = read_gmsh(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let model = built(&imported);
        let found = volumes(&model);
        assert!(
            found.len() == 2 && (found[0] - 0.5).abs() < 1e-12 && (found[1] - 1.0).abs() < 1e-12,
            "{name} {found:?}"
        );
        let tags = |i: usize| -> Vec<&str> {
            model.bodies[i].tags.iter().map(String::as_str).filter(|t| !t.starts_with("block")).collect()
        };
        assert_eq!(tags(0), ["all stones", "pier"], "{name}");
        assert_eq!(tags(1), ["all stones"], "{name}");
    }
}

#[test]
fn tetrahedra_become_one_block_with_flat_faces() {
    // a cube cut into six tetrahedra around the diagonal from 0 to 6
    let c = corners([0.0; 3], [1.0; 3]);
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n".to_owned();
    for (i, p) in c.iter().enumerate() {
        let _ = writeln!(text, "{} {} {} {}", i + 10, p[0], p[1], p[2]);
    }
    text += "$EndNodes\n$Elements\n6\n";
    for (k, [a, b]) in [[1, 2], [2, 3], [3, 7], [7, 4], [4, 5], [5, 1]].into_iter().enumerate() {
        let _ = writeln!(text, "{} 4 2 0 1 10 {} {} 16", k + 1, a + 10, b + 10);
    }
    text += "$EndElements\n";
    let imported = read_gmsh(text.as_bytes()).unwrap();
    assert!(noted(&imported, NoteKind::Merged, "12 coplanar faces of 1 blocks into 6 faces"), "{:?}", imported.notes);
    assert!((volumes(&built(&imported))[0] - 1.0).abs() < 1e-12);
}

#[test]
fn meshes_of_gmsh_that_cannot_be_read_say_why() {
    let text = String::from_utf8(gmsh_4(false, false, false)).unwrap();
    let version = read_gmsh(text.replacen("4.1", "4.0", 1).as_bytes()).unwrap_err();
    assert!(version.help.unwrap().contains("2.2 and 4.1"));
    let cut = read_gmsh(&text.as_bytes()[..text.len() - 40]).unwrap_err();
    assert!(cut.message.contains("truncated") || cut.message.contains("declared"), "{cut}");
    let node = read_gmsh(text.replace(" 11 12 \n", " 11 99 \n").as_bytes()).unwrap_err();
    assert!(node.message.contains("node 99") && node.line > 0, "{node}");
    assert!(read_gmsh(b"hello").unwrap_err().help.unwrap().contains("Gmsh"));
}
