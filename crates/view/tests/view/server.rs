//! The server answers its own page only; it keeps answering for any input, and for any change of the file that it
//! reads.

#[allow(dead_code, reason = "the tests of the results crate use the rest")]
#[path = "../../../results/tests/results/common.rs"]
mod made_up;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use made_up::{cast, report, settings, snapshot, whole_run};
use voussoir_mechanics::snapshot::{BodyForm, BodySnapshot, Cast, CastBody, Deformed, Features, FieldInfo, Snapshot};
use voussoir_results::{FRAMES_FILE, HistoryTable, Recorder, Results};
use voussoir_testing::skip;
use voussoir_view::{RunSource, Server, Settings, page};

const BODIES: usize = 7;

/// A server in a thread of its own.
struct Running {
    host: String,
    token: String,
}

/// What came back.
struct Reply {
    status: u16,
    body: Vec<u8>,
}

impl Reply {
    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// Description and arrays of a packed message.
    fn unpack(&self) -> (serde_json::Value, &[u8]) {
        assert_eq!(&self.body[..4], b"VPK1");
        let size = u32::from_le_bytes(self.body[4..8].try_into().unwrap()) as usize;
        (serde_json::from_slice(&self.body[8..8 + size]).unwrap(), &self.body[8 + size..])
    }

    fn f32s(&self, name: &str) -> Vec<f32> {
        let (about, bytes) = self.unpack();
        let array = &about["arrays"][name];
        let [offset, length] = ["offset", "length"].map(|key| array[key].as_u64().unwrap() as usize);
        bytes[offset..offset + 4 * length].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }
}

impl Running {
    /// `None` when the page was left out of the build: then there is no server either.
    fn start(dir: &Path) -> Option<Self> {
        if let Some(reason) = page::missing() {
            skip(&format!("needs the page, which was not built: {reason}"));
            return None;
        }
        let source = RunSource { dir: dir.to_owned(), scene: Box::new(|_| None) };
        let server = Server::bind(vec![source], Settings::default()).unwrap();
        let address = server.address();
        let (host, token) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let running = Self { host: host.to_owned(), token: token.trim_end_matches('/').to_owned() };
        std::thread::spawn(move || server.serve());
        Some(running)
    }

    /// Sends bytes and reads until the connection ends.
    fn send(&self, bytes: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        // the server may close before everything is sent
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        let head = reply.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or(reply.len());
        let text = String::from_utf8_lossy(&reply[..head]);
        let status = text.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Reply { status, body: reply.get(head + 4..).unwrap_or_default().to_vec() }
    }

    fn get_with(&self, target: &str, headers: &str) -> Reply {
        self.send(format!("GET {target} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").as_bytes())
    }

    fn get(&self, path: &str) -> Reply {
        self.get_with(&format!("/{}/{path}", self.token), &format!("Host: {}\r\n", self.host))
    }
}

fn sample() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), BODIES, 200, 10, 100);
    dir
}

#[test]
fn only_the_own_page_is_answered() {
    let dir = sample();
    let Some(server) = Running::start(dir.path()) else { return };
    let Running { host, token } = &server;
    let port = host.split_once(':').unwrap().1;
    let runs = format!("/{token}/runs");
    assert_eq!(server.get("runs").status, 200);
    assert_eq!(server.get("").status, 200);
    assert_eq!(server.get_with(&runs, &format!("Host: localhost:{port}\r\n")).status, 200);

    // names that someone else may point here
    for other in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1:1", "127.0.0.1", "0.0.0.0:80"] {
        assert_eq!(server.get_with(&runs, &format!("Host: {other}\r\n")).status, 421, "{other}");
    }
    assert_eq!(server.get_with(&runs, "").status, 400);
    assert_eq!(server.get_with(&runs, &format!("Host: {host}\r\nHost: {host}\r\n")).status, 400);
    // pages from elsewhere in the same browser
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"] {
        let headers = format!("Host: {host}\r\nOrigin: {origin}\r\n");
        assert_eq!(server.get_with(&runs, &headers).status, 403, "{origin}");
    }
    let headers = format!("Host: {host}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n");
    assert_eq!(server.get_with(&runs, &headers).status, 200);
    for site in ["cross-site", "same-site"] {
        let headers = format!("Host: {host}\r\nSec-Fetch-Site: {site}\r\n");
        assert_eq!(server.get_with(&runs, &headers).status, 403, "{site}");
    }
    // the secret, nearly right
    let wrong = token.chars().rev().collect::<String>();
    for token in ["", "x", &token[..31], &format!("{token}0"), &token.to_uppercase(), &wrong] {
        if token != server.token {
            let reply = server.get_with(&format!("/{token}/runs"), &format!("Host: {host}\r\n"));
            assert_eq!(reply.status, 403, "{token}");
        }
    }
    assert_eq!(server.get_with("/favicon.ico", &format!("Host: {host}\r\n")).status, 403);
}

