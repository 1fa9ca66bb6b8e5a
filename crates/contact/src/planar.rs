//! Contact problems in the plane: Gauss–Seidel sweeps, finished by the exact solution for the present statuses.
//!
//! In 2D Coulomb's law is piecewise linear. A contact is open (rₙ = f, the least normal impulse) or closed (uₙ + c = 0),
//! and it sticks (u_T = 0) or slides (r_T = ±μ rₙ). For given statuses the impulses follow from one linear system. Some
//! sweeps find most statuses; then the system is solved for the statuses of x = r − ρ u, and again for those of its
//! solution (semismooth Newton with full steps), until the law holds. If statuses repeat before that, more sweeps follow
//! from the best impulses so far, and at last proximal steps with falling weights: with u + a w (r − r_k) in place of u,
//! w the diagonal of W, Newton's method repeats no statuses if a is large enough.
//!
//! The system has the unknowns of closed and sticking contacts only, in the order of a breadth-first search through the
//! contacts, so that its rows are short. A multiple [`REGULAR`] of the diagonal keeps it regular where contacts are
//! redundant: a proximal term about the previous impulses, which does not change the solution.
//!
//! c is the approach that is allowed ([`crate::impact::ImpactOptions::relaxation`]). Requirements: 2D, nodes with three
//! velocities, no compliance, true law. Reference: Alart & Curnier, CMAME 92 (1991).

use crate::problem::Problem;
use crate::short_rows::ShortRows;

/// Weight of the proximal term, in units of the diagonal.
const REGULAR: f64 = 1e-11;
/// Times that sweeps and Newton steps follow each other before proximal steps begin.
const ROUNDS: usize = 3;
/// Proximal steps, and Newton steps of one of them.
const PROXIMAL: [usize; 2] = [40, 16];
/// First weights of proximal steps, in units of the diagonal: two attempts, with sweeps between them.
const WEIGHTS: [f64; 2] = [0.1, 1.0];
const SECOND: usize = 200;
/// Largest weight.
const LARGEST: f64 = 1e3;
/// Factors of the weight after a proximal step of at most 3, at most 6, and more Newton steps, and after one that failed.
const FACTORS: [f64; 4] = [0.1, 0.2, 0.4, 4.0];
/// Sweeps of the first round, from a warm start and from zero; each round has four times as many.
const SWEEPS: [usize; 2] = [2, 8];
/// Newton steps of a round.
const STEPS: usize = 14;
/// Systems for the same statuses one after the other: the proximal term vanishes.
const SAME: usize = 3;
/// Unknowns of the largest system.
const MOST: usize = 900;

/// What [`solve`] finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanarSolution {
    /// r (contacts × 2) [N·s].
    pub impulses: Vec<f64>,
    /// Largest error of the law at a contact, over the largest free velocity of a contact; unit-free.
    pub residual: f64,
    /// Linear systems solved.
    pub systems: u32,
}

/// Solves a problem from the impulses `warm` (contacts × 2; empty: zero); `floors` are least normal impulses (empty: zero),
/// `relaxation` is c. Returns the best solution found; `None` if a requirement is not met.
pub fn solve(
    problem: &Problem,
    warm: &[f64],
    floors: &[f64],
    relaxation: f64,
    tolerance: f64,
) -> Option<PlanarSolution> {
    if problem.dim() != 2 || problem.dofs() != 3 || problem.contacts() == 0 || !problem.wide.is_empty() {
        return None;
    }
    if problem.is_associated() || problem.compliance().iter().any(|e| *e != 0.0) {
        return None;
    }
    Some(Planar::new(problem, floors, relaxation)?.run(warm, tolerance))
}

/// Node of a missing entry.
const NONE: usize = usize::MAX;

/// A contact, its Jacobian blocks and their products with the inverse mass.
#[derive(Clone, Copy, Debug)]
struct Contact {
    nodes: [usize; 2],
    /// Rows n, t (2 × 3).
    jacobian: [[f64; 6]; 2],
    /// M⁻¹ Jᵀ (2 × 3).
    lifted: [[f64; 6]; 2],
    /// W of the contact with itself: nn, nt, tt.
    own: [f64; 3],
    bias: [f64; 2],
    mu: f64,
    floor: f64,
}

