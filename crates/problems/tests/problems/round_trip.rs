//! Written problems are read again unchanged, in every storage and form.

use std::sync::Arc;

use crate::common::{STORAGES, list_text, local, matrix_text, sparse};
use proptest::prelude::*;
use voussoir_contact::{DenseMass, Entry, LocalProblem, Problem};
use voussoir_problems::local::assemble;
use voussoir_problems::sparse::Sparse;
use voussoir_problems::{About, GlobalProblem, ProblemFile, ProblemForm, fclib, read_bytes};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_storage_of_text_gives_the_same_local_problem((dim, w, q, mu) in local(), newline in any::<bool>()) {
        let expected = assemble(dim, &w, q.clone(), mu.clone()).unwrap();
        for storage in STORAGES {
            let mut text = format!("{dim}\n{}\n", mu.len());
            text += &(matrix_text(&w, storage, dim, dim) + &list_text(&q) + &list_text(&mu));
            let text = if newline { text.as_str() } else { text.trim_end() };
            let file = read_bytes(text.as_bytes()).unwrap();
            prop_assert_eq!(&file.form, &ProblemForm::Local(expected.clone()), "{:?}", storage);
        }
    }

    #[test]
    fn every_storage_of_text_gives_the_same_global_problem(
        (dim, contacts, bodies) in (2..=3usize, 0..4usize, 1..4usize),
        seed in any::<u64>(), stray in any::<bool>(),
    ) {
        let problem = random_global(dim, contacts, bodies, seed);
        for storage in STORAGES {
            let mut text = format!("{dim}\n{contacts}\n");
            text += &matrix_text(&problem.mass, storage, 3, 3);
            text += &matrix_text(&problem.h, storage, 3, dim);
            text += &(list_text(&problem.force) + &list_text(&problem.bias) + &list_text(&problem.friction));
            text += if stray { "0\n" } else { "" };
            let file = read_bytes(text.as_bytes()).unwrap();
            prop_assert_eq!(&file.form, &ProblemForm::Global(problem.clone()), "{:?}", storage);
        }
    }

    #[test]
    fn fclib_files_keep_local_problems((dim, w, q, mu) in local(), step in any::<u32>(), title in ".{0,40}") {
        let mut file = ProblemFile::new(ProblemForm::Local(assemble(dim, &w, q.clone(), mu).unwrap()));
        // a text in a file ends at its first zero
        let title = title.replace('\0', "");
        file.about = About { title, description: "at random".into(), step: Some(step.into()), time: Some(0.25) };
        file.guess = Some(q);
        prop_assert_eq!(read_bytes(&fclib::encode(&file).unwrap()).unwrap(), file);
    }

    #[test]
    fn fclib_files_keep_global_problems(
        (dim, contacts, bodies) in (2..=3usize, 0..4usize, 1..4usize), seed in any::<u64>()
    ) {
        let file = ProblemFile::new(ProblemForm::Global(random_global(dim, contacts, bodies, seed)));
        prop_assert_eq!(read_bytes(&fclib::encode(&file).unwrap()).unwrap(), file);
    }

    #[test]
    fn problems_of_rigid_bodies_survive_the_file(
        (dim, contacts, bodies) in (2..=3usize, 0..5usize, 1..4usize), seed in any::<u64>(), soft in any::<bool>()
    ) {
        let problem = random_problem(dim, contacts, bodies, seed, soft);
        let mut file = ProblemFile::new(ProblemForm::Global(GlobalProblem::from_problem(&problem).unwrap()));
        file.guess = Some(vec![0.5; dim * contacts]);
        let ProblemForm::Global(read) = read_bytes(&fclib::encode(&file).unwrap()).unwrap().form else { unreachable!() };
        let again = read.to_problem().unwrap();
        prop_assert_eq!(again.compliance(), problem.compliance());
        prop_assert_eq!(again.bias(), problem.bias());
        for contact in 0..contacts {
            prop_assert!(again.entries_of(contact).eq(sorted(problem.entries_of(contact))));
        }
        // masses and speeds only up to rounding: the file has M v*
        for (a, b) in again.free_velocity().iter().zip(problem.free_velocity()) {
            prop_assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0));
        }
        // W and q of the file are those of the problem
        let local = ProblemForm::Global(read).to_local().unwrap();
        let r: Vec<f64> = (0..dim * contacts).map(|k| (k as f64).sin()).collect();
        let (mut v, mut u) = (Vec::new(), Vec::new());
        problem.velocity(&r, &mut v);
        problem.relative_velocity(&v, &mut u);
        u.iter_mut().zip(problem.compliance()).zip(&r).for_each(|((u, e), r)| *u += e * r);
        for (a, b) in local.relative_velocity(&r).iter().zip(&u) {
            prop_assert!((a - b).abs() <= 1e-10 * b.abs().max(1.0), "{} {}", a, b);
        }
    }

    #[test]
    fn condensing_agrees_with_a_full_inverse(h in sparse(8, 6), seed in any::<u64>()) {
        // two components of M that are neither symmetric nor next to each other
        let mut random = Random(seed);
        let mut entries = Vec::new();
        for i in 0..8u32 {
            for j in (0..8u32).filter(|j| j % 2 == i % 2) {
                entries.push((i, j, random.next() + if i == j { 6.0 } else { 0.0 }));
            }
        }
        let mass = Sparse::from_triplets(8, 8, entries);
        let force: Vec<f64> = (0..8).map(|_| random.next()).collect();
        let bias: Vec<f64> = (0..6).map(|_| random.next()).collect();
        let problem = GlobalProblem { dim: 3, mass: mass.clone(), h: h.clone(), force: force.clone(), bias: bias.clone(),
                                      friction: vec![0.5; 2], compliant: 0 };
        let local = ProblemForm::Global(problem).to_local().unwrap();
        // u = Hᵀ v + w with M v = H r + f, v by elimination
        let r: Vec<f64> = (0..6).map(|_| random.next()).collect();
        let rhs: Vec<f64> = h.times(&r).iter().zip(&force).map(|(a, b)| a + b).collect();
        let v = eliminate(&mass, rhs);
        let u: Vec<f64> = h.transposed().times(&v).iter().zip(&bias).map(|(a, b)| a + b).collect();
        for (a, b) in local.relative_velocity(&r).iter().zip(&u) {
            prop_assert!((a - b).abs() < 1e-11, "{} {}", a, b);
        }
    }
}