#[test]
fn no_file_can_be_reached() {
    let dir = sample();
    let Some(server) = Running::start(dir.path()) else { return };
    for path in [
        "../../../../etc/passwd",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "run/0/../../../../etc/passwd",
        "run/0/results.vtkhdf",
        "run/0/scene.toml",
        "//etc/passwd",
        "run/..",
        "page.js/../../x",
        "run/0/frame/..%00",
        "run/-1/status",
        "run/18446744073709551616/status",
        "run/1/status",
        "run/0/frame/99999999999999999999",
        "run/0/frame/-1",
        "run/0/frame/21",
        "run/0/block/7?frame=0",
        "run/0/track?block=99&of=displacement",
        "run/0/track?block=0&of=nonsense",
        "run/0/joint/1?frame=0",
        "run/0/track?column=9999",
        "run/0/track?column=..",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 404, "{path}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("root:"), "{path}");
    }
}

#[test]
fn oversized_and_malformed_requests_are_refused() {
    let dir = sample();
    let Some(server) = Running::start(dir.path()) else { return };
    let host = &server.host;
    let line = format!("GET /{}/runs HTTP/1.1\r\nHost: {host}\r\n", server.token);
    let long = "x".repeat(100_000);
    assert_eq!(server.get(&long).status, 414);
    assert_eq!(server.send(format!("{line}X: {long}\r\n\r\n").as_bytes()).status, 431);
    assert_eq!(server.send(format!("{line}Content-Length: 999999999999\r\n\r\n").as_bytes()).status, 413);
    assert_eq!(server.send(format!("{line}Transfer-Encoding: chunked\r\n\r\n").as_bytes()).status, 413);
    assert_eq!(server.send(line.replace("GET", "POST").as_bytes()).status, 0, "never finished");
    assert_eq!(server.send(format!("{}\r\n", line.replace("GET", "DELETE")).as_bytes()).status, 405);
    assert_eq!(server.send(b"\r\n\r\n").status, 400);
    assert_eq!(server.send(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n").status, 400);
    assert_eq!(server.send(b"GET / HTTP/9.9\r\n\r\n").status, 505);
    // noise of every kind
    let mut noise: Vec<u8> = (0..60_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert!([400, 414, 431].contains(&server.send(&noise).status));
    noise.retain(|byte| *byte != b'\n');
    assert!([400, 414, 431].contains(&server.send(&noise).status));
    // and it still answers
    assert_eq!(server.get("runs").status, 200);
}

#[test]
fn columns_are_those_of_the_history() {
    let dir = sample();
    let Some(server) = Running::start(dir.path()) else { return };
    let history = HistoryTable::read(dir.path()).unwrap();
    let columns = server.get("run/0/columns").json();
    let heads: Vec<&str> = columns.as_array().unwrap().iter().map(|column| column["head"].as_str().unwrap()).collect();
    // cables of the run are among them; the time, words and computing times are not
    assert!(heads.contains(&"kinetic_j") && heads.contains(&"cable_ring_n"), "{heads:?}");
    assert!(!heads.contains(&"time_s") && !heads.contains(&"solver"), "{heads:?}");
    for column in columns.as_array().unwrap() {
        let track = server.get(&format!("run/0/track?column={}", column["index"])).json();
        let values: Vec<f64> =
            track["values"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect();
        let recorded = history.column(column["head"].as_str().unwrap());
        assert_eq!((values.len(), &track["unit"]), (recorded.len(), &column["unit"]));
        // the JSON reader of the test is exact to the last digit but one
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-15 * b.abs() || a.is_nan() && b.is_nan();
        assert!(values.iter().zip(recorded).all(same), "{column}");
        assert_eq!(track["times"][199], history.column("time_s")[199]);
    }
}

#[test]
fn frames_are_those_of_the_results() {
    let dir = sample();
    let Some(server) = Running::start(dir.path()) else { return };
    let results = Results::open(dir.path()).unwrap();
    let reply = server.get("run/0/frame/20?parts=motion,pressure,joints,contacts");
    let bodies = results.bodies(20).unwrap();
    for (found, body) in reply.f32s("position").as_chunks::<3>().0.iter().zip(&bodies) {
        assert_eq!(*found, body.position.map(|x| x as f32));
    }
    assert_eq!(reply.f32s("velocity").len(), 3 * BODIES);
    assert_eq!(reply.f32s("pressure").len(), BODIES);
    let snapshot = results.frame(20).unwrap();
    assert_eq!(reply.f32s("contact_place").len(), 3 * snapshot.contacts.len());
    // lines that nobody asked for are not computed
    assert!(reply.unpack().0["arrays"].get("thrust").is_none());
    let lines = server.get("run/0/frame/20?parts=thrust,cracks,cables,loads").unpack().0;
    for name in ["thrust", "crack", "crack_opening", "crack_body", "cable", "cable_force", "load_place", "load_force"] {
        assert!(lines["arrays"].get(name).is_some(), "{name} of {lines}");
    }
    // without parts only poses are sent, and who is there
    let (about, _) = server.get("run/0/frame/20").unpack();
    assert_eq!(about["arrays"].as_object().unwrap().len(), 3);

    let block = server.get("run/0/block/3?frame=20").json();
    let moved = bodies[3].position[0] - results.bodies(0).unwrap()[3].position[0];
    assert!((block["displacement_vector_m"][0].as_f64().unwrap() - moved).abs() < 1e-15);
    let track = server.get("run/0/track?block=3&of=displacement").json();
    assert_eq!(track["values"].as_array().unwrap().len(), 21);
    assert_eq!(track["values"][20], block["displacement_m"]);
}

#[test]
fn fifty_clients_at_once_get_the_same() {
    let dir = sample();
    let Some(server) = Running::start(dir.path()) else { return };
    let expected: Vec<Vec<u8>> =
        (0..21).map(|k| server.get(&format!("run/0/frame/{k}?parts=pressure,use,joints")).body).collect();
    std::thread::scope(|scope| {
        for client in 0..50 {
            let (server, expected) = (&server, &expected);
            scope.spawn(move || {
                // one connection for all requests, as browsers do
                let mut stream = TcpStream::connect(&server.host).unwrap();
                for i in 0..21 {
                    let frame = (i + client) % 21;
                    let (token, host) = (&server.token, &server.host);
                    let line = format!(
                        "GET /{token}/run/0/frame/{frame}?parts=pressure,use,joints HTTP/1.1\r\nHost: {host}\r\n\r\n"
                    );
                    stream.write_all(line.as_bytes()).unwrap();
                    assert!(read_reply(&mut stream) == expected[frame], "client {client}, frame {frame}");
                }
            });
        }
    });
}

/// The body of the next answer on a connection that stays.
fn read_reply(stream: &mut TcpStream) -> Vec<u8> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let text = String::from_utf8(head).unwrap();
    let length = text.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).unwrap();
    body
}

#[test]
fn a_damaged_file_gives_a_message() {
    let dir = sample();
    let whole = std::fs::read(dir.path().join(FRAMES_FILE)).unwrap();
    let broken = tempfile::tempdir().unwrap();
    let path = broken.path().join(FRAMES_FILE);
    let Some(server) = Running::start(broken.path()) else { return };
    assert!(server.get("run/0/status").json()["problem"].is_string(), "no file yet");
    // cut off anywhere
    for part in [0, 1, 10, 30, 50, 70, 90, 99] {
        std::fs::write(&path, &whole[..whole.len() * part / 100]).unwrap();
        assert!(server.get("run/0/status").json()["problem"].is_string(), "{part} %");
    }
    // flipped bytes: a message or numbers, never silence
    for seed in 0..60usize {
        let mut bytes = whole.clone();
        for k in 0..8 {
            let at = (seed * 7919 + k * 104_729) % bytes.len();
            bytes[at] ^= 0x5a;
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(server.get("run/0/status").status, 200, "{seed}");
        for path in [
            "bodies",
            "frame/7?parts=pressure,use,joints,contacts",
            "block/2?frame=7",
            "track?block=2&of=speed",
            "model.glb",
        ] {
            assert!([200, 404, 422].contains(&server.get(&format!("run/0/{path}")).status), "{seed} {path}");
        }
    }
    // and whole again
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, &whole).unwrap();
    let status = server.get("run/0/status").json();
    assert_eq!((status["problem"].is_null(), status["frames"].as_u64()), (true, Some(21)));
}

#[test]
fn a_growing_run_is_followed_and_a_new_one_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(BODIES), settings()).unwrap();
    let Some(server) = Running::start(dir.path()) else { return };
    assert_eq!(server.get("run/0/status").json()["frames"], 0);
    for step in 0..30 {
        recorder.step(&report(step + 1), true).unwrap();
        recorder.frame(&snapshot(BODIES, step)).unwrap();
        let status = server.get(&format!("run/0/status?from={step}")).json();
        assert_eq!((status["frames"].as_u64(), status["finished"].as_bool()), (Some(step + 1), Some(false)));
        assert_eq!(status["times"].as_array().unwrap().len(), 1);
        assert_eq!(server.get(&format!("run/0/frame/{step}")).status, 200);
    }
    let generation = server.get("run/0/status").json()["generation"].clone();
    recorder.finish().unwrap();
    assert_eq!(server.get("run/0/status").json()["finished"], true);
    let again = voussoir_results::RecorderSettings { overwrite: true, ..settings() };
    let mut recorder = Recorder::create(dir.path(), &cast(3), again).unwrap();
    recorder.frame(&snapshot(3, 0)).unwrap();
    let status = server.get("run/0/status").json();
    assert_eq!(status["frames"], 1);
    assert_ne!(status["generation"], generation);
    assert_eq!(server.get("run/0/bodies").unpack().0["names"].as_array().unwrap().len(), 3);
}

