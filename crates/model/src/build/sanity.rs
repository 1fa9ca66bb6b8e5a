//! Warnings about numbers that are permitted but look like an error: units, supports, strength, friction, steps.
//! Similar warnings are joined in one line.

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::explicit::ExplicitSettings;
use voussoir_mechanics::explicit::settings::{Damping, ExplicitGoal};
use voussoir_mechanics::model::{Anchor, DynamicSettings, Load, Model, Restitution, Role};

use super::GRAVITY;
use super::dimension::Dimension;
use super::stages::{Stage, StageAnalysis};

/// Smallest plausible density of structural solids [kg/m³]: below, the unit was probably t/m³.
const LIGHTEST: f64 = 10.0;

/// Largest plausible density [kg/m³]: above, the unit was probably g/m³ or N/m³.
const DENSEST: f64 = 23_000.0;

/// Accelerations of gravity between these were probably given in multiples of g [m/s²].
const LIKE_ONE: [f64; 2] = [0.9, 1.1];

/// Lightest plausible axle of a train [N]: below, the unit was probably kN.
const LIGHTEST_AXLE: f64 = 1e3;

/// Largest plausible load, relative to the weight of all free blocks.
const HEAVIEST_LOAD: f64 = 1e5;

/// Largest plausible elongation of a cable by its prestress: above, a stiffness or a force was probably in another unit.
const LONGEST_STRAIN: f64 = 0.2;

/// Largest plausible acceleration of gravity [m/s²], also in a centrifuge.
const STRONGEST: f64 = 5e3;

/// Size of a free block above which it was probably drawn in millimetres [m].
const LARGEST_BLOCK: f64 = 200.0;

/// Ratio of masses up to which a light block that carries a heavy one and moves meets the default tolerance: its
/// velocity is the difference of two impulses with a relative rounding error of 1e-16.
const HEAVIEST: f64 = 1e8;

/// Largest plausible friction coefficient of a dry joint.
const ROUGHEST: f64 = 2.0;

/// Longest sensible step, relative to the time √(d/g) in which the smallest block falls by its own size d.
const LONGEST_STEP: f64 = 0.5;

/// Warnings about a model.
pub fn model<S: Dimension>(model: &Model<S>, warnings: &mut Vec<String>) {
    let free = || model.bodies.iter().filter(|body| body.role == Role::Free);
    if free().count() == model.bodies.len() && !model.bodies.is_empty() && model.gravity.length() > 0.0 {
        warnings
            .push("no body is a support: all bodies fall; add [[supports]] or a body with shape = \"ground\"".into());
    }
    let down = -S::UPWARDS.dot(model.gravity);
    if down < 0.0 && model.sea.is_none() {
        warnings.push(format!("gravity points upwards: a number acts downwards, gravity = {} is meant", -down));
    } else if down > STRONGEST {
        warnings.push(format!("gravity is {down} m/s²; were millimetres written for metres?"));
    } else if (LIKE_ONE[0]..=LIKE_ONE[1]).contains(&down) {
        warnings.push(format!("gravity is {down} m/s²; was it meant in multiples of g? Write {}", down * GRAVITY));
    }
    for material in &model.materials {
        density(&material.name, material.density, warnings);
    }
    let largest = free().map(|body| body.shape.size()).filter(|size| size.is_finite()).fold(0.0, f64::max);
    if largest > LARGEST_BLOCK && model.sea.is_none() {
        warnings.push(format!("the largest block measures {largest:.0} m; were millimetres written for metres?"));
    }
    let (mut rough, mut newton) = (0.0f64, false);
    for a in 0..model.materials.len() {
        for b in a..model.materials.len() {
            let joint = model.joints.between(a, b);
            rough = rough.max(joint.friction);
            newton |= matches!(joint.restitution, Restitution::Newton(e) if e > 0.0) && joint.friction > 0.0;
        }
    }
    if rough > ROUGHEST {
        let likely = match rough < 90.0 {
            true => format!("; was it meant in degrees? Write {:.3}", rough.to_radians().tan()),
            false => String::new(),
        };
        let angle = rough.atan().to_degrees();
        warnings.push(format!(
            "a friction coefficient of {rough} is above {ROUGHEST}: an angle of {angle:.0} degrees{likely}"
        ));
    }
    let masses = || free().map(|body| body.mass).filter(|mass| *mass > 0.0);
    let ratio = masses().fold(0.0, f64::max) / masses().fold(f64::INFINITY, f64::min);
    if ratio > HEAVIEST {
        warnings.push(format!(
            "the heaviest block has {ratio:.0e} times the mass of the lightest; above {HEAVIEST:.0e} rounding errors keep \
             light blocks that carry heavy ones from their tolerance while they move. Is a density or a size in another unit?"
        ));
    }
    loads(model, warnings);
    strengths(model, warnings);
    if newton && free().any(|body| !S::is_round(&body.shape)) {
        warnings.push(
            "Newton's restitution with friction can add energy where slender bodies hit; restitution = { poisson = e } \
             does not"
                .into(),
        );
    }
}

