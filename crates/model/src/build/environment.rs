//! Wind, water and Coriolis force of a scene.

use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::D2;
use voussoir_geometry::glam::DVec2;
use voussoir_mechanics::model::Model;
use voussoir_mechanics::sea::slab::{SLAB_DEPTH, SLAB_FRICTION};
use voussoir_mechanics::sea::{DENSITIES, DRAGS, Domain, DriftScheme, EdgeKind, FieldKind, Sea, Slab, VelocityField};
use voussoir_mechanics::time_function::TimeFunction;

use super::actions::function_of;
use super::check::SceneCheck;
use super::stages::{Stage, StageAnalysis};
use super::text_file::read_text;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::environment::{DriftSchemeSpec, EdgeSpec, FieldSpec, VortexSpec};
use crate::scene::numbers::Numbers;
use crate::scene::stages::StageAnalysisKeys;

/// Reads the environment; materials are in the order of the model.
pub fn environment(scene: &Scene, base: &Path, check: &SceneCheck<'_>) -> Result<Option<Arc<Sea>>, SceneError> {
    let root = Place::ROOT;
    let place = root.key("environment");
    let Some(spec) = &scene.environment else {
        let list = root.key("materials");
        for (name, material) in &scene.materials {
            let place = list.key(name);
            for (key, given) in [("air_drag", material.air_drag), ("water_drag", material.water_drag)] {
                if given.is_some() {
                    let message = format!("`{key}` has no effect without [environment]");
                    return Err(place.key(key).error_at_key(check.source, message));
                }
            }
        }
        return Ok(None);
    };
    if scene.dim != 2 {
        return Err(place
            .error_at_key(check.source, "`environment` is for 2D scenes, which are seen from above")
            .with_help("write dim = 2"));
    }
    let number = |key: &str, what: &str, given: Option<f64>, default: f64| {
        check.not_negative(&place.key(key), what, given.unwrap_or(default))
    };
    let density = [
        number("air_density", "the density of air", spec.air_density, DENSITIES[0])?,
        number("water_density", "the density of water", spec.water_density, DENSITIES[1])?,
    ];
    let drag = [
        number("air_drag", "the drag coefficient of air", spec.air_drag, DRAGS[0])?,
        number("water_drag", "the drag coefficient of water", spec.water_drag, DRAGS[1])?,
    ];
    let mut stress = Vec::with_capacity(scene.materials.len());
    let list = root.key("materials");
    for (name, material) in &scene.materials {
        let place = list.key(name);
        let own = |key: &str, given: Option<f64>, default: f64| {
            check.not_negative(&place.key(key), "the drag coefficient", given.unwrap_or(default))
        };
        let air = own("air_drag", material.air_drag, drag[0])?;
        let water = own("water_drag", material.water_drag, drag[1])?;
        stress.push([density[0] * air, density[1] * water]);
    }
    let turning = |key: &str, given: Option<f64>| {
        let angle = given.unwrap_or(0.0);
        check.between(&place.key(key), "the turning angle", angle, -80.0, 80.0).map(f64::to_radians)
    };
    let (coriolis, beta) = coriolis(scene, check, &place)?;
    let domain = domain(scene, check, &place)?;
    Ok(Some(Arc::new(Sea {
        wind: field(check, base, &place.key("wind"), &spec.wind)?,
        current: field(check, base, &place.key("current"), &spec.current)?,
        stress,
        turning: [
            turning("air_turning_deg", spec.air_turning_deg)?,
            turning("water_turning_deg", spec.water_turning_deg)?,
        ],
        coriolis,
        beta,
        tilt: spec.tilt,
        scheme: match spec.scheme {
            DriftSchemeSpec::Midpoint => DriftScheme::Midpoint,
            DriftSchemeSpec::Euler => DriftScheme::Euler,
        },
        slab: slab(scene, check, &place, density, drag[0], domain.as_ref())?,
        domain,
        layer: DVec2::ZERO,
    })))
}

