//! Times the solvers on one step of a running-bond wall: `cargo run --release --example wall -- 20 10 0.65 auto`.

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/contact/common.rs"]
mod common;

use std::time::Instant;
use voussoir_contact::{Options, Solver, SolverKind};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, default: f64| args.get(k).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (courses, bricks, push) = (number(0, 20.0) as usize, number(1, 10.0) as usize, number(2, 0.0));
    let problem = common::wall(courses, bricks, push, 0.6);
    println!("{} nodes, {} contacts, {push} g sideways", problem.nodes(), problem.contacts());
    let kinds = [
        ("nlgs", SolverKind::Nlgs),
        ("sap", SolverKind::Sap),
        ("ipm", SolverKind::InteriorPoint),
        ("prox", SolverKind::ProximalNewton),
        ("auto", SolverKind::Auto),
    ];
    for (name, kind) in kinds {
        if args.get(3).is_some_and(|only| only != name) {
            continue;
        }
        let mut solver = Solver::new();
        let cold = vec![0.0; problem.contacts() * 3];
        let clock = Instant::now();
        let s = solver.solve(&problem, &cold, &Options { kind, ..Options::default() });
        println!("{name}: {:?}, {:.3} s", s.report, clock.elapsed().as_secs_f64());
    }
}
