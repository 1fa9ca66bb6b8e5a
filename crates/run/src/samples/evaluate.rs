//! Moduli and angles of one test, from its states at rest.
//!
//! | test | values |
//! |---|---|
//! | oedometer | σ = λF/(b t), ε = (y₀ − y)/h₀: tangent modulus Δσ/Δε, median over the increments; secant modulus σ/ε at the end |
//! | biaxial | modulus Δσ₁/Δε₁ and Poisson's ratio −Δε₃/Δε₁ of the first increment; sin φ = (σ₁ − σ₃)/(σ₁ + σ₃) at the peak |
//! | direct shear | tan φ = T/N at the peak, N the weight and load of the lid and the weight of the grains of the upper half |
//! | repose | slope of the line through the tops of columns of grains, without the top and the foot of the slope |
//!
//! λ is the load factor, F the load, b the width, t the thickness, h₀ the height at the first rest. The peak is the
//! middle between the last load at rest and the first that falls.

use serde::Serialize;
use voussoir_geometry::{D2, Solid};
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::explicit::memory::Loading;
use voussoir_mechanics::explicit::settings::{ExplicitGoal, ExplicitSettings};
use voussoir_mechanics::model::{Model, Role};
use voussoir_mechanics::report::{Cell, StepReport};
use voussoir_mechanics::snapshot::BodySnapshot;
use voussoir_mechanics::{AnyModel, AnyState};
use voussoir_model::build::sample::SampleSetup;
use voussoir_model::scene::sample::SampleTest;
use voussoir_model::{Built, StageAnalysis};

use super::median;
use crate::drive::{self, Control};
use crate::error::{Result, RunError};
use crate::observe::{Flow, Observer, StepPlace};

/// Width of a column of grains, in mean diameters.
const COLUMN: f64 = 2.0;
/// Part of the height of the slope that the line is fitted to.
const SLOPE: [f64; 2] = [0.2, 0.8];

/// One value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampleValue {
    /// Name.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// Unit; empty without unit.
    pub unit: &'static str,
}

/// Values of a test, and the reasons for missing values.
pub type SampleValues = (Vec<SampleValue>, Option<String>);

/// States at rest of the load increments.
#[derive(Default)]
struct Rests {
    /// Load factors, and the bodies.
    states: Vec<(f64, Vec<BodySnapshot>)>,
    holding: bool,
}

/// Heads of the columns that are used.
const PHASE: &str = "phase";
const STABLE: &str = "stable_factor";

impl Observer for Rests {
    fn after_step(&mut self, analysis: &mut dyn Analysis, report: &mut StepReport, _: StepPlace) -> Result<Flow> {
        let cell = |head: &str| {
            let index = analysis.columns().iter().position(|column| column.head == head);
            index.and_then(|index| report.own.get(index))
        };
        let Some(&Cell::Word(phase)) = cell(PHASE) else { return Ok(Flow::Continue) };
        let rested = self.holding && matches!(phase, "loading" | "end");
        self.holding = phase == "holding";
        if let (true, Some(&Cell::Number(factor))) = (rested, cell(STABLE))
            && self.states.last().is_none_or(|(last, _)| factor > *last)
        {
            self.states.push((factor, analysis.snapshot().bodies));
        }
        Ok(Flow::Continue)
    }
}

/// A test that was run.
struct Tested<'a> {
    setup: &'a SampleSetup,
    model: &'a Model<D2>,
    rests: Vec<(f64, Vec<BodySnapshot>)>,
    end: Vec<BodySnapshot>,
    loading: Loading,
    /// Name of the load that grows.
    load: Option<String>,
}

