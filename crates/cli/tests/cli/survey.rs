//! Scenes in survey coordinates: the same answers as near zero, in the coordinates of the survey.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::common::Workshop;
use crate::page::Page;
use serde_json::Value;
use voussoir_testing::skip;

/// Corner of the site in a national grid [m].
const SITE: [f64; 2] = [432_000.0, 6_117_000.0];

/// A block that slides on a slope, pushed at a point, with a wedge beside it that is written by its corners; all numbers
/// are dyadic, so that a shift of the site changes no bit of their differences.
fn scene([x, y]: [f64; 2]) -> String {
    let corners: Vec<String> =
        [[2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, 1.0, 0.0], [3.0, 1.0, 0.0], [2.0, 0.0, 0.5], [2.0, 1.0, 0.5]]
            .iter()
            .map(|p| format!("[{:?}, {:?}, {:?}]", x + p[0], y + p[1], p[2]))
            .collect();
    format!(
        "title = \"Site\"\nmaterials.stone.density = 2000.0\n\
         joints = [{{ between = [\"stone\", \"stone\"], friction = 0.25 }}]\n\
         bodies = [\n\
         {{ name = \"ground\", material = \"stone\", shape = \"ground\" }},\n\
         {{ name = \"block\", material = \"stone\", shape = \"box\", size = [1, 1, 1], position = [{:?}, {:?}, 0.5] }},\n\
         {{ name = \"wedge\", material = \"stone\", shape = \"polyhedron\", vertices = [{}] }},\n]\n\
         loads = [{{ name = \"push\", select = {{ min = [{:?}, {:?}, 0.25], max = [{:?}, {:?}, 1.0] }}, \
         force = [8000, 0, 0], point = [{:?}, {:?}, 0.25] }}]\n\
         probes = [{{ name = \"east\", quantity = \"position\", of = \"block\", component = \"x\" }}]\n\
         stages = [{{ analysis = \"dynamic\", duration = 0.25, step = 5e-3 }}]\n",
        x + 0.5,
        y + 0.5,
        corners.join(", "),
        x,
        y,
        x + 1.0,
        y + 1.0,
        x,
        y + 0.25,
    )
}

