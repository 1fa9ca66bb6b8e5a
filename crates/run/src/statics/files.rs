//! Files of a static analysis: result, joints, thrust lines, drawing, recording.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use voussoir_mechanics::snapshot::{ContactSnapshot, Snapshot};
use voussoir_results::{FixedPart, Recorder, RecorderSettings, ResultsError, results_in};
use voussoir_statics::AnyStructure;
use voussoir_statics::case::PlacedTrain;
use voussoir_statics::joints::{JointState, PlaneJoint};
use voussoir_statics::line::{LineKind, ThrustLine};
use voussoir_statics::mechanism::Mechanism;
use voussoir_statics::stand::VerdictWord;
use voussoir_statics::study::{StandReport, Study};

use super::questions::{EnvelopeReport, LimitReport, PushoverReport};
use super::{curve, drawing, envelope};
use crate::error::{Result, RunError};
use crate::figures::quantity;
use crate::scene_file::SceneFile;

/// Name of the drawing.
pub const DRAWING: &str = "thrust.svg";

/// Name of the table of contacts, in double precision; recordings are in single precision.
pub const CONTACTS: &str = "contacts.csv";

const CONTACT_HEAD: &str = "candidate,antagonist,x_m,y_m,z_m,nx,ny,nz,gap_m,fx_n,fy_n,fz_n,area_m2,friction,status";

/// All contacts, one row each.
fn contacts_table(contacts: &[ContactSnapshot], origin: [f64; 3]) -> String {
    let mut text = format!("{CONTACT_HEAD}\n");
    for contact in contacts {
        let position = [0, 1, 2].map(|i| contact.position[i] + origin[i]);
        let numbers = position.into_iter().chain(contact.normal).chain([contact.gap]).chain(contact.force);
        let _ = write!(text, "{},{}", contact.bodies[0], contact.bodies[1]);
        numbers.chain([contact.area, contact.friction]).for_each(|x| text += &format!(",{x:?}"));
        let _ = writeln!(text, ",{}", contact.status);
    }
    text
}

/// Reads the table of contacts of a folder, in survey coordinates; `None` if there is none.
pub fn read_contacts(dir: &Path) -> Option<Vec<ContactSnapshot>> {
    let text = fs::read_to_string(dir.join(CONTACTS)).ok()?;
    let mut lines = text.lines();
    if lines.next()? != CONTACT_HEAD {
        return None;
    }
    let row = |line: &str| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
        let three = |i: usize| Some([*cells.get(i)?, *cells.get(i + 1)?, *cells.get(i + 2)?]);
        Some(ContactSnapshot {
            bodies: [*cells.first()? as u32, *cells.get(1)? as u32],
            position: three(2)?,
            normal: three(5)?,
            gap: *cells.get(8)?,
            force: three(9)?,
            area: *cells.get(12)?,
            friction: *cells.get(13)?,
            status: *cells.get(14)? as u8,
            ..ContactSnapshot::default()
        })
    };
    lines.map(row).collect()
}

/// The complete answer about a structure, for programs.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a StandReport,
    joints: &'a [PlaneJoint],
    lines: &'a [ThrustLine],
}

/// Writes a study into a folder and returns the names of the files.
pub fn write_study(dir: &Path, study: &Study, title: &str, scene: &KeptScene, overwrite: bool) -> Result<Vec<PathBuf>> {
    if !overwrite && let Some(file) = results_in(dir) {
        return Err(RunError::Folder(ResultsError::AlreadyThere { dir: dir.to_owned(), file }));
    }
    let (answer, origin) = (&study.report.answer, study.structure.origin());
    let frame = study.structure.snapshot(answer.mechanism.as_ref(), study.time);
    let contacts = frame.contacts.clone();
    record(dir, &study.structure, title, scene, &[frame], &fixed_parts(study), overwrite)?;
    let whole = Whole { report: &study.report, joints: &answer.joints, lines: &study.lines };
    let mut files = vec![dir.join("results.vtkhdf")];
    files.push(write(dir, "stand.json", &json(&whole, origin)?)?);
    files.push(write(dir, CONTACTS, &contacts_table(&contacts, origin))?);
    files.push(write(dir, "joints.csv", &joints_table(&answer.joints, origin))?);
    files.push(write(dir, "thrust.csv", &lines_table(&study.lines, origin))?);
    files.push(write(dir, DRAWING, &drawing::elevation(study, title, &note(&study.report)))?);
    Ok(files)
}