/// The layer of water, which needs event-driven stages.
fn slab(
    scene: &Scene,
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    density: [f64; 2],
    air_drag: f64,
    domain: Option<&Domain>,
) -> Result<Option<Slab>, SceneError> {
    let Some(spec) = scene.environment.as_ref().and_then(|environment| environment.slab.as_ref()) else {
        return Ok(None);
    };
    let place = place.key("slab");
    if scene.stages.iter().any(|stage| matches!(stage.analysis, StageAnalysisKeys::Dynamic(_))) {
        return Err(place
            .error_at_key(check.source, "a dynamic stage has no layer of water")
            .with_help("write analysis = \"events\" in the stage, or remove `slab`"));
    }
    let size = domain.map(|domain| domain.max - domain.min);
    let Some(area) = spec.area.or(size.map(|size| size.x * size.y)) else {
        return Err(check.error(&place, "the slab needs `area`, or a `domain`"));
    };
    let middle = domain.map_or(DVec2::ZERO, |domain| domain.min.midpoint(domain.max));
    let centre = match &spec.centre {
        Some(centre) => pair(check, &place.key("centre"), "the centre", centre)?,
        None => middle,
    };
    let drag = check.not_negative(&place.key("air_drag"), "the drag coefficient", spec.air_drag.unwrap_or(air_drag))?;
    Ok(Some(Slab {
        depth: check.positive(&place.key("depth"), "the depth", spec.depth.unwrap_or(SLAB_DEPTH))?,
        friction: check.not_negative(&place.key("friction"), "the friction", spec.friction.unwrap_or(SLAB_FRICTION))?,
        area: check.positive(&place.key("area"), "the area", area)?,
        centre,
        density: check.positive(&place.key("water_density"), "the density of water", density[1])?,
        air: density[0] * drag,
    }))
}

/// Refuses stages in which wind and water would not act, and steps that are too long for explicit Euler.
pub fn check_steps(check: &SceneCheck<'_>, model: &Model<D2>, stages: &[Stage]) -> Result<(), SceneError> {
    let Some(sea) = &model.sea else { return Ok(()) };
    let root = Place::ROOT;
    let list = root.key("stages");
    let until = stages.iter().map(Stage::duration).sum();
    let limit = sea.explicit_limit(model.least_mass_per_area(), until);
    for (i, stage) in stages.iter().enumerate() {
        let step = match &stage.analysis {
            StageAnalysis::Dynamic(settings) => settings.step,
            StageAnalysis::Events(settings) => settings.step,
            _ => {
                let place = list.index(i);
                let message = "wind and water of [environment] act in dynamic and event-driven stages only";
                return Err(check
                    .error(&place.key("analysis"), message)
                    .with_help("write analysis = \"events\" or \"dynamic\", or remove [environment]"));
            }
        };
        if sea.scheme == DriftScheme::Euler && step > limit {
            let place = list.index(i);
            let message = format!("the step {step} s is longer than {limit:.1} s, the limit of explicit Euler");
            return Err(check
                .error(&place.key("step"), message)
                .with_help("write a shorter step, or scheme = \"midpoint\" in [environment]"));
        }
    }
    Ok(())
}

/// The edges of the sea, which need event-driven stages.
fn domain(scene: &Scene, check: &SceneCheck<'_>, place: &Place<'_>) -> Result<Option<Domain>, SceneError> {
    let Some(spec) = scene.environment.as_ref().and_then(|environment| environment.domain.as_ref()) else {
        return Ok(None);
    };
    let place = place.key("domain");
    let (min, max) = (
        pair(check, &place.key("min"), "the corner", &spec.min)?,
        pair(check, &place.key("max"), "the corner", &spec.max)?,
    );
    if !min.cmplt(max).all() {
        return Err(check
            .error(&place.key("max"), "the domain has no area")
            .with_help("`max` is above and right of `min`"));
    }
    if scene.stages.iter().any(|stage| matches!(stage.analysis, StageAnalysisKeys::Dynamic(_))) {
        return Err(place
            .error_at_key(check.source, "a dynamic stage has no edges of the sea")
            .with_help("write analysis = \"events\" in the stage, or remove `domain`"));
    }
    let edge = |edge: EdgeSpec| match edge {
        EdgeSpec::Free => EdgeKind::Free,
        EdgeSpec::Periodic => EdgeKind::Periodic,
        EdgeSpec::Open => EdgeKind::Open,
    };
    Ok(Some(Domain { min, max, edges: [edge(spec.x), edge(spec.y)] }))
}

