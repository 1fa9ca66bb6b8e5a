//! Triangulation of polygons.

use crate::vector::{Vec3, cross, dot, newell, sub, unit};

/// True for a convex corner sequence.
pub fn is_convex(outline: &[Vec3]) -> bool {
    let normal = newell(outline);
    let count = outline.len();
    let tolerance = 1e-9 * dot(normal, normal);
    let turn = |i: usize| {
        let (a, b, c) = (outline[i], outline[(i + 1) % count], outline[(i + 2) % count]);
        dot(cross(sub(b, a), sub(c, b)), normal)
    };
    count <= 3 || (0..count).all(|i| turn(i) >= -tolerance)
}

/// Triangles of a plane polygon as indices of its corners, with the orientation of the polygon.
pub fn triangulate(outline: &[Vec3]) -> Vec<[u32; 3]> {
    let count = outline.len() as u32;
    if is_convex(outline) {
        return (2..count).map(|i| [0, i - 1, i]).collect();
    }
    let normal = unit(newell(outline));
    let point = |corner: u32| outline[corner as usize];
    let turn = |a: u32, b: u32, c: u32| dot(cross(sub(point(b), point(a)), sub(point(c), point(b))), normal);
    let inside = |p: u32, [a, b, c]: [u32; 3]| turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
    let mut left: Vec<u32> = (0..count).collect();
    let mut triangles = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let at = |i: usize| [left[i], left[(i + 1) % n], left[(i + 2) % n]];
        // an ear: convex, with no other corner inside; an invalid outline may have none, and any corner is cut
        let ear = (0..n).find(|&i| {
            let [a, b, c] = at(i);
            let others = left.iter().filter(|&&p| p != a && p != b && p != c);
            turn(a, b, c) > 0.0 && others.into_iter().all(|&p| !inside(p, [a, b, c]))
        });
        let ear = ear.unwrap_or(0);
        triangles.push(at(ear));
        left.remove((ear + 1) % n);
    }
    triangles.extend(left.as_chunks().0);
    triangles
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vector::length;

    fn area(outline: &[Vec3]) -> f64 {
        0.5 * length(newell(outline))
    }

    proptest! {
        #[test]
        fn triangles_have_the_area_of_the_polygon(radii in prop::collection::vec(0.2..2.0f64, 3..20)) {
            // star-shaped outlines in a tilted plane
            let outline: Vec<Vec3> = radii.iter().enumerate().map(|(i, r)| {
                let angle = i as f64 / radii.len() as f64 * std::f64::consts::TAU;
                [r * angle.cos(), r * angle.sin(), 0.5 * r * angle.cos()]
            }).collect();
            let triangles = triangulate(&outline);
            prop_assert_eq!(triangles.len(), outline.len() - 2);
            let sum: f64 = triangles.iter().map(|t| area(&t.map(|c| outline[c as usize]))).sum();
            prop_assert!((sum - area(&outline)).abs() < 1e-9 * sum);
        }
    }

    #[test]
    fn an_l_is_not_convex() {
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(|[x, y]| [x, y, 0.0]);
        assert!(!is_convex(&l) && is_convex(&l[..4]));
    }
}
