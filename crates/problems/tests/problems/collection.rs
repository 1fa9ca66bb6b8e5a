//! Every file of the problem collection is read, with the sizes that Siconos reports, and solved.
//!
//! Needs the folder of data, named by the environment variable `VOUSSOIR_DATA`.

use std::time::{Duration, Instant};

use voussoir_contact::{Options, Status};
use voussoir_problems::solve::solve;
use voussoir_problems::{ProblemForm, read};
use voussoir_testing::need_data;

#[test]
fn every_problem_of_the_collection_is_read() {
    let Some(folder) = need_data("fc-problems") else { return };
    let table = std::fs::read_to_string(folder.join("siconos_baseline.csv")).unwrap();
    let mut seen = 0;
    for line in table.lines().skip(1).filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(',').collect();
        let Ok(expected) = cells[1..3].iter().map(|cell| cell.parse()).collect::<Result<Vec<usize>, _>>() else {
            continue;
        };
        let file = read(&folder.join(cells[0])).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!([file.form.dim(), file.form.contacts()], expected[..], "{}", cells[0]);
        assert!(file.warnings.is_empty(), "{}", cells[0]);
        let is_global = cells[0].to_lowercase().starts_with("gfc") || cells[0].contains("Box_Stacks");
        assert_eq!(matches!(file.form, ProblemForm::Global(_)), is_global, "{}", cells[0]);
        let local = file.form.to_local().unwrap();
        assert_eq!(local.q.len(), expected[0] * expected[1]);
        seen += 1;
    }
    assert!(seen >= 30, "{seen} problems");
    // a problem without any contact
    let empty = read(&folder.join("gfc2d_granularflowonwall_00000_00117.dat")).unwrap();
    assert_eq!((empty.form.dim(), empty.form.contacts()), (2, 0));
    assert_eq!(empty.form.to_local().unwrap().q.len(), 0);
}

#[test]
fn every_problem_of_the_collection_is_solved() {
    let Some(folder) = need_data("fc-problems") else { return };
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|kind| kind == "dat" || kind == "hdf5"));
    names.sort();
    for path in names {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // W with six digits; a problem on which nobody has reached 1e-8
        let rough = ["fc2d_granularflowonwall_02020_00213.dat", "RockPile_tob1.dat"].contains(&name.as_str());
        let tolerance = if rough { 1e-6 } else { 1e-8 };
        let options =
            Options { tolerance, deadline: Some(Instant::now() + Duration::from_secs(60)), ..Options::default() };
        let form = read(&path).unwrap().form;
        if form.contacts() == 0 {
            // one published problem has no contacts: there is nothing to solve, and `solve` says so
            assert!(solve(&form, None, &options).is_err(), "{name}");
            continue;
        }
        let answer = solve(&form, None, &options).unwrap();
        assert_eq!(answer.status, Status::Converged, "{name}: {:?}", answer.measures);
        assert!(answer.measures.larger() <= tolerance, "{name}: {:?}", answer.measures);
    }
}
