//! Times the solvers on one step of a running-bond wall: `cargo run --release --example wall -- 20 10 0.65`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;
use voussoir_contact::{Options, Solver, SolverKind};

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |default: f64| args.next().and_then(|a| a.parse().ok()).unwrap_or(default);
    let (courses, bricks, push) = (number(20.0) as usize, number(10.0) as usize, number(0.0));
    let problem = common::wall(courses, bricks, push, 0.6);
    println!("{} nodes, {} contacts, {push} g sideways", problem.nodes(), problem.contacts());
    for kind in [SolverKind::Sap, SolverKind::ProximalNewton, SolverKind::Auto] {
        let mut solver = Solver::new();
        let cold = vec![0.0; problem.contacts() * 3];
        let clock = Instant::now();
        let s = solver.solve(&problem, &cold, &Options { kind, ..Options::default() });
        println!("{kind:?}: {:?}, {:.3} s", s.report, clock.elapsed().as_secs_f64());
    }
}
