//! Surfaces of a drawing or mesh become the blocks of a scene: scaled, put upright, repaired, written as OBJ.
//!
//! A surface that cannot become a block is omitted and reported; a source without any valid block is an error.

use std::path::Path;

use voussoir_geometry::D3;
use voussoir_geometry::glam::DVec3;

use super::geometry::{self, Block, Repairs};
use super::mend::mend;
use super::{ImportError, ImportOptions, Imported, Notes};
use crate::build::survey;
use crate::scene::bodies::{BodyKeys, BodySpec, FormSpec, Ground, MeshFile, ShapeSpec};
use crate::scene::stages::StageSpec;
use crate::scene::{JointSpec, MaterialSpec, Scene};

/// Largest number of omitted blocks that are listed by name.
const MOST_NAMED: usize = 20;
/// Smallest and largest plausible size of a block [m]; others are probably in another unit.
const LIKELY_SIZES: [f64; 2] = [2e-3, 50.0];
/// Name of the material of a drawing.
const STONE: &str = "stone";

/// A surface of a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceSurface {
    /// Name in the source; may be empty.
    pub name: String,
    /// Layers or groups that it belongs to.
    pub tags: Vec<String>,
    /// Corners, in units of the source.
    pub vertices: Vec<DVec3>,
    /// Faces as indices of corners.
    pub faces: Vec<Vec<u32>>,
}

/// Writes the scene of some pieces; `unit` are metres per unit of the source.
pub(super) fn scene(
    source: &Path,
    pieces: Vec<SourceSurface>,
    unit: f64,
    options: &ImportOptions,
    mut notes: Notes,
) -> Result<Imported, ImportError> {
    let scale = unit * options.scale;
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(
            ImportError::new(source, 0, format!("invalid scale {scale}")).with_help("--scale is a positive number")
        );
    }
    let turned = |v: &DVec3| options.up.turn(*v) * scale;
    let first = pieces.iter().find_map(|piece| piece.vertices.first());
    let origin = first.map_or(DVec3::ZERO, |v| survey::anchor::<D3>(&turned(v).to_array()).with_z(0.0));
    if origin != DVec3::ZERO {
        notes.changed(format!(
            "the source is in survey coordinates; meshes are measured from x = {}, y = {} m, the position of the bodies",
            origin.x, origin.y
        ));
    }
    let groups = sound_blocks(source, pieces, &|v| turned(v) - origin, &mut notes)?;
    let blocks = || groups.iter().flat_map(|group| &group.blocks);
    let lowest = blocks().flat_map(|block| &block.vertices).map(|v| v.z).fold(f64::INFINITY, f64::min);
    likely_sizes(blocks(), &mut notes);

    let mut bodies = Vec::new();
    let mut files: Vec<(String, String)> = Vec::new();
    let mut names: Vec<String> = vec!["ground".to_owned()];
    for group in &groups {
        let name = unused(&group.name(), &mut names);
        let mesh =
            if groups.len() == 1 { format!("{}.obj", options.name) } else { format!("{}-{name}.obj", options.name) };
        files.push((mesh.clone(), geometry::obj(&group.blocks)));
        let common = BodyKeys {
            name,
            material: STONE.to_owned(),
            tags: group.tags.clone(),
            position: (origin != DVec3::ZERO).then(|| origin.to_array().to_vec()),
            ..BodyKeys::default()
        };
        bodies.push(BodySpec { common, form: FormSpec::Mesh(MeshFile { mesh, scale: None, inset: None }) });
    }
    if options.ground {
        let common = BodyKeys {
            name: "ground".to_owned(),
            material: STONE.to_owned(),
            position: (lowest != 0.0 || origin != DVec3::ZERO).then(|| vec![origin.x, origin.y, lowest]),
            ..BodyKeys::default()
        };
        bodies.push(BodySpec { common, form: FormSpec::Shaped(ShapeSpec::Ground(Ground {})) });
        notes.changed(format!(
            "a ground plane was added under the lowest point, at z = {lowest} m; --no-ground omits it"
        ));
    }
    let ImportOptions { density, friction, step, duration, .. } = *options;
    notes.changed(format!("the source has no materials; density {density} kg/m³ and friction {friction} are assumed"));
    notes.changed(
        "allow_overlap = true was written: blocks that overlap by more than 1e-3 of the smaller one are accepted; without \
         the key they are an error"
            .to_owned(),
    );
    let joint = JointSpec::coulomb([STONE.to_owned(), STONE.to_owned()], friction);
    let stage = StageSpec::dynamic(duration, step);
    let scene = Scene {
        title: options.name.clone(),
        allow_overlap: true,
        materials: [(STONE.to_owned(), MaterialSpec::of_density(density))].into(),
        joints: vec![joint],
        bodies,
        stages: vec![stage],
        ..Scene::default()
    };
    Ok(Imported { scene, files, notes: notes.0 })
}