/// Runs the test of a scene.
pub fn evaluate(built: &Built) -> Result<SampleValues> {
    let wrong = |message: &str| RunError::input(message.to_owned());
    let setup = built.sample.as_ref().ok_or_else(|| wrong("the scene has no [sample]"))?;
    let AnyModel::Two(model) = &built.model else { return Err(wrong("tests on samples are in two dimensions")) };
    let load = built.stages.iter().find_map(|stage| match &stage.analysis {
        StageAnalysis::Explicit(ExplicitSettings { goal: ExplicitGoal::Increments(own), .. }) => Some(own.load.clone()),
        _ => None,
    });
    if load.is_none() && setup.spec.test != SampleTest::Repose {
        return Err(wrong("the test needs an explicit stage with `increments`"));
    }
    let mut rests = Rests::default();
    let outcome = drive::run(built, &mut [&mut rests], &Control::default())?;
    let AnyState::Two(state) = &outcome.state else { return Err(wrong("tests on samples are in two dimensions")) };
    let loading = state.explicit.as_ref().map(|memory| memory.loading).unwrap_or_default();
    let tested = Tested { setup, model, rests: rests.states, end: outcome.state.bodies(), loading, load };
    match setup.spec.test {
        SampleTest::Oedometer => tested.oedometer(),
        SampleTest::Biaxial => tested.biaxial(),
        SampleTest::DirectShear => tested.direct_shear(),
        SampleTest::Repose => tested.repose(),
    }
}

fn value(name: &'static str, value: f64, unit: &'static str) -> SampleValue {
    SampleValue { name, value, unit }
}

