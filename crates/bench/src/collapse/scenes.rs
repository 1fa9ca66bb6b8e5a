//! Scenes drawn from families of collapses: one seed, one scene.
//!
//! Seed k belongs to family (k − 1) mod 12; all numbers of the scene (proportions, bond, friction, acceleration, time
//! step) follow from the seed. Joints are rigid and stages have no settings but their time step.

use std::fmt::Write as _;

use voussoir_model::generators::random::Random;

/// A drawn scene.
pub struct Drawn {
    /// Family and its main numbers.
    pub name: String,
    /// The scene.
    pub text: String,
    /// Steps to run.
    pub steps: usize,
}

/// Numbers of one seed.
struct Draw {
    random: Random,
    /// Time step [s].
    h: f64,
    friction: f64,
}

impl Draw {
    fn between(&mut self, min: f64, max: f64) -> f64 {
        // three digits, so that scenes can be written down
        let x = self.random.between(min, max);
        format!("{x:.2e}").parse().unwrap_or(x)
    }

    /// A whole number from `min` to `max`, both included.
    fn count(&mut self, min: usize, max: usize) -> usize {
        min + (self.random.unit() * (max - min + 1) as f64) as usize
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.count(0, words.len() - 1)]
    }

    /// A unit vector in the ground, with an angle up to `most` degrees from x.
    fn direction(&mut self, most: f64) -> String {
        let (y, x) = self.random.between(-most, most).to_radians().sin_cos();
        format!("[{x:.4}, {y:.4}, 0.0]")
    }
}

type Family = fn(&mut Draw, &mut String) -> String;

const FAMILIES: [Family; 12] = [
    accelerated_wall,
    plane_wall,
    shaken_wall,
    bonded_wall,
    loaded_arch,
    spreading_arch,
    shaken_arch_wall,
    any_dome,
    tower,
    columns,
    pile,
    impact,
];

/// Steps of a scene: enough for a collapse to begin and to be under way.
const STEPS: usize = 150;

/// The scene of a seed, from 1.
pub fn draw(seed: u64) -> Drawn {
    let mut draw = Draw { random: Random::new(seed), h: 0.0, friction: 0.0 };
    draw.h = [1e-3, 2e-3, 3e-3, 5e-3][draw.count(0, 3)];
    draw.friction = draw.between(0.3, 0.8);
    let mut text = String::new();
    let family = FAMILIES[((seed - 1) % FAMILIES.len() as u64) as usize];
    let what = family(&mut draw, &mut text);
    let (h, friction) = (draw.h, draw.friction);
    let _ = write!(
        text,
        "materials.stone.density = 2000.0\n\
         [[joints]]\nbetween = [\"stone\", \"stone\"]\nfriction = {friction}\n\
         [[stages]]\nanalysis = \"dynamic\"\nduration = {}\nstep = {h}\n",
        STEPS as f64 * h
    );
    // keys of the whole scene come before tables
    let (keys, tables): (Vec<&str>, Vec<&str>) = text.split_inclusive('\n').partition(|line| is_key_of_scene(line));
    Drawn { name: format!("{what}, h {h}"), text: keys.concat() + &tables.concat(), steps: STEPS }
}

fn is_key_of_scene(line: &str) -> bool {
    ["dim ", "gravity ", "materials.", "depth "].iter().any(|key| line.starts_with(key))
}

/// Adds a wall of whole and half bricks and returns its size in words.
fn add_wall(draw: &mut Draw, text: &mut String, dim: usize, ground: &str) -> String {
    let (courses, bricks) = (draw.count(6, 20), draw.count(4, 12));
    let (length, width, height) = (draw.between(0.3, 0.8), draw.between(0.2, 0.5), draw.between(0.15, 0.4));
    let brick = if dim == 2 { format!("[{length}, {height}]") } else { format!("[{length}, {width}, {height}]") };
    let head_gap = if draw.count(0, 2) == 0 { 1e-3 } else { 0.0 };
    let _ = write!(
        text,
        "dim = {dim}\n[[bodies]]\nname = \"s\"\ngenerator = \"wall\"\nmaterial = \"stone\"\ncourses = {courses}\n\
         bricks = {bricks}\nbrick = {brick}\nhead_gap = {head_gap}\nground = \"{ground}\"\n"
    );
    format!("wall {courses}x{bricks} {dim}D")
}

