//! Which solver supports which problem: `supports` agrees with the behaviour of every solver.

use crate::common::{G, cube};
use voussoir_contact::face_element::Face;
use voussoir_contact::{LocalProblem, Options, Problem, Requirements, Solver, SolverKind, Status, solve_local};

const STEP: f64 = 1e-3;

/// Tolerance that every solver reaches on these small problems.
const TOLERANCE: f64 = 1e-8;

/// Laws of a small problem.
#[derive(Clone, Copy, Debug)]
struct Variant {
    dim: usize,
    associated: bool,
    floors: bool,
    /// Compliance in the normal and the two tangential directions.
    compliance: [f64; 3],
    face: bool,
}

/// All combinations.
fn variants() -> Vec<Variant> {
    let flags = [false, true];
    let mut all = Vec::new();
    for dim in [2, 3] {
        for associated in flags {
            for floors in flags {
                for compliance in [[0.0; 3], [1e-4, 2e-4, 2e-4], [1e-4, 2e-4, 3e-4]] {
                    for face in flags {
                        all.push(Variant { dim, associated, floors, compliance, face });
                    }
                }
            }
        }
    }
    all
}

/// A block of 10 kg, 0.2 m × 0.1 m, on two points, pushed by 50 N.
fn planar_block() -> Problem {
    let (m, a, b) = (10.0, 0.1, 0.2);
    let inertia = m / 12.0 * (a * a + b * b);
    let mass = |x: f64, y: f64| vec![x, 0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, y];
    let mut p = Problem::new(2, 3);
    let node = p.push_node(&mass(m, inertia), &mass(1.0 / m, 1.0 / inertia), &[50.0 / m * STEP, -G * STEP, 0.0]);
    for x in [-b / 2.0, b / 2.0] {
        p.push_contact(&[(node, &[0.0, 1.0, x, 1.0, 0.0, a / 2.0])], &[0.0, 0.0], 0.4);
    }
    p
}

fn problem(variant: Variant) -> Problem {
    let mut p = if variant.dim == 2 { planar_block() } else { cube([6e3, -5e3, 0.0], 0.0, STEP) };
    p.set_associated(variant.associated);
    for i in 0..p.contacts() {
        p.set_compliance(i, &variant.compliance[..variant.dim]);
        if variant.floors {
            p.set_floor(i, if i == 0 { 0.0 } else { 0.1 * STEP * G * 1000.0 / 4.0 });
        }
    }
    if variant.face && variant.dim == 3 {
        p.push_face(Face { contacts: vec![0, 1, 2, 3], points: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] });
    }
    p
}

/// Status and residual of a solve from nothing.
fn solved(problem: &Problem, local: bool, kind: SolverKind) -> (Status, f64) {
    let cold = vec![0.0; problem.contacts() * problem.dim()];
    let options = Options { kind, tolerance: TOLERANCE, ..Options::default() };
    let report = match local {
        true => solve_local(&LocalProblem::from_global(problem), &cold, &options).report,
        false => Solver::new().solve(problem, &cold, &options).report,
    };
    (report.status, report.residual)
}

#[test]
fn a_solver_supports_a_problem_exactly_when_it_solves_it() {
    let mut missed = Vec::new();
    for variant in variants() {
        let problem = problem(variant);
        for local in [false, true] {
            let needed = Requirements { local, ..problem.requirements() };
            for kind in SolverKind::ALL {
                let expected = match kind.supports(&needed) {
                    Ok(()) => Status::Converged,
                    Err(_) => Status::Unsupported,
                };
                let (status, residual) = solved(&problem, local, kind);
                if status != expected {
                    missed.push(format!("{kind:?} {variant:?} local {local}: {status:?} {residual:e}"));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} of them:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn requirements_are_those_of_the_problem() {
    for variant in variants() {
        let problem = problem(variant);
        let expected = Requirements {
            dim: variant.dim,
            contacts: problem.contacts(),
            associated: variant.associated,
            floors: variant.floors,
            compliance: variant.compliance != [0.0; 3],
            anisotropic: variant.dim == 3 && variant.compliance[1] != variant.compliance[2],
            local: false,
        };
        assert_eq!(problem.requirements(), expected);
        assert_eq!(LocalProblem::from_global(&problem).requirements(), Requirements { local: true, ..expected });
    }
}

/// Whatever a problem requires, the default solver supports it, but for one combination that has no definition.
#[test]
fn the_default_solver_supports_every_problem() {
    for variant in variants() {
        let needed = problem(variant).requirements();
        assert_eq!(SolverKind::Auto.supports(&needed).is_ok(), !(variant.associated && variant.floors), "{variant:?}");
    }
}

/// Lemke's tableau is dense.
#[test]
fn pivoting_refuses_large_problems() {
    let few = Requirements { contacts: 160, ..Requirements::default() };
    let many = Requirements { contacts: 161, ..Requirements::default() };
    assert!(SolverKind::Lemke.supports(&few).is_ok());
    assert!(SolverKind::Lemke.supports(&many).is_err());
    assert!(SolverKind::Lemke.supports(&Requirements { dim: 2, contacts: 400, ..many }).is_ok());
}