/// Coriolis parameter and its rate of change with y.
fn coriolis(scene: &Scene, check: &SceneCheck<'_>, place: &Place<'_>) -> Result<(f64, f64), SceneError> {
    let Some(spec) = &scene.environment else { return Ok((0.0, 0.0)) };
    match (spec.latitude_deg, spec.coriolis) {
        (Some(_), Some(_)) => Err(place
            .key("coriolis")
            .error_at_key(check.source, "both `latitude_deg` and `coriolis` are given")
            .with_help("keep one")),
        (Some(latitude), None) => {
            let latitude = check.between(&place.key("latitude_deg"), "the latitude", latitude, -90.0, 90.0)?;
            let latitude = latitude.to_radians();
            Ok((Sea::coriolis_at(latitude), if spec.beta_plane { Sea::beta_at(latitude) } else { 0.0 }))
        }
        (None, given) if spec.beta_plane => Err(place
            .key("beta_plane")
            .error_at_key(check.source, "`beta_plane` needs the latitude")
            .with_help(if given.is_some() { "write latitude_deg instead of coriolis" } else { "add latitude_deg" })),
        (None, given) => {
            Ok((check.between(&place.key("coriolis"), "the Coriolis parameter", given.unwrap_or(0.0), -1.0, 1.0)?, 0.0))
        }
    }
}

fn field(
    check: &SceneCheck<'_>,
    base: &Path,
    list: &Place<'_>,
    specs: &[FieldSpec],
) -> Result<VelocityField, SceneError> {
    let mut parts = Vec::with_capacity(specs.len());
    for (i, spec) in specs.iter().enumerate() {
        let place = list.index(i);
        let function = match &spec.function {
            Some(function) => function_of(check, &place.key("function"), function)?,
            None => TimeFunction::Constant(1.0),
        };
        parts.push((kind(check, base, &place, spec)?, function));
    }
    Ok(VelocityField { parts })
}

fn pair(check: &SceneCheck<'_>, place: &Place<'_>, what: &str, given: &Numbers<2>) -> Result<DVec2, SceneError> {
    for (i, value) in given.iter().enumerate() {
        check.finite(&place.index(i), what, *value)?;
    }
    Ok(DVec2::new(given[0], given[1]))
}

fn kind(check: &SceneCheck<'_>, base: &Path, place: &Place<'_>, spec: &FieldSpec) -> Result<FieldKind, SceneError> {
    let centre = |place: &Place<'_>, given: &Option<Numbers<2>>| match given {
        Some(given) => pair(check, &place.key("centre"), "the centre", given),
        None => Ok(DVec2::ZERO),
    };
    let given = [
        spec.uniform.is_some(),
        spec.series.is_some(),
        spec.table.is_some(),
        spec.shear.is_some(),
        spec.profile.is_some(),
        spec.rotation.is_some(),
        spec.vortex.is_some(),
    ];
    if given.iter().filter(|given| **given).count() != 1 {
        return Err(check
            .error(place, "a velocity field has exactly one kind")
            .with_help("give one of: uniform, series, table, shear, profile, rotation, vortex"));
    }
    if let Some(velocity) = &spec.uniform {
        return Ok(FieldKind::Uniform(pair(check, &place.key("uniform"), "the velocity", velocity)?));
    }
    if let Some(rows) = &spec.series {
        return rows_of(check, &place.key("series"), "the time", rows).map(FieldKind::Series);
    }
    if let Some(file) = &spec.table {
        return file_of(check, &place.key("table"), base, file).map(FieldKind::Series);
    }
    if let Some(rows) = &spec.profile {
        return rows_of(check, &place.key("profile"), "y", rows).map(FieldKind::Profile);
    }
    if let Some(shear) = &spec.shear {
        let place = place.key("shear");
        let direction = match &shear.direction {
            Some(direction) => check.direction::<D2>(&place.key("direction"), "the direction", &direction[..])?,
            None => DVec2::X,
        };
        let rate = check.finite(&place.key("rate"), "the rate", shear.rate)?;
        return Ok(FieldKind::Shear { centre: centre(&place, &shear.centre)?, direction, rate });
    }
    if let Some(whirl) = &spec.rotation {
        let place = place.key("rotation");
        let rate = check.finite(&place.key("rate"), "the rate", whirl.rate)?;
        return Ok(FieldKind::Rotation { centre: centre(&place, &whirl.centre)?, rate });
    }
    vortex(check, &place.key("vortex"), spec.vortex.as_ref())
}