fn accelerated_wall(draw: &mut Draw, text: &mut String) -> String {
    let wall = add_wall(draw, text, 3, "block");
    let (part, direction) = (draw.between(0.5, 1.0), draw.direction(60.0));
    let _ = write!(
        text,
        "[[supports]]\nselect = \"s.ground\"\n\
         motion = {{ quantity = \"acceleration\", direction = {direction}, constant = {} }}\n",
        9.81 * part
    );
    format!("{wall} accelerated {part} g")
}

fn plane_wall(draw: &mut Draw, text: &mut String) -> String {
    let tilt = draw.between(20.0, 40.0);
    let (x, y) = (9.81 * tilt.to_radians().sin(), -9.81 * tilt.to_radians().cos());
    let wall = add_wall(draw, text, 2, "plane");
    let _ = writeln!(text, "gravity = [{x:.4}, {y:.4}]");
    format!("{wall} tilted {tilt}")
}

fn shaken_wall(draw: &mut Draw, text: &mut String) -> String {
    let wall = add_wall(draw, text, 3, "block");
    let (part, frequency, direction) = (draw.between(0.5, 1.0), draw.between(2.0, 6.0), draw.direction(45.0));
    let _ = write!(
        text,
        "[[supports]]\nselect = \"s.ground\"\nmotion = {{ quantity = \"acceleration\", direction = {direction}, \
         sine = {{ amplitude = {}, frequency = {frequency} }} }}\n",
        9.81 * part
    );
    format!("{wall} shaken {part} g")
}

fn bonded_wall(draw: &mut Draw, text: &mut String) -> String {
    let (bond, courses) = (draw.one_of(&["english", "flemish", "american"]), draw.count(6, 12));
    let (length, height, part) = (draw.between(2.0, 4.0), draw.between(0.15, 0.3), draw.between(0.4, 0.8));
    let turn = draw.between(0.0, 60.0).to_radians();
    let _ = write!(
        text,
        "gravity = [{:.4}, {:.4}, -9.81]\n[[bodies]]\nname = \"s\"\ngenerator = \"masonry-wall\"\nmaterial = \"stone\"\n\
         bond = \"{bond}\"\nlength = {length}\ncourses = {courses}\nbrick = [0.5, 0.25, {height}]\nground = \"plane\"\n",
        9.81 * part * turn.cos(),
        9.81 * part * turn.sin()
    );
    format!("{bond} wall {length} m x {courses}, {part} g")
}

/// Adds an arch of proportions that stand, with ground below, and returns its number of voussoirs.
fn add_arch(draw: &mut Draw, text: &mut String, dim: usize) -> usize {
    let voussoirs = 2 * draw.count(7, 20) + 1;
    let (radius, thin) = (draw.between(1.5, 5.0), draw.between(0.13, 0.2));
    let width = if dim == 3 { format!("width = {}\n", draw.between(0.5, 1.5)) } else { String::new() };
    let below = if dim == 3 { "[0.0, 0.0, -0.8]" } else { "[0.0, -0.8]" };
    let _ = write!(
        text,
        "dim = {dim}\n[[bodies]]\nname = \"s\"\ngenerator = \"arch\"\nmaterial = \"stone\"\nradius = {radius}\n\
         thickness = {:.4}\nvoussoirs = {voussoirs}\n{width}\
         [[bodies]]\nname = \"earth\"\nshape = \"ground\"\nmaterial = \"stone\"\nposition = {below}\n",
        radius * thin
    );
    voussoirs
}

