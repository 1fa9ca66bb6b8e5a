//! `cargo xtask bench recording`: bytes and time that `results.vtkhdf` takes, for about 3 300 blocks.
//!
//! Four walls of 52 bricks fall in four directions and one stands, at 1e-4, each computed once. Sixty-four of them
//! beside each other, each turned about the vertical by another angle, make a structure of 3 400 bodies whose motion
//! and forces are those of real collapses, for a fraction of the cost of one large wall. Time steps of a large wall
//! cost more than those of its parts, so that the share of recording is on the safe side.

use std::path::{Path, PathBuf};
use std::time::Instant;

use voussoir_geometry::D3;
use voussoir_mechanics::model::Model;
use voussoir_mechanics::snapshot::{BodyForm, Cast, CastBody, Snapshot, cast};
use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build, render};
use voussoir_results::{FRAMES_FILE, Precision, Recorder, RecorderSettings};

/// Walls beside each other.
const WALLS: usize = 64;
/// Falling walls that are computed.
const FALLING: usize = 4;
/// Steps from one frame to the next.
const FRAME_STEPS: usize = 10;
/// Steps of the standing wall: nothing changes later.
const STANDING_STEPS: usize = 30;
/// Falling walls that are computed until they are at rest, and the largest number of steps for this.
const FOLLOWED_WALLS: usize = 2;
const LYING_STEPS: usize = 1500;
/// Blocks slower than this lie [m/s].
const REST_SPEED: f64 = 1e-3;
/// Frames of a run from the first crack until long after all blocks are at rest.
const WHOLE_RUN: usize = 1000;

/// One computed wall: its frames, and CPU seconds of a step.
struct Wall {
    cast: Cast,
    frames: Vec<Snapshot>,
    seconds: f64,
}

/// `[STEPS] [FOLDER]`: steps of 2 ms, 300 by default; with a folder the results are kept there.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let steps = match arguments.first() {
        None => 300,
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of steps"))?,
    };
    let kept = arguments.get(1).map(PathBuf::from);
    let scratch = std::env::temp_dir().join(format!("voussoir-recording-{}", std::process::id()));
    let folder = kept.clone().unwrap_or_else(|| scratch.clone());
    let mut walls = Vec::new();
    for k in 0..FALLING {
        let angle = 0.4 + k as f64 * std::f64::consts::TAU / FALLING as f64;
        let lies = if k < FOLLOWED_WALLS { LYING_STEPS } else { 0 };
        walls.push(wall([7.0 * angle.cos(), 7.0 * angle.sin(), -9.81], steps, lies)?);
    }
    let standing = wall(UPRIGHT, STANDING_STEPS, 0)?;
    println!(
        "{:<18} {:>6} {:>9} {:>6} {:>9} {:>14} {:>12} {:>10}",
        "run", "blocks", "contacts", "frames", "kB/frame", "MB/1000 frames", "ms CPU/frame", "% of run"
    );
    let falls = |slot: usize| &walls[slot % FALLING];
    let frames = steps / FRAME_STEPS + 1;
    measure("stands", &folder, frames, |_| &standing)?;
    measure("one part falls", &folder, frames, |slot| if slot % 16 == 5 { falls(slot) } else { &standing })?;
    measure("all falls", &folder, frames, falls)?;
    measure("all falls and lies", &folder, WHOLE_RUN, |slot| &walls[slot % FOLLOWED_WALLS])?;
    for wall in &walls[..FOLLOWED_WALLS] {
        let last = wall.frames.last().map_or(0.0, fastest);
        println!("a wall lies after {} frames: its fastest block goes {last:.1e} m/s", wall.frames.len());
    }
    if kept.is_none() {
        std::fs::remove_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    }
    Ok(())
}

/// Gravity [m/s²].
const UPRIGHT: [f64; 3] = [0.0, 0.0, -9.81];

