//! A file written at once: groups, contiguous arrays, attributes.
//!
//! ```
//! use voussoir_hdf5::foreign::Foreign;
//! use voussoir_hdf5::whole::{Values, WholeFile};
//!
//! let mut file = WholeFile::default();
//! file.dataset("problem/q", Values::Floats(&[1.0, 2.5]));
//! file.attribute("problem", "step", Values::Integer(7));
//! let bytes = file.encode();
//! let read = Foreign::open(&bytes).unwrap();
//! assert_eq!(read.floats("problem/q").unwrap(), [1.0, 2.5]);
//! assert_eq!(read.attribute_floats("problem", "step").unwrap(), Some(vec![7.0]));
//! ```

use crate::message::{Header, SUPERBLOCK_SIZE, Type, UNDEFINED, superblock};

/// Bytes of the longest text: an attribute lives in a header, whose messages end at 64 kB.
const LONGEST_TEXT: usize = 16_000;

/// Values of an array or an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// A list of 32-bit integers.
    Integers(&'a [i32]),
    /// One integer, kept with 64 bits and without extents.
    Integer(i64),
    /// A list of numbers.
    Floats(&'a [f64]),
    /// One number, without extents.
    Float(f64),
    /// A text; it ends with a zero, for programs in C.
    Text(&'a str),
}

/// Type, extents and bytes.
#[derive(Clone, Debug)]
struct Data {
    element: Type,
    shape: Vec<u64>,
    bytes: Vec<u8>,
}

impl From<Values<'_>> for Data {
    fn from(values: Values<'_>) -> Self {
        match values {
            Values::Integers(list) => Self {
                element: Type::I32,
                shape: vec![list.len() as u64],
                bytes: list.iter().flat_map(|v| v.to_le_bytes()).collect(),
            },
            Values::Integer(value) => {
                Self { element: Type::I64, shape: Vec::new(), bytes: value.to_le_bytes().to_vec() }
            }
            Values::Floats(list) => Self {
                element: Type::F64,
                shape: vec![list.len() as u64],
                bytes: list.iter().flat_map(|v| v.to_le_bytes()).collect(),
            },
            Values::Float(value) => Self { element: Type::F64, shape: Vec::new(), bytes: value.to_le_bytes().to_vec() },
            Values::Text(text) => {
                let mut end = text.len().min(LONGEST_TEXT);
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                let mut bytes = text.as_bytes()[..end].to_vec();
                let kind = if bytes.is_ascii() { Type::Ascii } else { Type::Text };
                bytes.push(0);
                Self { element: kind(bytes.len() as u32), shape: Vec::new(), bytes }
            }
        }
    }
}

/// A group, or an array where there is data.
#[derive(Clone, Debug, Default)]
struct Node {
    name: String,
    attributes: Vec<(String, Data)>,
    children: Vec<usize>,
    data: Option<Data>,
}

/// A file under construction.
#[derive(Clone, Debug)]
pub struct WholeFile {
    /// The first is the group `/`.
    nodes: Vec<Node>,
}

impl Default for WholeFile {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

impl WholeFile {
    /// Adds an array, and the groups on the way to it.
    pub fn dataset(&mut self, path: &str, values: Values<'_>) {
        let node = self.node(path);
        self.nodes[node].data = Some(values.into());
    }

    /// Adds an attribute to a group or an array; a missing object becomes a group.
    pub fn attribute(&mut self, path: &str, name: &str, value: Values<'_>) {
        let node = self.node(path);
        self.nodes[node].attributes.push((name.to_owned(), value.into()));
    }

    /// The node at a path; it is created if necessary.
    fn node(&mut self, path: &str) -> usize {
        let mut at = 0;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let found = self.nodes[at].children.iter().copied().find(|&child| self.nodes[child].name == name);
            at = found.unwrap_or_else(|| {
                let child = self.nodes.len();
                self.nodes.push(Node { name: name.to_owned(), ..Node::default() });
                self.nodes[at].children.push(child);
                child
            });
        }
        at
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        // sizes of headers do not depend on addresses: zeros give the places of all headers, and data lies behind
        let mut end = SUPERBLOCK_SIZE;
        let zeros = vec![0; self.nodes.len()];
        let mut header_at = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            header_at.push(end);
            end += self.header(node, &zeros, 0).size();
        }
        let mut data_at = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            data_at.push(end);
            end += node.data.as_ref().map_or(0, |data| data.bytes.len() as u64).next_multiple_of(8);
        }
        let mut out = superblock(header_at[0], end);
        for (node, &at) in self.nodes.iter().zip(&data_at) {
            out.extend(self.header(node, &header_at, at).encode(1));
        }
        for data in self.nodes.iter().filter_map(|node| node.data.as_ref()) {
            out.extend(&data.bytes);
            out.resize(out.len().next_multiple_of(8), 0);
        }
        out
    }

    fn header(&self, node: &Node, header_at: &[u64], data_at: u64) -> Header {
        let mut header = Header::default();
        match &node.data {
            Some(data) => {
                let address = if data.bytes.is_empty() { UNDEFINED } else { data_at };
                header.fixed_dataset(data.element, &data.shape, address, data.bytes.len() as u64);
            }
            None => header.group(node.children.len()),
        }
        for (name, data) in &node.attributes {
            header.attribute(name, data.element, &data.shape, &data.bytes);
        }
        if node.data.is_none() {
            for (order, &child) in node.children.iter().enumerate() {
                header.hard_link(&self.nodes[child].name, order, header_at[child]);
            }
        }
        header
    }
}