fn loaded_arch(draw: &mut Draw, text: &mut String) -> String {
    let dim = draw.count(2, 3);
    let voussoirs = add_arch(draw, text, dim);
    let at = voussoirs / 2 - draw.count(1, voussoirs / 4);
    let force = draw.between(2e4, 2e5);
    let force = if dim == 2 { format!("[0.0, {}]", -force) } else { format!("[0.0, 0.0, {}]", -force) };
    let end = 0.5 * STEPS as f64 * draw.h;
    let _ = write!(
        text,
        "[[loads]]\nname = \"l\"\nselect = \"s.voussoir[{at}]\"\nforce = {force}\nfunction = {{ ramp = {{ end = {end} }} }}\n"
    );
    format!("arch of {voussoirs} {dim}D loaded")
}

fn spreading_arch(draw: &mut Draw, text: &mut String) -> String {
    let dim = draw.count(2, 3);
    let voussoirs = add_arch(draw, text, dim);
    let (speed, sink) = (draw.between(0.3, 1.0), draw.between(-0.3, 0.0));
    let direction = if dim == 2 { format!("[1.0, {sink}]") } else { format!("[1.0, 0.0, {sink}]") };
    let _ = write!(
        text,
        "[[supports]]\nselect = \"s.springer[1]\"\n\
         motion = {{ quantity = \"velocity\", direction = {direction}, ramp = {{ end = 0.1, to = {speed} }} }}\n"
    );
    format!("arch of {voussoirs} {dim}D spreads {speed} m/s")
}

fn shaken_arch_wall(draw: &mut Draw, text: &mut String) -> String {
    let (part, frequency) = (draw.between(0.3, 0.9), draw.between(1.0, 5.0));
    let (courses, voussoirs) = (draw.count(8, 12), 2 * draw.count(4, 8) + 1);
    let dim = draw.count(2, 3);
    let width = if dim == 3 { "width = 0.6\n" } else { "" };
    let direction = if dim == 3 { draw.direction(30.0) } else { "[1.0, 0.0]".to_owned() };
    let _ = write!(
        text,
        "dim = {dim}\n[[bodies]]\nname = \"s\"\ngenerator = \"arch-wall\"\nmaterial = \"stone\"\nradius = 2.0\n\
         thickness = 0.4\nvoussoirs = {voussoirs}\nlength = 7.0\nheight = 3.6\ncourses = {courses}\nbrick = 0.7\n{width}\
         [[supports]]\nselect = \"s.springers\"\nmotion = {{ quantity = \"acceleration\", direction = {direction}, \
         sine = {{ amplitude = {}, frequency = {frequency} }} }}\n",
        9.81 * part
    );
    format!("arch-wall {dim}D shaken {part} g")
}

fn any_dome(draw: &mut Draw, text: &mut String) -> String {
    if draw.count(0, 1) == 0 { pier_dome(draw, text) } else { dome(draw, text) }
}

fn pier_dome(draw: &mut Draw, text: &mut String) -> String {
    let piers = draw.count(4, 6);
    let (slices, rings) = (piers * 4, draw.count(5, 7));
    let (height, thickness) = (draw.between(1.5, 3.0), draw.between(0.25, 0.45));
    let _ = write!(
        text,
        "[[bodies]]\nname = \"s\"\ngenerator = \"pier-dome\"\nmaterial = \"stone\"\nradius = 3.0\n\
         thickness = {thickness}\nrings = {rings}\nslices = {slices}\noculus_deg = 12.0\npiers = {piers}\n\
         pier = [0.7, 0.4, {height}]\n"
    );
    format!("dome of {rings} rings on {piers} piers")
}

fn dome(draw: &mut Draw, text: &mut String) -> String {
    let (rings, slices) = (draw.count(5, 8), draw.count(10, 18));
    let (thickness, part) = (draw.between(0.05, 0.2), draw.between(0.3, 0.7));
    let _ = write!(
        text,
        "gravity = [{:.4}, 0.0, -9.81]\n[[bodies]]\nname = \"s\"\ngenerator = \"dome\"\nmaterial = \"stone\"\n\
         radius = 3.0\nthickness = {thickness}\nrings = {rings}\nslices = {slices}\noculus_deg = 15.0\n",
        9.81 * part
    );
    format!("dome {rings}x{slices} {part} g")
}