impl Contact {
    fn relative(&self, v: &[[f64; 3]]) -> [f64; 2] {
        let mut u = self.bias;
        for (node, j) in self.nodes.iter().zip(&self.jacobian).filter(|(node, _)| **node != NONE) {
            let v = &v[*node];
            u[0] += j[0] * v[0] + j[1] * v[1] + j[2] * v[2];
            u[1] += j[3] * v[0] + j[4] * v[1] + j[5] * v[2];
        }
        u
    }

    fn push(&self, r: [f64; 2], v: &mut [[f64; 3]]) {
        for (node, l) in self.nodes.iter().zip(&self.lifted).filter(|(node, _)| **node != NONE) {
            let v = &mut v[*node];
            (0..3).for_each(|k| v[k] += l[k] * r[0] + l[3 + k] * r[1]);
        }
    }

    /// The nearest impulse that the law admits.
    fn admitted(&self, r: [f64; 2]) -> [f64; 2] {
        let n = r[0].max(self.floor);
        [n, r[1].clamp(-self.mu * n, self.mu * n)]
    }

    /// The impulse with the relative velocity `q` without it (its normal part with c).
    fn alone(&self, q: [f64; 2]) -> [f64; 2] {
        let [a, b, d] = self.own;
        let (mu, f) = (self.mu, self.floor);
        let t = (-(q[1] + b * f) / d).clamp(-mu * f, mu * f);
        if q[0] + a * f + b * t >= 0.0 {
            return [f, t];
        }
        let det = a * d - b * b;
        let [n, t] = [(b * q[1] - d * q[0]) / det, (b * q[0] - a * q[1]) / det];
        if n >= f && t.abs() <= mu * n {
            return [n, t];
        }
        for s in [t.signum(), -t.signum()] {
            let n = -q[0] / (a + s * mu * b);
            if a + s * mu * b > 0.0 && n >= f && s * (q[1] + (b + s * mu * d) * n) <= 0.0 {
                return [n, s * mu * n];
            }
        }
        let n = (-q[0] / a).max(f);
        [n, (-(q[1] + b * n) / d).clamp(-mu * n, mu * n)]
    }
}

/// Status of a contact: closed or open, and its direction of sliding (0: sticks).
type ContactState = (bool, i8);

/// The problem.
struct Planar {
    contacts: Vec<Contact>,
    free: Vec<[f64; 3]>,
    /// Contacts of each node.
    of_node: Vec<Vec<usize>>,
    /// Contacts in the order of the linear systems.
    order: Vec<usize>,
    relaxation: f64,
    /// 1 / mean of the diagonal of W [kg].
    rho: f64,
    /// Largest free velocity of a contact [m/s].
    speed: f64,
}

impl Planar {
    fn new(problem: &Problem, floors: &[f64], relaxation: f64) -> Option<Self> {
        let free: Vec<[f64; 3]> = problem.free_velocity.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
        let mut contacts = Vec::with_capacity(problem.contacts());
        let mut of_node: Vec<Vec<usize>> = vec![Vec::new(); free.len()];
        for i in 0..problem.contacts() {
            let mut contact = Contact {
                nodes: [NONE; 2],
                jacobian: [[0.0; 6]; 2],
                lifted: [[0.0; 6]; 2],
                own: [0.0; 3],
                bias: [problem.bias[2 * i], problem.bias[2 * i + 1]],
                mu: problem.friction[i],
                floor: floors.get(i).copied().unwrap_or(problem.floor[i]),
            };
            for (k, (node, block)) in problem.entries_of(i).enumerate() {
                if k > 1 || contact.nodes[0] == node as usize {
                    return None;
                }
                contact.nodes[k] = node as usize;
                of_node[node as usize].push(i);
                contact.jacobian[k].copy_from_slice(block);
                let inverse = &problem.inverse_mass[node as usize * 9..][..9];
                for c in 0..2 {
                    let row = &block[3 * c..][..3];
                    for j in 0..3 {
                        contact.lifted[k][3 * c + j] = (0..3).map(|l| inverse[3 * j + l] * row[l]).sum();
                    }
                }
                let w = product(&contact.jacobian[k], &contact.lifted[k]);
                contact.own[0] += w[0][0];
                contact.own[1] += 0.5 * (w[0][1] + w[1][0]);
                contact.own[2] += w[1][1];
            }
            if !(contact.own[0] > 0.0 && contact.own[2] > 0.0) {
                return None;
            }
            contacts.push(contact);
        }
        let trace: f64 = contacts.iter().map(|contact| contact.own[0] + contact.own[2]).sum();
        let rho = 2.0 * contacts.len() as f64 / trace;
        let mut planar = Self { contacts, free, of_node, order: Vec::new(), relaxation, rho, speed: 1.0 };
        planar.order = planar.breadth_first();
        let mut v = planar.free.clone();
        planar.contacts.iter().for_each(|contact| contact.push([contact.floor, 0.0], &mut v));
        let fastest = |most: f64, contact: &Contact| {
            let u = contact.relative(&v);
            most.max(u[0].abs()).max(u[1].abs())
        };
        let speed = planar.contacts.iter().fold(relaxation, fastest);
        planar.speed = if speed > 0.0 { speed } else { 1.0 };
        Some(planar)
    }

