//! Results of studies.

use std::collections::HashSet;

use voussoir_ensemble::study::spec::FragilitySpec;
use voussoir_ensemble::study::{Part, StudyEngine, page};

use crate::{study, table};

const LIMIT: &str = "scene = 'block.toml'\nask = 'limit'\nlimit.acceleration = 'x'\n\
                     [[fragility]]\nim = 'multiplier'\nmethod = 'capacity'\n";

fn lognormal(samples: usize, design: &str) -> String {
    format!(
        "samples = {samples}\ndesign = '{design}'\n{LIMIT}[vary]\nfriction = {{ distribution = 'lognormal', median = 0.6, \
         deviation = 0.2 }}\n"
    )
}

/// A low block slides at an acceleration of μ: every sample gives its own friction, all of them the distribution.
#[test]
fn a_low_block_slides_at_its_friction() {
    let folder = tempfile::tempdir().unwrap();
    let study = study(&lognormal(400, "lhs"), folder.path()).unwrap();
    let table = table(&study, folder.path(), 2);
    assert_eq!((table.rows.len(), table.done()), (400, 400));
    let [friction, found] = ["friction", "multiplier"].map(|name| table.column(name).unwrap());
    for (friction, found) in friction.iter().zip(&found) {
        let (friction, found) = (friction.number().unwrap(), found.number().unwrap());
        assert!((found - friction).abs() < 1e-6, "{found} {friction}");
    }
    let curve = table.fragility(&study.spec.fragility[0]).unwrap().curve;
    assert!((curve.theta / 0.6 - 1.0).abs() < 0.005 && (curve.beta / 0.2 - 1.0).abs() < 0.02, "{curve:?}");
    let page = page::page(&study, &table);
    assert!(page.contains("<svg") && page.contains("Rank correlations") && page.contains("θ = 0.600"));
    let (_, _, correlation) = table.correlations().into_iter().find(|(_, column, _)| column == "multiplier").unwrap();
    assert!(correlation.coefficient > 0.9999);
}

/// By motion and stripes: a cosine of acceleration a brings a block to slide if a > μ g, so that the curve is that of
/// μ. The way of the ground is exact, that of the block a sum of steps: they differ by less than 1e-6 m.
#[test]
fn stripes_of_a_shaken_block_have_the_curve_of_its_friction() {
    let folder = tempfile::tempdir().unwrap();
    let rows =
        |i: u32| format!("{},{}\n", f64::from(i) * 0.01, (f64::from(i) * 0.01 * 4.0 * std::f64::consts::PI).cos());
    std::fs::write(folder.path().join("c.csv"), (0..=100).map(rows).collect::<String>()).unwrap();
    let text = "scene = 'block.toml'\nask = 'run'\nsamples = 24\nseed = 5\n\
                [vary]\nfriction = { distribution = 'lognormal', median = 0.6, deviation = 0.2 }\n'stages[0].step' = 1e-3\n\
                [motions]\nrecords = ['c.csv']\nunit = 'm/s2'\nim = 'pga'\nlevels = [4.2, 4.8, 5.4, 5.9, 6.5, 7.2, 8.0]\n\
                [damage.slid]\nmeasure = 'peak_drift_m'\nabove = 5e-6\n[[fragility]]\nim = 'pga'\ndamage = 'slid'\n";
    let study = study(text, folder.path()).unwrap();
    assert_eq!(study.samples.len(), 24 * 7);
    let table = table(&study, &folder.path().join("out"), 2);
    let found = table.fragility(&study.spec.fragility[0]).unwrap();
    assert_eq!((found.stripes.len(), found.left_out), (7, 0));
    let truth =
        voussoir_ensemble::fragility::FragilityCurve { theta: 0.6 * 9.81, beta: 0.2, covariance: [[0.0; 2]; 2] };
    for x in [5.0, 5.886, 7.0] {
        let [low, high] = found.curve.band(x, 0.9);
        assert!((low..=high).contains(&truth.probability(x)), "{x}: {low} … {high}, {:?}", found.curve);
    }
}

