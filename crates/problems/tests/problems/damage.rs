//! Truncated and changed files, and files with wrong sizes, end quickly with an error that describes the fault.

use std::time::{Duration, Instant};

use crate::common::{Storage, list_text, matrix_text};
use proptest::prelude::*;
use voussoir_problems::sparse::Sparse;
use voussoir_problems::{GlobalProblem, ProblemFile, ProblemForm, fclib, local, read_bytes};

fn w() -> Sparse {
    let entries = (0..9).flat_map(|i| [(i, i, 2.0 + f64::from(i)), (i, (i + 4) % 9, 0.5)]).collect();
    Sparse::from_triplets(9, 9, entries)
}

fn local_text(storage: Storage) -> String {
    format!("3\n3\n{}{}{}", matrix_text(&w(), storage, 3, 3), list_text(&[-1.0; 9]), list_text(&[0.5; 3]))
}

fn local_file() -> Vec<u8> {
    let problem = local::assemble(3, &w(), vec![-1.0; 9], vec![0.5; 3]).unwrap();
    fclib::encode(&ProblemFile::new(ProblemForm::Local(problem))).unwrap()
}

fn global_file() -> Vec<u8> {
    let problem = GlobalProblem {
        dim: 3,
        mass: Sparse::from_triplets(6, 6, (0..6).map(|i| (i, i, 2.0)).collect()),
        h: Sparse::from_triplets(6, 3, vec![(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0)]),
        force: vec![-1.0; 6],
        bias: vec![0.0; 3],
        friction: vec![0.3],
        compliant: 0,
    };
    fclib::encode(&ProblemFile::new(ProblemForm::Global(problem))).unwrap()
}

/// Everything that a test damages.
fn samples() -> Vec<Vec<u8>> {
    let mut samples: Vec<Vec<u8>> = crate::common::STORAGES.iter().map(|&s| local_text(s).into_bytes()).collect();
    samples.extend([local_file(), global_file()]);
    samples
}