/// Blocks with the same tags: one entry of the scene.
struct Group {
    tags: Vec<String>,
    blocks: Vec<Block>,
}

impl Group {
    /// Name of the entry, before names are made unique.
    fn name(&self) -> String {
        let name = self.tags.join("-");
        let word: String =
            name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).take(60).collect();
        if word.is_empty() { "blocks".to_owned() } else { word }
    }
}

/// A unique name, ignoring case, because it is also the name of a file.
fn unused(name: &str, taken: &mut Vec<String>) -> String {
    let mut name = name.to_owned();
    while taken.contains(&name.to_lowercase()) {
        name.push('_');
    }
    taken.push(name.to_lowercase());
    name
}

/// Checks and repairs all pieces, in groups by their tags; `placed` gives their corners in metres, z up.
fn sound_blocks(
    source: &Path,
    pieces: Vec<SourceSurface>,
    placed: &dyn Fn(&DVec3) -> DVec3,
    notes: &mut Notes,
) -> Result<Vec<Group>, ImportError> {
    let mut groups: Vec<Group> = Vec::new();
    let mut repairs = Repairs::default();
    let (mut lost, mut first_loss) = (0, None);
    let count = pieces.len();
    for (i, piece) in pieces.into_iter().enumerate() {
        let name = if piece.name.is_empty() { format!("block{}", i + 1) } else { one_line(&piece.name) };
        let vertices: Vec<DVec3> = piece.vertices.iter().map(placed).collect();
        let mended = mend(&name, vertices, piece.faces, &mut repairs);
        let made = geometry::block(name.clone(), mended.0, mended.1, &mut repairs);
        match made {
            Ok(block) => match groups.iter_mut().find(|group| group.tags == piece.tags) {
                Some(group) => group.blocks.push(block),
                None => groups.push(Group { tags: piece.tags, blocks: vec![block] }),
            },
            Err(error) => {
                lost += 1;
                let reason = format!("{name}: {error}");
                if lost <= MOST_NAMED {
                    notes.dropped(reason.clone());
                }
                first_loss.get_or_insert(reason);
            }
        }
    }
    if lost > MOST_NAMED {
        notes.dropped(format!("{} more invalid blocks", lost - MOST_NAMED));
    }
    if groups.is_empty() {
        let (message, help) = match first_loss {
            Some(reason) if count == 1 => (format!("its only block cannot be used: {reason}"), "close the surface"),
            Some(reason) => {
                (format!("none of its {count} blocks can be used; {reason}"), "close the surfaces of the blocks")
            }
            None => ("the file has no surfaces of blocks".to_owned(), "draw blocks as closed surfaces"),
        };
        return Err(ImportError::new(source, 0, message).with_help(help));
    }
    repairs.tell(notes);
    Ok(groups)
}

/// A name that fits into a line of an OBJ file.
fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_").chars().take(100).collect()
}

/// Warns about implausibly large or small blocks, which are probably in another unit.
fn likely_sizes<'a>(blocks: impl Iterator<Item = &'a Block>, notes: &mut Notes) {
    let mut sizes: Vec<f64> = blocks
        .map(|block| {
            let points = || block.vertices.iter().copied();
            (points().fold(DVec3::NEG_INFINITY, DVec3::max) - points().fold(DVec3::INFINITY, DVec3::min)).length()
        })
        .collect();
    sizes.sort_by(f64::total_cmp);
    let median = sizes[sizes.len() / 2];
    if median > LIKELY_SIZES[1] {
        notes.changed(format!("the median block size is {median:.4e} m; if the source is in mm, use --unit mm"));
    } else if median < LIKELY_SIZES[0] {
        notes.changed(format!("the median block size is {median:.4e} m; check the unit (--unit m)"));
    }
}
