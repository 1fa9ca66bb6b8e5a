//! The sections of a file, in the versions 2.2 and 4.1, text and binary.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use voussoir_geometry::glam::DVec3;

use super::elements::kind;
use super::tokens::Tokens;
use crate::import::ImportError;
use crate::mesh::MOST_ELEMENTS;

/// Dimension and tag of a geometrical entity.
pub(super) type GmshEntity = (u8, i64);

/// An element of a file.
#[derive(Debug)]
pub struct GmshElement {
    /// Number of its type.
    pub number: i64,
    /// All nodes, corners first.
    pub nodes: Vec<u64>,
    /// Number of corners.
    corners: usize,
}

impl GmshElement {
    /// The nodes at its corners.
    pub fn corners(&self) -> Vec<u64> {
        self.nodes[..self.corners].to_vec()
    }
}

/// Content of a file.
#[derive(Debug, Default)]
pub struct File {
    pub nodes: HashMap<u64, DVec3>,
    /// Surfaces and volumes by their entity.
    pub elements: BTreeMap<GmshEntity, Vec<GmshElement>>,
    /// Physical groups of the entities.
    pub groups: BTreeMap<GmshEntity, BTreeSet<i64>>,
    /// Names of physical groups by dimension and number.
    pub names: BTreeMap<(u8, i64), String>,
    /// Surfaces around each volume (4.1).
    pub around: BTreeMap<i64, Vec<i64>>,
    /// Skipped sections.
    pub passed: BTreeSet<String>,
    count: usize,
}

/// Reads a file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<File, ImportError> {
    let mut tokens = Tokens::new(path, bytes);
    let mut file = File::default();
    let mut version = None;
    while let Some(line) = tokens.line() {
        let Some(name) = line.strip_prefix('$') else { continue };
        match (name, version) {
            ("MeshFormat", _) => version = Some(format(&mut tokens)?),
            ("Comments", _) => tokens.skip_section(name)?,
            (_, None) => {
                return Err(tokens.error(format!("${name} comes before $MeshFormat")));
            }
            ("PhysicalNames", _) => {
                file.physical_names(&mut tokens)?;
            }
            ("Entities", Some(4)) => {
                file.entities(&mut tokens)?;
                tokens.end_section(name)?;
            }
            ("Nodes", Some(4)) => {
                file.nodes_4(&mut tokens)?;
                tokens.end_section(name)?;
            }
            ("Elements", Some(4)) => {
                file.elements_4(&mut tokens)?;
                tokens.end_section(name)?;
            }
            ("Nodes", _) => {
                file.nodes_2(&mut tokens)?;
                tokens.end_section(name)?;
            }
            ("Elements", _) => {
                file.elements_2(&mut tokens)?;
                tokens.end_section(name)?;
            }
            _ => {
                file.passed.insert(name.chars().take(40).collect());
                tokens.skip_section(name)?;
            }
        }
    }
    if version.is_none() {
        return Err(
            ImportError::new(path, 0, "the file has no $MeshFormat").with_help("check that the file is a Gmsh mesh")
        );
    }
    Ok(file)
}

/// The major version, and the encoding of numbers.
fn format(tokens: &mut Tokens<'_>) -> Result<u8, ImportError> {
    let version = tokens.real()?;
    let (kind, size) = (tokens.int()?, tokens.int()?);
    tokens.rest_of_line();
    let major = match version {
        2.0..3.0 => 2,
        4.1 => 4,
        _ => {
            return Err(tokens
                .error(format!("version {version} of the Gmsh format is not supported"))
                .with_help("supported: 2.2 and 4.1; in Gmsh: Save As, Version 4 or 2"));
        }
    };
    if kind == 1 {
        if size != 8 {
            return Err(tokens.error(format!("numbers of {size} bytes; expected 8")));
        }
        tokens.binary = true;
        tokens.swapped = false;
        if tokens.int()? != 1 {
            tokens.swapped = true;
        }
    }
    tokens.end_section("MeshFormat")?;
    Ok(major)
}