/// Speed of the fastest block [m/s].
fn fastest(snapshot: &Snapshot) -> f64 {
    let speed = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    snapshot.bodies.iter().map(|body| speed(&body.velocity)).fold(0.0, f64::max)
}

/// Computes a wall of 5 courses under a gravity [m/s²], then at most `lies` steps upright until everything lies.
fn wall(gravity: [f64; 3], steps: usize, lies: usize) -> Result<Wall, String> {
    let text = render("wall", &[("courses", "5"), ("bricks", "10"), ("step", "0.002")]).map_err(|e| e.to_string())?;
    let mut lines: Vec<String> = text.lines().filter(|line| !line.starts_with("gravity")).map(str::to_owned).collect();
    lines.insert(0, format!("gravity = {gravity:?}"));
    let scene = Scene::parse(&lines.join("\n"), "wall").map_err(|e| e.to_string())?;
    let built = build(&scene, Path::new(".")).map_err(|e| e.to_string())?;
    let mut settings =
        built.stages.first().and_then(|stage| stage.dynamic()).ok_or("the template has no dynamic stage")?.clone();
    settings.tolerance = 1e-4;
    let AnyModel::Three(model) = built.model else { return Err("the wall is not in 3D".to_owned()) };
    let model: Model<D3> = std::sync::Arc::unwrap_or_clone(model);
    let cast = cast(&model);
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    let mut frames = vec![stepper.snapshot()];
    let before = cpu_seconds();
    for step in 1..=steps {
        stepper.step().map_err(|e| e.to_string())?;
        if step % FRAME_STEPS == 0 {
            frames.push(stepper.snapshot());
        }
    }
    let seconds = (cpu_seconds() - before) / steps as f64;
    let mut upright = Model::clone(stepper.model());
    upright.gravity = UPRIGHT.into();
    let (settings, state) = (stepper.settings().clone(), stepper.state().clone());
    let mut stepper = Stepper::with_state(upright, settings, state).map_err(|e| e.to_string())?;
    for step in 1..=lies {
        stepper.step().map_err(|e| e.to_string())?;
        if step % FRAME_STEPS == 0 {
            frames.push(stepper.snapshot());
            if frames.last().is_some_and(|snapshot| fastest(snapshot) < REST_SPEED) {
                break;
            }
        }
    }
    Ok(Wall { cast, frames, seconds })
}

/// Records the walls in the slots and prints size and time.
fn measure<'a>(name: &str, folder: &Path, frames: usize, slot: impl Fn(usize) -> &'a Wall) -> Result<(), String> {
    let walls: Vec<&Wall> = (0..WALLS).map(slot).collect();
    let dir = folder.join(name.replace(' ', "_"));
    let cast = merged_cast(&walls);
    let settings = RecorderSettings {
        title: name.to_owned(),
        scene: String::new(),
        tolerance: 1e-4,
        weight: 0.0,
        kinetic_energy: 0.0,
        columns: Vec::new(),
        probes: Vec::new(),
        overwrite: true,
        precision: std::env::var_os("VOUSSOIR_EXACT").map(|_| Precision::EXACT),
    };
    let mut recorder = Recorder::create(&dir, &cast, settings).map_err(|e| e.to_string())?;
    let (mut contacts, mut seconds) = (0, 0.0);
    for frame in 0..frames {
        let snapshot = merged(&walls, frame);
        contacts += snapshot.contacts.len();
        let before = cpu_seconds();
        recorder.frame(&snapshot).map_err(|e| e.to_string())?;
        seconds += cpu_seconds() - before;
    }
    recorder.finish().map_err(|e| e.to_string())?;
    let path = dir.join(FRAMES_FILE);
    let bytes = std::fs::metadata(&path).map_err(|e| format!("{}: {e}", path.display()))?.len();
    let step: f64 = walls.iter().map(|wall| wall.seconds).sum();
    let per_frame = seconds / frames as f64;
    println!(
        "{name:<18} {:>6} {:>9} {frames:>6} {:>9.1} {:>14.1} {:>12.1} {:>10.2}",
        cast.bodies.len(),
        contacts / frames.max(1),
        bytes as f64 / 1e3 / frames as f64,
        bytes as f64 / 1e3 / frames as f64,
        1e3 * per_frame,
        100.0 * per_frame / (per_frame + FRAME_STEPS as f64 * step),
    );
    Ok(())
}

