//! The types of elements: number of nodes, and corners of their faces.

/// Use of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ElementKind {
    /// 0 point … 3 volume.
    pub dimension: u8,
    /// Nodes in the file, those on edges included.
    pub nodes: usize,
    /// Corners: the first nodes.
    pub corners: usize,
}

/// The element type with a Gmsh number; `None` for types that meshers do not create.
pub fn kind(number: i64) -> Option<ElementKind> {
    let (dimension, nodes, corners) = match number {
        15 => (0, 1, 1),
        1 => (1, 2, 2),
        8 => (1, 3, 2),
        26 => (1, 4, 2),
        27 => (1, 5, 2),
        2 => (2, 3, 3),
        9 => (2, 6, 3),
        20 => (2, 9, 3),
        21 => (2, 10, 3),
        22 => (2, 12, 3),
        23 => (2, 15, 3),
        3 => (2, 4, 4),
        10 => (2, 9, 4),
        16 => (2, 8, 4),
        4 => (3, 4, 4),
        11 => (3, 10, 4),
        29 => (3, 20, 4),
        30 => (3, 35, 4),
        5 => (3, 8, 8),
        12 => (3, 27, 8),
        17 => (3, 20, 8),
        6 => (3, 6, 6),
        13 => (3, 18, 6),
        18 => (3, 15, 6),
        7 => (3, 5, 5),
        14 => (3, 14, 5),
        19 => (3, 13, 5),
        _ => return None,
    };
    Some(ElementKind { dimension, nodes, corners })
}

/// Faces of a volume with this number of corners, counter-clockwise seen from outside.
pub fn faces(corners: usize) -> &'static [&'static [usize]] {
    match corners {
        4 => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]],
        5 => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
        6 => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
        8 => &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]],
        _ => &[],
    }
}