fn sorted<'a>(entries: impl Iterator<Item = (u32, &'a [f64])>) -> Vec<(u32, &'a [f64])> {
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(node, _)| *node);
    entries
}

#[test]
fn large_components_are_condensed_too() {
    // a chain of 200 masses on springs, a contact at each end: M = I + K
    let n = 200;
    let mut entries: Vec<(u32, u32, f64)> = (0..n as u32).map(|i| (i, i, 3.0)).collect();
    entries.extend((1..n as u32).flat_map(|i| [(i, i - 1, -1.0), (i - 1, i, -1.0)]));
    let mass = Sparse::from_triplets(n, n, entries);
    let h = Sparse::from_triplets(n, 4, vec![(0, 0, 1.0), (1, 1, 1.0), (199, 2, 1.0), (198, 3, -1.0)]);
    let problem = GlobalProblem {
        dim: 2,
        mass: mass.clone(),
        h: h.clone(),
        force: vec![1.0; n],
        bias: vec![0.0; 4],
        friction: vec![0.3; 2],
        compliant: 0,
    };
    let local = ProblemForm::Global(problem).to_local().unwrap();
    let r = [1.0, 0.5, 2.0, -0.25];
    let rhs = h.times(&r).iter().map(|x| x + 1.0).collect();
    let u = h.transposed().times(&eliminate(&mass, rhs));
    for (a, b) in local.relative_velocity(&r).iter().zip(&u) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn one_triangle_of_a_mass_matrix_stands_for_both() {
    let text = "2\n1\n0\n3\n3\n3 3\n2 1 0\n0 2 0\n0 0 1\n0\n3\n2\n3 2\n1 0 0\n0 1 0\n1 1 1\n0 0\n0.5\n";
    let file = read_bytes(text.as_bytes()).unwrap();
    let ProblemForm::Global(problem) = &file.form else { panic!("local") };
    assert_eq!((problem.mass.get(0, 1), problem.mass.get(1, 0)), (1.0, 1.0));
    assert!(file.warnings[0].contains("triangle"));
}

/// x with A x = b.
fn eliminate(a: &Sparse, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    let mut full: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| a.get(i, j)).collect()).collect();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| full[i][k].abs().total_cmp(&full[j][k].abs())).unwrap();
        full.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let f = full[i][k] / full[k][k];
            for j in k..n {
                full[i][j] -= f * full[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| full[i][j] * b[j]).sum();
        b[i] = (b[i] - rest) / full[i][i];
    }
    b
}

