//! Joint laws between pairs of materials. Every two materials that can be in contact need a joint.

use voussoir_mechanics::joints::Elastic;
use voussoir_mechanics::joints::elastic::{Influence, Layer};
use voussoir_mechanics::model::{Body, Joint, JointTable, Material, Restitution, Role};

use super::check::SceneCheck;
use super::dimension::Dimension;
use super::select::Register;
use crate::error::SceneError;
use crate::library::Barton;
use crate::place::Place;
use crate::scene::joints::{
    BartonSpec, ElasticSpec, FrictionSpec, InfluenceLaw, InfluenceSpec, LayerSpec, VaryingInfluence,
};
use crate::scene::{JointSpec, LawSpec, RestitutionLaw, RestitutionSpec, Scene};
use crate::suggest;

/// Largest accepted coefficient of friction.
const LARGEST_FRICTION: f64 = 1e6;

/// Precedence of a joint of the scene, and the joint; `None` if the materials ignore each other.
type Found = Option<(u8, Option<Bedded>)>;

/// A joint, and whether its gaps are measured from their initial value.
type Bedded = (Joint, bool);

/// Fills the table of joints.
pub fn joints<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    materials: &[Material],
    bodies: &[Body<S>],
    depth: f64,
) -> Result<JointTable, SceneError> {
    let root = Place::ROOT;
    let list = root.key("joints");
    let n = materials.len();
    let mut found: Vec<Found> = vec![None; n * n];
    for (i, written) in scene.joints.iter().enumerate() {
        let place = list.index(i);
        let joint = Some((joint(check, &place, written)?.for_depth(depth), written.initial_gap))
            .filter(|_| written.law != LawSpec::None);
        let [first, second] = [0, 1].map(|side| matching(check, &place, written, side, materials));
        let (first, second) = (first?, second?);
        // an exact pair has precedence over one star, one star over two
        let rank = u8::from(written.between[0] != "*") + u8::from(written.between[1] != "*");
        for &a in &first {
            for &b in &second {
                match found[a * n + b] {
                    Some((old, _)) if old > rank => {}
                    Some((old, same)) if old == rank && same != joint => {
                        let (a, b) = (&materials[a].name, &materials[b].name);
                        let message = format!("a second joint between \"{a}\" and \"{b}\" that differs from the first");
                        return Err(check.error(&place.key("between"), message));
                    }
                    _ => {
                        found[a * n + b] = Some((rank, joint));
                        found[b * n + a] = Some((rank, joint));
                    }
                }
            }
        }
    }
    require_all(scene, check, materials, bodies, &found)?;
    // material pairs without contact get a harmless default law
    let mut table = JointTable::uniform(n, Joint::coulomb(0.0));
    for a in 0..n {
        for b in 0..=a {
            match found[a * n + b] {
                Some((_, Some((mut joint, beds)))) => {
                    if joint.strength.is_some() {
                        joint.strength = Some(weaker(check, &list, [&materials[a], &materials[b]])? * depth);
                    }
                    table.set(a, b, joint);
                    if beds {
                        table.set_beds(a, b);
                    }
                }
                Some((_, None)) => table.ignore(a, b),
                None => {}
            }
        }
    }
    Ok(table)
}

/// The lesser strength of two materials [Pa].
fn weaker(check: &SceneCheck<'_>, place: &Place<'_>, materials: [&Material; 2]) -> Result<f64, SceneError> {
    let known = materials.iter().filter_map(|material| material.strength).reduce(f64::min);
    known.ok_or_else(|| {
        let [a, b] = materials.map(|material| &material.name);
        let message = format!("`crushing` needs the compressive strength of \"{a}\" or \"{b}\"");
        check.error(place, message).with_help("write compressive_strength or like in the material")
    })
}

/// Indices of the materials on one side of a joint.
fn matching(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    written: &JointSpec,
    side: usize,
    materials: &[Material],
) -> Result<Vec<usize>, SceneError> {
    let name = &written.between[side];
    if name == "*" {
        return Ok((0..materials.len()).collect());
    }
    match materials.iter().position(|m| &m.name == name) {
        Some(index) => Ok(vec![index]),
        None => {
            let mut known: Vec<&str> = materials.iter().map(|m| m.name.as_str()).collect();
            known.push("*");
            let between = place.key("between");
            Err(check.error(&between.index(side), format!("there is no material \"{name}\"")).with_help(suggest::help(
                "materials",
                name,
                &known,
            )))
        }
    }
}