#[test]
fn a_file_that_is_cut_off_is_refused_wherever_it_ends() {
    for sample in samples() {
        let whole = sample.trim_ascii_end().len();
        let is_text = !sample.starts_with(b"\x89HDF");
        let expected = read_bytes(&sample).unwrap();
        for length in 0..whole {
            match read_bytes(&sample[..length]) {
                Err(error) => assert!(!error.to_string().is_empty()),
                // digits of the last number may be missing
                Ok(read) => {
                    assert!(is_text && length + 40 > whole, "{length} of {whole}");
                    assert_eq!(read.form.contacts(), expected.form.contacts());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn changed_bytes_never_panic(which in 0..7usize, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut sample = samples().swap_remove(which);
        for (at, byte) in changes {
            let at = at.index(sample.len());
            sample[at] = byte;
        }
        if let Ok(file) = read_bytes(&sample) {
            let _ = file.form.to_local();
        }
    }

    #[test]
    fn changed_words_never_panic(which in 0..5usize, at in any::<prop::sample::Index>(), word in "-?[0-9]{1,12}|nan|inf|:|col|[a-z]{1,5}") {
        let text = String::from_utf8(samples().swap_remove(which)).unwrap();
        let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
        let at = at.index(words.len());
        words[at] = &word;
        if let Ok(file) = read_bytes(words.join(" ").as_bytes()) {
            let _ = file.form.to_local();
        }
    }
}

/// Whatever a damaged header says: a problem that lost its contacts is refused, and not "converged".
#[test]
fn a_problem_without_contacts_is_not_solved() {
    let none = GlobalProblem {
        dim: 3,
        mass: Sparse::from_triplets(6, 6, (0..6).map(|i| (i, i, 2.0)).collect()),
        h: Sparse::from_triplets(6, 0, Vec::new()),
        force: vec![-1.0; 6],
        bias: Vec::new(),
        friction: Vec::new(),
        compliant: 0,
    };
    for file in ["3\n0\n1\n6\n6\n0\n1\n6\n0\n0\n1 2 3 4 5 6\n".to_owned().into_bytes(), {
        fclib::encode(&ProblemFile::new(ProblemForm::Global(none))).unwrap()
    }] {
        let read = read_bytes(&file).unwrap();
        assert_eq!(read.form.contacts(), 0);
        let error =
            voussoir_problems::solve::solve(&read.form, None, &voussoir_contact::Options::default()).unwrap_err();
        assert!(error.to_string().contains("0 contacts"), "{error}");
    }
}

#[test]
fn sizes_that_lie_cost_neither_time_nor_memory() {
    let huge = "4000000000";
    let block_text = local_text(Storage::Blocks);
    let lies = [
        format!("3\n{huge}\n0\n9\n9\n9 9\n1 2 3"),
        format!("3\n3\n0\n{huge}\n{huge}\n{huge} {huge}\n1 2 3"),
        "3\n3\n0\n18446744073709551615\n2\n18446744073709551615 2\n1 2 3".to_owned(),
        format!("3\n3\n1\n9\n9\n{huge}\n3\n3\n3 6 9\n3 6 9\n4\n{huge}\n0 1 2 3\n0 1 2\n0\n1"),
        format!("3\n3\n1\n9\n9\n1\n{huge}\n{huge}\n3 6 9"),
        format!("3\n3\n2\n9\n9\n1\nCSparse\ntriplet: 9-by-9, nzmax: {huge} nnz: {huge}\n0 0 : 1\n"),
        format!(
            "3\n3\n2\n{huge}\n{huge}\n2\nCSparse\n{huge}-by-{huge}, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 0\n"
        ),
        block_text.replacen("\n3\n", &format!("\n{huge}\n"), 1),
    ];
    for lie in lies {
        let start = Instant::now();
        let error = read_bytes(lie.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("line "), "{error}");
        assert!(start.elapsed() < Duration::from_millis(200), "{error}");
    }
}

#[test]
fn values_that_cannot_be_are_named() {
    let text = |q: &str, mu: &str, entry: &str| format!("2\n1\n0\n2\n2\n2 2\n{entry} 0 0 1\n{q}\n{mu}\n");
    assert!(read_bytes(text("-1 0", "0.5", "1").as_bytes()).is_ok());
    for (bad, words) in [
        (text("nan 0", "0.5", "1"), "q[0] is NaN"),
        (text("-1 inf", "0.5", "1"), "q[1] is inf"),
        (text("-1 0", "-0.5", "1"), "mu[0] is -0.5; it must not be negative"),
        (text("-1 0", "nan", "1"), "mu[0] is NaN"),
        (text("-1 0", "0.5", "-inf"), "W[0] is -inf"),
        (text("-1 zero", "0.5", "1"), "line 8: q: \"zero\" is not a number"),
        ("5\n1\n".to_owned(), "rolling friction"),
        ("4\n1\n".to_owned(), "the dimension is 4; it must be 2 or 3"),
        ("".to_owned(), "the file is truncated: the dimension"),
        ("\u{1}\u{2}\u{3}".to_owned(), "line 1"),
        ("2\n1\n7\n2\n2\n1 2 3 4".to_owned(), "storage 7; it must be 0, 1 or 2"),
        ("2\n1\n0\n2\n3\n2 3\n1 2 3 4 5 6\n1 2\n1".to_owned(), "it must be square"),
        (text("-1 0", "0.5 1 2 3", "1"), "read as a global problem"),
    ] {
        let error = read_bytes(bad.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn hdf5_files_that_are_no_problems_are_refused() {
    use voussoir_hdf5::whole::{Values, WholeFile};
    let error = |file: &WholeFile| read_bytes(&file.encode()).unwrap_err().to_string();
    let mut file = WholeFile::default();
    file.dataset("something", Values::Float(1.0));
    assert!(error(&file).contains("no group fclib_local"));
    let mut file = WholeFile::default();
    file.dataset("fclib_global_rolling/spacedim", Values::Integers(&[5]));
    assert!(error(&file).contains("rolling"));
    // a local problem of one contact, then what can be wrong with it
    let good = |change: &dyn Fn(&mut WholeFile)| {
        let mut file = WholeFile::default();
        file.dataset("fclib_local/spacedim", Values::Integers(&[2]));
        for (name, value) in [("m", 2), ("n", 2), ("nzmax", 2), ("nz", -1)] {
            file.dataset(&format!("fclib_local/W/{name}"), Values::Integers(&[value]));
        }
        file.dataset("fclib_local/W/p", Values::Integers(&[0, 1, 2]));
        file.dataset("fclib_local/W/i", Values::Integers(&[0, 1]));
        file.dataset("fclib_local/W/x", Values::Floats(&[1.0, 1.0]));
        file.dataset("fclib_local/vectors/q", Values::Floats(&[-1.0, 0.0]));
        file.dataset("fclib_local/vectors/mu", Values::Floats(&[0.5]));
        change(&mut file);
        file
    };
    assert!(read_bytes(&good(&|_| {}).encode()).is_ok());
    type Change<'a> = (&'a dyn Fn(&mut WholeFile), &'a str);
    let changes: [Change<'_>; 9] = [
        (&|f| f.dataset("fclib_local/W/p", Values::Integers(&[0, 1])), "fclib_local/W/p has 2 values"),
        (&|f| f.dataset("fclib_local/W/p", Values::Integers(&[0, 2, 1])), "p must rise"),
        (&|f| f.dataset("fclib_local/W/p", Values::Integers(&[0, 1, 9])), "p must rise"),
        (&|f| f.dataset("fclib_local/W/i", Values::Integers(&[0, 2])), "i[1] is 2"),
        (&|f| f.dataset("fclib_local/W/m", Values::Integers(&[2_000_000_000])), "must be 2 × 2"),
        (&|f| f.dataset("fclib_local/W/nz", Values::Integers(&[-7])), "nz = -7"),
        (&|f| f.dataset("fclib_local/W/x", Values::Floats(&[1.0, f64::NAN])), "W[1] is NaN"),
        (&|f| f.dataset("fclib_local/vectors/mu", Values::Floats(&[0.5, 0.5])), "W is 2 × 2; for 2 contacts"),
        (&|f| f.dataset("fclib_local/V/m", Values::Integers(&[1])), "bilateral"),
    ];
    for (change, words) in changes {
        let error = error(&good(change));
        assert!(error.contains(words), "{error}");
    }
}
