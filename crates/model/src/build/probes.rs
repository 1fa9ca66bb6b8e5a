//! Probes: selections to bodies, keys that belong to each quantity.

use std::collections::BTreeSet;

use voussoir_geometry::Vector;
use voussoir_mechanics::inspect::TOLERANCE;
use voussoir_mechanics::model::Model;
use voussoir_mechanics::probe::{Between, Kinematic, Measure, PointMeasure, Probe, StressPart, Twin, VectorPart};

use super::check::SceneCheck;
use super::dimension::Dimension;
use super::select::Register;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::probes::{ProbeComponent, ProbeQuantity, ProbeSpec, ProbeStatus};
use crate::suggest;

/// Reads all probes.
pub fn probes<S: Dimension>(scene: &Scene, check: &SceneCheck<'_>, model: &Model<S>) -> Result<Vec<Probe>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("probes");
    let mut names = BTreeSet::new();
    let reader = Reader { check, register: Register::new(scene, &model.bodies), model };
    let mut probes = Vec::with_capacity(scene.probes.len());
    for (i, probe) in scene.probes.iter().enumerate() {
        let place = list.index(i);
        let name = &probe.name;
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(good) {
            let message = format!("\"{name}\" cannot be the name of a probe");
            return Err(check.error(&place.key("name"), message).with_help("letters, digits, `_` and `-`"));
        }
        if !names.insert(name.as_str()) {
            return Err(check.error(&place.key("name"), format!("there are two probes called \"{name}\"")));
        }
        let measure = reader.measure(&place, probe)?;
        let unit = unit(probe.quantity);
        let head = if unit.is_empty() { name.clone() } else { format!("{name}_{unit}") };
        probes.push(Probe { head, measure });
    }
    Ok(probes)
}

/// Suffixes of the names of columns.
fn unit(quantity: ProbeQuantity) -> &'static str {
    match quantity {
        ProbeQuantity::Position
        | ProbeQuantity::Displacement
        | ProbeQuantity::Eccentricity
        | ProbeQuantity::Opening
        | ProbeQuantity::Slip => "m",
        ProbeQuantity::Velocity => "m_s",
        ProbeQuantity::Force | ProbeQuantity::Reaction | ProbeQuantity::CutLoad | ProbeQuantity::CableTension => "n",
        ProbeQuantity::Moment => "nm",
        ProbeQuantity::Stress
        | ProbeQuantity::JointStress
        | ProbeQuantity::VonMises
        | ProbeQuantity::LargestTension
        | ProbeQuantity::LargestCompression => "pa",
        ProbeQuantity::PassedArea => "m2",
        ProbeQuantity::Concentration | ProbeQuantity::Coordination | ProbeQuantity::LargestGroup => "",
        ProbeQuantity::Utilisation => "",
        ProbeQuantity::Contacts => "",
    }
}

/// Code of a status in frames.
fn code(status: ProbeStatus) -> u8 {
    match status {
        ProbeStatus::Open => 0,
        ProbeStatus::Stick => 1,
        ProbeStatus::Slide => 2,
    }
}

/// Index of a quantity of elastic bodies among the fields of frames.
fn field(quantity: ProbeQuantity) -> usize {
    match quantity {
        ProbeQuantity::VonMises => 0,
        ProbeQuantity::LargestTension => 1,
        ProbeQuantity::LargestCompression => 2,
        _ => 3,
    }
}

struct Reader<'a, S: Dimension> {
    check: &'a SceneCheck<'a>,
    register: Register<'a, S>,
    model: &'a Model<S>,
}