fn joint(check: &SceneCheck<'_>, place: &Place<'_>, written: &JointSpec) -> Result<Joint, SceneError> {
    let friction_place = place.key("friction");
    let friction = match (written.friction, written.law) {
        (Some(FrictionSpec::Coefficient(friction)), _) => check.not_negative(&friction_place, "friction", friction)?,
        (Some(FrictionSpec::Rough(rough)), _) => barton(check, &friction_place.key("barton"), &rough.barton)?,
        (None, LawSpec::None) => 0.0,
        (None, LawSpec::Coulomb) => {
            return Err(check.error(place, "missing key `friction`").with_help("0.6 is usual for stone on stone"));
        }
    };
    check.between(&friction_place, "friction", friction, 0.0, LARGEST_FRICTION)?;
    let restitution_place = place.key("restitution");
    let coefficient = |place: &Place<'_>, e: f64| check.between(place, "restitution", e, 0.0, 1.0);
    let restitution = match written.restitution {
        None => Restitution::Inelastic,
        Some(RestitutionSpec::Coefficient(e)) => match coefficient(&restitution_place, e)? {
            0.0 => Restitution::Inelastic,
            e => Restitution::Newton(e),
        },
        Some(RestitutionSpec::Law(RestitutionLaw::Newton(e))) => {
            Restitution::Newton(coefficient(&restitution_place.key("newton"), e)?)
        }
        Some(RestitutionSpec::Law(RestitutionLaw::Poisson(e))) => {
            Restitution::Poisson(coefficient(&restitution_place.key("poisson"), e)?)
        }
    };
    let thickness_place = place.key("thickness");
    let thickness = match written.thickness {
        Some(thickness) => check.not_negative(&thickness_place, "the thickness", thickness)?,
        None => 0.0,
    };
    if written.initial_gap && thickness == 0.0 {
        return Err(check
            .error(&thickness_place, "`initial_gap` needs a `thickness`")
            .with_help("the largest gap that a bed fills, for instance thickness = 0.015"));
    }
    let joint = Joint {
        friction,
        dynamic_friction: written.dynamic_friction,
        restitution,
        thickness,
        elastic: written.elastic.map(|elastic| self::elastic(check, &place.key("elastic"), elastic)).transpose()?,
        bond: written.bond.map(|bond| bond.law(friction)),
        cohesion: check.not_negative(&place.key("cohesion"), "the cohesion", written.cohesion.unwrap_or(0.0))?,
        // depends on the materials; computed when these are known
        strength: written.crushing.then_some(f64::MAX),
    };
    let to_blame = if written.bond.is_some() {
        place.key("bond")
    } else if written.elastic.is_some() {
        place.key("elastic")
    } else {
        place.key("dynamic_friction")
    };
    match joint.fault() {
        Some(reason) => Err(check.error(&to_blame, reason)),
        None => Ok(joint),
    }
}

/// Friction of a rough joint at its normal stress.
fn barton(check: &SceneCheck<'_>, place: &Place<'_>, written: &BartonSpec) -> Result<f64, SceneError> {
    let joint = Barton {
        jrc: check.between(&place.key("jrc"), "JRC", written.jrc, 0.0, 20.0)?,
        jcs: check.positive(&place.key("jcs"), "JCS", written.jcs)?,
        residual: check.between(&place.key("phi_r_deg"), "phi_r_deg", written.phi_r_deg, 0.0, 70.0)?.to_radians(),
        normal_stress: check.positive(&place.key("normal_stress"), "the normal stress", written.normal_stress)?,
    };
    Ok(joint.coefficient())
}

