//! The report: one self-contained file that agrees with the other files.

use crate::common::{cast, settings, snapshot, whole_run};
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_results::picture::LoadArrow;
use voussoir_results::report::{REPORT_FILE, report, write_report};
use voussoir_results::{Recorder, Results, SceneFacts};

/// A scene with one load that grows.
struct Pushed;

impl SceneFacts for Pushed {
    fn loads(&self, snapshot: &Snapshot) -> Vec<LoadArrow> {
        vec![LoadArrow { point: [0.0; 3], force: [0.0, 0.0, -1e3 * snapshot.time] }]
    }
    fn load_at(&self, time: f64) -> Option<f64> {
        Some(1e3 * time)
    }
    fn facts(&self) -> Vec<(String, String)> {
        vec![("material <brick>".to_owned(), "density 2000 kg/m³".to_owned())]
    }
}

/// Every start tag has its end tag, in order.
fn check_nesting(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{}", &rest[start.saturating_sub(80)..end]);
        } else if !tag.ends_with('/') && !["!doctype", "meta", "img"].contains(&name) {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_report_stands_on_its_own() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 5, 200, 10, 100);
    let results = Results::open(dir.path()).unwrap();
    let path = write_report(&results, &Pushed).unwrap();
    assert_eq!(path, dir.path().join(REPORT_FILE));
    let html = std::fs::read_to_string(path).unwrap();
    check_nesting(&html);
    // nothing is fetched, nothing runs
    for foreign in ["src=\"http", "href=\"http", "url(http", "<script", "@import", "<link"] {
        assert!(!html.contains(foreign), "{foreign}");
    }
    // ids are there once
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    // step 7 missed the tolerance, and everything says so
    for words in [
        "1 of 200 steps missed the tolerance",
        "steps that missed the tolerance</th><td>1: 7</td>",
        "1.00e-5 in step 7",
        "material &lt;brick&gt;",
        "Load over displacement",
        "title = &quot;Made-up&quot;",
        "Residual",
        "Energies",
    ] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("NaN") && !html.contains("inf "));
}

#[test]
fn a_run_without_steps_has_a_report_too() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(3), settings()).unwrap();
    let html = report(&Results::open(dir.path()).unwrap(), &()).unwrap();
    check_nesting(&html);
    assert!(html.contains("No step has been computed yet"));
    recorder.frame(&snapshot(3, 0)).unwrap();
    let html = report(&Results::open(dir.path()).unwrap(), &()).unwrap();
    check_nesting(&html);
    assert!(html.contains("as built"));
    // nothing was computed: nothing stands, and zero has no sign
    assert!(html.contains("No motion has been computed.") && !html.contains("structure stands"), "{html}");
    assert!(!html.contains(">-0 "), "{html}");
}
