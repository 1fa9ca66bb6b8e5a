//! Tables: bodies, interfaces, contacts, cables and load descent of every frame, one row each. Column names have units.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use voussoir_mechanics::snapshot::{Cast, FieldInfo, Snapshot};

use super::{make_folder, surveyed, write_file};
use crate::Results;
use crate::error::ResultsError;
use crate::measures::{BlockQuantity, interfaces, load_descent};
use crate::vector::{distance, place};

const BODIES: &str = "frame,time_s,body,name,x_m,y_m,z_m,qx,qy,qz,qw,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,\
                      displacement_m,mean_pressure_pa,principal_compression_pa,joint_use,radius_m";
const INTERFACES: &str = "frame,time_s,candidate,antagonist,fx_n,fy_n,fz_n,normal_n,tangential_n,joint_use,x_m,y_m,z_m,\
                          mx_nm,my_nm,mz_nm,area_m2,opening_m,damage,slip_m,status";
const CONTACTS: &str = "frame,time_s,candidate,antagonist,x_m,y_m,z_m,nx,ny,nz,gap_m,fx_n,fy_n,fz_n,area_m2,friction,\
                        damage,slip_m,status";
const CABLES: &str = "frame,time_s,cable,name,tension_n,length_m";
const POINTS: &str = "frame,time_s,body,name,point,x_m,y_m,z_m";
const DESCENT: &str = "frame,time_s,height_m,load_n,mass_above_kg";

/// Writes `bodies.csv`, `interfaces.csv`, `contacts.csv`, `load_descent.csv`, where there are cables `cables.csv` and where
/// bodies may be deformed `points.csv` (points of deformed bodies) into a folder; returns the files.
pub fn write_csv(results: &Results, frames: &[usize], dir: &Path) -> Result<Vec<PathBuf>, ResultsError> {
    make_folder(dir)?;
    let cast = results.cast();
    let first = surveyed(results, results.frame(0)?);
    let mut fault = None;
    // each table walks through the frames once; a frame that cannot be read ends it
    let mut table = |name: &str, head: &str, rows: Rows| {
        write_file(&dir.join(name), |out| {
            writeln!(out, "{head}")?;
            for &frame in frames {
                match results.frame(frame).map(|frame| surveyed(results, frame)) {
                    Ok(snapshot) => rows(out, cast, &first, &snapshot, &format!("{frame},{:e}", snapshot.time))?,
                    Err(error) => {
                        fault = Some(error);
                        return Ok(());
                    }
                }
            }
            Ok(())
        })
    };
    let mut written = vec![
        table("bodies.csv", &head(BODIES, &cast.features.body_fields), body_rows)?,
        table("interfaces.csv", INTERFACES, interface_rows)?,
        table("contacts.csv", CONTACTS, contact_rows)?,
        table("load_descent.csv", DESCENT, descent_rows)?,
    ];
    if !cast.cables.is_empty() {
        written.push(table("cables.csv", CABLES, cable_rows)?);
    }
    if cast.features.deforming {
        written.push(table("points.csv", &head(POINTS, &cast.features.point_fields), point_rows)?);
    }
    fault.map_or(Ok(written), Err)
}

/// A head with the columns of declared scalars.
fn head(known: &str, fields: &[FieldInfo]) -> String {
    let column = |field: &FieldInfo| {
        let unit = field.unit.to_lowercase().replace('/', "_");
        let name = if unit.is_empty() { field.name.clone() } else { format!("{}_{unit}", field.name) };
        format!(",{}", cell(&name))
    };
    known.to_owned() + &fields.iter().map(column).collect::<String>()
}

/// Writes the rows of one frame, each beginning with the same cells.
type Rows = fn(&mut dyn Write, &Cast, &Snapshot, &Snapshot, &str) -> io::Result<()>;

