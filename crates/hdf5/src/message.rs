//! Bytes of the HDF5 file format that Voussoir files need (HDF5 File Format Specification, version 3.0).
//!
//! Superblock version 0 and object headers version 1 are used on purpose: they have no checksums, so a number in them
//! (an extent, an address, a count) is replaced by one write of eight bytes. Groups are "new style" (link messages in
//! the header), which keeps the order of the links.

/// "No address" in a file.
pub const UNDEFINED: u64 = u64::MAX;

/// Size of the superblock; the root group's header follows.
pub const SUPERBLOCK_SIZE: u64 = 96;

/// Position of the end of the file in the superblock.
pub const END_OF_FILE_AT: u64 = 40;

/// Number types of arrays and attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Unsigned byte.
    U8,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// UTF-8 text padded with zeros to this many bytes.
    Text(u32),
    /// The same in ASCII, which is what VTK 9.4 wants of the types of its parts.
    Ascii(u32),
}

impl Type {
    /// Bytes of one element.
    pub fn size(self) -> u32 {
        match self {
            Type::U8 => 1,
            Type::I32 | Type::F32 => 4,
            Type::I64 | Type::F64 => 8,
            Type::Text(size) | Type::Ascii(size) => size,
        }
    }

    /// Datatype message, version 1, little endian.
    fn encode(self) -> Vec<u8> {
        // class and version, three bytes of flags, then properties
        let (class, flags, properties): (u8, [u8; 3], Vec<u8>) = match self {
            Type::U8 => (0x10, [0, 0, 0], integer_properties(8)),
            Type::I32 => (0x10, [0x08, 0, 0], integer_properties(32)),
            Type::I64 => (0x10, [0x08, 0, 0], integer_properties(64)),
            Type::F32 => (0x11, [0x20, 31, 0], float_properties(32, 23, 8, 127)),
            Type::F64 => (0x11, [0x20, 63, 0], float_properties(64, 52, 11, 1023)),
            Type::Text(_) => (0x13, [0x11, 0, 0], Vec::new()),
            Type::Ascii(_) => (0x13, [0x01, 0, 0], Vec::new()),
        };
        let mut out = vec![class];
        out.extend(flags);
        out.extend(self.size().to_le_bytes());
        out.extend(properties);
        out
    }
}

impl Type {
    /// The type in a datatype message of a Voussoir file.
    pub fn decode(message: &[u8]) -> Option<Self> {
        let size = message.get(4..8)?.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
        let known = [Type::U8, Type::I32, Type::I64, Type::F32, Type::F64, Type::Text(size), Type::Ascii(size)];
        known.into_iter().find(|known| known.size() == size && size > 0 && message.starts_with(&known.encode()))
    }
}

