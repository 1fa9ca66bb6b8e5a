//! The operator of a step: condensation, conservation, decay.

use voussoir_elastic::*;

use crate::{box_mesh, stone};

fn block() -> ElasticBlock<3> {
    let mut mesh = box_mesh([1.0, 0.4, 0.3], [4, 2, 2]);
    mesh.points.iter_mut().for_each(|p| *p = [p[0] - 0.5, p[1] - 0.2, p[2] - 0.15]);
    ElasticBlock::new(mesh, stone(20e9, 0.2), ElementForm::Enhanced).unwrap()
}

/// A smooth elastic displacement.
fn bent(block: &ElasticBlock<3>) -> Vec<f64> {
    let mut q: Vec<f64> = block.mesh.points.iter().flat_map(|p| [1e-5 * p[0], 0.0, 1e-4 * p[0] * p[0]]).collect();
    block.take_rigid_part(&mut q);
    q
}

#[test]
fn elastic_and_rigid_parts_separate() {
    let block = block();
    let operator = StepOperator::new(&block, RayleighDamping { mass: 3.0, stiffness: 1e-4 }, 1e-3).unwrap();
    let impulses: Vec<f64> = (0..block.size()).map(|k| ((k * 37 % 17) as f64) - 8.0).collect();
    let p = operator.elastic(&block, &impulses);
    assert!(block.rigid_part(&p).iter().all(|a| a.abs() < 1e-12));
    // a force that accelerates the block as a rigid body causes no elastic velocity
    let rigid = block.mass_times(&block.rigid_motion(&[1.0, -2.0, 0.5, 0.3, 0.2, -0.7]));
    let none = operator.elastic(&block, &rigid);
    assert!(none.iter().all(|v| v.abs() < 1e-10), "{none:?}");
    // (M̂ p)·p = f·p on the elastic part
    let (m, k) = (1.0 + 1e-3 * 3.0, 1e-3 * 1e-4 + 1e-6);
    let left = 2.0 * m * block.kinetic_energy(&p) + 2.0 * k * block.elastic_energy(&p);
    let right: f64 = p.iter().zip(&impulses).map(|(p, f)| p * f).sum();
    assert!((left / right - 1.0).abs() < 1e-11);
}

#[test]
fn condensed_compliance_is_that_of_all_points() {
    let block = block();
    let operator = StepOperator::new(&block, RayleighDamping::default(), 5e-4).unwrap();
    let surface = BlockSurface::new(&block.mesh);
    let top = [[-0.3, -0.2, 0.15], [0.45, -0.2, 0.15], [0.45, 0.2, 0.15], [-0.3, 0.2, 0.15]];
    let found = coordinates(&surface, &top, &[0.0, 0.0, 1.0], 1e-9, CoordinateMode::Grid(2)).unwrap();
    let weights: Vec<PointWeights> = found.into_iter().map(|c| c.weights).collect();
    let compliance = operator.compliance(&block, &weights);
    let size = 3 * weights.len();
    for column in 0..size {
        let unit: Vec<f64> = (0..size).map(|k| f64::from(u8::from(k == column))).collect();
        let p = operator.elastic(&block, &scatter::<3>(&weights, &unit, block.mesh.points.len()));
        let z = gather::<3>(&weights, &p);
        let largest = compliance[column * size + column];
        for (row, z) in z.iter().enumerate() {
            assert!((compliance[row * size + column] - z).abs() < 1e-10 * largest);
        }
    }
}

#[test]
fn a_ringing_block_keeps_its_energy() {
    let block = block();
    let h = 2e-5;
    let operator = StepOperator::new(&block, RayleighDamping::default(), 0.5 * h).unwrap();
    let (mut q, mut p) = (bent(&block), vec![0.0; block.size()]);
    let none = vec![0.0; block.size()];
    let energy = |q: &[f64], p: &[f64]| block.elastic_energy(q) + block.kinetic_energy(p);
    let start = energy(&q, &p);
    for _ in 0..2000 {
        let after = operator.free(&block, h, &p, &q, &none);
        for ((q, p), a) in q.iter_mut().zip(&p).zip(&after) {
            *q += 0.5 * h * (p + a);
        }
        p = after;
    }
    assert!((energy(&q, &p) / start - 1.0).abs() < 1e-9);
    assert!(block.rigid_part(&q).iter().chain(&block.rigid_part(&p)).all(|a| a.abs() < 1e-12));
}

#[test]
fn damping_and_theta_one_take_energy() {
    let block = block();
    let none = vec![0.0; block.size()];
    for (theta, damping) in [(1.0, RayleighDamping::default()), (0.5, RayleighDamping { mass: 50.0, stiffness: 1e-6 })]
    {
        let h = 2e-5;
        let operator = StepOperator::new(&block, damping, theta * h).unwrap();
        let (mut q, mut p) = (bent(&block), vec![0.0; block.size()]);
        let mut last = block.elastic_energy(&q);
        for _ in 0..100 {
            let after = operator.free(&block, h, &p, &q, &none);
            for ((q, p), a) in q.iter_mut().zip(&p).zip(&after) {
                *q += h * (theta * a + (1.0 - theta) * p);
            }
            p = after;
            let now = block.elastic_energy(&q) + block.kinetic_energy(&p);
            assert!(now < last);
            last = now;
        }
    }
}
