//! COMPAS: models of `compas_dem`, `compas_assembly` and `compas_cra` in JSON.
//!
//! Every object of COMPAS 2 is `{"dtype": "package.module/Class", "data": {…}, "guid": …, "name": …}`. Forms that are
//! read, newest first: `Analysis` (model and problems), `Problem` (with its model inside, or beside it in a second
//! file), `BlockModel`, `Assembly` and `CRA_Assembly`, `Mesh`, lists of meshes; `{graph, attributes}` and networks of
//! COMPAS 1, `{datatype, data}` (0.16), `{assembly, blocks}` (2018).
//!
//! | module | content |
//! |---|---|
//! | [`value`] | objects, numbers and points in JSON |
//! | [`mesh`] | meshes: corners, faces with their keys |
//! | [`document`] | all forms to one list of blocks with materials and one problem |
//! | [`problem`] | loads, prescribed displacements, contact law |
//! | [`scene`] | the scene |
//! | [`unused`] | content of the file that the scene does not use |
//!
//! Blocks have the names of the source; a name that several blocks share gets the number of the node in the graph, by
//! which problems name blocks: `Block-12`. [`names`] gives the same names to the export.

pub mod document;
mod mesh;
mod problem;
mod scene;
mod unused;
mod value;

use std::path::Path;

use serde_json::Value;

use super::{ImportError, ImportOptions, Imported};
pub use document::{CompasBlock, CompasDocument};

/// Reads a COMPAS file.
pub(super) fn import(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| ImportError::new(path, 0, format!("cannot be read: {error}")))?;
    let model = match &options.model {
        Some(model) => Some((model.as_path(), parse(model, &read(model)?)?)),
        None => None,
    };
    let supports = match options.supports.as_deref() {
        Some(list) if list.ends_with(".json") => Some(parse(Path::new(list), &read(Path::new(list))?)?),
        _ => None,
    };
    let root = parse(path, &text)?;
    let beside = model.as_ref().map(|(path, value)| (*path, value));
    let mut document = document::CompasDocument::read(path, &root, beside)?;
    unused::tell(beside.map_or(&root, |(_, model)| model), &mut document.notes);
    // the file with the model is kept with the scene; a problem from a second file is kept beside the model
    let kept = match &model {
        Some((path, value)) => document::bundle(value, &root, &read(path)?),
        None => text,
    };
    scene::scene(path, document, kept, supports.as_ref(), options)
}

fn read(path: &Path) -> Result<String, ImportError> {
    std::fs::read_to_string(path).map_err(|error| ImportError::new(path, 0, format!("cannot be read: {error}")))
}

fn parse(path: &Path, text: &str) -> Result<Value, ImportError> {
    serde_json::from_str(text).map_err(|error| ImportError::new(path, error.line(), format!("not JSON: {error}")))
}

/// Names of blocks in scenes, in the order of the blocks.
pub fn names(blocks: &[CompasBlock]) -> Vec<String> {
    let plain = |block: &CompasBlock| {
        let word = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let name: String = block.name.chars().map(word).take(100).collect();
        if name.is_empty() { "block".to_owned() } else { name }
    };
    let plain: Vec<String> = blocks.iter().map(plain).collect();
    let mut counts = std::collections::HashMap::new();
    plain.iter().for_each(|name| *counts.entry(name.as_str()).or_insert(0) += 1);
    let mut taken = std::collections::HashSet::new();
    let name = |(name, block): (&String, &CompasBlock)| {
        let shared = counts[name.as_str()] > 1 || block.name.is_empty();
        let mut unique = if shared { format!("{name}-{}", block.node) } else { name.clone() };
        while !taken.insert(unique.clone()) {
            unique.push('_');
        }
        unique
    };
    plain.iter().zip(blocks).map(name).collect()
}
