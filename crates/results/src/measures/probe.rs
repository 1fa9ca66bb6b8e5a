//! Values of probes at one time.

use voussoir_mechanics::probe::{Between, Kinematic, Measure, PointMeasure, Probe, StressPart, Twin, VectorPart};
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, ContactSnapshot, Snapshot};

use super::crushing::largest_joint_stress;
use super::descent::load_through;
use super::floes::{area_beyond, concentration, coordination, largest_group};
use super::stress::{mean_stress, pressure, principal};
use crate::vector::{Vec3, add, cross, dot, length, place, rotate, scale, sub};

/// The value of a probe; NaN if it is not defined.
pub fn observe(probe: &Probe, cast: &Cast, snapshot: &Snapshot) -> f64 {
    match &probe.measure {
        Measure::Motion { of, what, part } => motion(cast, snapshot, of, *what, *part),
        Measure::Force(between, part) => force(snapshot, between, *part),
        Measure::Moment(between, about, part) => {
            let about = about.or_else(|| centroid(cast, snapshot, &between.on));
            about.map_or(f64::NAN, |about| {
                let torques = contacts(snapshot, between).map(|(sign, contact)| {
                    scale(cross(sub(contact.position, about), contact.force), sign * between.sign)
                });
                vector_part(torques.fold([0.0; 3], add), *part)
            })
        }
        Measure::Eccentricity(between, part) => eccentricity(snapshot, between, *part),
        Measure::JointStress(between) => {
            let on = |body: u32| between.on.contains(&(body as usize));
            let by = |body: u32| between.by.as_ref().map_or(!on(body), |by| by.contains(&(body as usize)));
            largest_joint_stress(cast, snapshot, |[a, b]| on(a) && by(b) || on(b) && by(a))
        }
        Measure::Contacts(between, status) => {
            let counts = |status_now: u8| status.map_or(status_now != 0, |status| status_now == status);
            contacts(snapshot, between).filter(|(_, contact)| counts(contact.status)).count() as f64
        }
        Measure::Opening(twins) => jumps(snapshot, twins).map(|(normal, _)| normal).fold(f64::NAN, f64::max),
        Measure::Slip(twins) => jumps(snapshot, twins).map(|(_, slip)| slip).fold(f64::NAN, f64::max),
        Measure::Stress(bodies, part) => stress(cast, snapshot, bodies, *part),
        Measure::ElasticStress(bodies, field) => {
            let values = snapshot.body_fields.get(*field);
            let of = |body: &usize| values.and_then(|values| values.get(*body)).copied().unwrap_or(f64::NAN);
            bodies.iter().map(of).fold(f64::NAN, f64::max)
        }
        Measure::AtPoint { body, point, drawn, what } => at_point(snapshot, *body, *point, *drawn, *what),
        Measure::Cable(cable) => snapshot.cables.get(*cable).map_or(f64::NAN, |now| now.force),
        Measure::Concentration(bodies, min, max) => concentration(cast, snapshot, bodies, *min, *max),
        Measure::AreaBeyond(bodies, point, normal) => area_beyond(cast, snapshot, bodies, *point, *normal),
        Measure::Coordination(bodies) => coordination(snapshot, bodies),
        Measure::LargestGroup(bodies) => largest_group(snapshot, bodies),
        Measure::Cut(height) => load_through(cast, snapshot, *height),
    }
}

fn at_point(snapshot: &Snapshot, body: usize, point: usize, drawn: Vec3, what: PointMeasure) -> f64 {
    let Some(own) = snapshot.deformed.iter().find(|deformed| deformed.body as usize == body) else { return f64::NAN };
    match what {
        PointMeasure::Field(field) => own.values[field][point],
        PointMeasure::Displacement(part) => {
            vector_part(sub(place(&snapshot.bodies[body], own.points[point]), drawn), part)
        }
    }
}

fn motion(cast: &Cast, snapshot: &Snapshot, of: &[(usize, Vec3)], what: Kinematic, part: VectorPart) -> f64 {
    let (mut sum, mut mass) = ([0.0; 3], 0.0);
    for (body, drawn) in of {
        let Some(now) = snapshot.bodies.get(*body).filter(|now| !now.absent) else { continue };
        let value = match what {
            Kinematic::Position => add(now.position, cast.origin),
            Kinematic::Displacement => sub(now.position, *drawn),
            Kinematic::Velocity => now.velocity,
        };
        let own = weight(cast, *body);
        sum = add(sum, scale(value, own));
        mass += own;
    }
    vector_part(scale(sum, 1.0 / mass), part)
}

