//! Discs and given outlines at random free places.
//!
//! Diameters follow N(> d) ∝ d^(−a) between the limits, drawn until their area is that of the concentration (the last
//! one is made to fit); the largest are placed first. The diameter of an outline is that of the disc with the same
//! area. Two outlines are apart if their circles are, or else if no contact of their convex parts is closer than
//! [`LEAST_DISTANCE`].

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::{Polygon, Shape2};
use voussoir_geometry::{Pose, Solid};

use super::Site;
use super::random::Random;
use crate::build::text_file::read_text;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::ice::{FloeForm, Floes};

/// Number of places that are tried for a floe.
const MOST_TRIES: usize = 20_000;
/// Smallest distance of floes, relative to the smaller diameter.
const LEAST_DISTANCE: f64 = 1e-6;

/// Smallest and largest diameter [m], and the exponent.
pub(super) type Law = [f64; 3];

/// A floe at its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub place: DVec2,
    /// Of the disc with the same area [m].
    pub diameter: f64,
    /// Radius of the circle around `place` that covers it [m].
    reach: f64,
    /// Convex parts at their places; none for a disc.
    pub parts: Vec<Vec<DVec2>>,
    /// The same as shapes.
    shapes: Vec<Shape2>,
}

/// Area of a disc [m²].
pub(super) fn disc_area(diameter: f64) -> f64 {
    0.25 * std::f64::consts::PI * diameter * diameter
}

/// Reads the limits and the exponent of the diameters.
pub(super) fn limits(keys: &Floes, site: &Site<'_>) -> Result<Law, SceneError> {
    let Some(smallest) = keys.smallest else {
        return Err(site.error("generator", format!("{} need `smallest`", keys.floe.name())));
    };
    let smallest = site.length("smallest", smallest)?;
    let largest = site.length("largest", keys.largest.unwrap_or(smallest))?;
    if largest < smallest {
        return Err(site.error("largest", format!("{largest} m is less than `smallest`, {smallest} m")));
    }
    let exponent = site.check.positive(&site.place.key("exponent"), "the exponent", keys.exponent.unwrap_or(2.0))?;
    Ok([smallest, largest, exponent])
}

/// A diameter of the truncated power law, by the inverse of its distribution function.
pub(super) fn power_law([smallest, largest, exponent]: &Law, random: &mut Random) -> f64 {
    let (low, high) = (smallest.powf(-exponent), largest.powf(-exponent));
    (low - random.unit() * (low - high)).powf(-1.0 / exponent)
}

/// Diameters of discs with the total area `wanted`, the largest first.
fn diameters(law: &Law, wanted: f64, random: &mut Random) -> Vec<f64> {
    let (mut diameters, mut sum) = (Vec::new(), 0.0);
    while sum < wanted {
        let mut d = power_law(law, random);
        if sum + disc_area(d) > wanted {
            let rest = (4.0 * (wanted - sum) / std::f64::consts::PI).sqrt();
            if rest < law[0] {
                break;
            }
            d = rest;
        }
        sum += disc_area(d);
        diameters.push(d);
    }
    diameters.sort_by(|a, b| b.total_cmp(a));
    diameters
}

/// Discs of a given area in all.
pub(super) fn discs(
    keys: &Floes,
    site: &Site<'_>,
    size: DVec2,
    wanted: f64,
    random: &mut Random,
) -> Result<Vec<Placed>, SceneError> {
    pack(keys, site, size, wanted, random, 0.5, &|place, diameter, _| Placed {
        place,
        diameter,
        reach: 0.5 * diameter,
        parts: Vec::new(),
        shapes: Vec::new(),
    })
}

// the arguments are those of `discs`
/// Outlines of a given area in all.
pub(super) fn outlines(
    keys: &Floes,
    site: &Site<'_>,
    size: DVec2,
    wanted: f64,
    random: &mut Random,
) -> Result<Vec<Placed>, SceneError> {
    let known = library(keys, site)?;
    let reach = known.iter().map(|form| form.reach).fold(0.5, f64::max);
    pack(keys, site, size, wanted, random, reach, &|place, diameter, random| {
        let form = &known[(random.unit() * known.len() as f64) as usize % known.len()];
        let turn = DVec2::from_angle(std::f64::consts::TAU * random.unit());
        let moved = |p: &DVec2| place + turn.rotate(*p) * diameter;
        let parts: Vec<Vec<DVec2>> = form.parts.iter().map(|part| part.iter().map(moved).collect()).collect();
        let shapes = parts.iter().filter_map(|part| Shape2::hull(part).ok()).collect();
        Placed { place, diameter, reach: form.reach * diameter, parts, shapes }
    })
}

