//! Names of contact points: which feature of the one shape meets which feature of the other.
//!
//! A name is the same from step to step while the features meet, so that reactions and joint memory follow the
//! point. Convex pairs pack a kind and two indices; parts of compounds stir their index in.

/// Which kinds of features meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Vertex of the candidate on a face of the antagonist.
    VertexFace = 1,
    /// Face of the candidate under a vertex of the antagonist.
    FaceVertex = 2,
    /// Two edges cross.
    EdgeEdge = 3,
    /// A round shape: its one feature, and a vertex of the other shape.
    RoundVertex = 4,
    /// A round shape on an edge.
    RoundEdge = 5,
    /// A round shape on a face, a plane or another round shape.
    RoundFace = 6,
    /// A vertex of the candidate passes an edge of the antagonist.
    VertexEdge = 7,
    /// An edge of the candidate passes a vertex of the antagonist.
    EdgeVertex = 8,
    /// Two vertices pass each other.
    VertexVertex = 9,
}

/// Room for an index.
const INDEX_BITS: u32 = 28;

/// Packs a kind, a feature of the candidate and a feature of the antagonist.
pub fn name(kind: Kind, candidate: u32, antagonist: u32) -> u64 {
    (kind as u64) << (2 * INDEX_BITS) | u64::from(candidate) << INDEX_BITS | u64::from(antagonist)
}

/// The name of a point on part `part` of a compound; `side` is 0 for the candidate, 1 for the antagonist.
pub fn of_part(name: u64, part: usize, side: u64) -> u64 {
    // two rounds of the finaliser of splitmix64: distinct inputs keep distinct names but for 2⁻⁶⁴ odds
    stir(name ^ stir(2 * (part as u64 + 1) + side))
}

fn stir(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