    /// Contacts in the order of a breadth-first search, each part from its far end.
    fn breadth_first(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.contacts.len());
        let mut known = vec![0u8; self.contacts.len()];
        let search = |start: usize, mark: u8, known: &mut Vec<u8>, out: &mut Vec<usize>| {
            let first = out.len();
            known[start] = mark;
            out.push(start);
            let mut at = first;
            while at < out.len() {
                let contact = &self.contacts[out[at]];
                at += 1;
                for node in contact.nodes.iter().filter(|node| **node != NONE) {
                    for &other in &self.of_node[*node] {
                        if known[other] < mark {
                            known[other] = mark;
                            out.push(other);
                        }
                    }
                }
            }
        };
        for start in 0..self.contacts.len() {
            if known[start] == 0 {
                let mut part = Vec::new();
                search(start, 1, &mut known, &mut part);
                let end = part.last().copied().unwrap_or(start);
                search(end, 2, &mut known, &mut order);
            }
        }
        order
    }

    fn velocities(&self, r: &[[f64; 2]]) -> Vec<[f64; 3]> {
        let mut v = self.free.clone();
        self.contacts.iter().zip(r).for_each(|(contact, r)| contact.push(*r, &mut v));
        v
    }

    /// Largest error of the law for impulses that it admits, unit-free.
    fn error(&self, r: &[[f64; 2]], v: &[[f64; 3]]) -> f64 {
        let unit = self.rho * self.speed;
        let mut most = 0.0_f64;
        for (contact, r) in self.contacts.iter().zip(r) {
            let u = contact.relative(v);
            let normal = ((r[0] - contact.floor) / unit).min((u[0] + self.relaxation) / self.speed);
            let bound = contact.mu * r[0];
            let tangent = (r[1] - (r[1] - self.rho * u[1]).clamp(-bound, bound)) / unit;
            most = most.max(normal.abs()).max(tangent.abs());
        }
        most
    }

    fn sweep(&self, back: bool, r: &mut [[f64; 2]], v: &mut [[f64; 3]]) {
        let count = self.contacts.len();
        for k in 0..count {
            let i = self.order[if back { count - 1 - k } else { k }];
            let contact = &self.contacts[i];
            let u = contact.relative(v);
            let ([n, t], [a, b, d]) = (r[i], contact.own);
            let q = [u[0] + self.relaxation - a * n - b * t, u[1] - b * n - d * t];
            let new = contact.alone(q);
            contact.push([new[0] - n, new[1] - t], v);
            r[i] = new;
        }
    }

    /// Statuses of impulses and velocities, with a proximal term of the weight `a` about `centre`.
    fn statuses(&self, r: &[[f64; 2]], v: &[[f64; 3]], centre: &[[f64; 2]], a: f64) -> Vec<ContactState> {
        let status = |((contact, r), centre): ((&Contact, &[f64; 2]), &[f64; 2])| {
            let u = contact.relative(v);
            let rho = 2.0 / (contact.own[0] + contact.own[2]);
            let pull = |k: usize| a * contact.own[2 * k] * (r[k] - centre[k]);
            let n = r[0] - rho * (u[0] + self.relaxation + pull(0));
            let t = r[1] - rho * (u[1] + pull(1));
            let slides = t.abs() > contact.mu * n.max(contact.floor);
            (n > contact.floor, if slides { t.signum() as i8 } else { 0 })
        };
        self.contacts.iter().zip(r).zip(centre).map(status).collect()
    }

    /// The impulses for given statuses, with a proximal term. `None` if the system is too large or singular.
    fn solution(&self, statuses: &[ContactState], centre: &[[f64; 2]], a: f64) -> Option<Vec<[f64; 2]>> {
        // unknowns: normal impulses of closed, tangential impulses of sticking contacts
        let mut place = vec![[NONE; 2]; self.contacts.len()];
        let mut size = 0;
        for &i in &self.order {
            for (k, unknown) in [statuses[i].0, statuses[i].1 == 0].into_iter().enumerate() {
                if unknown {
                    place[i][k] = size;
                    size += 1;
                }
            }
        }
        if size > MOST {
            return None;
        }
        let slope = |i: usize| f64::from(statuses[i].1) * self.contacts[i].mu;
        let mut r: Vec<[f64; 2]> = vec![[0.0; 2]; self.contacts.len()];
        for (i, r) in r.iter_mut().enumerate().filter(|(i, _)| !statuses[*i].0) {
            let f = self.contacts[i].floor;
            *r = [f, slope(i) * f];
        }
        let v = self.velocities(&r);
        let mut system = ShortRows::new(size);
        for (i, contact) in self.contacts.iter().enumerate() {
            let u = contact.relative(&v);
            let given = [u[0] + self.relaxation, u[1]];
            for k in 0..2 {
                if place[i][k] != NONE {
                    let extra = a * contact.own[2 * k];
                    system.add(place[i][k], place[i][k], extra);
                    system.right[place[i][k]] = extra * centre[i][k] - given[k];
                }
            }
            for (node, jacobian) in contact.nodes.iter().zip(&contact.jacobian).filter(|(node, _)| **node != NONE) {
                for &j in &self.of_node[*node] {
                    let other = &self.contacts[j];
                    let end = usize::from(other.nodes[0] != *node);
                    let w = product(jacobian, &other.lifted[end]);
                    for k in (0..2).filter(|k| place[i][*k] != NONE) {
                        if place[j][0] != NONE {
                            system.add(place[i][k], place[j][0], w[k][0] + slope(j) * w[k][1]);
                        }
                        if place[j][1] != NONE {
                            system.add(place[i][k], place[j][1], w[k][1]);
                        }
                    }
                }
            }
        }
        let x = system.solve()?;
        for (i, r) in r.iter_mut().enumerate() {
            let of = |k: usize| (place[i][k] != NONE).then(|| x[place[i][k]]);
            if let Some(n) = of(0) {
                *r = [n, slope(i) * n];
            }
            if let Some(t) = of(1) {
                r[1] = t;
            }
        }
        Some(r)
    }

    /// Keeps impulses if they are the best so far, with those that the law admits next to them.
    fn keep(&self, r: &[[f64; 2]], best: &mut Best) {
        let admitted: Vec<[f64; 2]> = self.contacts.iter().zip(r).map(|(c, r)| c.admitted(*r)).collect();
        let error = self.error(&admitted, &self.velocities(&admitted));
        if error < best.error {
            (best.error, best.impulses) = (error, admitted);
        }
    }

    /// Newton steps from `r`, each with the statuses of the previous one, until statuses repeat.
    fn newton(&self, r: &[[f64; 2]], tolerance: f64, best: &mut Best) {
        let mut now = r.to_vec();
        let mut same = 0;
        for _ in 0..STEPS {
            let statuses = self.statuses(&now, &self.velocities(&now), &now, 0.0);
            same = if best.seen.last() == Some(&statuses) { same + 1 } else { 0 };
            if same >= SAME || same == 0 && best.seen.contains(&statuses) {
                break;
            }
            if same == 0 {
                best.seen.push(statuses.clone());
            }
            best.systems += 1;
            let Some(found) = self.solution(&statuses, &now, REGULAR) else { break };
            if !found.iter().flatten().all(|x| x.is_finite()) {
                break;
            }
            now = found;
            self.keep(&now, best);
            if best.error <= tolerance {
                break;
            }
        }
    }

    /// Proximal steps with falling weights, the first one `a`.
    fn descend(&self, start: &[[f64; 2]], mut a: f64, tolerance: f64, best: &mut Best) {
        let mut centre = start.to_vec();
        // the last weight with which Newton's method failed, and the error then
        let mut failed: Option<(f64, f64)> = None;
        for _ in 0..PROXIMAL[0] {
            let mut now = centre.clone();
            let (mut last, mut steps, mut solved) = (Vec::new(), 0, false);
            for step in 0..PROXIMAL[1] {
                let statuses = self.statuses(&now, &self.velocities(&now), &centre, a);
                if statuses == last {
                    solved = true;
                    break;
                }
                (last, steps) = (statuses, step);
                best.systems += 1;
                let Some(found) = self.solution(&last, &centre, a) else { return };
                now = found;
            }
            if solved && now.iter().flatten().all(|x| x.is_finite()) {
                self.keep(&now, best);
                if best.error <= tolerance {
                    return;
                }
                centre = now;
                let mut lower = a * FACTORS[usize::from(steps > 3) + usize::from(steps > 6)];
                match failed {
                    Some((_, error)) if best.error < 0.1 * error => failed = None,
                    Some((weight, _)) => lower = lower.max(a.min(2.0 * weight)),
                    None => {}
                }
                a = lower.max(REGULAR);
            } else {
                failed = Some((a, best.error));
                a *= FACTORS[3];
                if a > LARGEST {
                    return;
                }
            }
        }
    }

    fn run(&self, warm: &[f64], tolerance: f64) -> PlanarSolution {
        let start = warm.chunks_exact(2).map(|r| [r[0], r[1]]).chain(std::iter::repeat([0.0; 2]));
        let mut r: Vec<[f64; 2]> = self.contacts.iter().zip(start).map(|(c, r)| c.admitted(r)).collect();
        let mut best = Best { error: f64::INFINITY, impulses: r.clone(), systems: 0, seen: Vec::new() };
        self.keep(&r, &mut best);
        let mut sweeps = SWEEPS[usize::from(warm.iter().all(|r| *r == 0.0))];
        for _ in 0..ROUNDS {
            if best.error <= tolerance {
                break;
            }
            let mut v = self.velocities(&r);
            (0..sweeps).for_each(|k| self.sweep(k % 2 == 1, &mut r, &mut v));
            sweeps *= 4;
            self.keep(&r, &mut best);
            if best.error > tolerance {
                self.newton(&r, tolerance, &mut best);
            }
            r.clone_from(&best.impulses);
        }
        for (k, weight) in WEIGHTS.into_iter().enumerate() {
            if best.error <= tolerance {
                break;
            }
            if k > 0 {
                let mut v = self.velocities(&r);
                (0..SECOND).for_each(|k| self.sweep(k % 2 == 1, &mut r, &mut v));
                self.keep(&r, &mut best);
            }
            self.descend(&r, weight, tolerance, &mut best);
        }
        let impulses = best.impulses.into_iter().flatten().collect();
        PlanarSolution { impulses, residual: best.error, systems: best.systems }
    }
}

/// The best impulses so far, and what was tried.
struct Best {
    error: f64,
    impulses: Vec<[f64; 2]>,
    systems: u32,
    seen: Vec<Vec<ContactState>>,
}

/// J · lifted of one node (2 × 2).
fn product(jacobian: &[f64; 6], lifted: &[f64; 6]) -> [[f64; 2]; 2] {
    let dot = |a: usize, b: usize| {
        jacobian[a] * lifted[b] + jacobian[a + 1] * lifted[b + 1] + jacobian[a + 2] * lifted[b + 2]
    };
    [[dot(0, 0), dot(0, 3)], [dot(3, 0), dot(3, 3)]]
}
