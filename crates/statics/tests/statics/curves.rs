//! Load–displacement curves.

use voussoir_geometry::D2;
use voussoir_geometry::glam::DVec2;
use voussoir_mechanics::model::Model;
use voussoir_statics::loads::Question;
use voussoir_statics::pushover::{CurveEnd, PushoverSettings, pushover, settlement};

use crate::common::{close, plane, stack, stone};

fn model(text: &str) -> Model<D2> {
    (*plane(text).model).clone()
}

#[test]
fn a_block_that_tips_follows_the_tangent() {
    // pushed by λ times its weight at the centroid: λ = tan(α − θ), u = R (sin α − sin(α − θ))
    let (b, h) = (0.5, 2.0);
    let found =
        pushover(model(&stack(1, "[0.5, 2.0]", 0.8)), &Question::Acceleration(DVec2::X), &PushoverSettings::default())
            .unwrap();
    let (r, alpha) = (0.5 * f64::hypot(b, h), f64::atan2(b, h));
    assert_eq!(found.curve.end, CurveEnd::Collapse);
    for point in &found.curve.points {
        let lean = (alpha.sin() - point.displacement_m / r).asin();
        assert!((point.load - lean.tan()).abs() < 0.01 * alpha.tan(), "{point:?} {}", lean.tan());
    }
    close(found.curve.points[0].load, b / h, 1e-6);
    close(found.curve.capacity_m, 0.5 * b, 0.01);
}

#[test]
fn a_sliding_block_keeps_its_friction() {
    let settings = PushoverSettings { steps: 20, ..Default::default() };
    let found = pushover(model(&stack(1, "[1.0, 0.2]", 0.4)), &Question::Acceleration(DVec2::X), &settings).unwrap();
    assert_eq!(found.curve.end, CurveEnd::Steps);
    found.curve.points.iter().for_each(|point| close(point.load, 0.4, 0.02));
}

#[test]
fn an_arch_spreads_until_it_falls() {
    let keys = "generator = \"arch\", radius = 0.925, thickness = 0.15, voussoirs = 20, material = \"stone\"";
    let text = stone(0.8) + &format!("bodies = [{{ name = \"arch\", {keys} }}]\n");
    let model = model(&text);
    let springer = model.bodies.iter().position(|body| body.name == "arch.springer[1]").unwrap();
    let of = |step| {
        let settings = PushoverSettings { step: Some(step), ..Default::default() };
        settlement(model.clone(), springer, DVec2::X, &settings).unwrap()
    };
    let (found, fine) = (of(0.002), of(0.001));
    assert_eq!(found.curve.end, CurveEnd::NoEquilibrium);
    // the thrust starts at its smallest value and grows as the crown sinks
    let (first, last) = (found.curve.points[0], found.curve.points[found.curve.points.len() - 1]);
    assert!(first.load > 0.0);
    assert!(last.load > 1.2 * first.load);
    // whatever the step
    close(found.curve.capacity_m, fine.curve.capacity_m, 0.02);
}
