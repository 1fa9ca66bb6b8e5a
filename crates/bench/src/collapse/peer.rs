//! `cargo xtask bench collapse --lmgc90`: the same scenes through LMGC90, in the same run.
//!
//! LMGC90 (<https://git-xen.lmgc.univ-montp2.fr/lmgc90>) solves the same scheme (Moreau–Jean, θ = ½) with the same law
//! (`IQS_CLB`: inelastic impacts, Coulomb friction) by Gauss–Seidel. The package `compas_lmgc90` contains it; its
//! stopping rule is LMGC90's own and cannot be set. Blocks, ground, friction, motions of supports, loads and time step
//! are those of our scene; a half-space becomes a slab. Gravity is 9.81 m/s² downwards in LMGC90; a different gravity
//! is applied by a force on every block, and an initial velocity by an impulse in the first step.
//!
//! **Compared**: CPU time of the steps, one thread each. **Judged**: LMGC90's list of contacts (points, frames, forces,
//! relative velocities, gaps) with our residual: ρ and q follow from the Delassus operator W of its contacts with the
//! masses of our model, q = u + b − W r, b = g⁺/h with the gap g at the start of the step. Scenes in 2D and scenes with
//! spheres are not run: the package has polyhedra only. LMGC90 stops (`PRPRx::STO_fill_this_array`) where two blocks
//! share more contact points than its default memory has places for (drums with more than ten sides).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use voussoir_contact::Problem;
use voussoir_contact::residual::{Scale, residual};
use voussoir_geometry::glam::{DMat3, DVec3};
use voussoir_geometry::spatial::Shape3;
use voussoir_geometry::{D3, Pose, Solid, Space};
use voussoir_mechanics::model::{Body, DynamicSettings, Model, Role};

use crate::place::{root, run};

/// Gravity of LMGC90 [m/s²].
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// Half side and thickness of the slab that represents a half-space [m].
const SLAB: [f64; 2] = [30.0, 1.0];

/// Alert distance, relative to the smallest block: that of our detection.
const ALERT_DISTANCE: f64 = 5e-3;

const SCRIPT: &str = include_str!("peer.py");

/// Cost and accuracy of LMGC90.
pub struct Peer {
    /// Computing time of all steps [s].
    pub seconds: f64,
    /// Largest and median residual of its steps, in our measure.
    pub residual: [f64; 2],
    /// Largest penetration, relative to the smallest block.
    pub penetration: f64,
    /// Contacts of the largest step.
    pub contacts: usize,
}

/// The interpreter with the package; installs it into `target/lmgc90` when it is missing.
pub fn install() -> Result<PathBuf, String> {
    let home = root().join("target/lmgc90");
    let python = home.join("bin/python");
    let usable = |python: &Path| {
        let tried = Command::new(python).args(["-c", "import compas_lmgc90"]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    if let Some(named) = std::env::var_os("VOUSSOIR_LMGC90_PYTHON").map(PathBuf::from) {
        return if usable(&named) { Ok(named) } else { Err(format!("{}: no package compas_lmgc90", named.display())) };
    }
    if !usable(&python) {
        println!("installs the Python package compas_lmgc90 into {}", home.display());
        run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "compas_lmgc90"]))?;
    }
    Ok(python)
}

/// Runs a model in LMGC90 for some steps.
pub fn measure(python: &Path, model: &Model<D3>, settings: &DynamicSettings, steps: usize) -> Result<Peer, String> {
    let place = root().join("target/lmgc90-run");
    let fail = |error: std::io::Error| format!("{}: {error}", place.display());
    std::fs::create_dir_all(&place).map_err(fail)?;
    let [scene, script, answer] = ["scene.json", "peer.py", "answer.txt"].map(|name| place.join(name));
    std::fs::write(&scene, describe(model, settings, steps)?).map_err(fail)?;
    std::fs::write(&script, SCRIPT).map_err(fail)?;
    let output = Command::new(python)
        .args([&script, &scene, &answer])
        .envs([("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1"), ("MKL_NUM_THREADS", "1")])
        .current_dir(&place)
        .output()
        .map_err(|e| format!("{}: {e}", python.display()))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        let error = said.lines().find(|line| line.contains("ERROR [")).or(said.lines().last());
        return Err(format!("LMGC90 stopped: {}", error.unwrap_or("no message").trim()));
    }
    judge(model, settings, &std::fs::read_to_string(&answer).map_err(fail)?)
}