/// Warns of a density that no solid and no fill has [kg/m³].
pub fn density(what: &str, density: f64, warnings: &mut Vec<String>) {
    if density < LIGHTEST {
        warnings.push(format!(
            "the density of {what} is {density} kg/m³, lighter than any stone or soil; is it in t/m³? Write {}",
            density * 1e3
        ));
    } else if density > DENSEST {
        warnings.push(format!("the density of {what} is {density} kg/m³, denser than any metal"));
    }
}

/// Warns of axles, loads and prestresses whose size suggests another unit.
fn loads<S: Dimension>(model: &Model<S>, warnings: &mut Vec<String>) {
    let g = model.gravity.length();
    for train in &model.trains {
        if let Some(axle) = train.axles.iter().map(|axle| axle.load).find(|load| *load < LIGHTEST_AXLE) {
            warnings.push(format!(
                "an axle of the train \"{}\" weighs {axle} N; is it in kN? Write {:e}",
                train.name,
                axle * 1e3
            ));
        }
    }
    let weight: f64 = model.bodies.iter().filter(|body| body.role == Role::Free).map(|body| body.mass * g).sum();
    let free = |load: &&Load<S>| model.bodies[load.body].role == Role::Free;
    for load in model.loads.iter().filter(free) {
        let size = load.force.length() * load.function.peak();
        if weight > 0.0 && size > HEAVIEST_LOAD * weight {
            warnings.push(format!(
                "the load \"{}\" is {size:.1e} N, {:.0e} times the weight of all blocks; is it in N?",
                load.name,
                size / weight
            ));
        }
    }
    for cable in &model.cables {
        let point = |anchor: &Anchor<S>| model.bodies[anchor.body].pose.point(anchor.point);
        let points: Vec<S::Vector> = cable.anchors.iter().map(point).collect();
        let mut length: f64 = points.windows(2).map(|ends| (ends[1] - ends[0]).length()).sum();
        if let (true, [first, .., last]) = (cable.closed, &points[..]) {
            length += (*first - *last).length();
        }
        let strain = cable.prestress / (cable.stiffness * length);
        if strain > LONGEST_STRAIN {
            warnings.push(format!(
                "the prestress of the cable \"{}\" stretches it by {:.0} %; are its stiffness and its force in N?",
                cable.name,
                1e2 * strain
            ));
        }
    }
}

