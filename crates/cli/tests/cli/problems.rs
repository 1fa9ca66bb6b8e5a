//! Contact problems as files: dumped by a run, solved one by one.

use std::time::{Duration, Instant};

use crate::common::{Workshop, assert_same_results};
use voussoir_contact::SolverKind;
use voussoir_problems::{ProblemForm, measure, read};

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
    let ProblemForm::Global(problem) = file.form else { panic!("a local problem") };
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

/// A cube of 1 kg on four corners that falls at 1 cm/s and is pushed sideways: too many contacts for one answer.
const CUBE: &str = "cube.dat";

/// Writes the cube as a text of Siconos, global form: corners at (±a, ±a, −a), M = (1, …, i).
fn write_cube(shop: &Workshop, friction: f64, corners: &[[f64; 2]], push: f64) {
    let (a, inertia) = (0.5, 1.0 / 6.0);
    let columns: Vec<[f64; 6]> = corners
        .iter()
        .flat_map(|[x, y]| {
            let arm = [x * a, y * a, -a];
            // rows n = z, t1 = x, t2 = y: (direction, arm × direction)
            [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(|d| {
                let turn: [f64; 3] =
                    [arm[1] * d[2] - arm[2] * d[1], arm[2] * d[0] - arm[0] * d[2], arm[0] * d[1] - arm[1] * d[0]];
                [d[0], d[1], d[2], turn[0], turn[1], turn[2]]
            })
        })
        .collect();
    let list = |values: &[f64]| values.iter().map(|v| format!("{v:e} ")).collect::<String>() + "\n";
    let mass: Vec<f64> = (0..36)
        .map(|k| {
            if k % 7 > 0 {
                0.0
            } else if k < 21 {
                1.0
            } else {
                inertia
            }
        })
        .collect();
    let n = columns.len();
    let mut text = format!("3\n{}\n0\n6\n6\n6 6\n{}", corners.len(), list(&mass));
    text += &format!("0\n6\n{n}\n6 {n}\n{}", list(columns.as_flattened()));
    text += &(list(&[push, 0.0, -0.01, 0.0, 0.0, 0.0]) + &list(&vec![0.0; n]) + &list(&vec![friction; corners.len()]));
    shop.write(CUBE, &text);
}

/// An elastic block on an elastic block, the lower one bonded to the ground; both push on a wall.
const ELASTIC: &str = "
dim = 2
materials.stone = { density = 2400.0, elastic = true, young_modulus = 20e9 }
materials.rock.density = 2400.0
joints = [{ between = ['stone', 'stone'], friction = 0.5 }, { between = ['stone', 'rock'], friction = 0.5, bond = 'glued' }]
bodies = [
    { name = 'rock', shape = 'rectangle', size = [2.0, 0.5], position = [0.0, -0.25], material = 'rock' },
    { name = 'lower', shape = 'rectangle', size = [1.0, 0.5], position = [0.0, 0.25], material = 'stone' },
    { name = 'upper', shape = 'rectangle', size = [0.7, 0.4], position = [0.1, 0.7], material = 'stone' },
]
supports = [{ select = 'rock' }]
stages = [{ analysis = 'dynamic', duration = 0.01, step = 1e-3, theta = 1.0 }]
";

#[test]
fn problems_with_elastic_blocks_are_dumped_and_solved() {
    let shop = Workshop::new();
    shop.write("blocks.toml", ELASTIC);
    shop.run(&["run", "blocks.toml", "-o", "out", "--dump-problems", "5"]).expect(0);
    let file = read(&shop.path("out/problems/step_000005.hdf5")).unwrap();
    assert!(file.about.description.contains("elastic blocks"), "{}", file.about.description);
    let ProblemForm::Global(global) = &file.form else { panic!("a global problem") };
    // two rigid parts of 3 velocities, and the contact coordinates of the blocks
    assert!(global.force.len() > 6 + global.friction.len());
    let contacts = global.friction.len() as u64;
    for solver in ["auto", "nlgs"] {
        let path = "out/problems/step_000005.hdf5";
        let answer = shop.run(&["solve", path, "--solver", solver, "--tol", "1e-8", "--json"]).expect(0).json();
        assert_eq!(answer["status"], "converged", "{answer}");
        assert_eq!(answer["contacts"].as_u64(), Some(contacts));
    }
}

const CORNERS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

#[test]
fn solve_prints_both_residuals_and_writes_the_reactions() {
    let shop = Workshop::new();
    write_cube(&shop, 0.3, &CORNERS, 0.002);
    for solver in SolverKind::ALL {
        let arguments = ["solve", CUBE, "--solver", solver.name(), "--tol", "1e-9", "--reactions", "r.txt", "--json"];
        let answer = shop.run(&arguments).expect(0).json();
        for (key, value) in [("problem", CUBE), ("solver", solver.name()), ("status", "converged")] {
            assert_eq!(answer[key], value, "{answer}");
        }
        assert_eq!((answer["dim"].as_u64(), answer["contacts"].as_u64()), (Some(3), Some(4)));
        assert!(answer["iterations"].is_u64() && answer["time_s"].as_f64().unwrap() > 0.0);
        let text = std::fs::read_to_string(shop.path("r.txt")).unwrap();
        let r: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
        // the ground stops the fall and the push
        let sum = |k: usize| r.chunks(3).map(|r| r[k]).sum::<f64>();
        assert!((sum(0) - 0.01).abs() < 1e-9 && (sum(1) + 0.002).abs() < 1e-9, "{r:?}");
        let measures = measure::local(&read(&shop.path(CUBE)).unwrap().form.to_local().unwrap(), &r);
        for (key, value) in [("residual", measures.residual), ("residual_unitless", measures.unitless)] {
            let printed = answer[key].as_f64().unwrap();
            assert!(printed <= 1e-9 && (printed - value).abs() < 1e-13, "{key}: {printed} {value}");
        }
    }
    let human = shop.run(&["solve", CUBE]).expect(0).stdout();
    for word in ["4 contacts, 3D, global form", "converged", "unit-free residual"] {
        assert!(human.contains(word), "{human}");
    }
}

#[test]
fn odd_problems_are_solved() {
    let shop = Workshop::new();
    let total = |contacts: usize| {
        let answer = shop.run(&["solve", CUBE, "--reactions", "r.txt", "--json"]).expect(0).json();
        assert_eq!(answer["contacts"].as_u64(), Some(contacts as u64));
        let text = std::fs::read_to_string(shop.path("r.txt")).unwrap();
        let r: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(r.len(), 3 * contacts);
        std::array::from_fn::<f64, 3, _>(|k| r.iter().skip(k).step_by(3).sum())
    };
    // without friction nothing holds the push
    write_cube(&shop, 0.0, &CORNERS, 0.002);
    let [n, t1, t2] = total(4);
    assert!((n - 0.01).abs() < 1e-9 && t1 == 0.0 && t2 == 0.0);
    // twice the same contacts
    write_cube(&shop, 0.3, &[CORNERS, CORNERS].concat(), 0.002);
    let [n, t1, _] = total(8);
    assert!((n - 0.01).abs() < 1e-9 && (t1 + 0.002).abs() < 1e-9);
    // it slides: friction is at its bound
    write_cube(&shop, 0.3, &CORNERS, 0.02);
    let [n, t1, _] = total(4);
    assert!((n - 0.01).abs() < 1e-9 && (t1 + 0.003).abs() < 1e-9, "{n} {t1}");
    // one contact; a problem without any is a damaged file, or nothing to solve
    write_cube(&shop, 0.3, &[[0.0, 0.0]], 0.0);
    assert!((total(1)[0] - 0.01).abs() < 1e-9);
    write_cube(&shop, 0.3, &[], 0.0);
    let refused = shop.run(&["solve", CUBE]).expect(2).stderr();
    assert!(refused.contains("0 contacts"), "{refused}");
}

#[test]
fn what_does_not_converge_is_written_and_says_so() {
    let shop = Workshop::new();
    shop.scene("wall.toml", &["wall", "courses=6", "bricks=4", "duration=0.002"]);
    shop.run(&["run", "wall.toml", "-o", "out", "--dump-problems", "1"]).expect(0);
    let problem = "out/problems/step_000001.hdf5";
    let clock = Instant::now();
    let arguments =
        ["solve", problem, "--solver", "nlgs", "--tol", "1e-15", "--time-limit", "0.2", "--reactions", "r.txt"];
    let answer = shop.run(&[&arguments[..], &["--json"]].concat()).expect(3).json();
    assert!(clock.elapsed() < Duration::from_secs(5), "{:?}", clock.elapsed());
    assert!(["time-limit", "iteration-limit"].contains(&answer["status"].as_str().unwrap()), "{answer}");
    assert!(answer["residual_unitless"].as_f64().unwrap() < 0.5);
    assert!(shop.path("r.txt").exists());
    assert!(shop.run(&arguments).expect(3).stdout().contains("NOT CONVERGED"));
    // the guess of a step is a start like another
    assert_eq!(shop.run(&["solve", problem, "--guess", "--json"]).expect(0).json()["status"], "converged");
}

#[test]
fn bad_problems_and_arguments_are_refused() {
    let shop = Workshop::new();
    write_cube(&shop, 0.3, &CORNERS, 0.0);
    let good = std::fs::read_to_string(shop.path(CUBE)).unwrap();
    let refused = |arguments: &[&str], words: &[&str]| {
        let error = shop.run(arguments).expect(2).stderr();
        // lines are broken where the terminal ends
        let error = error.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        words.iter().for_each(|word| assert!(error.contains(word), "{word}: {error}"));
    };
    let names: Vec<&str> = SolverKind::ALL.iter().map(|kind| kind.name()).collect();
    refused(&["solve", CUBE, "--solver", "magic"], &[&["magic"], &names[..]].concat());
    refused(&["solve", CUBE, "--tol", "0"], &["tolerance", "1e-8"]);
    refused(&["solve", CUBE, "--time-limit", "-1"], &["time limit"]);
    refused(&["solve", CUBE, "--guess"], &["has no initial guess"]);
    refused(&["solve", "nothing.dat"], &["nothing.dat", "cannot read"]);
    for (name, text, words) in [
        ("cut.dat", good[..good.len() / 2].to_owned(), "line"),
        ("nan.dat", good.replacen("-1e-2", "nan", 1), "f[2] is NaN"),
        ("huge.dat", good.replacen("\n4\n", "\n400000000\n", 1), "400000000 contacts"),
        ("words.dat", "some words".to_owned(), "\"some\""),
        ("empty.dat", String::new(), "truncated"),
    ] {
        shop.write(name, &text);
        refused(&["solve", name], &[name, words]);
        let error = shop.run(&["solve", name, "--json"]).expect(2).json();
        assert!(error["error"]["message"].as_str().unwrap().starts_with(name), "{error}");
    }
}

/// A matrix with one damaged entry, indefinite beyond all measure: an answer that missed its tolerance, not a panic.
#[test]
fn fault_a_step_length_that_is_no_number_is_no_panic() {
    let shop = Workshop::new();
    let matrix = "1.4e-2 -1.4e-4 7.9e-4\n-1.4e-4 1.1e-1 5.4e-5\n7.9e-4 5.4e-5 -2147483648\n";
    let text = format!("3\n1\n0\n3\n3\n3 3\n{matrix}-5.4e-2 -1.6e-1 -1.1e-1\n0.7\n1\n");
    std::fs::write(shop.path("damaged.dat"), text).unwrap();
    for solver in ["p-spg-fb", "apgd", "admm"] {
        let answer = shop.run(&["solve", "damaged.dat", "--solver", solver]);
        assert!(!answer.stderr().contains("panicked"), "{solver}: {}", answer.stderr());
    }
}