/// Mass of a body; 1 for those without.
fn weight(cast: &Cast, body: usize) -> f64 {
    let mass = cast.bodies[body].mass;
    if mass > 0.0 && mass.is_finite() { mass } else { 1.0 }
}

/// Mean of the centroids of the present bodies, weighted by mass.
fn centroid(cast: &Cast, snapshot: &Snapshot, bodies: &[usize]) -> Option<Vec3> {
    let (mut sum, mut mass) = ([0.0; 3], 0.0);
    for &body in bodies {
        let Some(now) = snapshot.bodies.get(body).filter(|now| !now.absent) else { continue };
        sum = add(sum, scale(now.position, weight(cast, body)));
        mass += weight(cast, body);
    }
    (mass > 0.0).then(|| scale(sum, 1.0 / mass))
}

/// Contacts between the two sides, with +1 if the force acts on the first side, −1 if it acts on the second.
fn contacts<'a>(snapshot: &'a Snapshot, between: &'a Between) -> impl Iterator<Item = (f64, &'a ContactSnapshot)> {
    let on = |body: u32| between.on.contains(&(body as usize));
    let by = move |body: u32| between.by.as_ref().map_or(!on(body), |by| by.contains(&(body as usize)));
    snapshot.contacts.iter().filter_map(move |contact| {
        let [a, b] = contact.bodies;
        match (on(a) && by(b), on(b) && by(a)) {
            (true, _) => Some((1.0, contact)),
            (_, true) => Some((-1.0, contact)),
            _ => None,
        }
    })
}

fn force(snapshot: &Snapshot, between: &Between, part: VectorPart) -> f64 {
    let (mut all, mut normals, mut tangential) = ([0.0; 3], 0.0, [0.0; 3]);
    for (sign, contact) in contacts(snapshot, between) {
        let normal = dot(contact.force, contact.normal);
        normals += normal;
        all = add(all, scale(contact.force, sign * between.sign));
        tangential = add(tangential, scale(sub(contact.force, scale(contact.normal, normal)), sign));
    }
    match part {
        VectorPart::Normal => normals,
        VectorPart::Tangential => length(tangential),
        part => vector_part(all, part),
    }
}

fn eccentricity(snapshot: &Snapshot, between: &Between, part: VectorPart) -> f64 {
    let (mut pressed, mut force, mut middle, mut area) = ([0.0; 3], 0.0, [0.0; 3], 0.0);
    for (_, contact) in contacts(snapshot, between) {
        let normal = dot(contact.force, contact.normal).max(0.0);
        pressed = add(pressed, scale(contact.position, normal));
        force += normal;
        middle = add(middle, scale(contact.position, contact.area));
        area += contact.area;
    }
    vector_part(sub(scale(pressed, 1.0 / force), scale(middle, 1.0 / area)), part)
}

/// Distance of each pair of points along the normal and tangential to it.
fn jumps<'a>(snapshot: &'a Snapshot, twins: &'a [Twin]) -> impl Iterator<Item = (f64, f64)> + 'a {
    twins.iter().filter_map(move |twin| {
        let [a, b]: [&BodySnapshot; 2] = twin.bodies.map(|body| &snapshot.bodies[body]);
        if a.absent || b.absent {
            return None;
        }
        let apart = sub(place(a, twin.points[0]), place(b, twin.points[1]));
        let normal = rotate(b.rotation, twin.normal);
        let opening = dot(apart, normal);
        Some((opening, length(sub(apart, scale(normal, opening)))))
    })
}

fn stress(cast: &Cast, snapshot: &Snapshot, bodies: &[usize], part: StressPart) -> f64 {
    let all = mean_stress(cast, snapshot);
    let (mut sum, mut volume) = ([0.0; 6], 0.0);
    for &body in bodies.iter().filter(|&&body| !snapshot.bodies[body].absent) {
        let own = cast.bodies[body].volume;
        sum.iter_mut().zip(all[body]).for_each(|(sum, x)| *sum += own * x);
        volume += own;
    }
    let mean = sum.map(|x| x / volume);
    match part {
        StressPart::Component(k) => mean[k],
        StressPart::Principal(k) => principal(&mean, cast.dimension)[k],
        StressPart::Pressure => pressure(&mean, cast.dimension),
    }
}

fn vector_part(v: Vec3, part: VectorPart) -> f64 {
    match part {
        VectorPart::Axis(axis) => v[axis],
        VectorPart::Length | VectorPart::Normal | VectorPart::Tangential => length(v),
    }
}
