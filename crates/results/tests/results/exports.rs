//! Exports agree with the results: in the files themselves, and read by independent readers (VTK's, when the
//! environment variable `VOUSSOIR_PYTHON` names an interpreter that has them).

use std::path::Path;
use std::process::Command;

use crate::common::{snapshot, whole_run};
use serde_json::Value;
use voussoir_results::Results;
use voussoir_results::export::{GlbOptions, glb, write_csv, write_obj, write_vtu};
use voussoir_results::measures::BlockQuantity;
use voussoir_results::picture::median_size;
use voussoir_testing::need;

const BODIES: usize = 5;

/// A run of 21 frames, one every 10 steps.
fn sample(dir: &Path) -> Results {
    whole_run(dir, BODIES, 200, 10, 100);
    Results::open(dir).unwrap()
}

/// The description in a GLB file, and its numbers.
pub fn parts(file: &[u8]) -> (Value, &[u8]) {
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&file[..4], number(4), number(8)), (&b"glTF"[..], 2, file.len()));
    let text = number(12);
    assert_eq!(&file[16..20], b"JSON");
    let bytes = &file[20 + text..];
    assert_eq!((&bytes[4..8], number(20 + text)), (&b"BIN\0"[..], bytes.len() - 8));
    (serde_json::from_slice(&file[20..20 + text]).unwrap(), &bytes[8..])
}

/// The numbers of an accessor.
pub fn floats(description: &Value, bytes: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &description["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &description["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let [offset, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
    bytes[offset..offset + length].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

#[test]
fn a_glb_animates_every_body_that_moves() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    let frames: Vec<usize> = (0..results.frames()).step_by(2).collect();
    let file = glb(&results, &frames, &GlbOptions::default()).unwrap();
    let (description, bytes) = parts(&file);
    // bodies, three pieces of two cables and the node above them; the support does not move
    assert_eq!(description["nodes"].as_array().unwrap().len(), BODIES + 3 + 1);
    let channels = description["animations"][0]["channels"].as_array().unwrap();
    let node = |channel: &&Value| channel["target"]["node"].as_u64().unwrap() as usize;
    let (bodies, rods): (Vec<&Value>, Vec<&Value>) = channels.iter().partition(|channel| node(channel) < BODIES);
    assert_eq!(bodies.len(), 2 * (BODIES - 1));
    // cables come and go, where they are
    assert!(rods.len() == 3 && rods.iter().all(|channel| channel["target"]["path"] == "scale"));
    for channel in bodies {
        let node = channel["target"]["node"].as_u64().unwrap() as usize;
        let sampler = &description["animations"][0]["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let times = floats(&description, bytes, &sampler["input"]);
        let values = floats(&description, bytes, &sampler["output"]);
        assert_eq!(times.len(), frames.len());
        for (i, &frame) in frames.iter().enumerate() {
            let body = snapshot(BODIES, 10 * frame as u64).bodies[node];
            assert!((f64::from(times[i]) - 0.01 * frame as f64).abs() < 1e-6);
            let expected: Vec<f64> = match channel["target"]["path"].as_str().unwrap() {
                "translation" => body.position.to_vec(),
                _ => body.rotation.to_vec(),
            };
            let width = expected.len();
            for k in 0..width {
                assert!((f64::from(values[width * i + k]) - expected[k]).abs() < 1e-6);
            }
        }
    }
    // one frame is a model that does not move
    let still = glb(&results, &[3], &GlbOptions { colour: BlockQuantity::Displacement }).unwrap();
    assert!(parts(&still).0.get("animations").is_none());
}

#[test]
fn tables_have_a_row_per_body_interface_and_contact() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    let frames: Vec<usize> = (0..results.frames()).collect();
    let out = dir.path().join("tables");
    write_csv(&results, &frames, &out).unwrap();
    let rows = |name: &str| -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(out.join(name)).unwrap();
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    for name in ["bodies.csv", "interfaces.csv", "contacts.csv"] {
        let rows = rows(name);
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{name}");
    }
    let bodies = rows("bodies.csv");
    assert_eq!(bodies.len(), 1 + BODIES * frames.len());
    let column = |head: &str| bodies[0].iter().position(|cell| cell == head).unwrap();
    let last = bodies.last().unwrap();
    let now = snapshot(BODIES, 200).bodies[BODIES - 1];
    assert_eq!(last[column("name")], "wall.brick[4]");
    assert!((last[column("x_m")].parse::<f64>().unwrap() - now.position[0]).abs() < 1e-9);
    let cables: usize = frames.iter().map(|&f| snapshot(BODIES, 10 * f as u64).cables.len()).sum();
    assert_eq!(rows("cables.csv").len(), 1 + cables);
    let contacts: usize = frames.iter().map(|&f| snapshot(BODIES, 10 * f as u64).contacts.len()).sum();
    assert_eq!(rows("contacts.csv").len(), 1 + contacts);
    let forces = |name: &str| {
        let rows = rows(name);
        let column = rows[0].iter().position(|cell| cell == "fz_n").unwrap();
        rows[1..].iter().map(|row| row[column].parse::<f64>().unwrap()).sum::<f64>()
    };
    // interfaces sum what contacts carry
    assert!((forces("interfaces.csv") - forces("contacts.csv")).abs() < 1e-6 * forces("contacts.csv"));
}

#[test]
fn independent_readers_find_the_same_bodies() {
    let dir = tempfile::tempdir().unwrap();
    let results = sample(dir.path());
    let out = dir.path();
    write_vtu(&results, &[0, 20], &out.join("vtu")).unwrap();
    write_obj(&results, &[0, 20], &out.join("obj")).unwrap();
    std::fs::write(out.join("run.glb"), glb(&results, &[20], &GlbOptions::default()).unwrap()).unwrap();
    let all: Vec<usize> = (0..results.frames()).collect();
    std::fs::write(out.join("moving.glb"), glb(&results, &all, &GlbOptions::default()).unwrap()).unwrap();
    let Some(python) = need("VOUSSOIR_PYTHON", "Python with vtk") else { return };
    let now = snapshot(BODIES, 200);
    let expected = serde_json::json!({ "bodies": BODIES, "contacts": now.contacts.len(), "time": now.time,
        "velocity": now.bodies[BODIES - 1].velocity, "radius": 0.02 * median_size(results.cast()) });
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/check_exports.py");
    let run = Command::new(python).arg(script).arg(out).arg(expected.to_string()).output().unwrap();
    assert!(run.status.success(), "{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
}
