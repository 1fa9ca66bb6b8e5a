//! Gradients of every joint law against finite differences. New bonds join by themselves through `Bond::samples`.

use proptest::prelude::*;
use voussoir_mechanics::joints::law::{ParameterUnit, Response};
use voussoir_mechanics::joints::{Bond, Elastic, Joint, JointLaw};

/// Length of a step [s].
const STEP: f64 = 1e-3;

const SPRINGS: Elastic = Elastic::new(5e9, 2e9);

/// The response of a law to a jump, from a soundness.
type Answer = Box<dyn Fn(f64, [f64; 2]) -> Option<Response>>;

/// The springs of contacts, and all bonds on them; a rigid law has no response.
fn laws() -> Vec<(&'static str, Answer)> {
    let mut laws: Vec<(&'static str, Answer)> =
        vec![(SPRINGS.key(), Box::new(|beta, jump| SPRINGS.response(beta, jump, STEP, None)))];
    for bond in Bond::samples() {
        let answer = move |beta: f64, jump: [f64; 2]| bond.law().response(beta, jump, STEP, Some(SPRINGS));
        laws.push((bond.law().key(), Box::new(answer)));
    }
    laws
}

/// Half the distance of two jumps whose tractions are compared [m]; jumps are of the order 1e-5 m.
const DIFFERENCE: f64 = 1e-11;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn tangents_and_energies_match_differences_of_the_traction(
        jump in prop::array::uniform2(-6e-5..6e-5f64), beta in 0.2..1.0f64
    ) {
        for (name, law) in laws() {
            let Some(at) = law(beta, jump) else { continue };
            prop_assert!(at.beta <= beta && at.beta >= 0.0, "{name}");
            let moved = |i: usize, by: f64| {
                let mut other = jump;
                other[i] += by;
                law(beta, other).unwrap()
            };
            for i in 0..2 {
                let (above, below) = (moved(i, DIFFERENCE), moved(i, -DIFFERENCE));
                // a kink between the two points: onset of wear, complete wear, closing
                let worn = [above, at, below].map(|r| (r.beta < beta, r.beta == 0.0));
                let closes = i == 0 && jump[0].abs() < DIFFERENCE;
                if worn[0] != worn[1] || worn[1] != worn[2] || closes {
                    continue;
                }
                let scale = at.tangent.iter().flatten().fold(1e6f64, |most, x| most.max(x.abs()));
                for k in 0..2 {
                    let slope = (above.traction[k] - below.traction[k]) / (2.0 * DIFFERENCE);
                    let off = (slope - at.tangent[k][i]).abs() / scale;
                    prop_assert!(off < 1e-4, "{name}: ∂t{k}/∂δ{i} is {} not {slope}", at.tangent[k][i]);
                }
                // at constant soundness the traction is the gradient of the energy
                if at.beta == beta {
                    let slope = (above.energy - below.energy) / (2.0 * DIFFERENCE);
                    let off = (slope - at.traction[i]).abs() / (1.0 + at.traction[i].abs());
                    prop_assert!(off < 1e-3, "{name}: ∂w/∂δ{i} is {slope}, t{i} is {}", at.traction[i]);
                }
            }
        }
    }
}

/// A law is complete: it has a key of its own, a reference, parameters that are accepted, and rigid or elastic response.
#[test]
fn every_law_describes_itself() {
    let mut keys = Vec::new();
    for bond in Bond::samples() {
        let mut joint = Joint { bond: Some(bond), ..Joint::coulomb(0.6) };
        assert_eq!(joint.fault(), None);
        assert!(!bond.law().reference().is_empty());
        keys.push(bond.law().key());
        // per length of a 2D model: quantities per area are multiplied by the depth, others are not
        let mut deep = joint.for_depth(0.5);
        let values = |joint: &mut Joint| {
            let mut all: Vec<(&str, ParameterUnit, f64)> = Vec::new();
            joint.visit_laws(|law| all.extend(law.parameters().iter().map(|p| (p.name, p.unit, *p.value))));
            all
        };
        for (whole, half) in values(&mut joint).iter().zip(values(&mut deep)) {
            let factor = if whole.1.is_per_area() { 0.5 } else { 1.0 };
            assert_eq!((whole.0, whole.1, factor * whole.2), half);
        }
    }
    keys.sort_unstable();
    let count = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), count, "{keys:?}");
}
