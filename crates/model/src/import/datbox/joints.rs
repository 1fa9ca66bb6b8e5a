//! See tables as joints: bodies without a common see table ignore each other.
//!
//! LMGC90 finds the law of two bodies by their contactors and colours, a scene by their materials. A material of the
//! scene therefore stands for one bulk law, contactor and colour.

use std::collections::{BTreeMap, BTreeSet};

use super::assemble::Source;
use super::bodies::{ContactorForm, DatboxBody};
use super::driven::What;
use super::laws::DatboxLaw;
use crate::import::{ImportError, Notes};
use crate::scene::joints::{BondSpec, MacCzm, MohrCoulombSpec};
use crate::scene::{JointSpec, LawSpec, MaterialSpec, RestitutionLaw, RestitutionSpec};

/// Contact laws that become joints.
const KNOWN_LAWS: [&str; 16] = [
    "IQS_CLB",
    "GAP_SGR_CLB",
    "VEL_SGR_CLB",
    "IQS_CLB_nosldt",
    "IQS_CLB_noslds",
    "IQS_CLB_g0",
    "IQS_DS_CLB",
    "GAP_SGR_DS_CLB",
    "VEL_SGR_DS_CLB",
    "IQS_WET_DS_CLB",
    "IQS_DS_WET_CLB",
    "IQS_MOHR_DS_CLB",
    "IQS_DS_MOHR_CLB",
    "IQS_MAC_CZM",
    "MAC_CZM",
    "RST_CLB",
];

/// Bulk law, contactor, colour.
pub(super) type Kind = [String; 3];

/// Materials of the bodies and the laws between them.
pub(super) struct Materials {
    /// Name of the material of each kind.
    names: BTreeMap<Kind, String>,
    /// Materials of the scene.
    pub materials: BTreeMap<String, MaterialSpec>,
    /// Materials whose bodies are all supports.
    held: BTreeSet<String>,
}

/// The kind of a body: that of its first contactor with a shape.
fn kind(body: &DatboxBody) -> Option<Kind> {
    let contactor = body.contactors.iter().find(|c| c.form != ContactorForm::Unknown)?;
    // contactors with an offset are treated like those without
    let seen = match contactor.kind.as_str() {
        "DISKb" => "DISKx",
        "SPHEb" => "SPHER",
        "POLYF" => "POLYR",
        other => other,
    };
    Some([body.material.clone(), seen.to_owned(), contactor.colour.clone()])
}

impl Materials {
    /// Lists the kinds and gives them short unique names.
    pub fn new(source: &Source<'_>, notes: &mut Notes) -> Result<Self, ImportError> {
        let mut names = BTreeMap::new();
        for (i, body) in source.bodies.iter().enumerate() {
            let Some(own) = kind(body) else { continue };
            if body.contactors.iter().any(|c| c.colour != own[2] && c.form != ContactorForm::Unknown) {
                notes.changed(format!("body {}: contactors of several colours are all treated as {}", i + 1, own[2]));
            }
            names.insert(own, String::new());
        }
        let kinds: Vec<Kind> = names.keys().cloned().collect();
        let mut materials = BTreeMap::new();
        for (kind, name) in &mut names {
            let [bulk, contactor, colour] = kind;
            let same_bulk = kinds.iter().filter(|other| other[0] == *bulk).count();
            let same_colour = kinds.iter().filter(|other| other[0] == *bulk && other[2] == *colour).count();
            *name = match (same_bulk, same_colour) {
                (1, _) => bulk.clone(),
                (_, 1) => format!("{bulk}-{colour}"),
                _ => format!("{bulk}-{colour}-{contactor}"),
            };
            let density = source.bulk.densities.get(bulk).copied().ok_or_else(|| {
                source.tables.bulk.error(None, format!("there is no bulk law {bulk:?}")).with_help(format!(
                    "the file has {}",
                    source.bulk.densities.keys().cloned().collect::<Vec<_>>().join(", ")
                ))
            })?;
            materials.insert(name.clone(), MaterialSpec::of_density(density));
        }
        let is_held = |i: usize| source.driven.iter().any(|d| d.body == i + 1 && d.what == What::Velocity);
        let mut made = Self { names, materials, held: BTreeSet::new() };
        let free: BTreeSet<String> =
            (0..source.bodies.len()).filter(|i| !is_held(*i)).map(|i| made.of(&source.bodies[i])).collect();
        made.held = made.materials.keys().filter(|name| !free.contains(*name)).cloned().collect();
        Ok(made)
    }

    /// Name of the material of a body.
    pub fn of(&self, body: &DatboxBody) -> String {
        kind(body).and_then(|kind| self.names.get(&kind)).cloned().unwrap_or_default()
    }