impl Tested<'_> {
    /// Index of the lid.
    fn lid(&self) -> usize {
        self.setup.lid.unwrap_or_default()
    }

    /// Component of the load that grows, for the load factor 1 [N].
    fn growing(&self, axis: usize) -> f64 {
        let own = self.model.loads.iter().filter(|load| Some(&load.name) == self.load.as_ref());
        own.map(|load| load.force[axis].abs()).sum()
    }

    /// Component of the constant loads on a body [N].
    fn constant(&self, body: usize, axis: usize) -> f64 {
        let own = self.model.loads.iter().filter(|load| load.body == body && Some(&load.name) != self.load.as_ref());
        own.map(|load| load.force[axis].abs()).sum()
    }

    /// Weight of a body [N].
    fn weight(&self, body: usize) -> f64 {
        self.model.bodies[body].mass * self.model.gravity.length()
    }

    /// Stress on the lid for the load factor 1 [Pa].
    fn lid_stress(&self) -> f64 {
        self.growing(1) / (self.setup.spec.width * self.setup.depth)
    }

    /// Height of the sample in a state [m].
    fn height(&self, bodies: &[BodySnapshot]) -> f64 {
        let drawn = self.model.bodies[self.lid()].pose.position.y;
        self.setup.spec.height + bodies[self.lid()].position[1] - drawn
    }

    /// Load factor at the peak: between the last at rest and the first that falls.
    fn peak(&self) -> std::result::Result<f64, String> {
        match (self.loading.stable, self.loading.fallen) {
            (Some(stable), Some(fallen)) => Ok(0.5 * (stable + fallen)),
            (None, Some(_)) => Err("the first load causes collapse".to_owned()),
            (_, None) if self.loading.undecided => {
                Err(format!("neither at rest nor falling at the load factor {}", self.loading.target))
            }
            _ => Err("no collapse up to the largest load".to_owned()),
        }
    }

    fn undecided(&self) -> Option<String> {
        let target = self.loading.target;
        self.loading.undecided.then(|| format!("neither at rest nor falling at the load factor {target}"))
    }

    fn oedometer(&self) -> Result<SampleValues> {
        let [(_, first), .., (last_factor, last)] = &self.rests[..] else {
            return Ok((Vec::new(), Some("the structure comes to rest under fewer than two loads".to_owned())));
        };
        let (unit, height) = (self.lid_stress(), self.height(first));
        let mut tangents: Vec<f64> = self
            .rests
            .windows(2)
            .map(|pair| unit * (pair[1].0 - pair[0].0) * height / (self.height(&pair[0].1) - self.height(&pair[1].1)))
            .collect();
        tangents.sort_by(f64::total_cmp);
        let secant = unit * (last_factor - self.rests[0].0) * height / (height - self.height(last));
        let values = vec![
            value("tangent modulus", median(&tangents), "Pa"),
            value("secant modulus", secant, "Pa"),
            value("height", height, "m"),
        ];
        Ok((values, self.undecided()))
    }

    fn biaxial(&self) -> Result<SampleValues> {
        let spec = &self.setup.spec;
        let Some([left, right]) = self.setup.sides else { return Ok((Vec::new(), None)) };
        let mut values = Vec::new();
        if let [(zero, first), (one, second), ..] = &self.rests[..] {
            let width = |bodies: &[BodySnapshot]| bodies[right].position[0] - bodies[left].position[0];
            let drawn = self.model.bodies[right].pose.position.x - self.model.bodies[left].pose.position.x;
            let (height, inner) = (self.height(first), spec.width + width(first) - drawn);
            let axial = (height - self.height(second)) / height;
            let lateral = (width(first) - width(second)) / inner;
            values.push(value("modulus", self.lid_stress() * (one - zero) / axial, "Pa"));
            values.push(value("Poisson's ratio", -lateral / axial, ""));
        }
        let confining = self.constant(left, 0) / (spec.height * self.setup.depth);
        let still = (self.weight(self.lid()) + self.constant(self.lid(), 1)) / (spec.width * self.setup.depth);
        let note = match self.peak() {
            Ok(factor) => {
                let axial = still + factor * self.lid_stress();
                let sine = (axial - confining) / (axial + confining);
                values.push(value("angle of friction", sine.asin().to_degrees(), "°"));
                None
            }
            Err(reason) => Some(reason),
        };
        Ok((values, note))
    }

    fn direct_shear(&self) -> Result<SampleValues> {
        let factor = match self.peak() {
            Ok(factor) => factor,
            Err(reason) => return Ok((Vec::new(), Some(reason))),
        };
        let middle = 0.5 * self.setup.spec.height;
        // grains of the upper half where the structure last rested
        let bodies = self.rests.last().map_or(&self.end, |(_, bodies)| bodies);
        let grains: f64 =
            self.grains().filter(|(i, _)| bodies[*i].position[1] > middle).map(|(i, _)| self.weight(i)).sum();
        let normal = self.weight(self.lid()) + self.constant(self.lid(), 1) + grains;
        let angle = (factor * self.growing(0) / normal).atan().to_degrees();
        Ok((vec![value("angle of friction", angle, "°")], None))
    }

    /// Free discs and their radii [m].
    fn grains(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let free = self.model.bodies.iter().enumerate().filter(|(_, body)| body.role == Role::Free);
        free.filter_map(|(i, body)| Some((i, body.shape.centred_ball()?)))
    }

    fn repose(&self) -> Result<SampleValues> {
        let grains: Vec<(usize, f64)> = self.grains().collect();
        let mean = 2.0 * grains.iter().map(|(_, radius)| radius).sum::<f64>() / grains.len().max(1) as f64;
        let low = grains.iter().map(|(i, _)| self.end[*i].position[0]).fold(f64::INFINITY, f64::min);
        let mut tops: Vec<Option<[f64; 2]>> = Vec::new();
        for (i, radius) in &grains {
            let [x, y, _] = self.end[*i].position;
            let column = ((x - low) / (COLUMN * mean)) as usize;
            tops.resize(tops.len().max(column + 1), None);
            if tops[column].is_none_or(|[_, top]| y + radius > top) {
                tops[column] = Some([x, y + radius]);
            }
        }
        let tops: Vec<[f64; 2]> = tops.into_iter().flatten().collect();
        let highest = tops.iter().map(|[_, y]| *y).fold(0.0, f64::max);
        let counted: Vec<[f64; 2]> =
            tops.into_iter().filter(|[_, y]| (SLOPE[0] * highest..=SLOPE[1] * highest).contains(y)).collect();
        let note = self.undecided().map(|_| "the grains do not come to rest".to_owned());
        if counted.len() < 3 {
            return Ok((Vec::new(), Some("the slope has less than three columns of grains".to_owned())));
        }
        let count = counted.len() as f64;
        let [x0, y0] = [0, 1].map(|k| counted.iter().map(|point| point[k]).sum::<f64>() / count);
        let product: f64 = counted.iter().map(|[x, y]| (x - x0) * (y - y0)).sum();
        let square: f64 = counted.iter().map(|[x, _]| (x - x0).powi(2)).sum();
        Ok((vec![value("angle of repose", (product / square).abs().atan().to_degrees(), "°")], note))
    }
}
