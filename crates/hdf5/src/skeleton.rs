//! Groups, attributes, links and empty datasets of a new file, written once.

use std::io;

use super::message::{Header, SUPERBLOCK_SIZE, Type, superblock};
use super::storage::Storage;
use super::tree::ChunkTree;
use super::writer::{DatasetId, Growing, Writer};

/// Identifies a group of a [`Skeleton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupId(usize);

/// Properties of a dataset.
#[derive(Clone, Debug)]
pub struct DatasetSpec {
    /// Type of the elements.
    pub element: Type,
    /// Extents after the first, which grows.
    pub tail: Vec<u64>,
    /// Extents of a chunk, as many as the dataset has.
    pub chunk: Vec<u64>,
    /// Compressed in whole chunks, in each of which the first bytes of all units of this many bytes come first, then
    /// the second ones, …; `None` grows row by row. A unit of a whole row keeps its columns apart.
    pub shuffle: Option<u32>,
    /// The second extent of a dataset of rank 3 grows too ([`Writer::widen`]).
    pub widening: bool,
}

#[derive(Clone, Debug)]
enum Target {
    Group(GroupId),
    Dataset(DatasetId),
    Path(String),
}

#[derive(Clone, Debug)]
struct Attribute {
    name: String,
    element: Type,
    shape: Vec<u64>,
    data: Vec<u8>,
    counter: bool,
}

#[derive(Clone, Debug, Default)]
struct Group {
    attributes: Vec<Attribute>,
    links: Vec<(String, Target)>,
}

/// A file under construction.
#[derive(Clone, Debug)]
pub struct Skeleton {
    groups: Vec<Group>,
    datasets: Vec<DatasetSpec>,
}

impl Default for Skeleton {
    fn default() -> Self {
        Self { groups: vec![Group::default()], datasets: Vec::new() }
    }
}

impl Skeleton {
    /// The group `/`.
    pub const ROOT: GroupId = GroupId(0);

    /// A new group inside another.
    pub fn group(&mut self, parent: GroupId, name: &str) -> GroupId {
        let id = GroupId(self.groups.len());
        self.groups.push(Group::default());
        self.groups[parent.0].links.push((name.to_owned(), Target::Group(id)));
        id
    }

    /// The group of a name inside another; it is created if it does not exist.
    pub fn subgroup(&mut self, parent: GroupId, name: &str) -> GroupId {
        let known = self.groups[parent.0].links.iter().find_map(|(link, target)| match target {
            Target::Group(id) if link == name => Some(*id),
            _ => None,
        });
        known.unwrap_or_else(|| self.group(parent, name))
    }

    /// A new dataset, which has no name before it is linked.
    pub fn dataset(&mut self, spec: DatasetSpec) -> DatasetId {
        self.datasets.push(spec);
        DatasetId(self.datasets.len() - 1)
    }

    /// A name for a dataset; it may have many.
    pub fn link(&mut self, group: GroupId, name: &str, dataset: DatasetId) {
        self.groups[group.0].links.push((name.to_owned(), Target::Dataset(dataset)));
    }

    /// Another name for a group.
    pub fn link_group(&mut self, group: GroupId, name: &str, target: GroupId) {
        self.groups[group.0].links.push((name.to_owned(), Target::Group(target)));
    }

    /// A name for a path.
    pub fn soft_link(&mut self, group: GroupId, name: &str, path: &str) {
        self.groups[group.0].links.push((name.to_owned(), Target::Path(path.to_owned())));
    }

    /// One integer.
    pub fn integer(&mut self, group: GroupId, name: &str, value: i64) {
        self.attribute(group, name, Type::I64, &[], value.to_le_bytes().to_vec());
    }

    /// A list of integers.
    pub fn integers(&mut self, group: GroupId, name: &str, values: &[i64]) {
        let data = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.attribute(group, name, Type::I64, &[values.len() as u64], data);
    }

    /// A text.
    pub fn text(&mut self, group: GroupId, name: &str, text: &str) {
        // an attribute lives in a header, whose messages end at 64 kB
        let mut end = text.len().min(16_000);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut data = text.as_bytes()[..end].to_vec();
        if data.is_empty() {
            data.push(0);
        }
        let kind = if data.is_ascii() { Type::Ascii } else { Type::Text };
        self.attribute(group, name, kind(data.len() as u32), &[], data);
    }