/// The note below the title of a drawing, and the time of its loads [s].
pub struct DrawingNote<'a> {
    /// The note.
    pub note: &'a str,
    /// The time.
    pub time: f64,
}

/// Writes the answer of a limit analysis into a folder and returns the names of the files.
pub fn write_limit(
    dir: &Path,
    report: &LimitReport,
    structure: AnyStructure,
    file: &SceneFile,
    DrawingNote { note, time }: DrawingNote<'_>,
    overwrite: bool,
) -> Result<Vec<PathBuf>> {
    let study = record_mechanism(dir, report.answer.mechanism.clone(), (structure, time), file, overwrite)?;
    let (title, origin) = (&file.built.title, study.structure.origin());
    Ok(vec![
        dir.join("results.vtkhdf"),
        write(dir, "limit.json", &json(report, origin)?)?,
        write(dir, "mechanism.svg", &drawing::elevation(&study, title, note))?,
    ])
}

/// Records a mechanism as one frame, and returns it as a study that can be drawn.
fn record_mechanism(
    dir: &Path,
    mechanism: Option<Mechanism>,
    (structure, time): (AnyStructure, f64),
    file: &SceneFile,
    overwrite: bool,
) -> Result<Study> {
    let frame = structure.snapshot(mechanism.as_ref(), time);
    let scene = KeptScene::in_folder(file, dir, overwrite)?;
    record(dir, &structure, &file.built.title, &scene, &[frame], &[], overwrite)?;
    Ok(Study { structure, report: StandReport::of_mechanism(mechanism), lines: Vec::new(), time })
}

/// Writes the envelope of a train into a folder and returns the names of the files: all positions, and the mechanism at
/// the worst one.
pub fn write_envelope(
    dir: &Path,
    report: &EnvelopeReport,
    mut structure: AnyStructure,
    file: &SceneFile,
    DrawingNote { note, time }: DrawingNote<'_>,
    overwrite: bool,
) -> Result<Vec<PathBuf>> {
    let mechanism = report.envelope.answer.as_ref().and_then(|answer| answer.mechanism.clone());
    let placed = report.envelope.worst.as_ref().map(|worst| PlacedTrain {
        name: report.envelope.train.clone(),
        distance: worst.distance_m,
        reversed: worst.reversed,
    });
    // the page and the exports draw the loads of the scene at the time of a frame
    let forwards = placed.as_ref().filter(|placed| !placed.reversed);
    let seen = forwards.and_then(|placed| structure.time_of_train(&placed.name, placed.distance));
    structure.fix_loads(time, placed.as_ref());
    let study = record_mechanism(dir, mechanism, (structure, seen.unwrap_or(time)), file, overwrite)?;
    let (title, origin) = (&file.built.title, study.structure.origin());
    Ok(vec![
        dir.join("results.vtkhdf"),
        write(dir, "envelope.json", &json(report, origin)?)?,
        write(dir, "envelope.csv", &envelope::table(&report.envelope, origin))?,
        write(dir, "envelope.svg", &envelope::drawing(&report.envelope, title))?,
        write(dir, "mechanism.svg", &drawing::elevation(&study, title, note))?,
    ])
}

/// Writes a load–displacement curve into a folder and returns the names of the files; `axis` names both axes.
pub fn write_curve(
    dir: &Path,
    report: &PushoverReport,
    frames: &[Snapshot],
    file: &SceneFile,
    axis: [&str; 2],
    overwrite: bool,
) -> Result<Vec<PathBuf>> {
    let title = &file.built.title;
    let structure = AnyStructure::new(&file.built.finished())?;
    let scene = KeptScene::in_folder(file, dir, overwrite)?;
    record(dir, &structure, title, &scene, frames, &[], overwrite)?;
    let origin = structure.origin();
    Ok(vec![
        dir.join("results.vtkhdf"),
        write(dir, "curve.csv", &curve::table(&report.curve))?,
        write(dir, "curve.json", &json(report, origin)?)?,
        write(dir, "curve.svg", &curve::drawing(&report.curve, title, &report.load, axis))?,
    ])
}