/// An outline whose disc has the diameter one and the centroid zero.
struct OutlineForm {
    parts: Vec<Vec<DVec2>>,
    reach: f64,
}

/// Outlines of the scene or of a file.
fn library(keys: &Floes, site: &Site<'_>) -> Result<Vec<OutlineForm>, SceneError> {
    let (written, key): (Vec<Vec<DVec2>>, &str) = match (&keys.outlines, &keys.library) {
        (Some(outlines), None) => {
            let corners = outlines.iter().map(|own| own.iter().map(|p| DVec2::from_array(p.0)).collect());
            (corners.collect(), "outlines")
        }
        (None, Some(file)) => (read(site, file)?, "library"),
        _ => return Err(site.error("generator", "outlines need either `outlines` or `library`")),
    };
    if written.is_empty() {
        return Err(site.error(key, "there is no outline"));
    }
    let list = site.place.key(key);
    let mut forms = Vec::with_capacity(written.len());
    for (i, outline) in written.iter().enumerate() {
        let place: &Place<'_> = &if key == "outlines" { list.index(i) } else { list };
        let refuse = |e| site.check.error(place, format!("body \"{}\": outline {}: {e}", site.name, i + 1));
        let (parts, _) = Polygon::parts(outline).map_err(refuse)?;
        let moments: Vec<_> = parts.iter().map(Polygon::mass_properties).collect();
        let area: f64 = moments.iter().map(|part| part.volume).sum();
        let centre = moments.iter().map(|part| part.centroid * part.volume).sum::<DVec2>() / area;
        let diameter = (4.0 * area / std::f64::consts::PI).sqrt();
        let scaled = |part: &Polygon| part.vertices().iter().map(|p| (*p - centre) / diameter).collect();
        let parts: Vec<Vec<DVec2>> = parts.iter().map(scaled).collect();
        let reach = parts.iter().flatten().map(|p| p.length()).fold(0.0, f64::max);
        forms.push(OutlineForm { parts, reach });
    }
    Ok(forms)
}

/// Outlines of a CSV file.
fn read(site: &Site<'_>, file: &str) -> Result<Vec<Vec<DVec2>>, SceneError> {
    let wrong = |message: String| site.error("library", format!("\"{file}\": {message}"));
    let text = read_text(site.base, file).map_err(wrong)?;
    let (mut outlines, mut open): (Vec<Vec<DVec2>>, bool) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        if line.trim().is_empty() {
            open = false;
            continue;
        }
        let words: Vec<Option<f64>> = line.split(',').map(|word| word.trim().parse().ok()).collect();
        match words[..] {
            [Some(x), Some(y)] => {
                if !open {
                    outlines.push(Vec::new());
                }
                open = true;
                if let Some(last) = outlines.last_mut() {
                    last.push(DVec2::new(x, y));
                }
            }
            // a head
            [None, None] if outlines.is_empty() => {}
            _ => return Err(wrong(format!("line {} is not a pair of numbers", i + 1))),
        }
    }
    Ok(outlines)
}

/// Makes a floe at a place with a diameter.
type Make<'a> = dyn Fn(DVec2, f64, &mut Random) -> Placed + 'a;

/// Places floes of a given area in all, the largest first; `reach` is the largest radius of a circle around a floe,
/// over its diameter.
fn pack(
    keys: &Floes,
    site: &Site<'_>,
    size: DVec2,
    wanted: f64,
    random: &mut Random,
    reach: f64,
    make: &Make<'_>,
) -> Result<Vec<Placed>, SceneError> {
    let law = limits(keys, site)?;
    if law[1] > 0.5 * size.min_element() {
        return Err(site.error("largest", format!("{} m is more than half of the field", law[1])));
    }
    let all = diameters(&law, wanted, random);
    let obstacles: Vec<Shape2> = site.obstacles.iter().filter_map(|outline| Shape2::hull(outline).ok()).collect();
    let mut field = Field::new(size, 2.0 * reach * law[1], keys.periodic);
    let mut placed: Vec<Placed> = Vec::with_capacity(all.len());
    for d in all {
        let free = (0..MOST_TRIES).find_map(|_| {
            let round = keys.floe == FloeForm::Discs;
            let spare = if keys.periodic { size } else { size - if round { d } else { 0.0 } };
            let offset = if keys.periodic || !round { 0.0 } else { 0.5 * d };
            let place = DVec2::new(random.unit(), random.unit()) * spare + offset;
            let floe = make(place, d, random);
            (field.holds(&floe) && field.is_free(&floe, &placed) && clear(&floe, &obstacles)).then_some(floe)
        });
        let Some(floe) = free else {
            let reached: f64 = placed.iter().map(|floe| disc_area(floe.diameter)).sum::<f64>();
            let share = reached / wanted * keys.concentration;
            let message = format!("{} cannot be reached: floes at random places filled {share:.3}", keys.concentration);
            return Err(site
                .error("concentration", message)
                .with_help("floes at random places reach about 0.5; floe = \"voronoi\" reaches 1"));
        };
        field.add(&floe, placed.len());
        placed.push(floe);
    }
    Ok(placed)
}