/// A box that is sheared by `shear(frame)` and a ball; from frame 2 on a second ball.
fn sheared(frame: u64) -> Snapshot {
    let at = |x: f64| BodySnapshot { position: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], ..Default::default() };
    let shear = 0.125 * frame as f64;
    let form = made_up::cuboid([0.5; 3]).points;
    Snapshot {
        time: frame as f64,
        bodies: if frame < 2 { vec![at(0.0), at(2.0)] } else { vec![at(0.0), at(2.0), at(4.0)] },
        deformed: vec![Deformed {
            body: 0,
            points: form.iter().map(|&[x, y, z]| [x + shear * z, y, z]).collect(),
            values: vec![(0..8).map(|k| f64::from(k) + shear).collect()],
        }],
        ..Snapshot::default()
    }
}

#[test]
fn balls_deformed_and_new_bodies_reach_the_page() {
    let dir = tempfile::tempdir().unwrap();
    let body = |name: &str, form: BodyForm| CastBody { name: name.to_owned(), form, ..cast(2).bodies.remove(1) };
    let features = Features {
        appearing: true,
        deforming: true,
        point_fields: vec![FieldInfo { name: "von_mises".to_owned(), unit: "Pa".to_owned() }],
        body_fields: Vec::new(),
    };
    let ball = |name: &str, radius: f64| body(name, BodyForm::Ball { radius });
    let bodies = vec![body("box", made_up::cuboid([0.5; 3]).into()), ball("first", 0.25)];
    let mut recorder = Recorder::create(dir.path(), &Cast { bodies, features, ..cast(2) }, settings()).unwrap();
    recorder.frame(&sheared(0)).unwrap();
    recorder.frame(&sheared(1)).unwrap();
    let Some(server) = Running::start(dir.path()) else { return };
    assert_eq!(server.get("run/0/status").json()["bodies"], 2);
    let packed = server.get("run/0/bodies");
    assert_eq!(packed.f32s("ball_radius"), [0.25]);
    assert_eq!(packed.unpack().0["fields"][0]["name"], "von_mises");

    // corners of the box in the frame are those of the form, sheared; a ball costs its pose alone
    let frame = server.get("run/0/frame/1?parts=field:von_mises");
    let (form, moved) = (packed.f32s("points"), frame.f32s("deformed_points"));
    assert_eq!((form.len(), moved.len()), (24, 24));
    for (x, y) in form.as_chunks::<3>().0.iter().zip(moved.as_chunks::<3>().0) {
        assert!((y[0] - x[0] - 0.125 * x[2]).abs() < 1e-4 && y[1..] == x[1..], "{x:?} {y:?}");
    }
    let stress = frame.f32s("field:von_mises");
    assert!((stress[0] - 7.125).abs() < 2e-3 && stress[1].is_nan(), "{stress:?}");

    // a body appears while the page looks on
    recorder.appear(&[ball("second", 0.5)]).unwrap();
    recorder.frame(&sheared(2)).unwrap();
    let status = server.get("run/0/status").json();
    assert_eq!((&status["bodies"], &status["frames"]), (&3.into(), &3.into()));
    assert_eq!(server.get("run/0/bodies").f32s("ball_radius"), [0.25, 0.5]);
    let there = |frame: u32| {
        let reply = server.get(&format!("run/0/frame/{frame}?parts="));
        let (about, bytes) = reply.unpack();
        let offset = about["arrays"]["there"]["offset"].as_u64().unwrap() as usize;
        bytes[offset..offset + 3].to_vec()
    };
    assert_eq!((there(1), there(2)), (vec![1, 1, 0], vec![1, 1, 1]));
}