    /// One integer that counts complete frames.
    pub fn counter(&mut self, group: GroupId, name: &str) {
        self.integer(group, name, 0);
        if let Some(attribute) = self.groups[group.0].attributes.last_mut() {
            attribute.counter = true;
        }
    }

    fn attribute(&mut self, group: GroupId, name: &str, element: Type, shape: &[u64], data: Vec<u8>) {
        let attribute = Attribute { name: name.to_owned(), element, shape: shape.to_vec(), data, counter: false };
        self.groups[group.0].attributes.push(attribute);
    }

    /// Writes the file and returns the writer that extends it.
    pub fn write(&self, storage: &mut impl Storage) -> io::Result<Writer> {
        // sizes do not depend on addresses, so that a first pass with zeros gives the places of all headers;
        // groups with counters go first, side by side
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|&group| !self.groups[group].attributes.iter().any(|attribute| attribute.counter));
        let mut end = SUPERBLOCK_SIZE;
        let mut group_at = vec![0; self.groups.len()];
        for &group in &order {
            group_at[group] = end;
            end += self.group_header(group, &group_at, &vec![0; self.datasets.len()]).0.size();
        }
        let mut dataset_at = Vec::with_capacity(self.datasets.len());
        for spec in &self.datasets {
            dataset_at.push(end);
            end += dataset_header(spec).0.size();
        }

        // the second pass writes
        let mut counters = Vec::new();
        for &group in &order {
            let (header, counter) = self.group_header(group, &group_at, &dataset_at);
            counters.extend(counter.map(|at| group_at[group] + at as u64));
            storage.write_at(group_at[group], &header.encode(self.group_references(group)))?;
        }
        let mut datasets = Vec::with_capacity(self.datasets.len());
        for (index, spec) in self.datasets.iter().enumerate() {
            let (header, extent, root) = dataset_header(spec);
            storage.write_at(dataset_at[index], &header.encode(self.references(index)))?;
            datasets.push(Growing {
                header_at: dataset_at[index],
                extent_at: dataset_at[index] + extent as u64,
                root_at: dataset_at[index] + root as u64,
                chunk: spec.chunk.clone(),
                element: spec.element.size() as usize,
                unit: spec.shuffle.map(|unit| unit as usize),
                rows: 0,
                tree: ChunkTree::new(spec.chunk.len(), spec.chunk[0]),
                width: spec.tail.first().copied().filter(|_| spec.widening),
                tail: None,
                tail_sum: 0,
                last: Vec::new(),
                last_sums: Vec::new(),
                last_bytes: Vec::new(),
            });
        }
        storage.write_at(0, &superblock(group_at[0], end))?;
        let writer = Writer { datasets, counters, end, pieces: Vec::new(), widths: Vec::new() };
        writer.note_header(storage)?;
        Ok(writer)
    }

    /// Header of a group, and where its counter stands.
    fn group_header(&self, group: usize, group_at: &[u64], dataset_at: &[u64]) -> (Header, Option<usize>) {
        let Group { attributes, links } = &self.groups[group];
        let mut header = Header::default();
        header.group(links.len());
        let mut counter = None;
        for Attribute { name, element, shape, data, counter: counts } in attributes {
            let at = header.attribute(name, *element, shape, data);
            if *counts {
                counter = Some(at);
            }
        }
        for (order, (name, target)) in links.iter().enumerate() {
            match target {
                Target::Group(id) => header.hard_link(name, order, group_at[id.0]),
                Target::Dataset(id) => header.hard_link(name, order, dataset_at[id.0]),
                Target::Path(path) => header.soft_link(name, order, path),
            }
        }
        (header, counter)
    }

    /// Hard links to a group; the root group has one that is not written.
    fn group_references(&self, group: usize) -> u32 {
        let links = self.groups.iter().flat_map(|group| &group.links);
        let count = links.filter(|(_, target)| matches!(target, Target::Group(id) if id.0 == group)).count() as u32;
        count + u32::from(group == Self::ROOT.0)
    }

    fn references(&self, dataset: usize) -> u32 {
        let links = self.groups.iter().flat_map(|group| &group.links);
        links.filter(|(_, target)| matches!(target, Target::Dataset(id) if id.0 == dataset)).count() as u32
    }
}

fn dataset_header(spec: &DatasetSpec) -> (Header, usize, usize) {
    let mut header = Header::default();
    let (extent, root) = header.dataset(spec.element, &spec.tail, &spec.chunk, spec.shuffle, spec.widening);
    (header, extent, root)
}