/// A problem with a node of seven velocities besides rigid ones has the same local form after a file as before.
#[test]
fn a_node_with_its_own_mass_block_is_written() {
    for dim in [2, 3] {
        let mut problem = random_problem(dim, 3, 2, 11, false);
        let matrix: Vec<f64> =
            (0..49).map(|at| if at % 8 == 0 { 3.0 } else { 0.1 * ((at / 7 + at % 7) % 4) as f64 }).collect();
        let wide =
            problem.push_wide_node(Arc::new(DenseMass::new(7, &matrix).unwrap()), &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
        let block: Vec<f64> = (0..4 * dim).map(|at| (at as f64).sin()).collect();
        let entries =
            [Entry { node: wide, first: 3, block: &block }, Entry { node: 1, first: 0, block: &block[..2 * dim] }];
        problem.push_contact_on_parts(&entries, &[-0.2, 0.1, 0.3][..dim], 0.4);
        let global = GlobalProblem::from_problem(&problem).unwrap();
        global.check().unwrap();
        assert_eq!(global.force.len(), 2 * problem.dofs() + 7);
        let file = read_bytes(&fclib::encode(&ProblemFile::new(ProblemForm::Global(global))).unwrap()).unwrap();
        let (found, expected) = (file.form.to_local().unwrap(), LocalProblem::from_global(&problem));
        let r: Vec<f64> = (0..problem.contacts() * dim).map(|k| (k as f64).cos()).collect();
        let [a, b] = [found, expected].map(|local| local.relative_velocity(&r));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-10), "{a:?} {b:?}");
    }
}

/// Numbers in −1 … 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Rigid bodies with contacts between two of them, or one and the ground.
fn random_problem(dim: usize, contacts: usize, bodies: usize, seed: u64, soft: bool) -> Problem {
    let mut random = Random(seed);
    let dofs = if dim == 2 { 3 } else { 6 };
    let mut problem = Problem::new(dim, dofs);
    for _ in 0..bodies {
        let mut mass = vec![0.0; dofs * dofs];
        let mut inverse = mass.clone();
        for k in 0..dofs {
            mass[k * dofs + k] = 2.0 + random.next();
            inverse[k * dofs + k] = 1.0 / mass[k * dofs + k];
        }
        let velocity: Vec<f64> = (0..dofs).map(|_| random.next()).collect();
        problem.push_node(&mass, &inverse, &velocity);
    }
    for contact in 0..contacts {
        let blocks: [Vec<f64>; 2] = std::array::from_fn(|_| (0..dim * dofs).map(|_| random.next()).collect());
        let touched = [contact % bodies, (contact + 1) % bodies];
        let count = if bodies > 1 && contact % 3 > 0 { 2 } else { 1 };
        let entries: Vec<(u32, &[f64])> = (0..count).map(|k| (touched[k] as u32, blocks[k].as_slice())).collect();
        let bias: Vec<f64> = (0..dim).map(|_| random.next()).collect();
        problem.push_contact(&entries, &bias, 0.5 + 0.5 * random.next());
        if soft && contact % 2 == 0 {
            let e: Vec<f64> = [0.5, 0.25, 0.25][..dim].to_vec();
            problem.set_compliance(contact, &e);
        }
    }
    problem
}

fn random_global(dim: usize, contacts: usize, bodies: usize, seed: u64) -> GlobalProblem {
    GlobalProblem::from_problem(&random_problem(dim, contacts, bodies, seed, false)).unwrap()
}
