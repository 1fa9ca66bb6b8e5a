//! Checks before a run: all values that would otherwise cause a division by zero or an index out of range.

use voussoir_contact::{Requirements, Unsupported};
use voussoir_geometry::{Space, Vector};

use crate::any::StagePosition;
use crate::error::MechanicsError;
use crate::model::{
    AutomaticStep, Body, Cable, DynamicSettings, FrictionLaw, GapRule, JointTable, Model, Restitution, Role,
};
use crate::sea::SlabMemory;
use crate::state::{CableMemory, EnergyLedger, Presence, State};

impl<S: Space> Model<S> {
    /// Checks that all references exist and all numbers are in range.
    pub fn check(&self) -> Result<(), MechanicsError> {
        for (index, body) in self.bodies.iter().enumerate() {
            let wrong = |reason: String| Err(MechanicsError::Body { index, name: body.name.clone(), reason });
            if body.material >= self.materials.len() {
                return wrong(format!(
                    "it refers to material {}, but there are {} materials",
                    body.material,
                    self.materials.len()
                ));
            }
            if let Some(reason) = bad_number(body) {
                return wrong(reason.to_owned());
            }
            match body.role {
                Role::Free => {
                    if let Some(reason) = bad_mass(body) {
                        return wrong(reason);
                    }
                }
                Role::Support(Some(motion)) if motion >= self.motions.len() => {
                    return wrong(format!(
                        "it refers to motion {motion}, but there are {} motions",
                        self.motions.len()
                    ));
                }
                Role::Support(_) => {}
            }
        }
        for (i, motion) in self.motions.iter().enumerate() {
            let what = format!("motion {i}");
            let rotation = S::spin_to_3d(motion.rotation);
            if !(motion.direction.is_finite() && motion.pivot.is_finite() && rotation.iter().all(|x| x.is_finite())) {
                return Err(part(what, "direction, rotation and pivot must be finite"));
            }
            motion.function.check(&what)?;
            for (direction, function) in &motion.components {
                if !direction.is_finite() {
                    return Err(part(what, "the directions of its components must be finite"));
                }
                function.check(&what)?;
            }
        }
        for load in &self.loads {
            let what = format!("load \"{}\"", load.name);
            if load.body >= self.bodies.len() {
                return Err(part(
                    what,
                    format!("it acts on body {}, but there are {} bodies", load.body, self.bodies.len()),
                ));
            }
            let moment = S::spin_to_3d(load.moment);
            if !(load.force.is_finite() && load.point.is_finite() && moment.iter().all(|x| x.is_finite())) {
                return Err(part(what, "force, moment and point must be finite"));
            }
            load.function.check(&what)?;
        }
        for (i, cable) in self.cables.iter().enumerate() {
            let what = format!("cable \"{}\"", cable.name);
            if self.cables[..i].iter().any(|other| other.name == cable.name) {
                return Err(part(what, "the name is used twice"));
            }
            if let Some(reason) = cable.fault(self) {
                return Err(part(what, reason));
            }
            cable.function.check(&what)?;
        }
        for train in &self.trains {
            let what = format!("train \"{}\"", train.name);
            if let Some(reason) = train.fault(self) {
                return Err(part(what, reason));
            }
            train.function.check(&what)?;
        }
        self.check_sea()?;
        if !self.gravity.is_finite() {
            return Err(part("gravity".to_owned(), "it must be finite"));
        }
        self.check_joints()
    }

    fn check_sea(&self) -> Result<(), MechanicsError> {
        let Some(sea) = &self.sea else { return Ok(()) };
        let fault = match S::DIM {
            2 => sea.fault(self.materials.len()),
            _ => Some("wind and water act in 2D only".to_owned()),
        };
        fault.map_or(Ok(()), |reason| Err(part("environment".to_owned(), reason)))
    }

    fn check_joints(&self) -> Result<(), MechanicsError> {
        if self.joints.materials() != self.materials.len() {
            let reason = format!(
                "the table is for {} materials, but there are {}",
                self.joints.materials(),
                self.materials.len()
            );
            return Err(part("joints".to_owned(), reason));
        }
        for (a, first) in self.materials.iter().enumerate() {
            for (b, second) in self.materials.iter().enumerate().skip(a) {
                if let Some(reason) = self.joints.between(a, b).fault() {
                    return Err(part(format!("joint \"{}\"–\"{}\"", first.name, second.name), reason));
                }
            }
        }
        let poisson = self.joints.any(|joint| matches!(joint.restitution, Restitution::Poisson(_)));
        if poisson && self.joints.any(|joint| joint.bond.is_some() || joint.elastic.is_some()) {
            let reason = "Poisson restitution cannot be combined with bonds or springs; use Newton restitution";
            return Err(part("joints".to_owned(), reason));
        }
        if poisson && !self.cables.is_empty() {
            let reason = "Poisson restitution cannot be combined with cables; use Newton restitution";
            return Err(part("joints".to_owned(), reason));
        }
        Ok(())
    }
}

fn part(what: String, reason: impl Into<String>) -> MechanicsError {
    MechanicsError::Part { what, reason: reason.into() }
}

fn bad_number<S: Space>(body: &Body<S>) -> Option<&'static str> {
    let rotation = S::rotation_to_quaternion(body.pose.rotation);
    let spin = S::spin_to_3d(body.spin);
    if !body.pose.position.is_finite() || !rotation.iter().all(|x| x.is_finite()) {
        Some("its position and rotation must be finite")
    } else if !body.velocity.is_finite() || !spin.iter().all(|x| x.is_finite()) {
        Some("its velocity and spin must be finite")
    } else {
        None
    }
}

