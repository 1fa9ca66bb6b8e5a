//! Random structures in the plane, by seed.

use std::fmt::Write;

use crate::common::stone;

/// Numbers from a seed (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }

    /// Between 0 and 1.
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.number()
    }

    pub fn count(&mut self, low: u32, high: u32) -> u32 {
        low + (self.number() * f64::from(high - low + 1)) as u32
    }
}

/// A scene of one of five families.
pub fn structure(random: &mut Random) -> String {
    let friction = random.between(0.2, 0.9);
    let bodies = match random.count(0, 4) {
        0 => tower(random),
        1 => arch(random),
        2 => wedge(random),
        3 => shelf(random),
        _ => wall(random),
    };
    stone(friction) + &bodies
}

fn rectangle(out: &mut String, name: &str, size: [f64; 2], at: [f64; 2]) {
    let _ = writeln!(
        out,
        "{{ name = \"{name}\", material = \"stone\", shape = \"rectangle\", size = {size:?}, position = {at:?} }},"
    );
}

/// Blocks on top of each other, each shifted.
fn tower(random: &mut Random) -> String {
    let mut out = "bodies = [\n{ name = \"g\", shape = \"ground\", material = \"stone\" },\n".to_owned();
    let (mut x, mut z) = (0.0, 0.0);
    for i in 0..random.count(2, 6) {
        let size = [random.between(0.5, 1.5), random.between(0.2, 0.8)];
        rectangle(&mut out, &format!("b{i}"), size, [x, z + size[1] / 2.0]);
        z += size[1];
        x += random.between(-0.3, 0.3) * size[0];
    }
    out + "]"
}

/// An arch between fixed springers.
fn arch(random: &mut Random) -> String {
    let keys = format!(
        "span = {}, thickness = {}, voussoirs = {}",
        random.between(3.0, 8.0),
        random.between(0.25, 1.0),
        random.count(5, 21)
    );
    format!("bodies = [{{ name = \"arch\", generator = \"arch\", material = \"stone\", {keys} }}]")
}

/// A trapezium between two fixed ones: wider above it rests, wider below or straight it has nothing to rest on.
fn wedge(random: &mut Random) -> String {
    let slope = random.between(-0.6, 0.6);
    let (top, height) = (random.between(0.4, 1.0), random.between(0.4, 1.0));
    let bottom = (top - slope * height).max(0.2);
    let (a, b) = (bottom / 2.0, top / 2.0);
    let far = a.max(b) + 0.8;
    let polygon = |name: &str, points: [[f64; 2]; 4]| {
        format!("{{ name = \"{name}\", material = \"stone\", shape = \"polygon\", vertices = {points:?} }},\n")
    };
    "bodies = [\n".to_owned()
        + &polygon("m", [[-a, 0.0], [a, 0.0], [b, height], [-b, height]])
        + &polygon("l", [[-far, 0.0], [-a, 0.0], [-b, height], [-far, height]])
        + &polygon("r", [[a, 0.0], [far, 0.0], [far, height], [b, height]])
        + "]\nsupports = [{ select = [\"l\", \"r\"] }]"
}

/// A slab whose end is in a slot between two fixed blocks, with or without a block on its free end or on its tail.
fn shelf(random: &mut Random) -> String {
    let (held, free, thick) = (random.between(0.2, 1.0), random.between(0.2, 1.5), random.between(0.1, 0.3));
    let mut out = "bodies = [\n".to_owned();
    rectangle(&mut out, "below", [held, 1.0], [-held / 2.0, -0.5]);
    rectangle(&mut out, "slab", [held + free, thick], [(free - held) / 2.0, thick / 2.0]);
    if random.number() < 0.7 {
        rectangle(&mut out, "above", [held, 0.5], [-held / 2.0, thick + 0.25]);
    }
    if random.number() < 0.5 {
        let size = random.between(0.1, 0.4f64.min(free));
        rectangle(&mut out, "load", [size, size], [free - size / 2.0, thick + size / 2.0]);
    }
    let above = out.contains("above") && random.number() < 0.7;
    let supports = if above { "[\"below\", \"above\"]" } else { "[\"below\"]" };
    out + &format!("]\nsupports = [{{ select = {supports} }}]")
}

/// A wall in running bond.
fn wall(random: &mut Random) -> String {
    let keys = format!(
        "courses = {}, bricks = {}, brick = [{}, {}]",
        random.count(2, 5),
        random.count(2, 5),
        random.between(0.3, 1.0),
        random.between(0.2, 0.5)
    );
    format!("bodies = [{{ name = \"wall\", generator = \"wall\", material = \"stone\", {keys} }}]")
}
