//! Blocks that are glued into one body: a compound of their shapes.

use std::collections::BTreeSet;

use voussoir_geometry::Pose;
use voussoir_mechanics::model::{Body, Role};

use super::check::SceneCheck;
use super::dimension::Dimension;
use super::piece::Centred;
use super::select::Register;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::elastic::GlueSpec;

/// The bodies of a scene after gluing: a glued body is in the place of its first block.
pub fn glued<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    mut bodies: Vec<Body<S>>,
) -> Result<Vec<Body<S>>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("glue");
    for (i, keys) in scene.glue.iter().enumerate() {
        let place = list.index(i);
        let selected = Register::new(scene, &bodies).find(check, &place.key("select"), &keys.select)?;
        let body = one(check, &place, keys, &bodies, &selected)?;
        let gone: BTreeSet<usize> = selected[1..].iter().copied().collect();
        bodies[selected[0]] = body;
        let mut index = 0..bodies.len();
        bodies.retain(|_| index.next().is_none_or(|k| !gone.contains(&k)));
    }
    Ok(bodies)
}

/// One compound body of several bodies.
fn one<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &GlueSpec,
    bodies: &[Body<S>],
    selected: &[usize],
) -> Result<Body<S>, SceneError> {
    let name = &keys.name;
    let allowed = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let at = place.key("name");
    if name.is_empty() || !name.chars().all(allowed) {
        return Err(check
            .error(&at, format!("{name:?} cannot be the name of a body"))
            .with_help("use letters, digits, - and _"));
    }
    let taken = |(k, body): (usize, &Body<S>)| !selected.contains(&k) && body.name.split('.').next() == Some(name);
    if bodies.iter().enumerate().any(taken) {
        return Err(check.error(&at, format!("there is another body with the name \"{name}\"")));
    }
    let at = place.key("select");
    let first = &bodies[selected[0]];
    if selected.len() < 2 {
        return Err(check.error(&at, format!("only \"{}\" is selected; glue needs two blocks", first.name)));
    }
    for body in selected.iter().map(|&k| &bodies[k]) {
        if body.role != Role::Free {
            let message = format!("\"{}\" is a support; only free blocks are glued", body.name);
            return Err(check.error(&at, message).with_help("select the blocks without the supports"));
        }
        if body.material != first.material {
            let message = format!("\"{}\" and \"{}\" have different materials", first.name, body.name);
            return Err(check.error(&at, message).with_help("glue blocks of one material"));
        }
    }
    let parts = selected.iter().map(|&k| (bodies[k].pose, (*bodies[k].shape).clone())).collect();
    let shape = S::compound(parts).map_err(|error| check.error(&at, format!("\"{name}\": {error}")))?;
    let Centred { shape, centroid, volume, inertia } = Centred::<S>::new(&shape);
    let mass: f64 = selected.iter().map(|&k| bodies[k].mass).sum();
    let momentum = selected.iter().fold(S::zero(), |sum, &k| sum + bodies[k].velocity * bodies[k].mass);
    let mut tags: Vec<String> = selected.iter().flat_map(|&k| bodies[k].tags.iter().cloned()).collect();
    tags.sort_unstable();
    tags.dedup();
    Ok(Body {
        name: name.clone(),
        tags,
        shape,
        material: first.material,
        mass,
        inertia: S::scale_inertia(inertia, volume.map_or(0.0, |volume| mass / volume)),
        role: Role::Free,
        pose: Pose::at(centroid),
        velocity: momentum / mass,
        spin: S::no_spin(),
    })
}
