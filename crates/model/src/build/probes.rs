//! Probes: selections to bodies, keys that belong to each quantity.

use std::collections::BTreeSet;

use voussoir_geometry::Vector;
use voussoir_mechanics::inspect::TOLERANCE;
use voussoir_mechanics::model::Model;
use voussoir_mechanics::probe::{Between, Kinematic, Measure, Probe, StressPart, Twin, VectorPart};

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

/// How heads of columns end.
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
        ProbeQuantity::Contacts => "",
    }
}

struct Reader<'a, S: Dimension> {
    check: &'a SceneCheck<'a>,
    register: Register<'a, S>,
    model: &'a Model<S>,
}

impl<S: Dimension> Reader<'_, S> {
    fn measure(&self, place: &Place<'_>, probe: &ProbeSpec) -> Result<Measure, SceneError> {
        use ProbeQuantity as Q;
        let quantity = probe.quantity;
        let inside = matches!(quantity, Q::VonMises | Q::LargestTension | Q::LargestCompression);
        let joints = matches!(
            quantity,
            Q::Force | Q::Reaction | Q::Moment | Q::Eccentricity | Q::JointStress | Q::Opening | Q::Slip | Q::Contacts
        );
        let whole = matches!(quantity, Q::CutLoad | Q::CableTension);
        let scalar = whole || matches!(quantity, Q::JointStress | Q::Opening | Q::Slip | Q::Contacts);
        for (key, given, has_meaning) in [
            ("of", probe.of.is_some(), !whole),
            ("with", probe.with.is_some(), joints),
            ("component", probe.component.is_some(), !scalar && !inside),
            ("about", probe.about.is_some(), quantity == Q::Moment),
            ("status", probe.status.is_some(), quantity == Q::Contacts),
            ("cable", probe.cable.is_some(), quantity == Q::CableTension),
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
        if let Some(&both) = with.iter().flatten().find(|body| of.contains(body)) {
            let message = format!("\"{}\" is on both sides, in `of` and in `with`", self.model.bodies[both].name);
            return Err(self.check.error(&place.key("with"), message));
        }
        let sign = if quantity == Q::Reaction { -1.0 } else { 1.0 };
        let between = || Between { on: of.clone(), by: with.clone(), sign };
        Ok(match quantity {
            Q::VonMises | Q::LargestTension | Q::LargestCompression => self.inside(place, quantity, of)?,
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
            Q::Contacts => {
                let status = probe.status.map(|status| match status {
                    ProbeStatus::Open => 0,
                    ProbeStatus::Stick => 1,
                    ProbeStatus::Slide => 2,
                });
                Measure::Contacts(between(), status)
            }
            Q::CableTension => Measure::Cable(self.cable(place, probe)?),
            Q::CutLoad => match probe.height {
                Some(height) => Measure::Cut(self.check.finite(&place.key("height"), "the height", height)?),
                None => return Err(self.check.error(place, "a \"cut-load\" needs `height` [m]")),
            },
        })
    }

    /// The largest stress inside elastic bodies.
    fn inside(&self, place: &Place<'_>, quantity: ProbeQuantity, of: Vec<usize>) -> Result<Measure, SceneError> {
        if let Some(&rigid) = of.iter().find(|&&body| self.model.elastic_part(body).is_none()) {
            let name = &self.model.bodies[rigid].name;
            let message = format!("\"{name}\" is rigid: only elastic bodies have stresses inside");
            let help = "[[elastic]] makes bodies elastic; the quantity \"stress\" is the mean stress of any body";
            return Err(self.check.error(&place.key("of"), message).with_help(help));
        }
        // in the order of the fields of frames
        let field = match quantity {
            ProbeQuantity::VonMises => 0,
            ProbeQuantity::LargestTension => 1,
            _ => 2,
        };
        Ok(Measure::ElasticStress(of, field))
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

    /// Points in which the two sides touch as drawn.
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
