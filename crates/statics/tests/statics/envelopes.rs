//! Trains at all positions.

use voussoir_geometry::D2;
use voussoir_statics::Structure;
use voussoir_statics::envelope::envelope;
use voussoir_statics::limit::{LimitSettings, limit};
use voussoir_statics::loads::Question;

use crate::common::{close, plane, space, stone};

/// An arch of 15 voussoirs without fill under a train.
fn arch(axles: &str, more: &str) -> String {
    stone(0.6)
        + "bodies = [{ name = \"arch\", generator = \"arch\", span = 5.0, thickness = 0.6, voussoirs = 15, material = \"stone\" }]\n"
        + &format!(
            "trains = [{{ name = \"train\", axles = [{axles}], deck = \"arch.voussoirs\", start = [-3.1, 0], \
             direction = [1, 0], speed = 1.0{more} }}]"
        )
}

/// Multiplier of the train at a time: its first axle is at this distance from the start.
fn separately(structure: &Structure<D2>, time: f64) -> f64 {
    let settings = LimitSettings { time, ..LimitSettings::default() };
    let answer = limit(&mut structure.clone(), &Question::Named("train".to_owned()), &settings).unwrap();
    assert!(answer.proved, "{answer:?}");
    // without limit above the springings
    answer.multiplier.unwrap_or(f64::INFINITY)
}

/// Every point of the envelope is that of a separate limit analysis, and nothing between them is worse.
#[test]
fn an_envelope_is_as_many_limit_analyses() {
    let structure = plane(&arch("{ load = 20e3 }", ""));
    let found = envelope(&mut structure.clone(), "train", 0.1, &LimitSettings::default()).unwrap();
    assert_eq!(found.undecided, 0);
    for point in &found.points {
        let alone = separately(&structure, point.distance_m);
        let own = point.multiplier.unwrap_or(f64::INFINITY);
        assert!(own == alone || (own - alone).abs() < 1e-6 * alone, "{point:?} instead of {alone}");
    }
    let worst = found.worst.unwrap();
    let least = worst.multiplier.unwrap();
    close(worst.at[0], worst.distance_m - 3.1, 1e-9);
    for i in 1..620 {
        let alone = separately(&structure, 0.01 * f64::from(i));
        assert!(alone > least * (1.0 - 1e-4), "{alone} at {i} cm is below {least}");
    }
    // an arch is symmetric: so is the envelope
    let mirrored = separately(&structure, 6.2 - worst.distance_m);
    close(mirrored, least, 1e-5);
}

/// A train that is not symmetric is worse one way round than the other; its mirror image is the same in the other direction.
#[test]
fn trains_travel_in_both_directions() {
    let uneven = envelope(
        &mut plane(&arch("{ load = 20e3 }, { load = 5e3, behind = 1.0 }", "")),
        "train",
        0.2,
        &LimitSettings::default(),
    )
    .unwrap();
    assert!(uneven.points.iter().any(|point| point.reversed) && uneven.points.iter().any(|point| !point.reversed));
    let least = |reversed: bool| {
        let mine = uneven.points.iter().filter(|point| point.reversed == reversed);
        mine.filter_map(|point| point.multiplier).fold(f64::INFINITY, f64::min)
    };
    // the symmetric arch makes both directions equal, up to the refinement of one of them
    close(least(true), least(false), 2e-2);
    assert!((uneven.worst.unwrap().multiplier.unwrap() - least(true).min(least(false))).abs() < 1e-12);
}

/// Spread loads never carry less than concentrated ones of the same weight at the same place on this arch.
#[test]
fn dispersion_through_fill_helps() {
    let least = |more: &str| {
        let mut structure = plane(&arch("{ load = 20e3 }", more));
        envelope(&mut structure, "train", 0.2, &LimitSettings::default()).unwrap().worst.unwrap().multiplier.unwrap()
    };
    let (bare, spread) = (least(""), least(", dispersion = { level = 3.6, slope = 0.5 }"));
    assert!(spread > 1.05 * bare, "{spread} instead of {bare}");
    // half of the lane is modelled
    let half = least(", dispersion = { level = 3.6, slope = 0.0, lane_width = 2.0 }");
    close(half, 2.0 * bare, 1e-6);
}

/// The road arch without fill, in space: 200 positions are as many separate limit analyses, and most need no program.
#[test]
fn most_positions_follow_from_the_mechanisms_of_others() {
    let text = stone(0.6)
        + "bodies = [{ name = \"arch\", generator = \"arch\", span = 7.6, thickness = 0.6, width = 3.0, voussoirs = 27, \
           material = \"stone\" }]\n\
           trains = [{ name = \"axle\", axles = [{ load = 98.1e3 }], deck = \"arch.voussoirs\", start = [-4.4, 0, 0], \
           direction = [1, 0, 0], speed = 1.0 }]";
    let structure = space(&text);
    let found = envelope(&mut structure.clone(), "axle", 0.0442, &LimitSettings::default()).unwrap();
    assert!(found.points.len() >= 200 && found.undecided == 0);
    assert!(3 * found.solved < found.points.len(), "{} programs for {} positions", found.solved, found.points.len());
    for point in found.points.iter().step_by(3) {
        let settings = LimitSettings { time: point.distance_m, ..LimitSettings::default() };
        let alone = limit(&mut structure.clone(), &Question::Named("axle".to_owned()), &settings).unwrap();
        assert_eq!(point.verdict, alone.verdict, "{point:?}");
        if let (Some(own), Some(alone)) = (point.multiplier, alone.multiplier) {
            assert!((own - alone).abs() < 1e-6 * alone, "{point:?} instead of {alone}");
        }
    }
}
