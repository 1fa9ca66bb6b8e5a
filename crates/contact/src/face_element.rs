//! Coupled face elements: all nodes of an interface at once (Perales 2007, chapter 4).
//!
//! Point forces of a face between rigid blocks are not unique; only their resultants are. The element chooses:
//! * normals linear in position, N = a + b x + c y;
//! * sticking tangentials proportional to normals along the edges of the face and of a fan of triangles in it,
//!   N_j (T_i·e_ij) = N_i (T_j·e_ij), which with the three equations of equilibrium determines them;
//! * sliding tangentials T_i = −μ N_i v_i/‖v_i‖ with the rigid motion v of the face.
//!
//! The solver is Gauss–Seidel over faces: stick if the coupled forces lie in their cones, else slide if all nodes
//! press, else (part of the face opens) node by node as [`crate::nlgs`] does. Validation case V1.5.
//!
//! | option | meaning, nominal range |
//! |---|---|
//! | tolerance | unit-free residual, 1e-4 … 1e-10 |
//! | iterations | sweeps over all faces, 1e2 … 1e4 |
//!
//! Requirements: the global form with [`Problem::push_face`], true law, no floors, no compliance. Contacts of no face
//! are solved one by one.

use faer::Mat;

use crate::budget::Budget;
use crate::cone::{project, tangential_length};
use crate::one_contact::OneContact;
use crate::problem::{Problem, blocks, dot};
use crate::report::{SolveReport, SolverKind, Status};
use crate::residual::{Scale, residual};

/// Updates of the slip directions in one visit of a face.
const TURNS: usize = 60;

/// The contacts of one interface, in order around it, with their places along the two tangents [m].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Face {
    /// Contacts, in order around the face.
    pub contacts: Vec<u32>,
    /// (x, y) of each along (t1, t2), from any origin.
    pub points: Vec<[f64; 2]>,
}

impl Face {
    /// Point impulses (n, t1, t2) with the same resultants as `r` (nodes × 3), normals linear in position and
    /// tangentials proportional to them along edges; `None` when the points lie on a line.
    pub fn coupled(&self, r: &[[f64; 3]]) -> Option<Vec<[f64; 3]>> {
        let normals = self.linear_normals(r)?;
        let n = self.points.len();
        let mut edges: Vec<(usize, usize)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        edges.extend((2..n - 1).map(|i| (0, i)));
        let mut matrix = Mat::<f64>::zeros(2 * n, 2 * n);
        let mut rhs = Mat::<f64>::zeros(2 * n, 1);
        for (i, p) in self.points.iter().enumerate() {
            matrix[(0, 2 * i)] = 1.0;
            matrix[(1, 2 * i + 1)] = 1.0;
            (matrix[(2, 2 * i)], matrix[(2, 2 * i + 1)]) = (-p[1], p[0]);
            rhs[(0, 0)] += r[i][1];
            rhs[(1, 0)] += r[i][2];
            rhs[(2, 0)] += p[0] * r[i][2] - p[1] * r[i][1];
        }
        let mean = normals.iter().map(|x| x.abs()).sum::<f64>() / n as f64;
        if mean == 0.0 {
            return Some(normals.iter().map(|&n| [n, 0.0, 0.0]).collect());
        }
        for (k, &(i, j)) in edges.iter().enumerate() {
            let e = [self.points[j][0] - self.points[i][0], self.points[j][1] - self.points[i][1]];
            for c in 0..2 {
                matrix[(3 + k, 2 * i + c)] += normals[j] / mean * e[c];
                matrix[(3 + k, 2 * j + c)] -= normals[i] / mean * e[c];
            }
        }
        let t = voussoir_dense::solve(matrix.as_ref(), rhs.as_ref())?;
        Some((0..n).map(|i| [normals[i], t[(2 * i, 0)], t[(2 * i + 1, 0)]]).collect())
    }

    /// N_i = a + b x_i + c y_i with the resultant and moments of the normals of `r`.
    fn linear_normals(&self, r: &[[f64; 3]]) -> Option<Vec<f64>> {
        let rows = self.affine();
        let target: Vec<f64> = (0..3).map(|k| rows.iter().zip(r).map(|(row, r)| row[k] * r[0]).sum()).collect();
        let mut matrix = Mat::<f64>::zeros(3, 3);
        for row in &rows {
            for a in 0..3 {
                for b in 0..3 {
                    matrix[(a, b)] += row[a] * row[b];
                }
            }
        }
        let c = solve3(&matrix, &[target[0], target[1], target[2]])?;
        Some(rows.iter().map(|row| dot(row, &c)).collect())
    }

    /// (1, x, y) of every point, from the centre of the points.
    fn affine(&self) -> Vec<[f64; 3]> {
        let n = self.points.len() as f64;
        let centre: [f64; 2] = std::array::from_fn(|c| self.points.iter().map(|p| p[c]).sum::<f64>() / n);
        self.points.iter().map(|p| [1.0, p[0] - centre[0], p[1] - centre[1]]).collect()
    }
}