/// True if a floe is clear of other shapes.
fn clear(floe: &Placed, obstacles: &[Shape2]) -> bool {
    let own = floe.solids();
    obstacles.iter().all(|other| own.iter().all(|own| apart(own, other, DVec2::ZERO, LEAST_DISTANCE * floe.diameter)))
}

/// True if two shapes at their places, the second moved by `shift`, are farther apart than `room` [m].
fn apart(a: &Shape2, b: &Shape2, shift: DVec2, room: f64) -> bool {
    let mut points = Vec::new();
    a.collide(&Pose::identity(), b, &Pose::at(shift), room, &mut points);
    points.iter().all(|point| point.gap > room)
}

impl Placed {
    /// Shapes at their places.
    fn solids(&self) -> Vec<Shape2> {
        if !self.shapes.is_empty() {
            return self.shapes.clone();
        }
        let disc = Shape2::disc(0.5 * self.diameter).map(|disc| disc.placed(&Pose::at(self.place)));
        disc.into_iter().collect()
    }
}

/// Floes in a grid of squares as wide as the largest circle.
struct Field {
    size: DVec2,
    step: DVec2,
    n: (i64, i64),
    periodic: bool,
    squares: Vec<Vec<usize>>,
}

impl Field {
    fn new(size: DVec2, widest: f64, periodic: bool) -> Self {
        let n = (size / (widest * (1.0 + LEAST_DISTANCE))).floor().max(DVec2::ONE);
        let squares = vec![Vec::new(); (n.x * n.y) as usize];
        Self { size, step: size / n, n: (n.x as i64, n.y as i64), periodic, squares }
    }

    fn square(&self, p: DVec2) -> (i64, i64) {
        let at = (p / self.step).floor();
        ((at.x as i64).clamp(0, self.n.0 - 1), (at.y as i64).clamp(0, self.n.1 - 1))
    }

    fn add(&mut self, floe: &Placed, index: usize) {
        let (x, y) = self.square(floe.place);
        self.squares[(y * self.n.0 + x) as usize].push(index);
    }

    /// True if a floe is inside the field.
    fn holds(&self, floe: &Placed) -> bool {
        let inside = |p: &DVec2| p.cmpge(DVec2::ZERO).all() && p.cmple(self.size).all();
        self.periodic || floe.parts.iter().flatten().all(inside)
    }

    fn is_free(&self, floe: &Placed, placed: &[Placed]) -> bool {
        let (x, y) = self.square(floe.place);
        let mut own: Option<Vec<Shape2>> = None;
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let (cx, cy) = (x + dx, y + dy);
            let inside = (0..self.n.0).contains(&cx) && (0..self.n.1).contains(&cy);
            if !self.periodic && !inside {
                continue;
            }
            let image = DVec2::new(cx.div_euclid(self.n.0) as f64, cy.div_euclid(self.n.1) as f64) * self.size;
            let at = cy.rem_euclid(self.n.1) * self.n.0 + cx.rem_euclid(self.n.0);
            for other in self.squares[at as usize].iter().map(|&k| &placed[k]) {
                let room = LEAST_DISTANCE * floe.diameter.min(other.diameter);
                if (other.place + image).distance(floe.place) >= floe.reach + other.reach + room {
                    continue;
                }
                if floe.shapes.is_empty() {
                    return false;
                }
                let own = own.get_or_insert_with(|| floe.solids());
                let met = |a: &Shape2| other.shapes.iter().any(|b| !apart(a, b, image, room));
                if own.iter().any(met) {
                    return false;
                }
            }
        }
        true
    }
}