/// Threads, parts, and a study that is stopped and goes on: one table, byte for byte.
#[test]
fn every_engine_gives_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let study = study(&lognormal(24, "sobol"), folder.path()).unwrap();
    let [one, two, parts, stopped] = ["one", "two", "parts", "stopped"].map(|name| folder.path().join(name));
    let expected = table(&study, &one, 1).to_csv();
    assert_eq!(table(&study, &two, 3).to_csv(), expected);
    for number in 1..=4 {
        study
            .run(&parts, &StudyEngine { threads: 1, part: Part::new(number, 4).unwrap() }, &mut |_, _, _| true)
            .unwrap();
    }
    assert_eq!(study.table(&parts).unwrap().to_csv(), expected);
    let mut sessions = 0;
    while study.run(&stopped, &StudyEngine { threads: 1, part: Part::WHOLE }, &mut |_, _, _| false).unwrap() > 0 {
        sessions += 1;
    }
    // a stopped session adds the row that stopped it and at most the sample in hand
    assert!((12..=24).contains(&sessions), "{sessions}");
    assert_eq!(study.table(&stopped).unwrap().to_csv(), expected);
    // a line that was cut by a kill is computed again
    let journal = stopped.join("journal-1-of-1.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() - 20]).unwrap();
    assert_eq!(table(&study, &stopped, 1).to_csv(), expected);
}

#[test]
fn names_and_seeds_follow_from_the_sample() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = [lognormal(16, "lhs"), lognormal(16, "lhs")].map(|text| study(&text, folder.path()).unwrap());
    assert_eq!(a.samples, b.samples);
    let names: HashSet<&str> = a.samples.iter().map(|sample| sample.name.as_str()).collect();
    assert_eq!(names.len(), 16);
    // neighbours have nothing in common: half of the bits of two seeds differ on average
    let seeds: Vec<u64> = a.samples.iter().map(|sample| sample.seed).collect();
    let differ: u32 = seeds.windows(2).map(|pair| (pair[0] ^ pair[1]).count_ones()).sum();
    assert!((differ as f64 / 15.0 - 32.0).abs() < 5.0, "{differ}");
    assert_eq!(seeds.iter().map(|seed| seed >> 32).collect::<HashSet<_>>().len(), 16);
    let other = study(&(lognormal(16, "lhs") + "\n"), folder.path()).unwrap();
    assert_eq!(other.samples, a.samples);
    let grid = "scene = 'b.toml'\nask = 'stand'\n[vary]\nfriction = [0.3, 0.5]\n'block.size[0]' = { from = 1.0, to = 2.0, count = 3 }\n";
    let grid = study(grid, folder.path()).unwrap();
    assert_eq!(grid.samples.len(), 6);
    assert_eq!(grid.keys, ["block.size[0]", "friction"]);
    assert_eq!(grid.samples[1].values, [1.0, 0.5]);
    std::fs::write(folder.path().join("t.csv"), "friction,block.size[2]\n0.4,0.3\n0.5,0.6\n").unwrap();
    let listed = study("scene = 'b.toml'\nask = 'stand'\ntable = 't.csv'\n", folder.path()).unwrap();
    assert_eq!(listed.samples[1].values, [0.5, 0.6]);
}

/// A sample that cannot be built and one that takes too long are rows with their reasons; the others are computed.
#[test]
fn failures_are_rows() {
    let folder = tempfile::tempdir().unwrap();
    let text = "scene = 'b.toml'\nask = 'stand'\n[vary]\n'block.size[0]' = [1.0, -1.0, 2.0]\n";
    let table_of_three = table(&study(text, folder.path()).unwrap(), &folder.path().join("a"), 2);
    let statuses: Vec<&str> = table_of_three.rows.iter().map(|row| row.status.as_str()).collect();
    assert_eq!(statuses, ["done", "failed", "done"]);
    assert!(table_of_three.rows[1].reason.contains("size"), "{}", table_of_three.rows[1].reason);
    assert_eq!(table_of_three.reliability("stands", 0.0, 0.9).unwrap().samples, 2);
    let kept = format!("keep = ['margin', 'margn']\n{text}");
    let kept_study = study(&kept, folder.path()).unwrap();
    let kept = table(&kept_study, &folder.path().join("kept"), 1);
    assert_eq!(kept.unanswered(&kept_study.spec.keep), ["margn"]);
    let text = "scene = 'b.toml'\nask = 'run'\ntime_limit = 0.05\n[vary]\n'stages[0].duration' = [1e5]\n";
    let late = table(&study(text, folder.path()).unwrap(), &folder.path().join("b"), 1);
    assert_eq!(late.rows[0].status, "timeout");
    let spec = FragilitySpec {
        im: "stages[0].duration".into(),
        damage: None,
        method: Default::default(),
        level: None,
        hazard: None,
    };
    assert!(late.fragility(&spec).unwrap_err().to_string().contains("no failure"));
}
