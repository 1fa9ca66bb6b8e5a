//! One linearisation of the embedding: scaling, factorisation, and directions from it.

use super::cone::{Scaling, divide};
use super::interior::{Interior, Point, Residuals};
use super::krylov::{Unknowns, dot};
use super::normal::{Small, invert};
use super::program::{Element, MOST_COMPONENTS, Program};

/// Common part of predictor and corrector.
pub(super) struct Newton {
    pub scaling: Vec<Scaling>,
    /// λ = W z = W⁻¹ s (rows)
    pub middle: Vec<f64>,
    /// Forces and velocities that Δλ = 1 causes: Jᵀr = −f_L.
    pub by_lambda: (Vec<f64>, Vec<f64>),
    /// Forces and velocities that Δτ = 1 causes: H r + J v = −b, Jᵀr = −f_D.
    pub by_tau: (Vec<f64>, Vec<f64>),
    /// b = c + FᵀW⁻²g
    pub b: Vec<f64>,
    /// H⁻¹ of each element
    pub soft: Vec<Small>,
    /// b − 2c
    pub other: Vec<f64>,
    /// gᵀW⁻²g + κ/τ
    pub theta: f64,
}

impl Interior<'_> {
    pub(super) fn linearise(&mut self) -> Option<Newton> {
        let (program, p) = (self.program, &self.point);
        let mut scaling = Vec::with_capacity(program.cones.len());
        let mut middle = vec![0.0; p.s.len()];
        let mut at = 0;
        for &cone in &program.cones {
            let range = at..at + cone.size();
            let own = Scaling::new(cone, &p.s[range.clone()], &p.z[range.clone()])?;
            own.apply(&p.z[range.clone()], false, &mut middle[range]);
            scaling.push(own);
            at += cone.size();
        }
        let stiffnesses: Vec<Small> = program
            .elements
            .iter()
            .map(|element| stiffness(program, element, &scaling[element.cone..element.cone + element.cones]))
            .collect();
        let pairs = program.elements.iter().zip(&stiffnesses);
        let soft: Vec<Small> = pairs.map(|(element, h)| invert(h, element.components)).collect::<Option<_>>()?;
        self.normal.factorise(stiffnesses.into_iter()).ok()?;
        let mut scaled_offset = vec![0.0; p.s.len()];
        self.inverse_square(&scaling, &program.offset, &mut scaled_offset);
        let mut b = program.cost.clone();
        program.add_map_transposed(&scaled_offset, &mut b);
        let zeros = vec![0.0; b.len()];
        let negative = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| -x).collect() };
        let by_lambda = match program.has_live() {
            true => self.normal.solve(&zeros, &negative(&program.live)),
            false => (Vec::new(), Vec::new()),
        };
        let by_tau = self.normal.solve(&negative(&b), &negative(&program.dead));
        let p = &self.point;
        let other = b.iter().zip(&program.cost).map(|(b, c)| b - 2.0 * c).collect();
        let theta = dot(&program.offset, &scaled_offset) + p.kappa / p.tau;
        Some(Newton { scaling, middle, by_lambda, by_tau, b, soft, other, theta })
    }

    fn inverse_square(&self, scaling: &[Scaling], x: &[f64], out: &mut [f64]) {
        let mut at = 0;
        for (cone, scaling) in self.program.cones.iter().zip(scaling) {
            let range = at..at + cone.size();
            scaling.inverse_square(&x[range.clone()], &mut out[range]);
            at += cone.size();
        }
    }

    /// Solves the linearised embedding for complementarity right-hand sides `d` (rows) and `bound` (τκ), with the
    /// residuals reduced by the fraction `eta`.
    pub(super) fn direction(&self, newton: &Newton, residuals: &Residuals, d: &[f64], bound: f64, eta: f64) -> Point {
        let program = self.program;
        // W⁻¹Δs + WΔz = λ \ d
        let quotient = self.scaled(|_, cone, at, out| divide(cone, &newton.middle[at..], &d[at..], out));
        let target = self.scaled(|index, cone, at, out| {
            newton.scaling[index].apply(&quotient[at..at + cone.size()], false, out);
        });
        // W⁻²(target − ηR_s)
        let reduced: Vec<f64> = target.iter().zip(&residuals.s).map(|(t, r)| t - eta * r).collect();
        let mut pulled = vec![0.0; reduced.len()];
        self.inverse_square(&newton.scaling, &reduced, &mut pulled);
        let mut a: Vec<f64> = residuals.r.iter().map(|r| -eta * r).collect();
        program.add_map_transposed(&pulled, &mut a);
        let p = &self.point;
        let right = Unknowns {
            r: a,
            v: residuals.v.iter().map(|r| -eta * r).collect(),
            lambda: -eta * residuals.lambda,
            tau: -eta * residuals.kappa + bound / p.tau + dot(&program.offset, &pulled),
        };
        let Unknowns { r, v, lambda: d_lambda, tau: d_tau } = self.solve(newton, &right);
        let p = &self.point;
        // Δs from its own equation, Δz from the scaling
        let mut s: Vec<f64> = residuals.s.iter().zip(&program.offset).map(|(r, g)| eta * r + g * d_tau).collect();
        program.add_map(&r, &mut s);
        let mut z = self.scaled(|index, cone, at, out| {
            let range = at..at + cone.size();
            let mut rest = [0.0; 3];
            newton.scaling[index].apply(&s[range.clone()], true, &mut rest);
            rest.iter_mut().zip(&quotient[range]).for_each(|(r, q)| *r = q - *r);
            newton.scaling[index].apply(&rest, true, out);
        });
        // FᵀΔz = JΔv + cΔτ + ηR_r: restores digits lost by rounding in W⁻¹
        let mut flow: Vec<f64> = residuals.r.iter().zip(&program.cost).map(|(r, c)| eta * r + c * d_tau).collect();
        program.add_velocities(&v, &mut flow);
        for _ in 0..2 {
            self.repair(newton, &flow, &mut z);
        }
        let kappa = (bound - p.kappa * d_tau) / p.tau;
        Point { r, v, s, z, lambda: d_lambda, tau: d_tau, kappa }
    }

    /// Changes z as little as possible, measured by W, so that Fᵀz = flow.
    fn repair(&self, newton: &Newton, flow: &[f64], z: &mut [f64]) {
        let mut rest: Vec<f64> = vec![0.0; flow.len()];
        self.program.add_map_transposed(z, &mut rest);
        rest.iter_mut().zip(flow).for_each(|(rest, flow)| *rest = flow - *rest);
        for (element, soft) in self.program.elements.iter().zip(&newton.soft) {
            let m = element.components;
            let rest = &rest[element.first..][..m];
            let map = self.program.map_of(element);
            let force: [f64; MOST_COMPONENTS] = std::array::from_fn(|a| {
                if a < m { (0..m).map(|b| soft[a * MOST_COMPONENTS + b] * rest[b]).sum() } else { 0.0 }
            });
            let mut row = 0;
            for index in element.cone..element.cone + element.cones {
                let size = self.program.cones[index].size();
                let (mut x, mut change) = ([0.0; 3], [0.0; 3]);
                for (k, x) in x.iter_mut().enumerate().take(size) {
                    *x = (0..m).map(|b| map[(row + k) * m + b] * force[b]).sum();
                }
                newton.scaling[index].inverse_square(&x, &mut change);
                let out = &mut z[element.row + row..][..size];
                out.iter_mut().zip(change).for_each(|(z, c)| *z += c);
                row += size;
            }
        }
    }
}

/// H = Fᵀ W⁻² F of one element.
fn stiffness(program: &Program, element: &Element, scaling: &[Scaling]) -> Small {
    let m = element.components;
    let map = program.map_of(element);
    let mut h = [0.0; MOST_COMPONENTS * MOST_COMPONENTS];
    let mut row = 0;
    for (cone, scaling) in program.cones[element.cone..][..element.cones].iter().zip(scaling) {
        let rows = &map[row * m..][..cone.size() * m];
        for b in 0..m {
            let (mut column, mut scaled) = ([0.0; 3], [0.0; 3]);
            for (k, x) in column.iter_mut().enumerate().take(cone.size()) {
                *x = rows[k * m + b];
            }
            scaling.inverse_square(&column, &mut scaled);
            for a in 0..m {
                h[a * MOST_COMPONENTS + b] += (0..cone.size()).map(|k| rows[k * m + a] * scaled[k]).sum::<f64>();
            }
        }
        row += cone.size();
    }
    h
}