fn bad_mass<S: Space>(body: &Body<S>) -> Option<String> {
    if !(body.mass > 0.0 && body.mass.is_finite()) {
        return Some(format!("a free body needs a positive mass, but has {} kg", body.mass));
    }
    let mut block = [0.0; 36];
    let block = &mut block[..S::DOFS * S::DOFS];
    for inverse in [false, true] {
        if inverse {
            S::inverse_mass_matrix(body.mass, body.inertia, block);
        } else {
            S::mass_matrix(body.mass, body.inertia, block);
        }
        let positive = (0..S::DOFS).all(|i| block[i * S::DOFS + i] > 0.0);
        if !positive || !block.iter().all(|x| x.is_finite()) {
            return Some(format!("a free body needs a positive inertia, but has {:?}", body.inertia));
        }
    }
    None
}

impl DynamicSettings {
    /// Checks that all settings are in range.
    pub fn check(&self) -> Result<(), MechanicsError> {
        let require = |good: bool, setting, value, expected| {
            if good { Ok(()) } else { Err(MechanicsError::Setting { setting, value, expected }) }
        };
        let positive = |x: f64| x > 0.0 && x.is_finite();
        require(positive(self.step), "step", self.step, "a positive number of seconds")?;
        require((0.5..=1.0).contains(&self.theta), "theta", self.theta, "between 0.5 and 1")?;
        require(positive(self.tolerance), "tolerance", self.tolerance, "a positive number")?;
        let in_motion = self.motion_tolerance();
        require(positive(in_motion), "motion_tolerance", in_motion, "a positive number")?;
        if let Some(alert) = self.alert {
            require(positive(alert), "alert", alert, "a positive distance in metres")?;
        }
        if let GapRule::Stabilized(speed) = self.gap {
            require(positive(speed), "gap recovery speed", speed, "a positive speed in m/s")?;
        }
        if let Some(AutomaticStep { least, largest, error, duration }) = self.automatic {
            require(positive(least), "least", least, "a positive number of seconds")?;
            require(largest >= least && largest.is_finite(), "largest", largest, "at least the least step")?;
            require(positive(error), "error", error, "a positive number")?;
            require(duration > 0.0, "duration", duration, "a positive number of seconds")?;
        }
        Ok(())
    }

    /// Checks that the solver supports the friction law together with the impact laws of the joints. Other
    /// requirements of a step's contact problem need no check: the fallback solvers of a step support them.
    pub fn check_laws(&self, joints: &JointTable) -> Result<(), Unsupported> {
        let associated = self.friction_law == FrictionLaw::Associated;
        let floors = associated && joints.any(|joint| matches!(joint.restitution, Restitution::Poisson(e) if e > 0.0));
        self.solver.supports(&Requirements { associated, floors, ..Requirements::default() })
    }
}

impl<S: Space> State<S> {
    /// The initial state of a model.
    pub fn initial(model: &Model<S>) -> Self {
        let mut velocities = vec![0.0; model.bodies.len() * S::DOFS];
        for (body, out) in model.bodies.iter().zip(velocities.chunks_exact_mut(S::DOFS)) {
            match body.role {
                Role::Free => S::pack(body.velocity, body.spin, out),
                Role::Support(None) => {}
                Role::Support(Some(motion)) => {
                    let (linear, spin) = model.motions[motion].velocity(&body.pose, 0.0);
                    S::pack(linear, S::spin_to_body(body.pose.rotation, spin), out);
                }
            }
        }
        let poses: Vec<_> = model.bodies.iter().map(|body| body.pose).collect();
        let cables: Vec<_> = model.cables.iter().map(|cable| CableMemory::initial(cable, &poses)).collect();
        // the energy stored by prestress is work of the jack
        let energy = |(cable, now): (&Cable<S>, &CableMemory)| cable.energy(now.tension / cable.stiffness);
        let stored = model.cables.iter().zip(&cables).map(energy).fold(0.0, |sum, part| sum + part);
        Self {
            time: 0.0,
            step: 0,
            position: StagePosition::default(),
            poses,
            presence: vec![Presence::There; model.bodies.len()],
            velocities,
            contacts: Vec::new(),
            bonds: Vec::new(),
            cables,
            overlaps: Vec::new(),
            ledger: EnergyLedger { loads: stored, elastic: stored, ..Default::default() },
            impacts: 0,
            jammed: Vec::new(),
            slab: SlabMemory::default(),
            born: Vec::new(),
            elastic: model.undeformed(),
            explicit: None,
            control: None,
        }
    }

    /// Checks that the state belongs to a model of this size.
    pub fn check(&self, model: &Model<S>) -> Result<(), MechanicsError> {
        let require = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(MechanicsError::State { what, found, expected }) }
        };
        require("poses", self.poses.len(), model.bodies.len())?;
        require("presences", self.presence.len(), model.bodies.len())?;
        require("velocities", self.velocities.len(), model.bodies.len() * S::DOFS)?;
        require("cables", self.cables.len(), model.cables.len())?;
        for (body, part) in model.elastic.iter().enumerate() {
            let Some(part) = part else { continue };
            let memory = self.elastic.get(body);
            let found = memory.map_or(0, |memory| memory.displacement.len().min(memory.velocity.len()));
            require("displacements of an elastic block", found, part.block.size())?;
        }
        Ok(())
    }
}