impl File {
    /// Always text.
    fn physical_names(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ImportError> {
        loop {
            let Some(line) = tokens.line() else { return Err(tokens.cut_off("$PhysicalNames")) };
            if line == "$EndPhysicalNames" {
                return Ok(());
            }
            let mut words = line.splitn(3, char::is_whitespace);
            let numbers = (words.next().map(str::parse::<u8>), words.next().map(str::parse::<i64>));
            if let ((Some(Ok(dimension)), Some(Ok(number))), Some(name)) = (numbers, words.next()) {
                let name: String = name.trim().trim_matches('"').chars().take(200).collect();
                self.names.insert((dimension, number), name);
            }
        }
    }

    fn entities(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ImportError> {
        let counts = [tokens.size()?, tokens.size()?, tokens.size()?, tokens.size()?];
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let tag = tokens.int()?;
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    tokens.real()?;
                }
                let entity = (dimension as u8, tag);
                for _ in 0..tokens.size()? {
                    let group = tokens.int()?;
                    self.groups.entry(entity).or_default().insert(group.abs());
                }
                if dimension > 0 {
                    let mut around = Vec::new();
                    for _ in 0..tokens.size()? {
                        around.push(tokens.int()?.abs());
                    }
                    if dimension == 3 {
                        self.around.insert(tag, around);
                    }
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, tokens: &Tokens<'_>, tag: u64, at: DVec3) -> Result<(), ImportError> {
        if self.nodes.len() >= MOST_ELEMENTS {
            return Err(tokens.error(format!("more than {MOST_ELEMENTS} nodes")));
        }
        self.nodes.insert(tag, at);
        Ok(())
    }

    fn nodes_4(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ImportError> {
        let blocks = tokens.size()?;
        for _ in 0..3 {
            tokens.size()?;
        }
        for _ in 0..blocks {
            let dimension = tokens.int()?;
            tokens.int()?;
            let parametric = tokens.int()? != 0;
            let count = tokens.size()?;
            if count > tokens.left() as u64 {
                return Err(tokens.error(format!("{count} nodes are announced; the file is too short for them")));
            }
            let tags: Vec<u64> = (0..count).map(|_| tokens.size()).collect::<Result<_, _>>()?;
            for tag in tags {
                let at = DVec3::new(tokens.real()?, tokens.real()?, tokens.real()?);
                for _ in 0..if parametric { dimension.clamp(0, 3) } else { 0 } {
                    tokens.real()?;
                }
                self.node(tokens, tag, at)?;
            }
        }
        Ok(())
    }

    fn elements_4(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ImportError> {
        let blocks = tokens.size()?;
        for _ in 0..3 {
            tokens.size()?;
        }
        for _ in 0..blocks {
            let (dimension, tag, number) = (tokens.int()?, tokens.int()?, tokens.int()?);
            let count = tokens.size()?;
            let kind = kind(number).ok_or_else(|| unknown(tokens, number))?;
            if i64::from(kind.dimension) != dimension {
                return Err(tokens.error(format!("elements of type {number} in an entity of dimension {dimension}")));
            }
            for _ in 0..count {
                tokens.size()?;
                let nodes = (0..kind.nodes).map(|_| tokens.size()).collect::<Result<_, _>>()?;
                let element = GmshElement { number, nodes, corners: kind.corners };
                self.element(tokens, (kind.dimension, tag), element)?;
            }
        }
        Ok(())
    }

    /// Keeps surfaces and volumes.
    fn element(&mut self, tokens: &Tokens<'_>, entity: GmshEntity, element: GmshElement) -> Result<(), ImportError> {
        if entity.0 < 2 {
            return Ok(());
        }
        if self.count >= MOST_ELEMENTS {
            return Err(tokens.error(format!("more than {MOST_ELEMENTS} elements")));
        }
        if let Some(missing) = element.nodes.iter().find(|node| !self.nodes.contains_key(node)) {
            return Err(tokens.error(format!("an element refers to node {missing}, which is not in the file")));
        }
        self.count += 1;
        self.elements.entry(entity).or_default().push(element);
        Ok(())
    }

    fn nodes_2(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ImportError> {
        let count = text_count(tokens)?;
        for _ in 0..count {
            let tag = node_tag(tokens)?;
            let at = DVec3::new(tokens.real()?, tokens.real()?, tokens.real()?);
            tokens.rest_of_line();
            self.node(tokens, tag, at)?;
        }
        Ok(())
    }

    fn elements_2(&mut self, tokens: &mut Tokens<'_>) -> Result<(), ImportError> {
        let count = text_count(tokens)?;
        let mut done = 0;
        while done < count {
            // in binary several elements follow one head
            let (number, follow, tags);
            if tokens.binary {
                (number, follow, tags) = (tokens.int()?, tokens.int()?, tokens.int()?);
            } else {
                tokens.int()?;
                (number, follow, tags) = (tokens.int()?, 1, tokens.int()?);
            }
            if follow < 1 || !(0..=1000).contains(&tags) {
                return Err(tokens.error(format!("{follow} elements with {tags} tags each")));
            }
            let kind = kind(number).ok_or_else(|| unknown(tokens, number))?;
            for _ in 0..follow {
                if tokens.binary {
                    tokens.int()?;
                }
                let mut own = [0; 2];
                for i in 0..tags {
                    let tag = tokens.int()?;
                    if let Some(place) = own.get_mut(i as usize) {
                        *place = tag;
                    }
                }
                let nodes = (0..kind.nodes).map(|_| node_tag(tokens)).collect::<Result<_, _>>()?;
                let entity = (kind.dimension, own[1].abs());
                if own[0] != 0 && kind.dimension >= 2 {
                    self.groups.entry(entity).or_default().insert(own[0].abs());
                }
                self.element(tokens, entity, GmshElement { number, nodes, corners: kind.corners })?;
                done += 1;
            }
            tokens.rest_of_line();
        }
        Ok(())
    }
}

/// The number of items in a section of version 2: text even if the items are binary.
fn text_count(tokens: &mut Tokens<'_>) -> Result<u64, ImportError> {
    let line = tokens.line().unwrap_or_default();
    line.parse().map_err(|_| {
        let short: String = line.chars().take(40).collect();
        tokens.error(format!("{short:?} is not a number of things"))
    })
}

/// The number of a node in version 2.
fn node_tag(tokens: &mut Tokens<'_>) -> Result<u64, ImportError> {
    let tag = tokens.int()?;
    u64::try_from(tag).map_err(|_| tokens.error(format!("a node has the number {tag}")))
}

fn unknown(tokens: &Tokens<'_>, number: i64) -> ImportError {
    tokens
        .error(format!("elements of type {number} are not known"))
        .with_help("triangles, quadrilaterals, tetrahedra, hexahedra, prisms and pyramids are read")
}