fn merged_cast(walls: &[&Wall]) -> Cast {
    let named = |(slot, wall): (usize, &&Wall)| -> Vec<CastBody> {
        let rename = |body: &CastBody| {
            let mut body = CastBody { name: format!("{slot}.{}", body.name), ..body.clone() };
            match &mut body.form {
                BodyForm::Polygons(surface) => surface.points.iter_mut().flatten().for_each(|x| *x *= large(slot)),
                BodyForm::Ball { radius } => *radius *= large(slot),
            }
            body
        };
        wall.cast.bodies.iter().map(rename).collect()
    };
    let bodies = walls.iter().enumerate().flat_map(named).collect();
    Cast { bodies, ..walls[0].cast.clone() }
}

/// All walls at a frame; walls whose run has ended keep their last frame.
fn merged(walls: &[&Wall], frame: usize) -> Snapshot {
    let mut all = Snapshot::default();
    for (slot, wall) in walls.iter().enumerate() {
        let snapshot = &wall.frames[frame.min(wall.frames.len() - 1)];
        (all.time, all.step) = (0.02 * frame as f64, (FRAME_STEPS * frame) as u64);
        let first = all.bodies.len() as u32;
        let angle = slot as f64;
        let (half_sine, half_cosine) = (0.5 * angle).sin_cos();
        let turn = |[x, y, z]: [f64; 3]| {
            let (sine, cosine) = angle.sin_cos();
            [cosine * x - sine * y, sine * x + cosine * y, z]
        };
        // and a little larger than the one before, with everything that follows from it: so that no two walls have
        // equal digits
        let large = large(slot);
        let shift = [7.0 * (slot / 8) as f64, 6.0 * (slot % 8) as f64, 0.0];
        let place = |point| {
            let turned = turn(point);
            std::array::from_fn(|k| large * turned[k] + shift[k])
        };
        all.bodies.extend(snapshot.bodies.iter().map(|body| {
            let [x, y, z, w] = body.rotation;
            let mut body = *body;
            body.position = place(body.position);
            body.rotation = [
                half_cosine * x - half_sine * y,
                half_cosine * y + half_sine * x,
                half_cosine * z + half_sine * w,
                half_cosine * w - half_sine * z,
            ];
            (body.velocity, body.spin) = (turn(body.velocity).map(|v| large * v), turn(body.spin));
            body
        }));
        all.contacts.extend(snapshot.contacts.iter().map(|contact| {
            let mut contact = *contact;
            contact.bodies = contact.bodies.map(|body| body + first);
            contact.position = place(contact.position);
            (contact.normal, contact.force) = (turn(contact.normal), turn(contact.force).map(|f| large.powi(3) * f));
            (contact.gap, contact.area) = (large * contact.gap, large * large * contact.area);
            contact
        }));
    }
    all
}

/// How much larger a wall is than the first.
fn large(slot: usize) -> f64 {
    1.0 + 0.0037 * slot as f64
}

/// CPU time of this process, all threads [s]; real time where the system does not tell.
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let real = START.get_or_init(Instant::now).elapsed().as_secs_f64();
    let times = |text: String| -> Option<f64> {
        // after the name in brackets: state first, user and system time are the 12th and 13th, in hundredths of a
        // second
        let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
        let ticks: f64 = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
        Some(ticks / 100.0)
    };
    std::fs::read_to_string("/proc/self/stat").ok().and_then(times).unwrap_or(real)
}