fn body_rows(out: &mut dyn Write, cast: &Cast, first: &Snapshot, snapshot: &Snapshot, start: &str) -> io::Result<()> {
    let columns = [BlockQuantity::Displacement, BlockQuantity::Pressure, BlockQuantity::Stress, BlockQuantity::Use]
        .map(|quantity| quantity.values(cast, first, snapshot).unwrap_or_default());
    for (i, (body, now)) in cast.bodies.iter().zip(&snapshot.bodies).enumerate().filter(|(_, (_, now))| !now.absent) {
        let numbers = now.position.iter().chain(&now.rotation).chain(&now.velocity).chain(&now.spin).copied();
        let of = |values: &Vec<f64>| values.get(i).copied().unwrap_or(f64::NAN);
        let values = columns.iter().map(of).chain([body.ball().unwrap_or(f64::NAN)]);
        let declared = snapshot.body_fields.iter().map(of);
        writeln!(out, "{start},{i},{}{}", cell(&body.name), cells(numbers.chain(values).chain(declared)))?;
    }
    Ok(())
}

/// Points of deformed bodies, in the world.
fn point_rows(out: &mut dyn Write, cast: &Cast, _: &Snapshot, snapshot: &Snapshot, start: &str) -> io::Result<()> {
    for deformed in &snapshot.deformed {
        let index = deformed.body as usize;
        let (Some(body), Some(now)) = (cast.bodies.get(index), snapshot.bodies.get(index)) else { continue };
        for (k, &point) in deformed.points.iter().enumerate().filter(|_| !now.absent) {
            let values = deformed.values.iter().map(|values| values.get(k).copied().unwrap_or(f64::NAN));
            let numbers = place(now, point).into_iter().chain(values);
            writeln!(out, "{start},{index},{},{k}{}", cell(&body.name), cells(numbers))?;
        }
    }
    Ok(())
}

fn interface_rows(out: &mut dyn Write, _: &Cast, _: &Snapshot, snapshot: &Snapshot, start: &str) -> io::Result<()> {
    for interface in interfaces(snapshot) {
        let [a, b] = interface.bodies;
        let own = [interface.normal_force, interface.tangential_force, interface.friction_use()];
        let end = [interface.area, interface.opening, interface.damage, interface.slip];
        let numbers = interface.force.into_iter().chain(own).chain(interface.centre).chain(interface.moment).chain(end);
        writeln!(out, "{start},{a},{b}{},{}", cells(numbers), status(interface.status))?;
    }
    Ok(())
}

fn contact_rows(out: &mut dyn Write, _: &Cast, _: &Snapshot, snapshot: &Snapshot, start: &str) -> io::Result<()> {
    for contact in &snapshot.contacts {
        let [a, b] = contact.bodies;
        let numbers = contact.position.into_iter().chain(contact.normal).chain([contact.gap]).chain(contact.force);
        let numbers = numbers.chain([contact.area, contact.friction, contact.damage, contact.slip]);
        writeln!(out, "{start},{a},{b}{},{}", cells(numbers), status(contact.status))?;
    }
    Ok(())
}

/// Fitted cables.
fn cable_rows(out: &mut dyn Write, cast: &Cast, _: &Snapshot, snapshot: &Snapshot, start: &str) -> io::Result<()> {
    let there = snapshot.cables.iter().zip(&cast.cables).enumerate().filter(|(_, (cable, _))| !cable.points.is_empty());
    for (i, (cable, about)) in there {
        let length = cable.points.windows(2).map(|ends| distance(ends[0], ends[1])).sum();
        writeln!(out, "{start},{i},{}{}", cell(&about.name), cells([cable.force, length].into_iter()))?;
    }
    Ok(())
}

fn descent_rows(out: &mut dyn Write, cast: &Cast, _: &Snapshot, snapshot: &Snapshot, start: &str) -> io::Result<()> {
    for cut in load_descent(cast, snapshot) {
        writeln!(out, "{start}{}", cells([cut.height, cut.load, cut.mass].into_iter()))?;
    }
    Ok(())
}

/// Numbers, each after a comma; unknown values are empty.
fn cells(numbers: impl Iterator<Item = f64>) -> String {
    numbers.map(|x| if x.is_nan() { ",".to_owned() } else { format!(",{x:e}") }).collect()
}

fn status(status: u8) -> &'static str {
    match status {
        0 => "open",
        1 => "stick",
        _ => "slide",
    }
}

/// A text quoted as one cell.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
