//! Nodes with any number of velocities: every solver that supports such a problem finds the solution of the same problem
//! in local form, with W from dense algebra.

use std::sync::Arc;

use crate::common::{G, cube, wall};
use proptest::prelude::*;
use voussoir_contact::linear::Workspace;
use voussoir_contact::{DenseMass, Entry, LocalProblem, Options, Problem, Solver, SolverKind, Status, solve_local};

/// A dense matrix, row after row.
type Dense = Vec<Vec<f64>>;

fn zeros(rows: usize, columns: usize) -> Dense {
    vec![vec![0.0; columns]; rows]
}

fn product(a: &Dense, b: &Dense) -> Dense {
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

fn transpose(a: &Dense) -> Dense {
    (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// A⁻¹ B by elimination with pivoting.
fn solve(mut a: Dense, mut b: Dense) -> Dense {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k] / a[k][k];
            let (from, to) = (a[k].clone(), b[k].clone());
            a[i].iter_mut().zip(&from).for_each(|(x, y)| *x -= factor * y);
            b[i].iter_mut().zip(&to).for_each(|(x, y)| *x -= factor * y);
        }
    }
    (0..n).map(|i| b[i].iter().map(|x| x / a[i][i]).collect()).collect()
}

/// Numbers between −1 and 1 (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn list(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }

    /// AAᵀ/n + I
    fn mass(&mut self, n: usize) -> Dense {
        let a: Dense = (0..n).map(|_| self.list(n)).collect();
        let mut m = product(&a, &transpose(&a));
        m.iter_mut().flatten().for_each(|x| *x /= n as f64);
        (0..n).for_each(|k| m[k][k] += 1.0);
        m
    }
}

/// A random problem with nodes of the given sizes in dense form and as a [`Problem`].
struct Sample {
    problem: Problem,
    mass: Dense,
    jacobian: Dense,
    /// place of each velocity of the problem in the dense form
    place: Vec<Option<usize>>,
}