fn tower(draw: &mut Draw, text: &mut String) -> String {
    let (courses, rings, slices) = (draw.count(8, 14), draw.count(2, 3), draw.count(5, 8));
    let (part, height) = (draw.between(0.3, 0.9), draw.between(0.25, 0.5));
    let _ = write!(
        text,
        "[[bodies]]\nname = \"s\"\ngenerator = \"masonry-cylinder\"\nmaterial = \"stone\"\nradius = 1.0\n\
         courses = {courses}\ncourse_height = {height}\nrings = {rings}\nslices = {slices}\nground = \"block\"\n\
         [[supports]]\nselect = \"s.ground\"\nmotion = {{ quantity = \"acceleration\", \
         direction = [1.0, 0.3, 0.0], constant = {} }}\n",
        9.81 * part
    );
    format!("tower of {courses} courses {part} g")
}

fn columns(draw: &mut Draw, text: &mut String) -> String {
    let (count, drums, sides) = (draw.count(3, 6), draw.count(5, 9), draw.count(6, 12));
    let (part, frequency, height) = (draw.between(0.4, 1.0), draw.between(1.0, 4.0), draw.between(0.5, 0.9));
    for i in 0..count {
        let _ = write!(
            text,
            "[[bodies]]\nname = \"c{i}\"\ngenerator = \"column\"\nmaterial = \"stone\"\ndrums = {drums}\n\
             drum_height = {height}\nradius = 0.4\ntop_radius = 0.33\nsides = {sides}\nground = \"none\"\n\
             position = [{}, 0.0, 0.0]\n",
            1.6 * i as f64
        );
    }
    let _ = write!(
        text,
        "[[bodies]]\nname = \"earth\"\nshape = \"box\"\nsize = [40.0, 40.0, 1.0]\nmaterial = \"stone\"\n\
         position = [0.0, 0.0, -0.5]\n[[supports]]\nselect = \"earth\"\nmotion = {{ quantity = \"acceleration\", \
         direction = [1.0, 0.2, 0.0], sine = {{ amplitude = {}, frequency = {frequency} }} }}\n",
        9.81 * part
    );
    format!("{count} columns of {drums} drums {part} g")
}

fn pile(draw: &mut Draw, text: &mut String) -> String {
    let dim = draw.count(2, 3);
    let (stone, count, seed) = (draw.one_of(&["polyhedron", "box", "sphere"]), draw.count(60, 150), draw.count(1, 99));
    let container = if dim == 2 { "1.5" } else { "[1.0, 0.8]" };
    // long enough to land
    draw.h = draw.h.max(3e-3);
    let _ = write!(
        text,
        "dim = {dim}\n[[bodies]]\nname = \"s\"\ngenerator = \"pile\"\nmaterial = \"stone\"\ncount = {count}\n\
         seed = {seed}\nstone = \"{stone}\"\ncontainer = {container}\n"
    );
    format!("pile of {count} {stone} {dim}D")
}

/// A wall that a stone hits, or that falls as a whole.
fn impact(draw: &mut Draw, text: &mut String) -> String {
    draw.h = draw.h.max(2e-3);
    let speed = draw.between(5.0, 10.0);
    if draw.count(0, 1) == 0 {
        let wall = add_wall(draw, text, 3, "none");
        let drop = draw.between(0.02, 0.2);
        let _ = write!(
            text,
            "position = [0.0, 0.0, {drop}]\nrotation = {{ angle_deg = 2.0, axis = [0, 1, 0] }}\n\
             [[bodies]]\nname = \"earth\"\nshape = \"ground\"\nmaterial = \"stone\"\nposition = [0.0, 0.0, -0.3]\n"
        );
        return format!("{wall} dropped {drop} m");
    }
    let wall = add_wall(draw, text, 3, "plane");
    let (size, up) = (draw.between(0.4, 0.8), draw.between(0.8, 1.2));
    let _ = write!(
        text,
        "[[bodies]]\nname = \"ball\"\nshape = \"box\"\nsize = {size}\nmaterial = \"stone\"\n\
         position = [0.3, -1.0, {up}]\nrotation = {{ angle_deg = 20.0, axis = [1, 1, 0] }}\n\
         velocity = [0.5, {speed}, 0.0]\n"
    );
    format!("{wall} hit at {speed} m/s")
}