impl<S: Dimension> Reader<'_, S> {
    /// Checks that no body is on both sides of joints, and that there are bodies on the other side.
    fn two_sides(
        &self,
        place: &Place<'_>,
        of: &[usize],
        with: Option<&[usize]>,
        joints: bool,
    ) -> Result<(), SceneError> {
        if let Some(&both) = with.into_iter().flatten().find(|body| of.contains(body)) {
            let message = format!("\"{}\" is on both sides, in `of` and in `with`", self.model.bodies[both].name);
            return Err(self.check.error(&place.key("with"), message));
        }
        if joints && with.is_none() && (0..self.model.bodies.len()).all(|body| of.contains(&body)) {
            let message = "no body is left on the other side: `of` has all bodies of the scene".to_owned();
            let error = self.check.error(&place.key("of"), message);
            let help = "observe fewer bodies, or one side of the joint in `of` and the other in `with`";
            return Err(error.with_help(help));
        }
        Ok(())
    }

    fn measure(&self, place: &Place<'_>, probe: &ProbeSpec) -> Result<Measure, SceneError> {
        use ProbeQuantity as Q;
        let quantity = probe.quantity;
        let inside = matches!(quantity, Q::VonMises | Q::LargestTension | Q::LargestCompression | Q::Utilisation);
        let field = matches!(quantity, Q::Concentration | Q::PassedArea | Q::Coordination | Q::LargestGroup);
        let joints = matches!(
            quantity,
            Q::Force | Q::Reaction | Q::Moment | Q::Eccentricity | Q::JointStress | Q::Opening | Q::Slip | Q::Contacts
        );
        let whole = matches!(quantity, Q::CutLoad | Q::CableTension);
        let scalar = whole || matches!(quantity, Q::JointStress | Q::Opening | Q::Slip | Q::Contacts);
        for (key, given, has_meaning) in [
            ("of", probe.of.is_some(), !whole),
            ("with", probe.with.is_some(), joints),
            ("component", probe.component.is_some(), !scalar && !inside && !field),
            ("about", probe.about.is_some(), quantity == Q::Moment),
            ("point", probe.point.is_some(), inside || quantity == Q::Displacement),
            ("status", probe.status.is_some(), quantity == Q::Contacts),
            ("cable", probe.cable.is_some(), quantity == Q::CableTension),
            ("within", probe.within.is_some(), quantity == Q::Concentration),
            ("line", probe.line.is_some(), quantity == Q::PassedArea),
            ("height", probe.height.is_some(), quantity == Q::CutLoad),
        ] {
            if given && !has_meaning {
                let message = format!("`{key}` has no meaning for this quantity");
                return Err(place.key(key).error_at_key(self.check.source, message));
            }
        }
        let of = match &probe.of {
            Some(of) => self.register.find(self.check, &place.key("of"), of)?,
            None if whole => Vec::new(),
            None => return Err(self.check.error(place, "the probe needs `of`: the bodies that it observes")),
        };
        let with = match &probe.with {
            Some(with) => Some(self.register.find(self.check, &place.key("with"), with)?),
            None => None,
        };
        self.two_sides(place, &of, with.as_deref(), joints)?;
        let sign = if quantity == Q::Reaction { -1.0 } else { 1.0 };
        let between = || Between { on: of.clone(), by: with.clone(), sign };
        Ok(match quantity {
            _ if probe.point.is_some() => self.at_point(place, probe, &of)?,
            Q::VonMises | Q::LargestTension | Q::LargestCompression | Q::Utilisation => {
                self.largest(place, quantity, of)?
            }
            Q::Position | Q::Displacement | Q::Velocity => Measure::Motion {
                of: of.iter().map(|&body| (body, self.model.bodies[body].pose.position.to_3d())).collect(),
                what: match quantity {
                    Q::Position => Kinematic::Position,
                    Q::Velocity => Kinematic::Velocity,
                    _ => Kinematic::Displacement,
                },
                part: self.part(place, probe)?,
            },
            Q::Force | Q::Reaction => Measure::Force(between(), self.part(place, probe)?),
            Q::Moment => {
                let about = match &probe.about {
                    Some(point) => Some(self.check.point::<S>(&place.key("about"), "the point", point)?.to_3d()),
                    None => None,
                };
                Measure::Moment(between(), about, self.part(place, probe)?)
            }
            Q::Eccentricity => Measure::Eccentricity(between(), self.part(place, probe)?),
            Q::JointStress => Measure::JointStress(between()),
            Q::Opening => Measure::Opening(self.twins(place, &of, with.as_deref())?),
            Q::Slip => Measure::Slip(self.twins(place, &of, with.as_deref())?),
            Q::Stress => Measure::Stress(of, self.stress_part(place, probe)?),
            Q::Contacts => Measure::Contacts(between(), probe.status.map(code)),
            Q::Concentration | Q::PassedArea | Q::Coordination | Q::LargestGroup => self.field(place, probe, of)?,
            Q::CableTension => Measure::Cable(self.cable(place, probe)?),
            Q::CutLoad => match probe.height {
                Some(height) => Measure::Cut(self.check.finite(&place.key("height"), "the height", height)?),
                None => return Err(self.check.error(place, "a \"cut-load\" needs `height` [m]")),
            },
        })
    }

    /// Areas of floes in a box or beyond a line, and groups in contact.
    fn field(&self, place: &Place<'_>, probe: &ProbeSpec, of: Vec<usize>) -> Result<Measure, SceneError> {
        let (key, given) = match probe.quantity {
            ProbeQuantity::Coordination => return Ok(Measure::Coordination(of)),
            ProbeQuantity::LargestGroup => return Ok(Measure::LargestGroup(of)),
            ProbeQuantity::Concentration => ("within", &probe.within),
            _ => ("line", &probe.line),
        };
        if S::DIM != 2 {
            return Err(self.check.error(&place.key("quantity"), "this quantity is for 2D scenes"));
        }
        let Some([first, second]) = given else {
            return Err(self.check.error(place, format!("the probe needs `{key}`")));
        };
        let place = place.key(key);
        let point = |k: usize, numbers: &[f64]| {
            let at = self.check.point::<S>(&place.index(k), "the point", numbers)?.to_3d();
            Ok([at[0], at[1]])
        };
        let first = point(0, &first.0)?;
        if key == "line" {
            let along = self.check.direction::<S>(&place.index(1), "the direction", &second.0)?.to_3d();
            let length = along[0].hypot(along[1]);
            return Ok(Measure::AreaBeyond(of, first, [along[0] / length, along[1] / length]));
        }
        let second = point(1, &second.0)?;
        if !(first[0] < second[0] && first[1] < second[1]) {
            let message = "the second corner is not above and right of the first";
            return Err(self.check.error(&place, message));
        }
        Ok(Measure::Concentration(of, first, second))
    }

    /// The largest value inside elastic bodies.
    fn largest(&self, place: &Place<'_>, quantity: ProbeQuantity, of: Vec<usize>) -> Result<Measure, SceneError> {
        self.elastic(place, &of)?;
        Ok(Measure::ElasticStress(of, field(quantity)))
    }

    /// Refuses rigid bodies.
    fn elastic(&self, place: &Place<'_>, of: &[usize]) -> Result<(), SceneError> {
        let Some(&rigid) = of.iter().find(|&&body| self.model.elastic_part(body).is_none()) else { return Ok(()) };
        let name = &self.model.bodies[rigid].name;
        let message = format!("\"{name}\" is rigid: only elastic bodies have stresses inside");
        let help = "[[elastic]] makes bodies elastic; the quantity \"stress\" is the mean stress of any body";
        Err(self.check.error(&place.key("of"), message).with_help(help))
    }

    /// A value at the point of the surface of an elastic body nearest to a point.
    fn at_point(&self, place: &Place<'_>, probe: &ProbeSpec, of: &[usize]) -> Result<Measure, SceneError> {
        self.elastic(place, of)?;
        let (&[body], Some(part)) = (of, of.first().and_then(|&body| self.model.elastic_part(body))) else {
            return Err(self.check.error(&place.key("of"), "`point` needs one body"));
        };
        let point = probe.point.as_deref().unwrap_or_default();
        let wanted = self.check.point::<S>(&place.key("point"), "the point", point)?;
        let pose = &self.model.bodies[body].pose;
        let at = |own: &[f64; 3]| pose.point(S::Vector::from_slice(own));
        let surface = part.block.drawn().0;
        let far = |own: &[f64; 3]| (at(own) - wanted).length();
        let nearest = (0..surface.points.len())
            .min_by(|&a, &b| far(&surface.points[a]).total_cmp(&far(&surface.points[b])))
            .unwrap_or_default();
        let distance = far(&surface.points[nearest]);
        if distance > 0.5 * part.block.extent() {
            let message =
                format!("the point is {distance:.3} m from the surface of \"{}\"", self.model.bodies[body].name);
            return Err(self.check.error(&place.key("point"), message));
        }
        let what = match probe.quantity {
            ProbeQuantity::Displacement => PointMeasure::Displacement(self.part(place, probe)?),
            stress => PointMeasure::Field(field(stress)),
        };
        Ok(Measure::AtPoint { body, point: nearest, drawn: at(&surface.points[nearest]).to_3d(), what })
    }

    /// The index of the cable that a probe names.
    fn cable(&self, place: &Place<'_>, probe: &ProbeSpec) -> Result<usize, SceneError> {
        let known: Vec<&str> = self.model.cables.iter().map(|cable| cable.name.as_str()).collect();
        let Some(name) = &probe.cable else {
            return Err(self.check.error(place, "a \"cable-tension\" needs `cable`: its name"));
        };
        known.iter().position(|known| known == name).ok_or_else(|| {
            let error = self.check.error(&place.key("cable"), format!("there is no cable \"{name}\""));
            error.with_help(suggest::help("cables", name, &known))
        })
    }

    fn part(&self, place: &Place<'_>, probe: &ProbeSpec) -> Result<VectorPart, SceneError> {
        use ProbeComponent as C;
        let force = matches!(probe.quantity, ProbeQuantity::Force | ProbeQuantity::Reaction);
        let moment = probe.quantity == ProbeQuantity::Moment;
        let flat = S::DIM == 2;
        match probe.component.unwrap_or(C::Length) {
            C::X if !(flat && moment) => Ok(VectorPart::Axis(0)),
            C::Y if !(flat && moment) => Ok(VectorPart::Axis(1)),
            C::Z if !flat || moment => Ok(VectorPart::Axis(2)),
            C::Length => Ok(VectorPart::Length),
            C::Normal if force => Ok(VectorPart::Normal),
            C::Tangential if force => Ok(VectorPart::Tangential),
            _ => {
                let axes = match (flat, moment) {
                    (true, true) => "\"z\"",
                    (true, false) => "\"x\", \"y\"",
                    (false, _) => "\"x\", \"y\", \"z\"",
                };
                let more = if force { ", \"normal\", \"tangential\"" } else { "" };
                Err(self
                    .check
                    .error(&place.key("component"), "this quantity has no such component")
                    .with_help(format!("here: {axes}, \"length\"{more}")))
            }
        }
    }

    fn stress_part(&self, place: &Place<'_>, probe: &ProbeSpec) -> Result<StressPart, SceneError> {
        use ProbeComponent as C;
        let flat = S::DIM == 2;
        match probe.component.unwrap_or(C::Pressure) {
            C::Xx => Ok(StressPart::Component(0)),
            C::Yy => Ok(StressPart::Component(1)),
            C::Zz if !flat => Ok(StressPart::Component(2)),
            C::Yz if !flat => Ok(StressPart::Component(3)),
            C::Zx if !flat => Ok(StressPart::Component(4)),
            C::Xy => Ok(StressPart::Component(5)),
            C::Principal1 => Ok(StressPart::Principal(0)),
            C::Principal2 => Ok(StressPart::Principal(1)),
            C::Principal3 if !flat => Ok(StressPart::Principal(2)),
            C::Pressure => Ok(StressPart::Pressure),
            _ => {
                let right = match flat {
                    true => "\"xx\", \"yy\", \"xy\", \"principal-1\", \"principal-2\", \"pressure\"",
                    false => "\"xx\" … \"xy\", \"principal-1\" … \"principal-3\", \"pressure\"",
                };
                Err(self
                    .check
                    .error(&place.key("component"), "a stress has no such component here")
                    .with_help(format!("here: {right}")))
            }
        }
    }

    /// Points in which the two sides are in contact as drawn.
    fn twins(&self, place: &Place<'_>, of: &[usize], with: Option<&[usize]>) -> Result<Vec<Twin>, SceneError> {
        let poses: Vec<_> = self.model.bodies.iter().map(|body| body.pose).collect();
        let other = |body: usize| with.map_or(!of.contains(&body), |with| with.contains(&body));
        let mut twins = Vec::new();
        for contact in S::contacts_within(self.model, &poses, TOLERANCE) {
            let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
            let (bodies, normal) = match (of.contains(&a) && other(b), of.contains(&b) && other(a)) {
                (true, _) => ([a, b], contact.normal),
                (_, true) => ([b, a], -contact.normal),
                _ => continue,
            };
            twins.push(Twin {
                bodies,
                points: bodies.map(|body| poses[body].local_point(contact.position).to_3d()),
                normal: poses[bodies[1]].local_direction(normal).to_3d(),
            });
        }
        if twins.is_empty() {
            let message = "these bodies do not touch at the start: there is no joint to observe";
            return Err(self.check.error(place, message));
        }
        Ok(twins)
    }
}