/// Every contact presses on a random part of two nodes, or of one.
fn sample(dim: usize, sizes: &[usize], contacts: usize, seed: u64) -> Sample {
    let (dofs, total) = (if dim == 2 { 3 } else { 6 }, sizes.iter().sum());
    let mut random = Random(seed);
    let mut problem = Problem::new(dim, dofs);
    let (mut mass, mut place, mut nodes, mut start) = (zeros(total, total), Vec::new(), Vec::new(), 0);
    for &size in sizes {
        let block = random.mass(size);
        for (i, row) in block.iter().enumerate() {
            mass[start + i][start..start + size].copy_from_slice(row);
        }
        let (flat, free) = (block.concat(), random.list(size));
        nodes.push(if size == dofs {
            let unit = (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
            problem.push_node(&flat, &solve(block, unit).concat(), &free)
        } else {
            problem.push_wide_node(Arc::new(DenseMass::new(size, &flat).unwrap()), &free)
        });
        place.extend((start..start + size).map(Some));
        place.resize(problem.nodes() * dofs, None);
        start += size;
    }
    let mut jacobian = zeros(dim * contacts, total);
    let first: Vec<usize> = sizes.iter().scan(0, |sum, size| Some(std::mem::replace(sum, *sum + size))).collect();
    for c in 0..contacts {
        let touched: Vec<usize> =
            if c % 3 == 2 { vec![c % sizes.len()] } else { vec![c % sizes.len(), (c + 1) % sizes.len()] };
        let mut blocks = Vec::new();
        for &n in &touched {
            let from = ((random.next() + 1.0) * 0.5 * (sizes[n] / 2) as f64) as usize;
            let width = (sizes[n] - from).min(dim + 4);
            blocks.push((n, from, random.list(dim * width), width));
        }
        for (n, from, block, width) in &blocks {
            for (at, value) in block.iter().enumerate() {
                jacobian[dim * c + at / width][first[*n] + from + at % width] += value;
            }
        }
        let entries: Vec<Entry<'_>> =
            blocks.iter().map(|(n, from, block, _)| Entry { node: nodes[*n], first: *from, block }).collect();
        let mut bias = random.list(dim);
        bias[0] -= 1.0;
        problem.push_contact_on_parts(&entries, &bias, 0.3);
    }
    Sample { problem, mass, jacobian, place }
}

impl Sample {
    /// W = J M⁻¹ Jᵀ and q = J v* + b by dense algebra.
    fn local(&self) -> LocalProblem {
        let (dim, contacts) = (self.problem.dim(), self.problem.contacts());
        let w = product(&self.jacobian, &solve(self.mass.clone(), transpose(&self.jacobian)));
        let free = self.dense(self.problem.free_velocity());
        let q = (0..dim * contacts)
            .map(|k| self.jacobian[k].iter().zip(&free).map(|(j, v)| j * v).sum::<f64>() + self.problem.bias()[k]);
        let mut flat = Vec::new();
        for i in 0..contacts {
            for j in 0..contacts {
                (0..dim).for_each(|a| flat.extend_from_slice(&w[dim * i + a][dim * j..dim * (j + 1)]));
            }
        }
        let first = (0..=contacts).map(|i| i * contacts).collect();
        let column = (0..contacts).flat_map(|_| 0..contacts as u32).collect();
        LocalProblem::new(dim, first, column, flat, q.collect(), self.problem.friction().to_vec())
    }

    /// Velocities of the problem in the order of the dense form.
    fn dense(&self, velocities: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.mass.len()];
        self.place.iter().zip(velocities).for_each(|(place, v)| place.iter().for_each(|&at| out[at] = *v));
        out
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Mixed sizes: rigid nodes, a pair of rigid bodies, an elastic block, and sizes that fill no whole cell.
const SIZES: [&[usize]; 2] = [&[3, 6, 8, 3, 12], &[6, 12, 24, 6, 7]];

#[test]
fn every_solver_finds_the_solution_of_the_dense_local_form() {
    for (dim, sizes) in [2, 3].into_iter().zip(SIZES) {
        for associated in [false, true] {
            let mut sample = sample(dim, sizes, 6, 7);
            sample.problem.set_associated(associated);
            let (problem, mut local) = (&sample.problem, sample.local());
            local.associated = associated;
            let cold = vec![0.0; local.q.len()];
            let options = |kind| Options { kind, tolerance: 1e-13, ..Options::default() };
            let reference = solve_local(&local, &cold, &options(SolverKind::Nlgs));
            assert_eq!(reference.report.status, Status::Converged);
            assert!(reference.impulses.chunks(dim).any(|r| r[0] > 0.01), "contacts carry");
            let needed = problem.requirements();
            let mut solvers = 0;
            for kind in SolverKind::ALL.into_iter().filter(|kind| kind.supports(&needed).is_ok()) {
                // the facets of Lemke's method need not settle in 3D: then they do not in local form either
                if kind.supports(&local.requirements()).is_ok()
                    && solve_local(&local, &cold, &options(kind)).report.residual > 2e-12
                {
                    assert_eq!((kind, dim), (SolverKind::Lemke, 3));
                    continue;
                }
                let s = Solver::new().solve(problem, &cold, &options(kind));
                // the last digit is rounding for some of them
                assert!(s.report.residual < 2e-12, "{kind:?} {dim}D associated {associated}: {:?}", s.report);
                let off = largest_difference(&s.relative, &reference.relative)
                    .max(largest_difference(&s.impulses, &reference.impulses));
                assert!(off < 1e-10, "{kind:?} {dim}D associated {associated}: off by {off:e}");
                // M (v − v*) = Jᵀ r in the dense form
                let change: Vec<f64> = s.velocities.iter().zip(problem.free_velocity()).map(|(v, f)| v - f).collect();
                let momentum = product(&vec![sample.dense(&change)], &sample.mass);
                let pushed = product(&vec![s.impulses.clone()], &sample.jacobian);
                assert!(largest_difference(&momentum[0], &pushed[0]) < 1e-10, "{kind:?}");
                solvers += 1;
            }
            assert!(solvers >= 7, "{solvers} solvers");
        }
    }
}

/// Two rigid bodies in one node of twelve velocities move as two nodes do.
#[test]
fn a_rigid_pair_in_one_node_moves_as_two_bodies() {
    let pair = wall(2, 1, 0.5, 0.6);
    assert_eq!(pair.nodes(), 3);
    let mut glued = Problem::new(3, 6);
    let mut mass = vec![0.0; 144];
    for at in 0..36 {
        for n in 0..2 {
            mass[(6 * n + at / 6) * 12 + 6 * n + at % 6] = pair.mass_of(n)[at];
        }
    }
    glued.push_wide_node(Arc::new(DenseMass::new(12, &mass).unwrap()), &pair.free_velocity()[..12]);
    let inverse: Vec<f64> = pair.mass_of(2).iter().map(|&m| if m == 0.0 { 0.0 } else { 1.0 / m }).collect();
    glued.push_node(pair.mass_of(2), &inverse, &pair.free_velocity()[12..]);
    for i in 0..pair.contacts() {
        let entries: Vec<Entry<'_>> = pair
            .entries_of(i)
            .map(|(node, block)| match node {
                2 => Entry { node: 2, first: 0, block },
                part => Entry { node: 0, first: 6 * part as usize, block },
            })
            .collect();
        glued.push_contact_on_parts(&entries, &pair.bias()[3 * i..3 * i + 3], pair.friction()[i]);
    }
    let cold = vec![0.0; pair.contacts() * 3];
    for kind in SolverKind::ALL.into_iter().filter(|kind| kind.supports(&glued.requirements()).is_ok()) {
        let options = Options { kind, tolerance: 1e-10, ..Options::default() };
        let [a, b] = [&pair, &glued].map(|problem| Solver::new().solve(problem, &cold, &options));
        assert_eq!(a.report.status, b.report.status, "{kind:?}: {:?} {:?}", a.report, b.report);
        if a.report.status == Status::Converged {
            let off = largest_difference(&a.velocities, &b.velocities) / (G * crate::common::H);
            assert!(off < 1e-8, "{kind:?}: off by {off:e}");
        }
    }
}

/// A problem without such nodes is not touched: contacts on whole rigid nodes are the same either way.
#[test]
fn parts_of_rigid_nodes_are_the_same_contacts() {
    let plain = cube([10e3, -9e3, 0.0], 0.0, 1e-4);
    let mut other = cube([10e3, -9e3, 0.0], 0.0, 1e-4);
    let (node, block) = plain.entries_of(0).next().unwrap();
    let twice: Vec<Vec<f64>> =
        (0..2).map(|half| block.chunks(6).flat_map(|row| row[3 * half..3 * half + 3].to_vec()).collect()).collect();
    let parts: Vec<Entry<'_>> =
        twice.iter().enumerate().map(|(half, block)| Entry { node, first: 3 * half, block }).collect();
    let k = other.push_contact_on_parts(&parts, &plain.bias()[..3], plain.friction()[0]);
    assert!(other.entries_of(k).eq(plain.entries_of(0)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn operators_are_those_of_the_dense_form(
        seed in 0u64..1 << 40, dim in 2usize..4, sizes in prop::collection::vec(1usize..20, 1..5), contacts in 1usize..6
    ) {
        let sample = sample(dim, &sizes, contacts, seed);
        let (problem, local) = (&sample.problem, sample.local());
        let condensed = LocalProblem::from_global(problem);
        let mut random = Random(seed ^ 1);
        let r = random.list(dim * contacts);
        let u = local.relative_velocity(&r);
        prop_assert!(largest_difference(&u, &condensed.relative_velocity(&r)) < 1e-10);
        let (mut v, mut relative) = (Vec::new(), Vec::new());
        problem.velocity(&r, &mut v);
        problem.relative_velocity(&v, &mut relative);
        prop_assert!(largest_difference(&u, &relative) < 1e-10);
        prop_assert!(largest_difference(&local.diagonal(), &problem.delassus_diagonal()) < 1e-10);
        // (M + Jᵀ G J) x = b by both factorisations, padding stays zero
        let n = sample.mass.len();
        let mut g = random.list(contacts * dim * dim);
        for (symmetric, skew) in [(true, 0.0), (false, 0.3)] {
            for block in g.chunks_exact_mut(dim * dim) {
                for a in 0..dim {
                    for b in 0..dim {
                        block[a * dim + b] = skew * if a < b { 1.0 } else { -1.0 } + if a == b { 2.0 } else { 0.0 };
                    }
                }
            }
            let mut k = zeros(dim * contacts, dim * contacts);
            for (at, value) in g.iter().enumerate() {
                let (i, a, b) = (at / (dim * dim), at / dim % dim, at % dim);
                k[i * dim + a][i * dim + b] = *value;
            }
            let mut dense = product(&transpose(&sample.jacobian), &product(&k, &sample.jacobian));
            for (row, mass) in dense.iter_mut().zip(&sample.mass) {
                row.iter_mut().zip(mass).for_each(|(x, m)| *x += m);
            }
            let b = random.list(n);
            let mut x: Vec<f64> = sample.place.iter().map(|place| place.map_or(0.0, |at| b[at])).collect();
            let mut workspace = Workspace::default();
            workspace.factorise(problem, &g, symmetric).unwrap();
            workspace.solve(&mut x);
            let expected: Vec<f64> = solve(dense, transpose(&vec![b])).concat();
            prop_assert!(largest_difference(&sample.dense(&x), &expected) < 1e-9);
            prop_assert!(x.iter().zip(&sample.place).all(|(x, place)| place.is_some() || *x == 0.0));
        }
    }
}