fn integer_properties(bits: u16) -> Vec<u8> {
    [0u16, bits].iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn float_properties(bits: u16, mantissa: u8, exponent: u8, bias: u32) -> Vec<u8> {
    let mut out: Vec<u8> = [0u16, bits].iter().flat_map(|v| v.to_le_bytes()).collect();
    out.extend([mantissa, exponent, 0, mantissa]);
    out.extend(bias.to_le_bytes());
    out
}

/// Message types of object headers.
pub mod kind {
    /// Extents.
    pub const DATASPACE: u16 = 0x0001;
    /// Storage of the links of a group.
    pub const LINK_INFO: u16 = 0x0002;
    /// Type of elements.
    pub const DATATYPE: u16 = 0x0003;
    /// Fill value of data that were not written.
    pub const FILL_VALUE: u16 = 0x0005;
    /// A name in a group.
    pub const LINK: u16 = 0x0006;
    /// Storage of data.
    pub const LAYOUT: u16 = 0x0008;
    /// Constants of a group.
    pub const GROUP_INFO: u16 = 0x000A;
    /// Compression.
    pub const FILTERS: u16 = 0x000B;
    /// A small value with a name.
    pub const ATTRIBUTE: u16 = 0x000C;
}

/// An object header under construction.
#[derive(Clone, Debug, Default)]
pub struct Header {
    messages: Vec<u8>,
    count: u16,
}

const HEADER_PREFIX: usize = 16;

impl Header {
    /// Bytes that the header takes in the file, a multiple of eight.
    pub fn size(&self) -> u64 {
        (HEADER_PREFIX + self.messages.len()) as u64
    }

    /// The whole header; `references` counts the hard links to the object.
    pub fn encode(&self, references: u32) -> Vec<u8> {
        let mut out = vec![1, 0];
        out.extend(self.count.to_le_bytes());
        out.extend(references.to_le_bytes());
        out.extend((self.messages.len() as u32).to_le_bytes());
        out.extend([0; 4]);
        out.extend(&self.messages);
        out
    }

    /// Adds a message and returns the offset of its body in the header.
    fn push(&mut self, kind: u16, body: &[u8]) -> usize {
        let padded = body.len().next_multiple_of(8);
        self.messages.extend(kind.to_le_bytes());
        self.messages.extend((padded as u16).to_le_bytes());
        self.messages.extend([0; 4]);
        let start = HEADER_PREFIX + self.messages.len();
        self.messages.extend(body);
        self.messages.extend(std::iter::repeat_n(0, padded - body.len()));
        self.count += 1;
        start
    }

    /// Declares the object a group whose links keep their order.
    pub fn group(&mut self, links: usize) {
        // version, flags: creation order tracked; next creation index; no dense storage
        let mut info = vec![0, 1];
        info.extend((links as u64).to_le_bytes());
        info.extend(UNDEFINED.to_le_bytes());
        info.extend(UNDEFINED.to_le_bytes());
        self.push(kind::LINK_INFO, &info);
        self.push(kind::GROUP_INFO, &[0, 0]);
    }

    /// A name for an object of this file.
    pub fn hard_link(&mut self, name: &str, order: usize, address: u64) {
        let mut body = link_prefix(name, order, 0);
        body.extend(address.to_le_bytes());
        self.push(kind::LINK, &body);
    }

    /// A name for a path of this file.
    pub fn soft_link(&mut self, name: &str, order: usize, path: &str) {
        let mut body = link_prefix(name, order, 1);
        body.extend((path.len() as u16).to_le_bytes());
        body.extend(path.as_bytes());
        self.push(kind::LINK, &body);
    }

    /// A small constant, one number or a list; returns where its data starts in the header.
    pub fn attribute(&mut self, name: &str, element: Type, shape: &[u64], data: &[u8]) -> usize {
        let datatype = element.encode();
        let dataspace = dataspace(shape, shape);
        // version 3, no shared parts, UTF-8 name
        let mut body = vec![3, 0];
        for size in [name.len() + 1, datatype.len(), dataspace.len()] {
            body.extend((size as u16).to_le_bytes());
        }
        body.push(1);
        body.extend(name.as_bytes());
        body.push(0);
        body.extend(datatype);
        body.extend(dataspace);
        let at = body.len();
        body.extend(data);
        self.push(kind::ATTRIBUTE, &body) + at
    }

    /// Makes the object a chunked dataset with no rows yet; `widening` lets its second extent grow too. Returns where
    /// the first extent and the address of the chunk tree stand in the header.
    pub fn dataset(
        &mut self,
        element: Type,
        tail: &[u64],
        chunk: &[u64],
        shuffle: Option<u32>,
        widening: bool,
    ) -> (usize, usize) {
        let with_tail = |first: u64| std::iter::once(first).chain(tail.iter().copied()).collect::<Vec<_>>();
        let mut largest = with_tail(UNDEFINED);
        if let Some(second) = largest.get_mut(1).filter(|_| widening) {
            *second = UNDEFINED;
        }
        let extent_at = self.push(kind::DATASPACE, &dataspace(&with_tail(0), &largest)) + 8;
        self.push(kind::DATATYPE, &element.encode());
        // version 2, space as needed, written if set, the default value
        self.push(kind::FILL_VALUE, &[2, 3, 2, 1, 0, 0, 0, 0]);
        if let Some(unit) = shuffle {
            // version 1, two filters; each: id, no name, flags, count of values, values, padding
            let mut body = vec![1, 2, 0, 0, 0, 0, 0, 0];
            for (id, value) in [(2u16, unit), (1, DEFLATE_LEVEL)] {
                body.extend([id, 0, 0, 1].iter().flat_map(|v| v.to_le_bytes()));
                body.extend(value.to_le_bytes());
                body.extend([0; 4]);
            }
            self.push(kind::FILTERS, &body);
        }
        // version 3, chunked, one dimension more than the data has: the element
        let mut body = vec![3, 2, chunk.len() as u8 + 1];
        body.extend(UNDEFINED.to_le_bytes());
        for &size in chunk {
            body.extend((size as u32).to_le_bytes());
        }
        body.extend(element.size().to_le_bytes());
        let tree_at = self.push(kind::LAYOUT, &body) + 3;
        (extent_at, tree_at)
    }
}

impl Header {
    /// Makes the object a dataset of fixed extents whose `size` bytes lie in one piece at `address`.
    pub fn fixed_dataset(&mut self, element: Type, shape: &[u64], address: u64, size: u64) {
        self.push(kind::DATASPACE, &dataspace(shape, shape));
        self.push(kind::DATATYPE, &element.encode());
        // version 2, space when written, written if set, the default value
        self.push(kind::FILL_VALUE, &[2, 2, 2, 1, 0, 0, 0, 0]);
        // version 3, contiguous
        let mut body = vec![3, 1];
        body.extend(address.to_le_bytes());
        body.extend(size.to_le_bytes());
        self.push(kind::LAYOUT, &body);
    }
}

/// Compression level of all filtered datasets: a higher level gives smaller files and is slower.
pub const DEFLATE_LEVEL: u32 = 6;

/// Dataspace message, version 1; the extents start at byte 8.
fn dataspace(shape: &[u64], largest: &[u64]) -> Vec<u8> {
    let mut out = vec![1, shape.len() as u8, u8::from(!shape.is_empty()), 0, 0, 0, 0, 0];
    out.extend(shape.iter().chain(largest).flat_map(|v| v.to_le_bytes()));
    out
}

/// Link message up to its target: version 1; type, creation order and character set are given.
fn link_prefix(name: &str, order: usize, link_type: u8) -> Vec<u8> {
    let mut body = vec![1, 0x1D, link_type];
    body.extend((order as u64).to_le_bytes());
    body.push(1);
    body.extend((name.len() as u16).to_le_bytes());
    body.extend(name.as_bytes());
    body
}

/// The first bytes of the file.
pub fn superblock(root: u64, end_of_file: u64) -> Vec<u8> {
    let mut out = b"\x89HDF\r\n\x1a\n".to_vec();
    // versions of superblock, free space, root group, shared headers; 8-byte addresses and lengths
    out.extend([0, 0, 0, 0, 0, 8, 8, 0]);
    // nodes of group trees (unused), consistency flags
    out.extend([4, 0, 16, 0, 0, 0, 0, 0]);
    for address in [0, UNDEFINED, end_of_file, UNDEFINED, 0, root] {
        out.extend(address.to_le_bytes());
    }
    out.resize(SUPERBLOCK_SIZE as usize, 0);
    out
}