fn vortex(check: &SceneCheck<'_>, place: &Place<'_>, spec: Option<&VortexSpec>) -> Result<FieldKind, SceneError> {
    let Some(vortex) = spec else { return Ok(FieldKind::Uniform(DVec2::ZERO)) };
    Ok(FieldKind::Vortex {
        centre: pair(check, &place.key("centre"), "the centre", &vortex.centre)?,
        travel: match &vortex.travel {
            Some(travel) => pair(check, &place.key("travel"), "the velocity of the centre", travel)?,
            None => DVec2::ZERO,
        },
        radius: check.positive(&place.key("radius"), "the radius", vortex.radius)?,
        speed: check.finite(&place.key("speed"), "the speed", vortex.speed)?,
        exponent: check.not_negative(&place.key("exponent"), "the exponent", vortex.exponent.unwrap_or(1.0))?,
    })
}

/// Rows with increasing first numbers.
fn rows_of(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    what: &str,
    rows: &[Numbers<3>],
) -> Result<Vec<(f64, DVec2)>, SceneError> {
    if rows.is_empty() {
        return Err(check.error(place, "the table has no rows"));
    }
    for (i, row) in rows.iter().enumerate() {
        let place = place.index(i);
        for (k, value) in row.iter().enumerate() {
            check.finite(&place.index(k), if k == 0 { what } else { "the velocity" }, *value)?;
        }
        if i > 0 && row[0] <= rows[i - 1][0] {
            let message = format!("{what} is {}, not above that of the previous row, {}", row[0], rows[i - 1][0]);
            return Err(check.error(&place.index(0), message));
        }
    }
    Ok(rows.iter().map(|row| (row[0], DVec2::new(row[1], row[2]))).collect())
}

/// A CSV file with time and two components; comment lines start with `#`, one header line is allowed.
fn file_of(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    base: &Path,
    file: &str,
) -> Result<Vec<(f64, DVec2)>, SceneError> {
    let wrong = |message: String| check.error(place, format!("\"{file}\": {message}"));
    let text = read_text(base, file).map_err(wrong)?;
    let mut rows: Vec<(f64, DVec2)> = Vec::new();
    let mut header_allowed = true;
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = line.split([',', ';']).map(str::trim).collect();
        let first = std::mem::replace(&mut header_allowed, false);
        if first && cells[0].parse::<f64>().is_err() {
            continue;
        }
        let values: Vec<f64> =
            cells.iter().filter_map(|cell| cell.parse().ok()).filter(|x: &f64| x.is_finite()).collect();
        let [time, x, y] = values[..] else {
            return Err(wrong(format!("line {number}: expected three numbers: time [s], two velocities [m/s]")));
        };
        if rows.last().is_some_and(|row| row.0 >= time) {
            return Err(wrong(format!("line {number}: the time {time} s is not after the previous row")));
        }
        rows.push((time, DVec2::new(x, y)));
    }
    if rows.is_empty() { Err(wrong("no rows".to_owned())) } else { Ok(rows) }
}
