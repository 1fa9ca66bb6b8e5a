//! Static displacement of one block with prescribed displacements: K u = f.

use crate::block::ElasticBlock;
use crate::error::ElasticError;
use crate::sparse::SparseFactor;

/// Solves K u = f where some displacements are given: pairs of index (D per point) and value [m]. Enough of them must be
/// given to hold the block.
pub fn static_displacement<const D: usize>(
    block: &ElasticBlock<D>,
    prescribed: &[(usize, f64)],
    forces: &[f64],
) -> Result<Vec<f64>, ElasticError> {
    let mut given = vec![false; block.size()];
    let mut values = vec![0.0; block.size()];
    for &(index, value) in prescribed {
        (given[index], values[index]) = (true, value);
    }
    let known = block.stiffness_times(&values);
    let mut right: Vec<f64> = forces.iter().zip(&known).map(|(f, k)| f - k).collect();
    let mut blocks = block.stiffness.clone();
    block.pattern.each(|at, i, j| {
        for r in 0..D {
            for c in 0..D {
                if given[i * D + r] || given[j * D + c] {
                    // the equation of a given displacement gets a diagonal of the size of the others
                    blocks[at][r][c] = if i == j && r == c { block.stiffness[at][r][c] } else { 0.0 };
                }
            }
        }
    });
    right.iter_mut().zip(&given).filter(|(_, given)| **given).for_each(|(r, _)| *r = 0.0);
    let mut u = SparseFactor::new(&block.pattern, &blocks)?.solve(&right);
    u.iter_mut().zip(&values).zip(&given).filter(|(_, given)| **given).for_each(|((u, v), _)| *u = *v);
    Ok(u)
}
