//! Stresses of joints.

use voussoir_statics::stand::{StandSettings, VerdictWord, stand};

use crate::common::{close, space};

/// A block that leans by 0.02 on a thin one touches ground and prop along lines: it has forces there, but no stress.
#[test]
fn blocks_that_touch_along_a_line_have_no_stress() {
    let text = "materials.stone = { density = 2000.0, compressive_strength = 8e6 }\n\
        joints = [{ between = [\"stone\", \"stone\"], friction = 0.6 }]\nbodies = [\n\
        { name = \"ground\", shape = \"ground\", material = \"stone\" },\n\
        { name = \"prop\", shape = \"box\", size = [0.2, 1, 0.018], position = [1.0, 0, 0.009], material = \"stone\" },\n\
        { name = \"block\", shape = \"polyhedron\", material = \"stone\", vertices = [[0, -0.5, 0], [0, 0.5, 0], \
        [1, -0.5, 0.02], [1, 0.5, 0.02], [0, -0.5, 1], [0, 0.5, 1], [1, -0.5, 1], [1, 0.5, 1]] },\n]\n\
        supports = [{ select = \"prop\" }]";
    // the lower face of the block is 18 mm high where the prop begins
    let mut structure = space(text);
    let answer = stand(&mut structure, &StandSettings::default());
    assert_eq!(answer.verdict, VerdictWord::Stands, "{answer:?}");
    let carrying: Vec<_> = answer.joints.iter().filter(|joint| joint.normal_force_n > 0.0).collect();
    let sum: f64 = carrying.iter().map(|joint| joint.force_n[2]).sum();
    close(sum, 2000.0 * 0.99 * 9.81, 1e-6);
    assert_eq!(carrying.len(), 2, "{carrying:?}");
    for joint in carrying {
        assert!(joint.area == 0.0 && joint.stress_pa.is_none() && joint.compression_use.is_none(), "{joint:?}");
    }
}