    /// A joint for every two materials.
    pub fn joints(&self, source: &Source<'_>, notes: &mut Notes) -> Result<Vec<JointSpec>, ImportError> {
        let mut joints = Vec::new();
        let mut used = BTreeSet::new();
        let kinds: Vec<(&Kind, &String)> = self.names.iter().collect();
        for (i, (a, name_a)) in kinds.iter().enumerate() {
            for (b, name_b) in &kinds[i..] {
                let between = [(*name_a).clone(), (*name_b).clone()];
                let seen = |kind: &Kind| [kind[1].clone(), kind[2].clone()];
                let see = source.contact.sees.iter().find(|see| see.matches(&seen(a), &seen(b)));
                let joint = match see {
                    // no contact between two supports, whatever the see table contains
                    _ if self.held.contains(*name_a) && self.held.contains(*name_b) => continue,
                    None => JointSpec { law: LawSpec::None, friction: None, ..JointSpec::coulomb(between, 0.0) },
                    Some(see) => {
                        let table = &source.tables.contact;
                        let law = source.contact.laws.get(&see.law).ok_or_else(|| {
                            ImportError::new(&table.path, see.line, format!("there is no contact law {:?}", see.law))
                        })?;
                        used.insert(&see.law);
                        joint(source, between, &see.law, law, see.alert, notes)?
                    }
                };
                joints.push(joint);
            }
        }
        for (name, law) in source.contact.laws.iter().filter(|(name, _)| !used.contains(name)) {
            if law.kind != "COUPLED_DOF" && !KNOWN_LAWS.contains(&law.kind.as_str()) {
                notes.dropped(format!("law {name} ({}), which is not known: no two bodies use it", law.kind));
            }
        }
        Ok(joints)
    }
}

/// Cohesion and tension in the normal and the tangential direction [Pa]; the tip of the cone limits the tension.
fn mohr_coulomb(
    joint: JointSpec,
    [normal, tangential]: [f64; 2],
    friction: f64,
    name: &str,
    notes: &mut Notes,
) -> JointSpec {
    if tangential <= 0.0 {
        if normal > 0.0 {
            notes.dropped(format!("law {name}: tension of {normal} Pa, which has no meaning without cohesion"));
        }
        return joint;
    }
    let tip = tangential / friction;
    if normal > tip {
        notes.changed(format!("law {name}: tension of {normal} Pa is limited to cohesion/friction, {tip:.4e} Pa"));
    }
    let law = MohrCoulombSpec { cohesion: tangential, tension: Some(normal.min(tip)) };
    JointSpec { bond: Some(BondSpec::MohrCoulomb(law)), ..joint }
}

/// The joint of a contact law.
fn joint(
    source: &Source<'_>,
    between: [String; 2],
    name: &str,
    law: &DatboxLaw,
    alert: f64,
    notes: &mut Notes,
) -> Result<JointSpec, ImportError> {
    let parameter = |i: usize| {
        let path = &source.tables.contact.path;
        let missing = || ImportError::new(path, law.line, format!("law {name:?} ({}) lacks a parameter", law.kind));
        law.parameters.get(i).copied().ok_or_else(missing)
    };
    let two = |dynamic: f64, fixed: f64, notes: &mut Notes| {
        if dynamic > fixed {
            notes.changed(format!(
                "law {name}: the dynamic friction {dynamic} is above the static friction and is used for both"
            ));
        }
        let friction = dynamic.max(fixed);
        JointSpec {
            dynamic_friction: (dynamic < fixed).then_some(dynamic),
            ..JointSpec::coulomb(between.clone(), friction)
        }
    };
    Ok(match law.kind.as_str() {
        "IQS_CLB" | "GAP_SGR_CLB" | "VEL_SGR_CLB" | "IQS_CLB_nosldt" | "IQS_CLB_noslds" => {
            JointSpec::coulomb(between, parameter(0)?)
        }
        "IQS_CLB_g0" => {
            JointSpec { initial_gap: true, thickness: Some(alert), ..JointSpec::coulomb(between, parameter(0)?) }
        }
        "IQS_DS_CLB" | "GAP_SGR_DS_CLB" | "VEL_SGR_DS_CLB" => two(parameter(0)?, parameter(1)?, notes),
        "IQS_WET_DS_CLB" | "IQS_DS_WET_CLB" => {
            notes.dropped(format!("law {name} ({}): cohesion of the water film", law.kind));
            two(parameter(3)?, parameter(4)?, notes)
        }
        "IQS_MOHR_DS_CLB" | "IQS_DS_MOHR_CLB" => {
            let joint = two(parameter(2)?, parameter(3)?, notes);
            let friction = parameter(2)?.max(parameter(3)?);
            mohr_coulomb(joint, [parameter(0)?, parameter(1)?], friction, name, notes)
        }
        "IQS_MAC_CZM" | "MAC_CZM" => {
            let bond = BondSpec::MacCzm(MacCzm {
                normal: parameter(2)?,
                tangential: parameter(3)?,
                energy: parameter(5)?,
                viscosity: Some(parameter(4)?).filter(|viscosity| *viscosity != 0.0),
                exponent: None,
            });
            JointSpec { bond: Some(bond), ..two(parameter(0)?, parameter(1)?, notes) }
        }
        // the bodies keep their relative position: friction has no meaning
        "COUPLED_DOF" => JointSpec { bond: Some(BondSpec::Glued), ..JointSpec::coulomb(between, 0.0) },
        "RST_CLB" => {
            if parameter(1)? != 0.0 {
                notes.dropped(format!("law {name}: restitution along the joint"));
            }
            let restitution = Some(RestitutionSpec::Law(RestitutionLaw::Newton(parameter(0)?)));
            JointSpec {
                restitution: restitution.filter(|_| law.parameters[0] != 0.0),
                ..JointSpec::coulomb(between, parameter(2)?)
            }
        }
        other => {
            let message = format!("the contact law {other:?} is not supported");
            return Err(ImportError::new(&source.tables.contact.path, law.line, message)
                .with_help("supported: laws with Coulomb friction such as IQS_CLB, IQS_DS_CLB, RST_CLB"));
        }
    })
}