fn solve3(matrix: &Mat<f64>, rhs: &[f64; 3]) -> Option<[f64; 3]> {
    let b = Mat::from_fn(3, 1, |i, _| rhs[i]);
    let x = voussoir_dense::solve(matrix.as_ref(), b.as_ref())?;
    Some(std::array::from_fn(|i| x[(i, 0)]))
}

/// Sweeps over the faces of `problem` (3D) from `impulses`, which are overwritten with the result.
pub fn solve(problem: &Problem, scale: &Scale, impulses: &mut [f64], budget: &Budget) -> SolveReport {
    let mut sweeps = 0;
    let mut elements = elements(problem);
    loop {
        let (mut velocity, mut relative) = (Vec::new(), Vec::new());
        problem.velocity(impulses, &mut velocity);
        problem.relative_velocity(&velocity, &mut relative);
        let error = residual(&problem.laws(), scale, &relative, impulses);
        let converged = error.value <= budget.tolerance;
        let over = sweeps >= budget.most || budget.is_over();
        if converged || over || elements.is_empty() {
            let status = match (converged, over) {
                (true, _) => Status::Converged,
                (_, true) => Status::IterationLimit,
                _ => Status::Stalled,
            };
            return SolveReport {
                status,
                solver: SolverKind::FaceElements,
                iterations: sweeps,
                factorisations: 0,
                residual: error.value,
                worst_contact: error.worst_contact,
            };
        }
        for element in &elements {
            element.visit(problem, velocity.as_chunks_mut::<6>().0, impulses.as_chunks_mut::<3>().0);
        }
        elements.reverse();
        sweeps += 1;
    }
}

/// A face with what a visit needs, or a contact of no face.
struct Element {
    face: Face,
    /// W between its contacts, row-major 3n × 3n
    w: Mat<f64>,
    /// M⁻¹Jᵀ of the entries of its contacts: (contact in the face, node, rows)
    lifted: Vec<(usize, u32, [[f64; 6]; 3])>,
}

fn elements(problem: &Problem) -> Vec<Element> {
    let mut alone = vec![true; problem.contacts()];
    let mut faces: Vec<Face> = problem.faces.clone();
    faces.iter().flat_map(|f| &f.contacts).for_each(|&c| alone[c as usize] = false);
    faces.extend(
        (0..problem.contacts())
            .filter(|&i| alone[i])
            .map(|i| Face { contacts: vec![i as u32], points: vec![[0.0; 2]] }),
    );
    faces.into_iter().map(|face| Element::new(problem, face)).collect()
}

impl Element {
    fn new(problem: &Problem, face: Face) -> Self {
        let jac = blocks::<3, 6>(&problem.jacobian);
        let lift =
            |(k, &c): (usize, &u32)| problem.lifted::<3, 6>(c as usize).into_iter().map(move |(n, rows)| (k, n, rows));
        let lifted: Vec<_> = face.contacts.iter().enumerate().flat_map(lift).collect();
        let n = 3 * face.contacts.len();
        let mut w = Mat::<f64>::zeros(n, n);
        for (k, &c) in face.contacts.iter().enumerate() {
            for e in problem.first[c as usize]..problem.first[c as usize + 1] {
                for (l, node, rows) in lifted.iter().filter(|(_, node, _)| *node == problem.node[e]) {
                    let _ = node;
                    for a in 0..3 {
                        for b in 0..3 {
                            w[(3 * k + a, 3 * l + b)] += dot(&jac[e][a], &rows[b]);
                        }
                    }
                }
            }
        }
        Self { face, w, lifted }
    }

    /// Relative velocities at the nodes for impulses `r` of this face, `q` being those without them.
    fn relative(&self, q: &[[f64; 3]], r: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let n = r.len();
        (0..n)
            .map(|i| {
                std::array::from_fn(|a| {
                    q[i][a]
                        + (0..n)
                            .flat_map(|j| (0..3).map(move |b| (j, b)))
                            .map(|(j, b)| self.w[(3 * i + a, 3 * j + b)] * r[j][b])
                            .sum::<f64>()
                })
            })
            .collect()
    }

