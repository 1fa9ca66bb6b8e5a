//! Results folders of samples, rows handed on by other processes, given samples, the scatter of the library, and intensities
//! of failure by bisection.

use voussoir_ensemble::study::journal::{line_of, row_of};
use voussoir_ensemble::study::{Journal, Part, StudySpec};

use crate::{study, table};

const RUN: &str = "scene = 'b.toml'\nask = 'run'\n[vary]\nfriction = [0.3, 0.5, 0.7]\n'stages[0].duration' = [0.05]\n";

#[test]
fn folders_of_chosen_samples_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("out");
    let plain = study(RUN, folder.path()).unwrap();
    let expected = table(&plain, &folder.path().join("plain"), 2).to_csv();
    let kept = study(&format!("folders = [1]\n{RUN}"), folder.path()).unwrap();
    assert_eq!(table(&kept, &dir, 2).to_csv(), expected);
    let own = kept.folder_of(&dir, 1).unwrap();
    assert!(own.join("results.vtkhdf").exists() && own.join("report.html").exists());
    assert_eq!((kept.folder_of(&dir, 0), std::fs::read_dir(dir.join("samples")).unwrap().count()), (None, 1));
    // a folder that is asked for later is made; its row stays the same
    let more = study(&format!("folders = [1, 2]\n{RUN}"), folder.path()).unwrap();
    assert_eq!(table(&more, &dir, 1).to_csv(), expected);
    assert!(more.folder_of(&dir, 2).unwrap().join("report.html").exists());
    for (text, word) in [
        (format!("folders = [3]\n{RUN}"), "no sample 3"),
        ("scene = 'b.toml'\nask = 'stand'\nfolders = [0]\n".to_owned(), "ask = \"run\""),
    ] {
        let error = study(&text, folder.path()).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn rows_of_other_processes_go_into_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("out");
    let text = "scene = 'b.toml'\nask = 'limit'\nlimit.acceleration = 'x'\n[vary]\nfriction = [0.3, 0.5]\n";
    let study = study(text, folder.path()).unwrap();
    let expected = table(&study, &folder.path().join("own"), 1).to_csv();
    let lines = [0, 1].map(|index| line_of(&study.compute(index)));
    let (mut journal, content) = Journal::open(&dir, &study, Part::WHOLE).unwrap();
    assert_eq!(study.pending(&dir, &content, Part::WHOLE), [0, 1]);
    let rows: Vec<_> = (0..2).map(|index| row_of(&study, index, &lines[index]).unwrap()).collect();
    journal.add_all(&rows).unwrap();
    assert_eq!(study.table(&dir).unwrap().to_csv(), expected);
    for (index, line, word) in
        [(0, lines[1].as_str(), "another study"), (7, lines[0].as_str(), "no such sample"), (0, "{", "cannot be read")]
    {
        let error = row_of(&study, index, line).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn samples_may_be_given_and_scatter_comes_from_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let given = "scene = 'b.toml'\nask = 'stand'\ntable = { keys = ['friction'], rows = [[0.4], [0.5]] }\n";
    assert_eq!(study(given, folder.path()).unwrap().samples[1].values, [0.5]);
    let short = given.replace("[0.5]", "[]");
    assert!(study(&short, folder.path()).unwrap_err().to_string().contains("row 2"));
    let scatter = "scene = 'b.toml'\nask = 'stand'\nsamples = 64\n\
                   [vary]\n'stone.density' = { library = 'tuffeau-dry', value = 'compressive_strength' }\n";
    let found = study(scatter, folder.path()).unwrap();
    let values: Vec<f64> = found.samples.iter().map(|sample| sample.values[0]).collect();
    let measured = voussoir_model::library::find("tuffeau-dry").unwrap().compressive_strength.unwrap();
    let mean = values.iter().sum::<f64>() / 64.0;
    assert!((mean - measured.mean).abs() < 0.3 * measured.scatter && values.iter().all(|x| *x > 0.0), "{mean}");
    for (word, told) in [("tuffeau-dry", "cheese"), ("compressive_strength", "colour")] {
        let error = study(&scatter.replace(word, told), folder.path()).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_study_is_written_as_it_was_read() {
    let text = "scene = 'b.toml'\nask = 'run'\nsamples = 8\nfolders = [1]\n[vary]\n\
                friction = { distribution = 'truncated', of = { distribution = 'normal', mean = 0.6, deviation = 0.1 }, low = 0.2 }\n\
                [damage.fell]\nmeasure = 'end_drop_m'\nabove = 0.2\n[[fragility]]\nim = 'friction'\ndamage = 'fell'\n\
                hazard = { k0 = 1e-4, k = 2.5 }\n";
    let spec = StudySpec::parse(text).unwrap();
    assert_eq!(StudySpec::parse(&spec.to_toml().unwrap()).unwrap(), spec);
    assert_eq!(StudySpec::from_json(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
}

/// A cosine of acceleration a = μ g (1 + ε) brings a low block to slide, at first by 1.5 μ g ε²/ω², which is the limit of the
/// drift; the block with μ = 0.8 survives up to 6 m/s².
#[test]
fn incremental_dynamic_analysis_finds_the_acceleration_of_sliding() {
    let folder = tempfile::tempdir().unwrap();
    let rows =
        |i: u32| format!("{},{}\n", f64::from(i) * 0.01, (f64::from(i) * 0.01 * 4.0 * std::f64::consts::PI).cos());
    std::fs::write(folder.path().join("c.csv"), (0..=50).map(rows).collect::<String>()).unwrap();
    let text = "scene = 'b.toml'\nask = 'ida'\n[vary]\nfriction = [0.3, 0.5, 0.8]\n'stages[0].step' = [1e-3]\n\
                'stages[0].duration' = [0.3]\n[motions]\nrecords = ['c.csv']\nunit = 'm/s2'\nim = 'pga'\n\
                [ida]\ndamage = 'slid'\nbetween = [1.0, 6.0]\nprecision = 1e-3\n\
                [damage.slid]\nmeasure = 'peak_drift_m'\nabove = 5e-6\n\
                [[fragility]]\nim = 'intensity'\nmethod = 'capacity'\n";
    let study = study(text, folder.path()).unwrap();
    let table = table(&study, &folder.path().join("out"), 2);
    assert_eq!(table.done(), 3);
    let [friction, found, survived] = ["friction", "intensity", "survived"].map(|name| table.column(name).unwrap());
    for i in 0..2 {
        let (mu, found) = (friction[i].number().unwrap(), found[i].number().unwrap());
        let excess = 4.0 * std::f64::consts::PI * (5e-6 / (1.5 * 9.81 * mu)).sqrt();
        assert!((found / (9.81 * mu * (1.0 + excess)) - 1.0).abs() < 0.005, "{mu}: {found}");
        assert_eq!(survived[i].number(), Some(0.0));
    }
    assert_eq!((found[2].number(), survived[2].number()), (None, Some(1.0)));
    let curve = table.fragility(&study.spec.fragility[0]).unwrap().curve;
    assert!(curve.theta > 4.0 && curve.theta < 8.0, "{curve:?}");
}
