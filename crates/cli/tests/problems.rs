//! Contact problems as files: dumped by a run.

mod common;

use common::{Workshop, assert_same_results};
use voussoir_problems::{Form, read};

#[test]
fn a_run_dumps_its_problems_and_gives_the_same_results() {
    let shop = Workshop::new();
    shop.scene("wall.toml", &["wall", "courses=3", "bricks=2", "duration=0.02"]);
    shop.run(&["run", "wall.toml", "-o", "plain"]).expect(0);
    shop.run(&["run", "wall.toml", "-o", "dumped", "--dump-problems", "6"]).expect(0);
    assert_same_results(&shop.path("plain"), &shop.path("dumped"));
    let files = |dir: &str| {
        let mut names: Vec<String> = std::fs::read_dir(shop.path(dir))
            .map(|entries| entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect())
            .unwrap_or_default();
        names.sort();
        names
    };
    assert_eq!(files("dumped/problems"), ["step_000006.hdf5", "step_000012.hdf5", "step_000018.hdf5"]);
    let file = read(&shop.path("dumped/problems/step_000012.hdf5")).unwrap();
    assert_eq!(file.about.title, "Wall of 3 courses");
    assert_eq!(file.about.step, Some(12));
    assert!((file.about.time.unwrap() - 0.011).abs() < 1e-12);
    assert_eq!(file.guess.map(|r| r.len()), Some(3 * file.form.contacts()));
    let Form::Global(problem) = file.form else { panic!("a local problem") };
    // the supports carry the weight: what would fall in one step is what the problem starts from
    let problem = problem.to_problem().expect("rigid bodies");
    let free = problem.free_velocity();
    assert!(free.chunks(6).all(|v| (v[2] + 9.81e-3).abs() < 1e-4), "{free:?}");
    // a new run in the same folder does not leave old problems behind
    shop.run(&["run", "wall.toml", "-o", "dumped", "--force", "--dump-problems", "15"]).expect(0);
    assert_eq!(files("dumped/problems"), ["step_000015.hdf5"]);
    shop.run(&["run", "wall.toml", "-o", "dumped", "--force"]).expect(0);
    assert!(!shop.path("dumped/problems").exists());
    assert!(shop.run(&["run", "wall.toml", "-o", "other", "--dump-problems", "0"]).expect(2).stderr().contains("0"));
}
