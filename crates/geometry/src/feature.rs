//! Identifiers of contact points: the feature of one shape and the feature of the other shape.
//!
//! An identifier is the same from step to step while the features are in contact, so reactions and joint memory follow
//! the point. It has four bits for the kind and sixty bits for two indices; for compounds, the index of the part is
//! mixed into these.

/// Which kinds of features meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureKind {
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

impl FeatureKind {
    const ALL: [Self; 9] = [
        Self::VertexFace,
        Self::FaceVertex,
        Self::EdgeEdge,
        Self::RoundVertex,
        Self::RoundEdge,
        Self::RoundFace,
        Self::VertexEdge,
        Self::EdgeVertex,
        Self::VertexVertex,
    ];

    /// The kind of an identifier; `None` for invalid identifiers.
    pub fn of(name: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u64 == name >> KIND_SHIFT)
    }
}

/// Room for an index.
const INDEX_BITS: u32 = 30;
/// Where the kind starts.
const KIND_SHIFT: u32 = 2 * INDEX_BITS;
/// The bits that are not the kind.
const REST: u64 = (1 << KIND_SHIFT) - 1;

/// Packs a kind, a feature of the candidate and a feature of the antagonist.
pub fn name(kind: FeatureKind, candidate: u32, antagonist: u32) -> u64 {
    let index = |i: u32| u64::from(i) & ((1 << INDEX_BITS) - 1);
    (kind as u64) << KIND_SHIFT | index(candidate) << INDEX_BITS | index(antagonist)
}

/// The feature of the candidate in an identifier without the index of a part.
pub fn candidate(name: u64) -> u32 {
    ((name & REST) >> INDEX_BITS) as u32
}

/// The identifier of a point on part `part` of a compound; `side` is 0 for the candidate, 1 for the antagonist.
pub fn of_part(name: u64, part: usize, side: u64) -> u64 {
    // two rounds of the finaliser of splitmix64: distinct inputs give distinct identifiers, except with probability
    // 2⁻⁶⁰
    let stirred = stir((name & REST) ^ stir(2 * (part as u64 + 1) + side));
    name & !REST | stirred & REST
}

fn stir(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
