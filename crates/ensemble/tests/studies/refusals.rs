//! Studies that are refused before the first sample.

use voussoir_ensemble::study::{Part, StudyEngine};

use crate::study;

#[test]
fn mistakes_are_told_before_the_first_sample() {
    let folder = tempfile::tempdir().unwrap();
    for (text, word) in [
        ("ask = 'stand'\n", "scene"),
        ("scene = 's'\nask = 'sit'\n", "sit"),
        ("scene = 's'\nask = 'stand'\ncolour = 1\n", "colour"),
        ("scene = 's'\nask = 'stand'\n[vary]\nfrictoin = [0.1]\n", "no numeric key \"frictoin\""),
        ("scene = 's'\nask = 'stand'\n[vary]\n'block.height' = [0.1]\n", "height"),
        (
            "scene = 's'\nask = 'stand'\n[vary]\nfriction = { distribution = 'normal', mean = 0.6, deviation = -0.2 }\n",
            "positive",
        ),
        (
            "scene = 's'\nask = 'stand'\n[vary]\nfriction = { distribution = 'lognormal', median = -0.6, deviation = 0.2 }\n",
            "median",
        ),
        ("scene = 's'\nask = 'stand'\n[vary]\nfriction = { distribution = 'cauchy' }\n", "cauchy"),
        ("scene = 's'\nask = 'run'\n[motions]\nrecords = ['missing.at2']\n", "missing.at2"),
        ("scene = 's'\nask = 'limit'\n", "[limit]"),
        ("scene = 's'\nask = 'limit'\nlimit.load = 'wind'\n", "no load \"wind\""),
        (
            "scene = 's'\nask = 'find'\nfind = { key = 'frictoin', find = 'smallest', between = [0.1, 1.0] }\n",
            "frictoin",
        ),
        ("scene = 's'\nask = 'stand'\nsamples = 10\n", "no distribution"),
        ("scene = 's'\nask = 'stand'\n[vary]\nacceleration = [0.1]\n", "limit"),
        ("scene = 's'\nask = 'run'\n[[fragility]]\nim = 'pga'\ndamage = 'fell'\n", "damage.fell"),
        ("scene = 's'\nask = 'run'\n[damage.fell]\nmeasure = 'end_drop_m'\n", "`above` or `below`"),
    ] {
        let error = study(text, folder.path()).map(|study| study.samples.len()).unwrap_err().to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
}

#[test]
fn a_folder_of_another_scene_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("out");
    let text = "scene = 's'\nask = 'stand'\n[vary]\nfriction = [0.4]\n";
    let engine = StudyEngine { threads: 1, part: Part::WHOLE };
    study(text, folder.path()).unwrap().run(&dir, &engine, &mut |_, _, _| true).unwrap();
    // more samples of the same study go into the same folder
    let more = study(&text.replace("[0.4]", "[0.4, 0.5]"), folder.path()).unwrap();
    assert_eq!(more.run(&dir, &engine, &mut |_, _, _| true).unwrap(), 1);
    let other =
        study("scene = 's'\nask = 'limit'\nlimit.tilt = 'x'\n[vary]\nfriction = [0.4]\n", folder.path()).unwrap();
    let error = other.run(&dir, &engine, &mut |_, _, _| true).unwrap_err().to_string();
    assert!(error.contains("another scene"), "{error}");
    assert!(Part::new(0, 4).is_err() && Part::new(5, 4).is_err());
}
