//! Hyperstatic structures: of the infinitely many admissible sets of forces the solvers always find the same one.

use voussoir_contact::{Options, Problem, Solution, Solver, Status};

fn solve(problem: &Problem) -> Solution {
    let cold = vec![0.0; problem.contacts() * 3];
    let solution = Solver::new().solve(problem, &cold, &Options::default());
    assert_eq!(solution.report.status, Status::Converged);
    solution
}

fn largest(impulses: &[f64]) -> f64 {
    impulses.iter().fold(0.0, |m, r| m.max(r.abs()))
}

/// The wall is its own mirror image in y, and its contacts come in pairs at −y, +y.
#[test]
fn a_symmetric_wall_has_symmetric_point_forces() {
    for sideways in [0.0, 0.3] {
        let problem = crate::common::wall(8, 6, sideways, 0.6);
        let solution = solve(&problem);
        let unit = largest(&solution.impulses);
        for (pair, contact) in solution.impulses.chunks_exact(6).zip((0..problem.contacts()).step_by(2)) {
            let (left, right) = pair.split_at(3);
            // bed joints have the frame (z, x, y), head joints (x, y, z)
            let (_, row) = problem.entries_of(contact).next().unwrap();
            let across = if row[2].abs() > 0.5 { 2 } else { 1 };
            for k in 0..3 {
                let mirrored = if k == across { -right[k] } else { right[k] };
                assert!((left[k] - mirrored).abs() < 1e-7 * unit, "contact {contact}: {left:?} {right:?}");
            }
        }
    }
}

/// Bodies and contacts in another order.
fn renumbered(problem: &Problem, node_step: usize, contact_step: usize) -> (Problem, Vec<usize>) {
    let order = |count: usize, step: usize| -> Vec<usize> { (0..count).map(|k| (k * step + 3) % count).collect() };
    let nodes = order(problem.nodes(), node_step);
    let mut place = vec![0; nodes.len()];
    let mut other = Problem::new(3, 6);
    for (new, &old) in nodes.iter().enumerate() {
        let mass = problem.mass_of(old);
        let inverse: Vec<f64> = mass.iter().map(|&m| if m == 0.0 { 0.0 } else { 1.0 / m }).collect();
        other.push_node(mass, &inverse, &problem.free_velocity()[6 * old..6 * old + 6]);
        place[old] = new as u32;
    }
    let contacts = order(problem.contacts(), contact_step);
    for &old in &contacts {
        let entries: Vec<(u32, &[f64])> =
            problem.entries_of(old).map(|(node, row)| (place[node as usize], row)).collect();
        other.push_contact(&entries, &problem.bias()[3 * old..3 * old + 3], problem.friction()[old]);
    }
    (other, contacts)
}

#[test]
fn renumbering_bodies_and_contacts_does_not_change_the_forces() {
    for sideways in [0.0, 0.3] {
        let problem = crate::common::wall(8, 6, sideways, 0.6);
        let solution = solve(&problem);
        let unit = largest(&solution.impulses);
        for (node_step, contact_step) in [(5, 7), (11, 1), (1, 13)] {
            let (other, contacts) = renumbered(&problem, node_step, contact_step);
            let mut seen = contacts.clone();
            seen.sort_unstable();
            assert!(seen.iter().enumerate().all(|(k, &contact)| k == contact), "an order of all contacts");
            let again = solve(&other);
            for (new, &old) in contacts.iter().enumerate() {
                for k in 0..3 {
                    let change = (again.impulses[3 * new + k] - solution.impulses[3 * old + k]).abs();
                    assert!(change < 1e-6 * unit, "contact {old}, component {k}: {:e} of {unit:e}", change);
                }
            }
        }
    }
}