/// Warns of blocks whose weight and loads are larger than their strength times the square of their size, an upper bound
/// of the area of its faces (2D: size times thickness): no joint of such a block can carry them.
fn strengths<S: Dimension>(model: &Model<S>, warnings: &mut Vec<String>) {
    if model.materials.iter().all(|material| material.strength.is_none()) {
        return;
    }
    let mut pressed = vec![0.0; model.bodies.len()];
    for load in &model.loads {
        pressed[load.body] += load.force.length() * load.function.peak();
    }
    for train in &model.trains {
        let axle = train.axles.iter().map(|axle| axle.load.abs()).fold(0.0, f64::max);
        train.deck.iter().for_each(|piece| pressed[piece.body] += axle);
    }
    for (body, loads) in model.bodies.iter().zip(pressed).filter(|(body, _)| body.role == Role::Free) {
        let material = &model.materials[body.material];
        let (Some(strength), Some(mass)) = (material.strength, body.shape.mass_properties()) else { continue };
        let size = body.shape.size();
        let thickness = if S::DIM == 3 { size } else { body.mass / (material.density * mass.volume) };
        let (weight, most) = (body.mass * model.gravity.length(), strength * size * thickness);
        if weight > most {
            warnings.push(format!(
                "the strength of {}, {strength} Pa, does not carry the weight of the block \"{}\"; is it in MPa? Write {:e}",
                material.name,
                body.name,
                strength * 1e6
            ));
        } else if weight + loads > most {
            warnings.push(format!(
                "the loads on \"{}\", {loads:.3e} N, are above its strength: its largest face carries less than {most:.3e} N \
                 at {strength:e} Pa; are the loads in N and the strength in Pa?",
                body.name
            ));
        }
    }
}

/// Warnings about steps that are too long for the blocks of a model.
pub fn stages<S: Dimension>(model: &Model<S>, stages: &[Stage], warnings: &mut Vec<String>) {
    for (i, stage) in stages.iter().enumerate() {
        if let StageAnalysis::Explicit(ExplicitSettings {
            damping: Damping::Local { .. },
            goal: ExplicitGoal::Time(_),
            ..
        }) = &stage.analysis
        {
            warnings.push(format!(
                "stage {}: with local damping the motion over time is wrong; use it with `until` or `increments`",
                i + 1
            ));
        }
    }
    let g = model.gravity.length();
    let free = model.bodies.iter().filter(|body| body.role == Role::Free);
    let smallest = free.map(|body| body.shape.size()).filter(|size| size.is_finite()).fold(f64::INFINITY, f64::min);
    if g <= 0.0 || !smallest.is_finite() {
        return;
    }
    let longest = LONGEST_STEP * (smallest / g).sqrt();
    for (i, stage) in stages.iter().enumerate() {
        if let StageAnalysis::Dynamic(DynamicSettings { step, .. }) = &stage.analysis
            && *step > longest
        {
            warnings.push(format!(
                "stage {}: in a step of {step} s the smallest block ({smallest:.3} m) can fall through itself; \
                 at most {longest:.1e} s is sensible",
                i + 1
            ));
        }
    }
}

/// Merges three or more warnings that differ only in names and numbers into one line with a count.
pub fn gather(warnings: Vec<String>) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for warning in warnings {
        let key = without_names(&warning);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, lines)) => lines.push(warning),
            None => groups.push((key, vec![warning])),
        }
    }
    let mut out = Vec::new();
    for (_, lines) in groups {
        match lines.len() {
            0..=2 => out.extend(lines),
            n => out.push(format!("{} (and {} more of this kind)", lines[0], n - 1)),
        }
    }
    out
}

/// A text without quoted parts and numbers.
fn without_names(text: &str) -> String {
    let mut quoted = false;
    text.chars()
        .filter(|&c| {
            quoted ^= c == '"';
            !quoted && c != '"' && !c.is_ascii_digit() && !".-+e".contains(c)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_alike_lines_become_one() {
        let mut lines: Vec<String> = (0..100).map(|i| format!("body \"b[{i}]\" is repaired by {i}.5 mm")).collect();
        lines.push("something else".to_owned());
        let gathered = gather(lines);
        assert_eq!(gathered, ["body \"b[0]\" is repaired by 0.5 mm (and 99 more of this kind)", "something else"]);
    }
}