/// Thrust lines and joints for the recording.
fn fixed_parts(study: &Study) -> Vec<FixedPart> {
    let mut parts = Vec::new();
    let finite = |x: f64| if x.is_infinite() { f64::from(f32::MAX) } else { x };
    if !study.lines.is_empty() {
        let points = || study.lines.iter().flat_map(|line| &line.points);
        let mut first = 0;
        let lines = study.lines.iter().map(|line| {
            let own = (first..first + line.points.len()).collect();
            first += line.points.len();
            own
        });
        parts.push(FixedPart {
            name: "thrust".to_owned(),
            lines: lines.collect(),
            points: points().map(|point| point.at).collect(),
            point_data: vec![
                ("force".to_owned(), 3, points().flat_map(|point| point.force_n).collect()),
                ("eccentricity".to_owned(), 1, points().map(|point| finite(point.eccentricity)).collect()),
                ("friction_use".to_owned(), 1, points().map(|point| finite(point.friction_use)).collect()),
            ],
            // 0 found, 1 smallest, 2 largest thrust, 3 funicular
            line_data: vec![("line".to_owned(), study.lines.iter().map(|line| line.kind as i32).collect())],
        });
    }
    let joints = &study.report.answer.joints;
    if !joints.is_empty() {
        parts.push(FixedPart {
            name: "joints".to_owned(),
            points: joints.iter().map(|joint| joint.centre_m).collect(),
            lines: Vec::new(),
            point_data: vec![
                ("force".to_owned(), 3, joints.iter().flat_map(|joint| joint.force_n).collect()),
                ("eccentricity".to_owned(), 1, joints.iter().map(|joint| finite(joint.eccentricity)).collect()),
                ("friction_use".to_owned(), 1, joints.iter().map(|joint| finite(joint.friction_use)).collect()),
                ("area".to_owned(), 1, joints.iter().map(|joint| joint.area).collect()),
                ("stress".to_owned(), 1, joints.iter().map(|joint| joint.stress_pa.unwrap_or(f64::NAN)).collect()),
                (
                    "compression_use".to_owned(),
                    1,
                    joints.iter().map(|joint| finite(joint.compression_use.unwrap_or(f64::NAN))).collect(),
                ),
                // 0 idle, 1 loaded, 2 hinge, 3 slips, 4 both
                ("state".to_owned(), 1, joints.iter().map(|joint| f64::from(joint.state as u8)).collect()),
            ],
            line_data: Vec::new(),
        });
    }
    parts
}

/// The text of a scene in a results folder, and the files of the folder that it refers to.
#[derive(Clone, Debug, Default)]
pub struct KeptScene {
    /// Text.
    pub text: String,
    /// Copies of meshes and accelerograms, relative to the folder.
    pub copies: Vec<String>,
}

impl KeptScene {
    /// Copies the files of a scene into a folder.
    pub fn in_folder(file: &SceneFile, dir: &Path, overwrite: bool) -> Result<Self> {
        if !overwrite && let Some(file) = results_in(dir) {
            return Err(RunError::Folder(ResultsError::AlreadyThere { dir: dir.to_owned(), file }));
        }
        let (text, copies) = file.keep_files(dir)?;
        Ok(Self { text, copies })
    }
}

/// Records frames.
fn record(
    dir: &Path,
    structure: &AnyStructure,
    title: &str,
    scene: &KeptScene,
    frames: &[Snapshot],
    fixed: &[FixedPart],
    overwrite: bool,
) -> Result<()> {
    let settings = RecorderSettings {
        title: title.to_owned(),
        scene: scene.text.clone(),
        tolerance: 1e-8,
        weight: structure.weight(),
        kinetic_energy: 0.0,
        columns: Vec::new(),
        probes: Vec::new(),
        overwrite,
        precision: None,
    };
    let cast = structure.cast();
    let mut recorder = Recorder::create_with(dir, &cast, settings, fixed).map_err(RunError::Folder)?;
    recorder.keep_files(&scene.copies).map_err(RunError::Folder)?;
    for frame in frames {
        recorder.frame(frame).map_err(RunError::Folder)?;
    }
    recorder.finish().map_err(RunError::Folder)?;
    Ok(())
}

/// Writes a text into a folder.
pub fn write(dir: &Path, name: &str, text: &str) -> Result<PathBuf> {
    fs::create_dir_all(dir).map_err(RunError::write(dir))?;
    let path = dir.join(name);
    fs::write(&path, text).map_err(RunError::write(&path))?;
    Ok(path)
}

