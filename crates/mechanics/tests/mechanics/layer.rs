//! The layer of water under the ice, driven by floes and wind; open edges of the sea.

use std::sync::Arc;

use voussoir_geometry::D2;
use voussoir_geometry::glam::DVec2;
use voussoir_mechanics::any::{AnyModel, AnyState};
use voussoir_mechanics::events::{self, EventSettings};
use voussoir_mechanics::measures;
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_mechanics::sea::{Domain, EdgeKind, FieldKind, Sea, Slab, VelocityField};
use voussoir_mechanics::state::Presence;
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_mechanics::{StateRef, Stepper};

use crate::events::{AIR, Run, WATER, add, disc, ice, rectangle};

const SLAB: Slab = Slab { depth: 15.0, friction: 0.0, area: 4e6, centre: DVec2::ZERO, density: 1024.071, air: AIR };

fn on(mut model: Model<D2>, slab: Slab, wind: f64, coriolis: f64) -> Model<D2> {
    let blows = (FieldKind::Uniform(DVec2::new(wind, 0.0)), TimeFunction::Constant(1.0));
    let wind = VelocityField { parts: vec![blows] };
    model.sea = Some(Arc::new(Sea { wind, stress: vec![[AIR, WATER]], coriolis, slab: Some(slab), ..Sea::empty(1) }));
    model
}

/// Floes that hit each other on a layer without friction: the momentum of floes and layer is constant. A run that goes on
/// from the middle is bit-identical.
#[test]
fn momentum_goes_from_floes_to_the_layer_and_back() {
    let mut model = ice(0.3, 0.5);
    for i in 0..16 {
        let (x, y) = (f64::from(i % 4) * 130.0, f64::from(i / 4) * 130.0);
        let v = [0.3 - 1e-3 * x, 0.1 - 1e-3 * y, 1e-3 * f64::from(i % 3 - 1)];
        let shape = if i % 2 == 0 { disc(50.0) } else { rectangle(90.0, 80.0) };
        add(&mut model, shape, (x, y), 0.1 * f64::from(i), v);
    }
    let model = on(model, SLAB, 0.0, 0.0);
    let mut run = Run::new(model.clone(), EventSettings::default());
    let total = |run: &mut Run| {
        let state = run.state();
        measures::momentum(&model, &state).0 + state.slab.velocity * SLAB.mass()
    };
    let (before, mut middle) = (total(&mut run), None);
    for k in 0..120 {
        assert!(run.analysis.advance().unwrap().converged);
        if k == 59 {
            middle = Some(run.state());
        }
    }
    let (after, state) = (total(&mut run), run.state());
    assert!(state.impacts > 10, "{}", state.impacts);
    assert!((after - before).length() < 1e-12 * before.length(), "{after} {before}");
    // floes and layer have nearly the same velocity
    let mass: f64 = model.bodies.iter().map(|body| body.mass).sum();
    let common = before / (mass + SLAB.mass());
    assert!((state.slab.velocity - common).length() < 0.2 * common.length(), "{}", state.slab.velocity);
    let shared = AnyModel::Two(Arc::new(model.clone()));
    let mut other = events::begin(&shared, &EventSettings::default(), AnyState::Two(middle.unwrap())).unwrap();
    for _ in 60..120 {
        other.advance().unwrap();
    }
    let AnyState::Two(other) = other.into_state() else { unreachable!() };
    assert!(other == state);
}

/// A floe in a steady wind on a rotating layer: the result of long force steps differs from that of short ones by an
/// amount that falls with the square of the step.
#[test]
fn the_coupling_is_of_second_order() {
    let end = |step: f64| {
        let mut model = ice(0.3, 0.5);
        add(&mut model, disc(300.0), (0.0, 0.0), 0.0, [0.0; 3]);
        let slab = Slab { friction: 1e-5, area: 1e6, ..SLAB };
        let mut run = Run::new(on(model, slab, 12.0, 1.4e-4), EventSettings { step, ..EventSettings::default() });
        while run.state().time < 14_400.0 - 1e-6 {
            run.analysis.advance().unwrap();
        }
        let state = run.state();
        (state.slab.velocity, DVec2::new(state.velocities[0], state.velocities[1]))
    };
    let exact = end(7.5);
    let error = |step: f64| {
        let (layer, floe) = end(step);
        ((layer - exact.0).length(), (floe - exact.1).length())
    };
    let (coarse, fine) = (error(240.0), error(120.0));
    assert!(exact.0.length() > 0.05, "{exact:?}");
    assert!(fine.0 < 0.35 * coarse.0 && coarse.0 < 1e-3 * exact.0.length(), "{coarse:?} {fine:?} {exact:?}");
    assert!(fine.1 < 0.35 * coarse.1, "{coarse:?} {fine:?}");
}

/// A floe whose centroid leaves at an open edge is removed, with its energy, in both analyses; one at a free edge stays.
#[test]
fn floes_leave_at_open_edges() {
    let mut model = ice(0.3, 0.5);
    let leaves = add(&mut model, disc(10.0), (0.0, 0.0), 0.0, [1.0, 0.0, 0.0]);
    let stays = add(&mut model, disc(10.0), (0.0, 50.0), 0.0, [0.0, 1.0, 0.0]);
    let domain = Domain { min: DVec2::splat(-85.0), max: DVec2::splat(85.0), edges: [EdgeKind::Open, EdgeKind::Free] };
    model.sea = Some(Arc::new(Sea { domain: Some(domain), ..Sea::empty(1) }));
    let model = Arc::new(model);
    let energy = 0.5 * model.bodies[leaves].mass;
    let shared = AnyModel::Two(Arc::clone(&model));
    let state = voussoir_mechanics::state::State::initial(&model);
    let settings = EventSettings { step: 10.0, ..EventSettings::default() };
    let mut events = events::begin(&shared, &settings, AnyState::Two(state)).unwrap();
    let settings = DynamicSettings { step: 10.0, ..DynamicSettings::default() };
    let mut steps = Stepper::new(Arc::clone(&model), settings).unwrap();
    for k in 1..=12 {
        let kinetic = [events.advance().unwrap().kinetic_energy, steps.step().unwrap().kinetic_energy];
        let StateRef::Two(other) = events.save() else { panic!("a state in space") };
        for (state, kinetic) in [other, steps.state()].into_iter().zip(kinetic) {
            let gone = k > 8;
            assert_eq!(state.presence[leaves] == Presence::Gone, gone, "step {k}");
            assert!(state.presence[stays].is_there());
            let left = if gone { energy } else { 0.0 };
            assert!((state.ledger.construction + left).abs() < 1e-9 * energy, "{:?}", state.ledger);
            assert!((kinetic - 2.0 * energy + left).abs() < 1e-9 * energy, "{kinetic}");
        }
    }
}