/// Springs as given, or of the layers.
fn elastic(check: &SceneCheck<'_>, place: &Place<'_>, written: ElasticSpec) -> Result<Elastic, SceneError> {
    let layer = |name: &str, layer: Option<LayerSpec>| -> Result<Option<Layer>, SceneError> {
        let Some(layer) = layer else { return Ok(None) };
        let place = place.key(name);
        let thickness = check.positive(&place.key("thickness"), "the thickness", layer.thickness)?;
        let modulus = check.positive(&place.key("modulus"), "the modulus", layer.modulus)?;
        let poisson =
            check.between(&place.key("poisson"), "Poisson's ratio", layer.poisson.unwrap_or(0.2), 0.0, 0.5)?;
        Ok(Some(Layer { thickness, modulus, poisson }))
    };
    let layers: Vec<Layer> =
        [layer("mortar", written.mortar)?, layer("block", written.block)?].into_iter().flatten().collect();
    let closure = match written.closure {
        Some(closure) => check.positive(&place.key("closure"), "the closure", closure)?,
        None => f64::INFINITY,
    };
    let influence = influence(check, &place.key("influence"), written.influence)?;
    let layers = (!layers.is_empty()).then(|| Elastic::of_layers(&layers));
    let given = written.normal.zip(written.tangential).map(|(normal, tangential)| Elastic::new(normal, tangential));
    match (given, layers) {
        _ if written.normal.is_some() != written.tangential.is_some() => {
            Err(check.error(place, "springs need either `normal` and `tangential`, both of them, or layers"))
        }
        (Some(given), Some(layers)) => Ok(Elastic { closure, influence, ..given.in_series(&layers) }),
        (Some(springs), None) | (None, Some(springs)) => Ok(Elastic { closure, influence, ..springs }),
        (None, None) => Err(check
            .error(
                place,
                "springs need `normal` and `tangential`, or `mortar` and/or `block`, or all of them in series",
            )
            .with_help("for instance elastic = { mortar = { thickness = 0.01, modulus = 1e9 } }")),
    }
}

/// Length of contact points without area.
fn influence(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    written: Option<InfluenceSpec>,
) -> Result<Influence, SceneError> {
    Ok(match written {
        None | Some(InfluenceSpec::Word(_)) => Influence::Standard,
        Some(InfluenceSpec::Length(length)) => {
            Influence::Length(check.length(place, "the influence length", length)?)
        }
        Some(InfluenceSpec::Law(InfluenceLaw::Varying(VaryingInfluence { least }))) => {
            let place = place.key("varying");
            let least = least.map(|least| check.length(&place.key("least"), "the least length", least)).transpose()?;
            Influence::Varying { least }
        }
    })
}

/// Supports that a stage releases: from then on they can touch other supports.
fn let_go<S: Dimension>(scene: &Scene, check: &SceneCheck<'_>, bodies: &[Body<S>]) -> Result<Vec<bool>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("stages");
    let register = Register::new(scene, bodies);
    let mut let_go = vec![false; bodies.len()];
    for (i, stage) in scene.stages.iter().enumerate() {
        if let Some(selection) = &stage.changes.release {
            for body in register.find(check, &list.index(i).key("release"), selection)? {
                let_go[body] = true;
            }
        }
    }
    Ok(let_go)
}

/// Checks that every two materials whose bodies can be in contact have a joint.
fn require_all<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    materials: &[Material],
    bodies: &[Body<S>],
    found: &[Found],
) -> Result<(), SceneError> {
    let n = materials.len();
    let (mut free, mut held) = (vec![0usize; n], vec![0usize; n]);
    let let_go = let_go(scene, check, bodies)?;
    for (body, let_go) in bodies.iter().zip(let_go) {
        match body.role {
            Role::Support(_) if !let_go => held[body.material] += 1,
            _ => free[body.material] += 1,
        }
    }
    for a in 0..n {
        for b in 0..=a {
            let meet = if a == b {
                free[a] > 1 || (free[a] == 1 && held[a] > 0)
            } else {
                (free[a] > 0 && free[b] + held[b] > 0) || (free[b] > 0 && held[a] > 0)
            };
            if !meet || found[a * n + b].is_some() {
                continue;
            }
            let (a, b) = (&materials[b].name, &materials[a].name);
            let root = Place::ROOT;
            let list = root.key("bodies");
            let at = scene.bodies.iter().position(|body| &body.common.material == b).unwrap_or(0);
            return Err(check
                .error(&list.index(at).key("material"), format!("there is no joint between \"{a}\" and \"{b}\""))
                .with_help(format!("add [[joints]] with between = [\"{a}\", \"{b}\"] and friction = 0.6")));
        }
    }
    Ok(())
}
