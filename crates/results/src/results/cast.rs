//! The lists of bodies, materials, cables and declared scalars of a file.

use std::ops::Range;

use voussoir_hdf5::read::{ReadFault, Reader};
use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodyForm, Cast, CastBody, CastCable, Features, FieldInfo};

/// The constant part of a file.
pub fn read(file: &Reader) -> Result<Cast, ReadFault> {
    let dimension = file.integer("voussoir", "dimension")?;
    let texts = |path: &str| file.array(path).and_then(|array| array.texts(0, array.rows()));
    let integers = |path: &str| integers(file, path);
    let numbers = |path: &str| numbers(file, path);

    let names = texts("voussoir/bodies/name")?;
    let material = integers("voussoir/bodies/material")?;
    let support = file.array("voussoir/bodies/support").and_then(|array| array.u8s(0, array.rows()))?;
    let mass = numbers("voussoir/bodies/mass")?;
    let volume = numbers("voussoir/bodies/volume")?;
    let points = numbers("voussoir/bodies/points")?;
    let point_offsets = integers("voussoir/bodies/point_offsets")?;
    let polygon_offsets = integers("voussoir/bodies/polygon_offsets")?;
    let corner_offsets = integers("VTKHDF/bodies/Polygons/Offsets")?;
    let corners = integers("VTKHDF/bodies/Polygons/Connectivity")?;
    // files of format 2 have no balls
    let radius = numbers("voussoir/bodies/radius").unwrap_or_else(|_| vec![0.0; names.len()]);
    let materials = texts("voussoir/materials/name")?;

    // while bodies appear some lists are longer than others for a short time; no frame has these bodies yet
    let lengths = [names.len(), material.len(), support.len(), mass.len(), volume.len(), radius.len()];
    let count = lengths.into_iter().min().unwrap_or(0);
    let points = points.as_chunks::<3>().0;
    let body = |i: usize| {
        let own = range(&point_offsets, i, points.len())?;
        let polygon = |p: usize| {
            let corners = &corners[range(&corner_offsets, p, corners.len())?];
            let local = |&corner: &i64| u32::try_from(corner.checked_sub(own.start as i64)?).ok();
            corners.iter().map(|c| local(c).filter(|&c| (c as usize) < own.len())).collect::<Option<Vec<u32>>>()
        };
        let polygons = range(&polygon_offsets, i, corner_offsets.len())?.map(polygon).collect::<Option<_>>()?;
        let surface = Surface { points: points[own.clone()].to_vec(), polygons };
        let form = if radius[i] > 0.0 { BodyForm::Ball { radius: radius[i] } } else { surface.into() };
        Some(CastBody {
            name: names[i].clone(),
            material: usize::try_from(material[i]).ok()?,
            support: support[i] != 0,
            mass: mass[i],
            volume: volume[i],
            form,
        })
    };
    let bodies: Vec<CastBody> = (0..count).map_while(body).collect();
    let cables = cables(file, bodies.len())?;
    let features = Features {
        appearing: file.array("voussoir/frames/body_count").is_ok(),
        deforming: file.array("voussoir/deformed/body").is_ok(),
        point_fields: fields(file, "point")?,
        body_fields: fields(file, "body")?,
    };
    // files of scenes near the zero of their coordinates have no origin
    let origin = numbers("voussoir/origin").ok().and_then(|x| x.try_into().ok()).unwrap_or([0.0; 3]);
    Ok(Cast { dimension: dimension.clamp(2, 3) as usize, bodies, materials, cables, features, origin })
}

/// The cables of a file with `bodies` bodies.
fn cables(file: &Reader, bodies: usize) -> Result<Vec<CastCable>, ReadFault> {
    let Ok(names) = file.array("voussoir/cables/name").and_then(|array| array.texts(0, array.rows())) else {
        return Ok(Vec::new());
    };
    let strength = numbers(file, "voussoir/cables/strength")?;
    // results of earlier versions have no anchors
    let anchors = integers(file, "voussoir/cables/anchors").unwrap_or_default();
    let offsets = integers(file, "voussoir/cables/anchor_offsets").unwrap_or_default();
    let anchored = |i: usize| -> Option<Vec<u32>> {
        let own = range(&offsets, i, anchors.len())?;
        let body = |&body: &i64| u32::try_from(body).ok().filter(|&body| (body as usize) < bodies);
        anchors[own].iter().map(body).collect()
    };
    let cable = |(i, (name, strength)): (usize, (String, f64))| CastCable {
        name,
        strength: Some(strength).filter(|s| s.is_finite()),
        anchors: anchored(i).unwrap_or_default(),
    };
    Ok(names.into_iter().zip(strength).enumerate().map(cable).collect())
}

/// Names and units of the declared scalars of a kind.
fn fields(file: &Reader, kind: &str) -> Result<Vec<FieldInfo>, ReadFault> {
    let list = |what: &str| texts(file, &format!("voussoir/fields/{kind}_{what}"));
    let (names, units) = (list("name")?, list("unit")?);
    Ok(names.into_iter().zip(units).map(|(name, unit)| FieldInfo { name, unit }).collect())
}

/// Item `i` of a list, given the offsets of all items; `None` if the offsets are invalid or beyond `end`.
fn range(offsets: &[i64], i: usize, end: usize) -> Option<Range<usize>> {
    let (from, to) = (usize::try_from(*offsets.get(i)?).ok()?, usize::try_from(*offsets.get(i + 1)?).ok()?);
    (from <= to && to <= end).then_some(from..to)
}

fn integers(file: &Reader, path: &str) -> Result<Vec<i64>, ReadFault> {
    file.array(path).and_then(|array| array.i64s(0, array.rows()))
}

fn numbers(file: &Reader, path: &str) -> Result<Vec<f64>, ReadFault> {
    file.array(path).and_then(|array| array.f64s(0, array.rows()))
}

/// A list of texts; empty if the file does not have it.
pub fn texts(file: &Reader, path: &str) -> Result<Vec<String>, ReadFault> {
    file.array(path).map_or(Ok(Vec::new()), |array| array.texts(0, array.rows()))
}