/// Rows of a table, as numbers and texts.
fn table(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn survey_coordinates_change_no_answer() {
    let shop = Workshop::new();
    for (name, site) in [("near", [0.0; 2]), ("far", SITE)] {
        shop.write(&format!("{name}.toml"), &scene(site));
        shop.run(&["run", &format!("{name}.toml"), "-o", name, "--quiet"]).expect(0);
        shop.run(&["export", name, "--to", "csv", "-o", &format!("{name}-csv")]).expect(0);
    }
    let read = |path: &str| table(&std::fs::read_to_string(shop.path(path)).unwrap());
    // the history is the same bit for bit, except for the probe of the position
    let (near, far) = (read("near/history.csv"), read("far/history.csv"));
    let probe = near[0].iter().position(|head| head.contains("east")).unwrap();
    assert!(near.len() > 50 && near.len() == far.len());
    for (a, b) in near.iter().zip(&far).skip(1) {
        for (k, (a, b)) in a.iter().zip(b).enumerate() {
            if k != probe {
                assert_eq!(a, b, "{}", near[0][k]);
            }
        }
        let [a, b] = [a, b].map(|row| row[probe].parse::<f64>().unwrap());
        assert!((b - a - SITE[0]).abs() < 1e-9, "{a} {b}");
    }
    // the block has moved, and the table of bodies has survey coordinates
    let (near, far) = (read("near-csv/bodies.csv"), read("far-csv/bodies.csv"));
    let x = near[0].iter().position(|head| head == "x_m").unwrap();
    let rows = || near.iter().zip(&far).skip(1).filter(|(row, _)| row[3] != "ground");
    assert!(rows().count() > 2);
    for (a, b) in rows() {
        for (k, site) in SITE.into_iter().enumerate() {
            let [a, b] = [a, b].map(|row| row[x + k].parse::<f64>().unwrap());
            assert!((b - a - site).abs() < 1e-9, "{a} {b}");
        }
    }
}

#[test]
fn static_answers_are_in_survey_coordinates() {
    let shop = Workshop::new();
    let hinges = [[0.0; 2], SITE].map(|site| {
        shop.write("scene.toml", &scene(site).replace("friction = 0.25", "friction = 4.0"));
        shop.run(&["limit", "scene.toml", "--load", "push", "--json"]).expect(0).json()
    });
    let [near, far]: [&Value; 2] = [&hinges[0], &hinges[1]];
    assert_eq!(near["multiplier"], far["multiplier"]);
    let at = |answer: &Value, k: usize| answer["mechanism"]["hinges"][0]["at"][k].as_f64().unwrap();
    for (k, site) in SITE.into_iter().enumerate() {
        assert!((at(far, k) - at(near, k) - site).abs() < 1e-9);
    }
}

/// One body near zero among others far away: the scene has a mistake.
#[test]
fn bodies_far_from_each_other_are_refused() {
    let shop = Workshop::new();
    shop.write("scene.toml", &scene(SITE).replace(&format!(", {:?}, 0.5]", SITE[1] + 0.5), ", 0.5, 0.5]"));
    let refused = shop.run(&["check", "scene.toml"]).expect(2);
    assert!(refused.stderr().contains("outside the permitted range"), "{}", refused.stderr());
}

/// The two scenes run and exported: the site lies at the end of the coordinates of every vertex.
fn exported(format: &str) -> (Workshop, [std::path::PathBuf; 2]) {
    let shop = Workshop::new();
    let folders = [("near", [0.0; 2]), ("far", SITE)].map(|(name, site)| {
        shop.write(&format!("{name}.toml"), &scene(site));
        shop.run(&["run", &format!("{name}.toml"), "-o", name, "--quiet"]).expect(0);
        shop.run(&["export", name, "--to", format, "-o", &format!("{name}-{format}")]).expect(0);
        shop.path(&format!("{name}-{format}"))
    });
    (shop, folders)
}

/// Points that are the same but for the site, to the digits of a file.
#[track_caller]
fn assert_shifted(near: &[[f64; 3]], far: &[[f64; 3]], tolerance: f64) {
    assert!(near.len() > 5 && near.len() == far.len());
    for (a, b) in near.iter().zip(far) {
        let site = [SITE[0], SITE[1], 0.0];
        assert!((0..3).all(|k| (b[k] - a[k] - site[k]).abs() < tolerance), "{a:?} {b:?}");
    }
}

#[test]
fn obj_models_are_in_survey_coordinates() {
    let (_shop, folders) = exported("obj");
    let [near, far] = folders.map(|folder| {
        let text = std::fs::read_to_string(folder.join("frame_0001.obj")).unwrap();
        let numbers = |line: &str| line.split(' ').map(|x| x.parse().unwrap()).collect::<Vec<f64>>();
        let vertex = |line: &str| line.strip_prefix("v ").map(|rest| <[f64; 3]>::try_from(numbers(rest)).unwrap());
        // the ground is drawn around the other bodies
        let bodies = text.split("o block").nth(1).unwrap().to_owned();
        bodies.lines().filter_map(vertex).collect::<Vec<_>>()
    });
    assert_shifted(&near, &far, 2e-9);
}

#[test]
fn vtu_grids_are_in_survey_coordinates() {
    let (_shop, folders) = exported("vtu");
    let [near, far] = folders.map(|folder| {
        let bytes = std::fs::read(folder.join("contacts_0001.vtu")).unwrap();
        // the points are the first of the appended arrays: their length in bytes, then numbers
        let at = bytes.windows(13).position(|w| w == b"<AppendedData").unwrap();
        let data = &bytes[at + bytes[at..].iter().position(|&b| b == b'_').unwrap() + 1..];
        let text = String::from_utf8_lossy(&bytes[..at]);
        assert!(text.contains("Name=\"points\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\""), "{text}");
        let size = u64::from_le_bytes(data[..8].try_into().unwrap()) as usize;
        let numbers: Vec<f64> = data[8..8 + size].as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
        numbers.as_chunks::<3>().0.to_vec()
    });
    assert_shifted(&near, &far, 2e-9);
}

/// A model in survey coordinates is imported with its meshes near zero and its bodies at the site.
#[test]
fn imports_keep_survey_coordinates() {
    let shop = Workshop::new();
    let (_exported, [near, far]) = exported("obj");
    let stands = [("near", near), ("far", far)].map(|(name, folder)| {
        let model = folder.join("frame_0000.obj");
        let text = std::fs::read_to_string(&model).unwrap();
        let bodies = format!("o block{}", text.split("o block").nth(1).unwrap());
        // vertices count from one, also without those of the ground
        let before = text.split("o block").next().unwrap().lines().filter(|line| line.starts_with("v ")).count();
        let face = |line: &str| match line.strip_prefix("f ") {
            Some(rest) => {
                let numbers = rest.split(' ').map(|i| (i.parse::<usize>().unwrap() - before).to_string());
                format!("f {}", numbers.collect::<Vec<_>>().join(" "))
            }
            None => line.to_owned(),
        };
        let lines: Vec<String> = bodies.lines().map(face).collect();
        shop.write(&format!("{name}.obj"), &lines.join("\n"));
        let scene = format!("{name}.toml");
        shop.run(&["import", &format!("{name}.obj"), "-o", &scene]).expect(0);
        let told = std::fs::read_to_string(shop.path(&scene)).unwrap();
        assert_eq!(told.contains("survey coordinates"), name == "far", "{told}");
        shop.run(&["stand", &scene, "--json"]).expect(0).json()
    });
    let [near, far] = &stands;
    assert_eq!((&near["verdict"], &far["verdict"]), (&"stands".into(), &"stands".into()));
    let [a, b] = [near, far].map(|answer| answer["weight_n"].as_f64().unwrap());
    // two cubes of stone, one of them a quarter: corners have 9 digits after the point
    assert!((a - 1.25 * 2000.0 * 9.81).abs() < 1e-4 && (a - b).abs() < 1e-4, "{a} {b}");
}

/// The page tells where a block is in survey coordinates; what it draws is near zero, in single precision.
#[test]
fn the_page_tells_survey_coordinates() {
    if let Some(reason) = voussoir_view::page::missing() {
        skip(&format!("needs the page, which was not built: {reason}"));
        return;
    }
    let (shop, _) = exported("csv");
    let page = Page::open(&shop, &["far"]);
    let (host, token) = page.address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let token = token.trim_end_matches('/');
        write!(stream, "GET /{token}/{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        let head = reply.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        reply.split_off(head + 4)
    };
    let block: Value = serde_json::from_slice(&get("run/0/block/1?frame=0")).unwrap();
    let at = |k: usize| block["position_m"][k].as_f64().unwrap();
    assert!((at(0) - SITE[0] - 0.5).abs() < 1e-9 && (at(1) - SITE[1] - 0.5).abs() < 1e-9, "{block}");
    let packed = get("run/0/frame/0");
    let size = u32::from_le_bytes(packed[4..8].try_into().unwrap()) as usize;
    let about: Value = serde_json::from_slice(&packed[8..8 + size]).unwrap();
    let array = &about["arrays"]["position"];
    let [offset, length] =
        ["offset", "length"].map(|key| array[key].as_u64().unwrap_or_else(|| panic!("{about}")) as usize);
    let numbers = packed[8 + size + offset..][..4 * length].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b));
    assert!(numbers.fold(0.0, |most: f32, x| most.max(x.abs())) < 2048.0, "{about}");
}