/// One JSON object, with its points in survey coordinates; `origin` is that of the model [m].
pub fn json(value: &impl Serialize, origin: [f64; 3]) -> Result<String> {
    let internal = |error: serde_json::Error| RunError::Internal(error.to_string());
    if origin == [0.0; 3] {
        return serde_json::to_string(value).map_err(internal);
    }
    let mut whole = serde_json::to_value(value).map_err(internal)?;
    survey(&mut whole, origin);
    Ok(whole.to_string())
}

/// Names of points in static answers.
const POINTS: [&str; 2] = ["at", "centre_m"];

fn survey(value: &mut Value, origin: [f64; 3]) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| survey(value, origin)),
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::Array(point) if POINTS.contains(&key.as_str()) && point.len() == 3 => {
                        for (x, origin) in point.iter_mut().zip(origin) {
                            if let Some(number) = x.as_f64() {
                                *x = (number + origin).into();
                            }
                        }
                    }
                    other => survey(other, origin),
                }
            }
        }
        _ => {}
    }
}

/// A point in survey coordinates.
pub(super) fn surveyed(point: [f64; 3], origin: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| point[k] + origin[k])
}

fn note(report: &StandReport) -> String {
    let number = |value: Option<f64>| value.map_or("?".to_owned(), |value| format!("{value:.3}"));
    let newton = |value: f64| quantity(value, "N");
    match report.answer.stands {
        Some(true) => {
            let margins = (number(report.answer.geometric_margin), number(report.answer.friction_margin));
            let thrust = report.thrust.as_ref().and_then(|thrust| {
                let max = thrust.range.max_n.map_or("unbounded".to_owned(), newton);
                Some(format!("; thrust {} … {max}", newton(thrust.range.min_n?)))
            });
            format!(
                "stands; geometric margin {}, friction margin {}{}",
                margins.0,
                margins.1,
                thrust.unwrap_or_default()
            )
        }
        Some(false) if report.answer.verdict == VerdictWord::Wedged => {
            "wedged: in equilibrium only by self-stress that the loads do not produce".to_owned()
        }
        Some(false) => "collapses".to_owned(),
        None => "not decided to tolerance".to_owned(),
    }
}

fn joints_table(joints: &[PlaneJoint], origin: [f64; 3]) -> String {
    let mut text = String::from(
        "body,other,x_m,y_m,z_m,normal_x,normal_y,normal_z,area,normal_force_n,shear_n,centre_x_m,centre_y_m,centre_z_m,\
         eccentricity_m,eccentricity,friction_use,stress_pa,strength_pa,compression_use,state\n",
    );
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for joint in joints {
        let [a, b] = &joint.between;
        let ([x, y, z], [nx, ny, nz], [px, py, pz]) =
            (surveyed(joint.at, origin), joint.normal, surveyed(joint.centre_m, origin));
        let state = match joint.state {
            JointState::Idle => "idle",
            JointState::Carries => "carries",
            JointState::Hinge => "hinge",
            JointState::Slips => "slips",
            JointState::HingeSlips => "hinge-slips",
        };
        let _ = writeln!(
            text,
            "{a},{b},{x},{y},{z},{nx},{ny},{nz},{},{},{},{px},{py},{pz},{},{},{},{},{},{},{state}",
            joint.area,
            joint.normal_force_n,
            joint.shear_n,
            joint.eccentricity_m,
            joint.eccentricity,
            joint.friction_use,
            number(joint.stress_pa),
            number(joint.strength_pa),
            number(joint.compression_use)
        );
    }
    text
}

fn lines_table(lines: &[ThrustLine], origin: [f64; 3]) -> String {
    let mut text = String::from(
        "line,chain,point,before,after,x_m,y_m,z_m,force_x_n,force_y_n,force_z_n,eccentricity,friction_use\n",
    );
    for line in lines {
        let kind = match line.kind {
            LineKind::Found => "found",
            LineKind::Minimum => "minimum",
            LineKind::Maximum => "maximum",
            LineKind::Funicular => "funicular",
        };
        for (i, point) in line.points.iter().enumerate() {
            let ([before, after], [x, y, z], [fx, fy, fz]) =
                (&point.between, surveyed(point.at, origin), point.force_n);
            let _ = writeln!(
                text,
                "{kind},{},{i},{before},{after},{x},{y},{z},{fx},{fy},{fz},{},{}",
                line.chain, point.eccentricity, point.friction_use
            );
        }
    }
    text
}
