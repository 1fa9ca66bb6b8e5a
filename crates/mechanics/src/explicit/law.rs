//! The law of a contact point between two materials.
//!
//! ```text
//! N = kₙ S (overlap),  N ≤ f_c S,  no tension
//! T = −k_t S δ,  ‖T‖ ≤ c S + μ N,  δ the elastic part of the slip
//! ```
//! S is the area of the point: its length times the depth. δ is a number along the tangent of the
//! contact, so that the force turns with the contact.

use voussoir_geometry::D2;

use crate::error::MechanicsError;
use crate::joints::elastic::Influence;
use crate::model::{Model, Restitution, mean_diameter};

/// Springs, friction and strength between two materials, per length of the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PointLaw {
    /// kₙ [N/m per m].
    pub normal: f64,
    /// k_t [N/m per m].
    pub tangential: f64,
    /// c [N per m].
    pub cohesion: f64,
    /// μ before and while sliding.
    pub friction: [f64; 2],
    /// f_c [N per m]; infinite: unlimited.
    pub strength: f64,
    /// Distance at which the bodies touch [m].
    pub width: f64,
    /// Length of a point of a disc [m].
    pub round: f64,
    /// Length of a point between two outlines.
    pub between: Influence,
}

/// Force of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointForce {
    /// N ≥ 0.
    pub normal: f64,
    /// T along the tangent.
    pub tangential: f64,
    /// Elastic slip δ after the step [m].
    pub elastic: f64,
    /// Sliding distance in the step [m]; zero if it stuck.
    pub slid: f64,
    /// Energy dissipated in the step [J].
    pub dissipated: f64,
    /// Energy stored [J].
    pub stored: f64,
}

impl PointLaw {
    /// Force of a point of length `s` that overlaps by `overlap` > 0 and slips by `du` in the step [m].
    #[inline(always)]
    pub fn force(&self, s: f64, overlap: f64, elastic: f64, du: f64, sliding: bool) -> PointForce {
        let kt = self.tangential * s;
        let normal = self.normal_force(s, overlap);
        let limit = self.limit(s, normal, sliding);
        let trial = elastic + du;
        let now = if (kt * trial).abs() <= limit {
            trial
        } else if trial > 0.0 {
            limit / kt
        } else {
            -limit / kt
        };
        let slid = trial - now;
        // work along the sliding distance, with the mean of the forces before and after
        let dissipated = 0.5 * kt * (elastic + now) * slid;
        let stored = 0.5 * (normal * overlap + kt * now * now);
        PointForce { normal, tangential: -kt * now, elastic: now, slid: slid.abs(), dissipated, stored }
    }

    /// The force of a point at the end of the last step.
    pub fn held(&self, s: f64, overlap: f64, elastic: f64) -> PointForce {
        let kt = self.tangential * s;
        let normal = self.normal_force(s, overlap);
        let stored = 0.5 * (normal * overlap + kt * elastic * elastic);
        PointForce { normal, tangential: -kt * elastic, elastic, slid: 0.0, dissipated: 0.0, stored }
    }

    #[inline(always)]
    fn normal_force(&self, s: f64, overlap: f64) -> f64 {
        (self.normal * s * overlap).min(self.strength * s)
    }

    /// Largest tangential force [N].
    #[inline(always)]
    pub fn limit(&self, s: f64, normal: f64, sliding: bool) -> f64 {
        self.cohesion * s + self.friction[usize::from(sliding)] * normal
    }
}

/// Laws by pair of materials.
#[derive(Clone, Debug)]
pub(super) struct Laws {
    materials: usize,
    table: Vec<PointLaw>,
}

impl Laws {
    /// The laws of a model; a joint that can meet and has no springs is an error.
    pub fn new(model: &Model<D2>, meets: impl Fn(usize, usize) -> bool) -> Result<Self, MechanicsError> {
        let count = model.materials.len();
        let mut table = Vec::with_capacity(count * count);
        for a in 0..count {
            for b in 0..count {
                let mean = mean_diameter(&model.bodies, [a, b]);
                table.push(law(model, [a, b], mean, meets(a, b) && !model.joints.ignores(a, b))?);
            }
        }
        Ok(Self { materials: count, table })
    }

    /// Index of the law between two materials.
    pub fn index(&self, a: usize, b: usize) -> u32 {
        (a * self.materials + b) as u32
    }

    /// A law by its index.
    #[inline(always)]
    pub fn at(&self, index: u32) -> &PointLaw {
        &self.table[index as usize]
    }
}

/// The law between two materials; `mean` is the mean diameter of their discs [m].
fn law(model: &Model<D2>, [a, b]: [usize; 2], mean: f64, meets: bool) -> Result<PointLaw, MechanicsError> {
    let joint = model.joints.between(a, b);
    let refuse = |reason: &str| {
        let [first, second] = [a, b].map(|i| &model.materials[i].name);
        Err(MechanicsError::Part { what: format!("joint \"{first}\"–\"{second}\""), reason: reason.to_owned() })
    };
    let Some(elastic) = joint.elastic else {
        if meets {
            return refuse(
                "the explicit analysis needs springs: write elastic = { normal = …, tangential = … } [Pa/m] in this joint",
            );
        }
        let between = Influence::default();
        let friction = [joint.friction; 2];
        let none = PointLaw {
            normal: 0.0,
            tangential: 1.0,
            cohesion: 0.0,
            friction,
            strength: 0.0,
            width: 0.0,
            round: 0.0,
            between,
        };
        return Ok(none);
    };
    if meets {
        if joint.bond.is_some() {
            return refuse("bonds are not part of the explicit analysis; use analysis = \"dynamic\"");
        }
        if joint.restitution != Restitution::Inelastic {
            return refuse(
                "the explicit analysis has no restitution: springs rebound; use `damping` to dissipate energy",
            );
        }
        if elastic.closure.is_finite() {
            return refuse("the explicit analysis has no maximum closure; remove `closure`");
        }
        if model.joints.has_beds(a, b) {
            return refuse("`initial_gap` is not part of the explicit analysis; draw the blocks in contact");
        }
    }
    let dynamic = joint.dynamic_friction.unwrap_or(joint.friction);
    Ok(PointLaw {
        normal: elastic.normal,
        tangential: elastic.tangential,
        cohesion: joint.cohesion,
        friction: [joint.friction, dynamic],
        strength: joint.strength.unwrap_or(f64::INFINITY),
        width: model.joints.width(a, b),
        round: match elastic.influence {
            Influence::Length(length) => length,
            _ => mean,
        },
        between: elastic.influence,
    })
}