/// The scene for the script, as JSON.
fn describe(model: &Model<D3>, settings: &DynamicSettings, steps: usize) -> Result<String, String> {
    let h = settings.step;
    let mut text = String::new();
    let joint = model.joints.between(0, 0);
    let density = model.materials.first().map_or(0.0, |material| material.density);
    let _ = write!(
        text,
        "{{\"h\":{h},\"steps\":{steps},\"friction\":{},\"density\":{density},\"alert\":{},\"blocks\":[",
        joint.friction,
        ALERT_DISTANCE * smallest(model)
    );
    for (i, body) in model.bodies.iter().enumerate() {
        let Mesh { vertices, faces, centroid } = mesh(body)?;
        let points: Vec<String> = vertices.iter().map(|v| format!("[{},{},{}]", v.x, v.y, v.z)).collect();
        let _ = write!(
            text,
            "{}{{\"vertices\":[{}],\"faces\":{faces:?},\"centroid\":[{},{},{}],\"velocities\":[{}],\"forces\":[{}]}}",
            if i > 0 { "," } else { "" },
            points.join(","),
            centroid.x,
            centroid.y,
            centroid.z,
            velocities(model, body, h, steps).join(","),
            forces(model, i, h, steps)?.join(",")
        );
    }
    text.push_str("]}");
    Ok(text)
}

/// A block in world axes.
struct Mesh {
    /// Relative to the centroid [m].
    vertices: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
    centroid: DVec3,
}

fn mesh(body: &Body<D3>) -> Result<Mesh, String> {
    let Pose { position, rotation } = body.pose;
    match &*body.shape {
        Shape3::Polyhedron(_) => {
            let surface = body.shape.surface(1.0);
            let vertices = surface.points.iter().map(|&p| rotation * DVec3::from(p)).collect();
            Ok(Mesh { vertices, faces: surface.polygons, centroid: position })
        }
        Shape3::HalfSpace(half) => {
            let normal = rotation * half.normal;
            let (x, y) = normal.any_orthonormal_pair();
            let top = position + normal * half.offset;
            let centroid = top - normal * (0.5 * SLAB[1]);
            let corner = |i: usize, z: f64| {
                let [sx, sy] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][i];
                (x * sx + y * sy) * SLAB[0] + normal * (z * 0.5 * SLAB[1])
            };
            let vertices = (0..8).map(|i| corner(i % 4, if i < 4 { -1.0 } else { 1.0 })).collect();
            let faces = vec![
                vec![3, 2, 1, 0],
                vec![4, 5, 6, 7],
                vec![0, 1, 5, 4],
                vec![1, 2, 6, 5],
                vec![2, 3, 7, 6],
                vec![3, 0, 4, 7],
            ];
            Ok(Mesh { vertices, faces, centroid })
        }
        _ => Err("not run: a shape is no polyhedron".to_owned()),
    }
}

/// Prescribed velocities of a support by degree of freedom; tables of times and values, empty for zero.
fn velocities(model: &Model<D3>, body: &Body<D3>, h: f64, steps: usize) -> Vec<String> {
    let Role::Support(motion) = body.role else { return Vec::new() };
    let motion = motion.map(|m| &model.motions[m]);
    (0..6)
        .map(|dof| match motion {
            Some(motion) if dof < 3 => {
                let times: Vec<f64> = (0..=steps + 1).map(|k| k as f64 * h).collect();
                let values: Vec<f64> = times.iter().map(|&t| motion.velocity(&body.pose, t).0[dof]).collect();
                format!("[{},[{times:?},{values:?}]]", dof + 1)
            }
            _ => format!("[{},[]]", dof + 1),
        })
        .collect()
}

/// Forces on a free block besides LMGC90's gravity, by degree of freedom.
fn forces(model: &Model<D3>, index: usize, h: f64, steps: usize) -> Result<Vec<String>, String> {
    let body = &model.bodies[index];
    if body.role != Role::Free {
        return Ok(Vec::new());
    }
    let loads: Vec<_> = model.loads.iter().filter(|load| load.body == index).collect();
    if loads.iter().any(|load| load.point != DVec3::ZERO || load.moment != DVec3::ZERO) || body.spin != DVec3::ZERO {
        return Err("not run: loads beside centroids, or an initial spin".to_owned());
    }
    let constant = (model.gravity - GRAVITY) * body.mass;
    let times: Vec<f64> = (0..=steps + 1).map(|k| k as f64 * h).collect();
    let at = |k: usize, axis: usize| {
        let load: f64 = loads.iter().map(|load| load.force[axis] * load.function.value(times[k])).sum();
        // θ = ½: half of the first value acts in the first step
        let kick = if k == 0 { 2.0 * body.mass * body.velocity[axis] / h } else { 0.0 };
        constant[axis] + load + kick
    };
    let table = |axis: usize| {
        let values: Vec<f64> = (0..times.len()).map(|k| at(k, axis)).collect();
        values.iter().any(|&value| value != 0.0).then(|| format!("[{},[{times:?},{values:?}]]", axis + 1))
    };
    Ok((0..3).filter_map(table).collect())
}

/// Diameter of the smallest block [m].
fn smallest(model: &Model<D3>) -> f64 {
    model.bodies.iter().map(|body| body.shape.size()).fold(f64::INFINITY, f64::min)
}

/// One contact of LMGC90: bodies from 0, point, frame (n, t, s), force and relative velocity in it, gap.
struct Found {
    bodies: [usize; 2],
    point: DVec3,
    frame: [DVec3; 3],
    force: [f64; 3],
    velocity: [f64; 3],
    gap: f64,
}

