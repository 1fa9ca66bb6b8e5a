//! Small scenes for either dimension: x to the right, the last axis up.

use std::sync::Arc;

use voussoir_geometry::glam::{DQuat, DVec2, DVec3};
use voussoir_geometry::{D2, D3, Pose, Shape2, Shape3, Solid, Space, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::{
    Body, DynamicSettings, Joint, JointTable, Load, Material, Model, Motion, MotionQuantity, Restitution, Role,
};
use voussoir_mechanics::stepper::DynamicReport;
use voussoir_mechanics::time_function::TimeFunction;

pub const G: f64 = 9.81;
pub const DENSITY: f64 = 2000.0;

/// Shapes and directions that a test needs in both dimensions.
pub trait Kit: Space {
    fn v(x: f64, up: f64) -> Self::Vector;
    /// Rotation that turns x towards up.
    fn turn(angle: f64) -> Self::Rotation;
    /// Spin that turns x towards up.
    fn spin(rate: f64) -> Self::Spin;
    fn block(length: f64, height: f64) -> Self::Shape;
    fn ball(radius: f64) -> Self::Shape;
    fn floor() -> Self::Shape;
}

impl Kit for D2 {
    fn v(x: f64, up: f64) -> DVec2 {
        DVec2::new(x, up)
    }
    fn turn(angle: f64) -> f64 {
        angle
    }
    fn spin(rate: f64) -> f64 {
        rate
    }
    fn block(length: f64, height: f64) -> Shape2 {
        Shape2::rectangle(DVec2::new(length, height)).unwrap()
    }
    fn ball(radius: f64) -> Shape2 {
        Shape2::disc(radius).unwrap()
    }
    fn floor() -> Shape2 {
        Shape2::half_plane(DVec2::Y).unwrap()
    }
}

impl Kit for D3 {
    fn v(x: f64, up: f64) -> DVec3 {
        DVec3::new(x, 0.0, up)
    }
    fn turn(angle: f64) -> DQuat {
        DQuat::from_rotation_y(-angle)
    }
    fn spin(rate: f64) -> DVec3 {
        DVec3::new(0.0, -rate, 0.0)
    }
    fn block(length: f64, height: f64) -> Shape3 {
        Shape3::cuboid(DVec3::new(length, 0.7 * length, height)).unwrap()
    }
    fn ball(radius: f64) -> Shape3 {
        Shape3::sphere(radius).unwrap()
    }
    fn floor() -> Shape3 {
        Shape3::half_space(DVec3::Z).unwrap()
    }
}

/// Ratio I/(m r²) of a ball.
pub fn ball_inertia<S: Space>() -> f64 {
    if S::DIM == 2 { 0.5 } else { 0.4 }
}

pub fn model<S: Kit>(friction: f64, restitution: Restitution) -> Model<S> {
    let materials = vec![Material { name: "stone".into(), density: DENSITY, strength: None }];
    let joints = JointTable::uniform(1, Joint { restitution, ..Joint::coulomb(friction) });
    Model { gravity: S::v(0.0, -G), ..Model::new(Vec::new(), materials, joints) }
}

/// Adds a body and returns its index.
pub fn add<S: Kit>(model: &mut Model<S>, shape: S::Shape, pose: Pose<S>, role: Role) -> usize {
    let properties = shape.mass_properties();
    let (mass, inertia) = match properties {
        Some(p) => (p.volume * DENSITY, S::scale_inertia(p.inertia, DENSITY)),
        None => {
            let unit = S::ball(1.0).mass_properties().unwrap();
            (1.0, unit.inertia)
        }
    };
    model.bodies.push(Body {
        name: format!("body[{}]", model.bodies.len()),
        tags: Vec::new(),
        shape: Arc::new(shape),
        material: 0,
        mass,
        inertia,
        role,
        pose,
        velocity: S::zero(),
        spin: S::no_spin(),
    });
    model.bodies.len() - 1
}

pub fn floor<S: Kit>(model: &mut Model<S>) -> usize {
    add(model, S::floor(), Pose::identity(), Role::Support(None))
}

pub fn settings(step: f64) -> DynamicSettings {
    DynamicSettings { step, ..DynamicSettings::default() }
}

/// Runs and asserts the invariants of every run: convergence, cones, no creation of energy.
pub fn run<S: Space>(stepper: &mut Stepper<S>, steps: usize) -> Vec<DynamicReport> {
    (0..steps)
        .map(|_| {
            let report = stepper.step().unwrap();
            assert!(report.converged, "{report:?}");
            for contact in stepper.contacts() {
                let force = contact.force - contact.bond;
                let normal = force.dot(contact.normal);
                let tangential = (force - contact.normal * normal).length();
                let scale = stepper.contacts().iter().map(|c| c.force.length()).fold(0.0, f64::max);
                assert!(normal >= -1e-12 * scale, "{contact:?}");
                assert!(tangential <= contact.friction * normal * (1.0 + 1e-8) + 1e-12 * scale, "{contact:?}");
            }
            report
        })
        .collect()
}

/// E_kin − E_kin(0) − (works − losses), relative to the largest entry.
pub fn ledger_error(start: f64, report: &DynamicReport) -> f64 {
    let l = report.ledger;
    let lost = l.taken();
    let balance = report.kinetic_energy - start - (l.gravity + l.loads + l.supports - lost);
    let scale = [start, report.kinetic_energy, l.gravity, l.loads, l.supports, l.friction, l.impact, l.cohesion]
        .iter()
        .map(|x| x.abs())
        .fold(f64::MIN_POSITIVE, f64::max);
    balance.abs() / scale
}

pub fn push<S: Space>(body: usize, force: S::Vector) -> Load<S> {
    Load {
        name: "push".into(),
        range: [1.0; 2],
        body,
        force,
        moment: S::no_spin(),
        point: S::zero(),
        function: TimeFunction::Constant(1.0),
        mass: false,
    }
}

/// A translation.
pub fn translation<S: Space>(quantity: MotionQuantity, direction: S::Vector, function: TimeFunction) -> Motion<S> {
    Motion { quantity, direction, rotation: S::no_spin(), pivot: S::zero(), function, components: Vec::new() }
}

/// Linear velocity of a body.
pub fn velocity<S: Space>(stepper: &Stepper<S>, body: usize) -> S::Vector {
    S::unpack(&stepper.state().velocities[body * S::DOFS..][..S::DOFS]).0
}

pub fn position<S: Space>(stepper: &Stepper<S>, body: usize) -> S::Vector {
    stepper.state().poses[body].position
}