    fn visit(&self, problem: &Problem, v: &mut [[f64; 6]], impulses: &mut [[f64; 3]]) {
        let jac = blocks::<3, 6>(&problem.jacobian);
        let old: Vec<[f64; 3]> = self.face.contacts.iter().map(|&c| impulses[c as usize]).collect();
        let mut q: Vec<[f64; 3]> = self
            .face
            .contacts
            .iter()
            .map(|&c| {
                let mut u: [f64; 3] = std::array::from_fn(|a| problem.bias[c as usize * 3 + a]);
                for e in problem.first[c as usize]..problem.first[c as usize + 1] {
                    for a in 0..3 {
                        u[a] += dot(&jac[e][a], &v[problem.node[e] as usize]);
                    }
                }
                u
            })
            .collect();
        let own = self.relative(&vec![[0.0; 3]; q.len()], &old);
        for (q, own) in q.iter_mut().zip(&own) {
            (0..3).for_each(|a| q[a] -= own[a]);
        }
        let mu: Vec<f64> = self.face.contacts.iter().map(|&c| problem.friction[c as usize]).collect();
        let coupled = if self.face.contacts.len() >= 3 {
            self.stick(&q, &mu).or_else(|| self.slide(&q, &mu, &old))
        } else {
            None
        };
        let new = coupled.unwrap_or_else(|| self.one_by_one(&q, &mu, &old));
        let change: Vec<[f64; 3]> = new.iter().zip(&old).map(|(n, o)| std::array::from_fn(|a| n[a] - o[a])).collect();
        for (k, node, rows) in &self.lifted {
            for (row, dr) in rows.iter().zip(&change[*k]) {
                for (v, m) in v[*node as usize].iter_mut().zip(row) {
                    *v += m * dr;
                }
            }
        }
        for (&c, new) in self.face.contacts.iter().zip(new) {
            impulses[c as usize] = new;
        }
    }

    /// Coupled impulses that stop the face, if they lie in their cones.
    fn stick(&self, q: &[[f64; 3]], mu: &[f64]) -> Option<Vec<[f64; 3]>> {
        let n = q.len();
        let rhs = Mat::from_fn(3 * n, 1, |k, _| -q[k / 3][k % 3]);
        // W has rank 6: the shortest impulses that stop the six motions of a rigid face
        let r = voussoir_dense::least_squares(self.w.as_ref(), rhs.as_ref(), 1e-10)?;
        let r: Vec<[f64; 3]> = (0..n).map(|i| std::array::from_fn(|a| r[(3 * i + a, 0)])).collect();
        let coupled = self.face.coupled(&r)?;
        let inside = |(r, mu): (&[f64; 3], &f64)| r[0] >= 0.0 && tangential_length(r) <= mu * r[0];
        coupled.iter().zip(mu).all(inside).then_some(coupled)
    }

    /// Impulses of a face that slides as a whole: N linear, T against the slip; `None` if a node opens.
    fn slide(&self, q: &[[f64; 3]], mu: &[f64], old: &[[f64; 3]]) -> Option<Vec<[f64; 3]>> {
        let n = q.len();
        let rows = self.face.affine();
        let mut u = self.relative(q, old);
        let mut best = None;
        for _ in 0..TURNS {
            let direction: Vec<[f64; 2]> = u
                .iter()
                .map(|u| {
                    let t = tangential_length(u);
                    if t > 0.0 { [u[1] / t, u[2] / t] } else { [0.0; 2] }
                })
                .collect();
            // uₙ = qₙ + A N with A = Wₙₙ − μ Wₙₜ d, N = B c; three equations Bᵀuₙ = 0
            let mut matrix = Mat::<f64>::zeros(3, 3);
            let mut rhs = [0.0; 3];
            for i in 0..n {
                let mut row = [0.0; 3];
                for j in 0..n {
                    let a = self.w[(3 * i, 3 * j)]
                        - mu[j] * (0..2).map(|c| self.w[(3 * i, 3 * j + 1 + c)] * direction[j][c]).sum::<f64>();
                    (0..3).for_each(|b| row[b] += a * rows[j][b]);
                }
                for a in 0..3 {
                    rhs[a] -= rows[i][a] * q[i][0];
                    (0..3).for_each(|b| matrix[(a, b)] += rows[i][a] * row[b]);
                }
            }
            let c = solve3(&matrix, &rhs)?;
            let r: Vec<[f64; 3]> = (0..n)
                .map(|i| {
                    let normal = dot(&rows[i], &c);
                    [normal, -mu[i] * normal * direction[i][0], -mu[i] * normal * direction[i][1]]
                })
                .collect();
            if r.iter().any(|r| r[0] < 0.0) {
                return None;
            }
            u = self.relative(q, &r);
            let turned: f64 = u
                .iter()
                .zip(&direction)
                .map(|(u, d)| {
                    let t = tangential_length(u);
                    if t > 0.0 { (u[1] / t - d[0]).hypot(u[2] / t - d[1]) } else { 0.0 }
                })
                .fold(0.0, f64::max);
            best = Some(r);
            if turned < 1e-14 {
                break;
            }
        }
        best
    }

    /// Node after node, as without the element.
    fn one_by_one(&self, q: &[[f64; 3]], mu: &[f64], old: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let mut r = old.to_vec();
        for i in 0..r.len() {
            let mut u = self.relative(q, &r)[i];
            let w: [[f64; 3]; 3] = std::array::from_fn(|a| std::array::from_fn(|b| self.w[(3 * i + a, 3 * i + b)]));
            (0..3).for_each(|a| u[a] -= dot(&w[a], &r[i]));
            let one = OneContact { w: &w, q: u, friction: mu[i], floor: 0.0, associated: false };
            r[i] = project(one.solve(), mu[i]);
        }
        r
    }
}