impl Found {
    fn read(words: &[f64]) -> Option<Self> {
        let vector = |at: usize| DVec3::new(words[at], words[at + 1], words[at + 2]);
        // LMGC90's components are (t, n, s)
        let turned = |at: usize| [words[at + 1], words[at], words[at + 2]];
        (words.len() == 21).then(|| Self {
            bodies: [words[0] as usize - 1, words[1] as usize - 1],
            point: vector(2),
            frame: [vector(5), vector(8), vector(11)],
            force: turned(14),
            velocity: turned(17),
            gap: words[20],
        })
    }
}

/// Reads the answer of the script and measures every step.
fn judge(model: &Model<D3>, settings: &DynamicSettings, answer: &str) -> Result<Peer, String> {
    let mut peer = Peer { seconds: 0.0, residual: [0.0; 2], penetration: 0.0, contacts: 0 };
    let (mut residuals, mut contacts, mut poses) = (Vec::new(), Vec::new(), Vec::new());
    let mut lines = answer.lines().peekable();
    while let Some(line) = lines.next() {
        let mut words = line.split_whitespace();
        let kind = words.next();
        let numbers: Vec<f64> = words.map(|word| word.parse().unwrap_or(f64::NAN)).collect();
        match kind {
            Some("step") => peer.seconds += numbers.first().copied().unwrap_or(0.0),
            Some("contact") => contacts.push(Found::read(&numbers).ok_or("LMGC90: a contact cannot be read")?),
            Some("body") => poses.push(numbers),
            _ => {}
        }
        if lines.peek().is_none_or(|next| next.starts_with("step")) {
            if poses.len() != model.bodies.len() {
                return Err("LMGC90: bodies are missing".to_owned());
            }
            residuals.push(measured(model, settings, &poses, &contacts));
            let depth = contacts.iter().map(|contact| -contact.gap).fold(0.0, f64::max);
            peer.penetration = peer.penetration.max(depth / smallest(model));
            peer.contacts = peer.contacts.max(contacts.len());
            (contacts, poses) = (Vec::new(), Vec::new());
        }
    }
    residuals.sort_by(f64::total_cmp);
    peer.residual =
        [residuals.last().copied().unwrap_or(0.0), residuals.get(residuals.len() / 2).copied().unwrap_or(0.0)];
    Ok(peer)
}

/// Residual of LMGC90's contacts in our measure.
fn measured(model: &Model<D3>, settings: &DynamicSettings, poses: &[Vec<f64>], contacts: &[Found]) -> f64 {
    if contacts.is_empty() {
        return 0.0;
    }
    let h = settings.step;
    let friction = model.joints.between(0, 0).friction;
    let mut problem = Problem::new(3, 6);
    let mut node = vec![None; model.bodies.len()];
    for (i, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.role == Role::Free) {
        // inertia in world axes, so that Jacobians need no frame of LMGC90's bodies but its turn since the start
        let start = DMat3::from_quat(body.pose.rotation);
        let turn = DMat3::from_cols_slice(&poses[i][3..12]);
        let axes = turn * start;
        let inertia = axes * body.inertia * axes.transpose();
        let (mut mass, mut inverse) = ([0.0; 36], [0.0; 36]);
        D3::mass_matrix(body.mass, inertia, &mut mass);
        D3::inverse_mass_matrix(body.mass, inertia, &mut inverse);
        node[i] = Some(problem.push_node(&mass, &inverse, &[0.0; 6]));
    }
    let (mut u, mut r) = (Vec::new(), Vec::new());
    for contact in contacts {
        let mut blocks = Vec::new();
        for (&body, sign) in contact.bodies.iter().zip([1.0, -1.0]) {
            let Some(node) = node[body] else { continue };
            let arm = contact.point - DVec3::new(poses[body][0], poses[body][1], poses[body][2]);
            let mut block = [0.0; 18];
            for (row, axis) in block.chunks_exact_mut(6).zip(contact.frame) {
                D3::pack(axis * sign, arm.cross(axis * sign), row);
            }
            blocks.push((node, block));
        }
        let entries: Vec<(u32, &[f64])> = blocks.iter().map(|(node, block)| (*node, &block[..])).collect();
        // the gap at the end is the gap at the start plus the displacement of the step
        let gap = (contact.gap - h * contact.velocity[0]).max(0.0);
        problem.push_contact(&entries, &[0.0; 3], friction);
        u.extend([contact.velocity[0] + gap / h, contact.velocity[1], contact.velocity[2]]);
        r.extend(contact.force.map(|f| f * h));
    }
    // q = u − W r
    let (mut v, mut q) = (Vec::new(), u.clone());
    problem.velocity(&r, &mut v);
    v.iter_mut().for_each(|v| *v = -*v);
    problem.add_jacobian_times(&v, &mut q);
    let scale = Scale::of(3, &problem.delassus_diagonal(), &q);
    residual(&problem.laws(), &scale, &u, &r).value
}
