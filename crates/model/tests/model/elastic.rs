//! Elastic blocks of scenes: materials, glue, meshes of Gmsh, and messages for invalid input.

use std::path::Path;

use voussoir_mechanics::elastic::ElasticPart;
use voussoir_model::{AnyModel, Built, Scene, build};

fn built_in(base: &Path, text: &str) -> Result<Built, String> {
    let scene = Scene::parse(text, "stones.toml").map_err(|error| error.to_string())?;
    build(&scene, base).map_err(|error| error.to_string())
}

fn built(text: &str) -> Result<Built, String> {
    built_in(Path::new("."), text)
}

/// Two boxes of 1 m on each other with these keys of their material, and more tables.
fn stacked(material: &str, more: &str) -> String {
    format!(
        "materials.ground.density = 2000.0\n{more}\n\
         [materials.stone]\ndensity = 2400.0\n{material}\n\
         [[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
         [[bodies]]\nname = \"floor\"\nshape = \"ground\"\nmaterial = \"ground\"\n\
         [[bodies]]\nname = \"lower\"\nshape = \"box\"\nsize = 1.0\nposition = [0.0, 0.0, 0.5]\nmaterial = \"stone\"\n\
         [[bodies]]\nname = \"upper\"\nshape = \"box\"\nsize = 1.0\nposition = [0.0, 0.0, 1.5]\nmaterial = \"stone\"\n\
         [[stages]]\nanalysis = \"dynamic\"\nduration = 0.01\nstep = 1e-3\n"
    )
}

fn parts(built: &Built) -> Vec<Option<ElasticPart>> {
    match &built.model {
        AnyModel::Three(model) => model.elastic.clone(),
        AnyModel::Two(model) => model.elastic.clone(),
    }
}

#[test]
fn a_material_can_be_elastic() {
    let all = built(&stacked("elastic = true\nyoung_modulus = 20e9\ntensile_strength = 2e6", "")).unwrap();
    let found = parts(&all);
    assert!(found[0].is_none() && found[1].is_some() && found[2].is_some());
    // equal blocks share one mesh, and know the strengths of their material
    assert_eq!((all.elastic.blocks, all.elastic.meshes), (2, 1));
    assert_eq!(found[1].as_ref().unwrap().strengths, [Some(2e6), None]);
    // constants of the library; a table for a selection says more about its blocks
    let finer = "elastic = [{ select = \"upper\", elements = 5 }]\n";
    let mixed = built(&stacked("elastic = true\nlike = \"tuffeau-dry\"", finer)).unwrap();
    assert_eq!((mixed.elastic.blocks, mixed.elastic.meshes), (2, 2));
    let both = "elastic = [{ select = [\"lower\", \"upper\"], elements = 5 }]\n";
    let replaced = built(&stacked("elastic = true\nyoung_modulus = 20e9", both)).unwrap();
    assert_eq!((replaced.elastic.blocks, replaced.elastic.meshes), (2, 1));
    let sizes: Vec<usize> = parts(&mixed).iter().flatten().map(|part| part.block.size()).collect();
    assert!(sizes[1] == 3 * 6 * 6 * 6 && sizes[0] < sizes[1], "{sizes:?}");
    assert!(parts(&built(&stacked("young_modulus = 20e9", "")).unwrap()).is_empty());
}

#[test]
fn impossible_constants_are_refused_with_their_place() {
    let refused = |material: &str| built(&stacked(material, "")).unwrap_err();
    assert!(refused("elastic = true").contains("has no Young's modulus"));
    let negative = refused("elastic = true\nyoung_modulus = -1.0");
    assert!(negative.starts_with("stones.toml:6:17: Young's modulus is -1"), "{negative}");
    let stiff = refused("elastic = true\nyoung_modulus = 1e9\npoisson_ratio = 0.5");
    assert!(stiff.starts_with("stones.toml:7:17: Poisson's ratio is 0.5"), "{stiff}");
    let weak = refused("elastic = true\nyoung_modulus = 1e9\ntensile_strength = 0.0");
    assert!(weak.contains("the tensile strength is 0"), "{weak}");
    let bed = "elastic = [{ select = \"upper\", young_modulus = 3e10, bed = { young_modulus = 1e9, poisson_ratio = 0.4, \
               shear_modulus = 5e9 } }]\n";
    assert!(built(&stacked("", bed)).unwrap_err().contains("not positive definite"));
    let round = "elastic = [{ select = \"ball\", young_modulus = 3e10 }]\n\
                 bodies = [{ name = \"ball\", shape = \"sphere\", radius = 0.1, material = \"stone\" }]\n\
                 joints = [{ between = [\"stone\", \"stone\"], friction = 0.5 }]\nmaterials.stone.density = 1.0\n";
    assert!(built(round).unwrap_err().contains("only polygons and polyhedra"));
}

#[test]
fn a_block_that_is_too_stiff_counts_as_rigid_and_says_so() {
    // h²ω² ≈ (1e-3/2)² · 12 E/(ρ a²) for elements of the size a = 0.25 m: 1e9 at E ≈ 5e16
    let soft = built(&stacked("elastic = true\nyoung_modulus = 1e15", "")).unwrap();
    assert_eq!(soft.elastic.blocks, 2);
    let table = "elastic = [{ select = \"upper\", elements = 2 }]\n";
    let stiff = built(&stacked("elastic = true\nyoung_modulus = 1e19", table)).unwrap();
    assert!(parts(&stiff).is_empty() && stiff.elastic.blocks == 0);
    assert!(
        stiff.warnings.iter().any(|w| w.contains("count as rigid: 2, the first is \"lower\"")),
        "{:?}",
        stiff.warnings
    );
}

#[test]
fn glued_blocks_are_one_body() {
    let glue = "glue = [{ name = \"pier\", select = [\"lower\", \"upper\"] }]\n";
    let one = built(&stacked("elastic = true\nyoung_modulus = 20e9", glue)).unwrap();
    let AnyModel::Three(model) = &one.model else { panic!("a model in space") };
    assert_eq!(model.bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["floor", "pier"]);
    let pier = &model.bodies[1];
    assert!((pier.mass - 4800.0).abs() < 1e-9 && (pier.pose.position.z - 1.0).abs() < 1e-12);
    // inertia of a prism of 1 × 1 × 2 m about a horizontal axis: m (1 + 4)/12
    assert!((pier.inertia.x_axis.x - 4800.0 * 5.0 / 12.0).abs() < 1e-9);
    let block = &model.elastic[1].as_ref().unwrap().block;
    assert!((block.mass() - 4800.0).abs() < 1e-9);
    let refused = |glue: &str| built(&stacked("", glue)).unwrap_err();
    assert!(refused("glue = [{ name = \"a\", select = [\"floor\", \"upper\"] }]\n").contains("is a support"));
    assert!(refused("glue = [{ name = \"a\", select = \"upper\" }]\n").contains("glue needs two blocks"));
    assert!(refused("glue = [{ name = \"floor\", select = [\"lower\", \"upper\"] }]\n").contains("another body"));
    // blocks that only touch in an edge cannot be elastic together
    let edge = stacked("elastic = true\nyoung_modulus = 20e9", glue)
        .replace("position = [0.0, 0.0, 1.5]", "position = [1.0, 0.0, 1.5]");
    assert!(built(&edge).unwrap_err().contains("not connected by common faces"));
}

/// A mesh of Gmsh 2.2 with these nodes and elements (type, nodes).
fn gmsh(nodes: &[[f64; 3]], elements: &[(u32, Vec<usize>)]) -> String {
    let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", nodes.len());
    for (k, [x, y, z]) in nodes.iter().enumerate() {
        text += &format!("{} {x} {y} {z}\n", k + 1);
    }
    text += &format!("$EndNodes\n$Elements\n{}\n", elements.len());
    for (k, (kind, points)) in elements.iter().enumerate() {
        let points: Vec<String> = points.iter().map(|p| (p + 1).to_string()).collect();
        text += &format!("{} {kind} 2 1 1 {}\n", k + 1, points.join(" "));
    }
    text + "$EndElements\n"
}

/// Corners of a box with this half size about a centre, in the order of Gmsh.
fn hexahedron(centre: [f64; 3], half: f64) -> Vec<[f64; 3]> {
    let signs = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    let corner = |[x, y]: [i32; 2], z: i32| {
        let along = [x, y, z].map(|s| f64::from(s) * half);
        std::array::from_fn(|c| centre[c] + along[c])
    };
    [-1, 1].iter().flat_map(|&z| signs.map(|xy| corner(xy, z))).collect()
}

#[test]
fn meshes_of_gmsh_must_fill_their_blocks() {
    let dir = tempfile::tempdir().unwrap();
    let with = |mesh: &str, keys: &str| {
        std::fs::write(dir.path().join("stone.msh"), mesh).unwrap();
        let table = format!("elastic = [{{ select = \"upper\", young_modulus = 20e9, mesh = \"stone.msh\"{keys} }}]\n");
        built_in(dir.path(), &stacked("", &table))
    };
    let (nodes, whole) = (hexahedron([0.0, 0.0, 1.5], 0.5), (0..8).collect::<Vec<usize>>());
    let good = with(&gmsh(&nodes, &[(5, whole.clone())]), "").unwrap();
    assert_eq!((good.elastic.blocks, good.elastic.elements), (1, 1));
    // six tetrahedra; millimetres
    let tetrahedra = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];
    let tetrahedra: Vec<(u32, Vec<usize>)> = tetrahedra.iter().map(|own| (4, own.to_vec())).collect();
    let large: Vec<[f64; 3]> = nodes.iter().map(|p| p.map(|x| 1000.0 * x)).collect();
    assert_eq!(with(&gmsh(&large, &tetrahedra), ", mesh_scale = 1e-3").unwrap().elastic.elements, 6);
    let refused = |mesh: &str, keys: &str| with(mesh, keys).unwrap_err();
    let small = gmsh(&hexahedron([0.0, 0.0, 1.5], 0.4), &[(5, whole.clone())]);
    assert!(refused(&small, "").contains("does not fill its block"));
    let beside = gmsh(&hexahedron([0.1, 0.0, 1.5], 0.5), &[(5, whole.clone())]);
    assert!(refused(&beside, "").contains("no volume of the mesh has its centroid; the nearest is 1.000e-1 m away"));
    let mut tangled = whole.clone();
    tangled.swap(0, 1);
    let tangled = refused(&gmsh(&nodes, &[(5, tangled)]), "");
    assert!(tangled.contains("inverted or tangled") || tangled.contains("no volume"), "{tangled}");
    let prisms = [(6, vec![0, 1, 2, 4, 5, 6]), (6, vec![0, 2, 3, 4, 6, 7])];
    let prisms = refused(&gmsh(&nodes, &prisms), "");
    assert!(prisms.contains("elements of type 6 cannot be elastic"), "{prisms}");
    assert!(refused(&gmsh(&nodes, &[]), "").contains("no elements in volumes"));
    assert!(refused(&gmsh(&nodes, &[(5, whole)]), ", elements = 2").contains("`mesh` excludes"));
}

/// Corners with the middles of these edges after them; element numbers of Gmsh: linear and quadratic.
fn with_middles(
    corners: &[[f64; 3]],
    elements: &[Vec<usize>],
    edges: &[[usize; 2]],
) -> (Vec<[f64; 3]>, Vec<Vec<usize>>) {
    let mut points = corners.to_vec();
    let mut middles = std::collections::BTreeMap::new();
    let mut whole = elements.to_vec();
    for element in &mut whole {
        for [a, b] in edges {
            let (a, b) = (element[*a].min(element[*b]), element[*a].max(element[*b]));
            let new = *middles.entry((a, b)).or_insert_with(|| {
                points.push(std::array::from_fn(|c| 0.5 * (points[a][c] + points[b][c])));
                points.len() - 1
            });
            element.push(new);
        }
    }
    (points, whole)
}

#[test]
fn all_kinds_of_elements_of_gmsh_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let solid = hexahedron([0.0, 0.0, 1.5], 0.5);
    let tetrahedra: Vec<Vec<usize>> =
        [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]].map(Vec::from).to_vec();
    let whole = vec![(0..8).collect::<Vec<usize>>()];
    let tetra = [[0, 1], [1, 2], [2, 0], [0, 3], [2, 3], [1, 3]];
    let hexa = [[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]];
    let plane: Vec<[f64; 3]> = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 1.0, 0.0], [-0.5, 1.0, 0.0]].to_vec();
    let triangles = vec![vec![0, 1, 2], vec![0, 2, 3]];
    let square = vec![vec![0, 1, 2, 3]];
    let flat = "dim = 2\nmaterials.stone.density = 2000.0\njoints = [{ between = [\"stone\", \"stone\"], friction = 0.5 }]\n\
                bodies = [{ name = \"upper\", shape = \"rectangle\", size = 1.0, position = [0.0, 0.5], material = \"stone\" }]\n\
                stages = [{ analysis = \"dynamic\", duration = 0.01, step = 1e-3 }]\n";
    let quad = [[0, 1], [1, 2], [2, 3], [3, 0]];
    // number of the kind in Gmsh, corners, elements, edges with a point in the middle
    type Kind<'a> = (u32, &'a [[f64; 3]], &'a [Vec<usize>], &'a [[usize; 2]]);
    let kinds: [Kind; 8] = [
        (4, &solid, &tetrahedra, &[]),
        (11, &solid, &tetrahedra, &tetra),
        (5, &solid, &whole, &[]),
        (17, &solid, &whole, &hexa),
        (2, &plane, &triangles, &[]),
        (9, &plane, &triangles, &tetra[..3]),
        (3, &plane, &square, &[]),
        (16, &plane, &square, &quad),
    ];
    for (number, corners, elements, edges) in kinds {
        let (nodes, elements) = with_middles(corners, elements, edges);
        let list: Vec<(u32, Vec<usize>)> = elements.into_iter().map(|own| (number, own)).collect();
        std::fs::write(dir.path().join("stone.msh"), gmsh(&nodes, &list)).unwrap();
        let table = "elastic = [{ select = \"upper\", young_modulus = 20e9, mesh = \"stone.msh\" }]\n";
        let text = if corners.len() == 8 { stacked("", table) } else { format!("{table}{flat}") };
        let built = built_in(dir.path(), &text).unwrap_or_else(|error| panic!("type {number}: {error}"));
        assert_eq!((built.elastic.blocks, built.elastic.elements), (1, list.len()), "type {number}");
        let part = parts(&built).into_iter().flatten().next().unwrap();
        assert_eq!(part.block.size(), nodes.len() * if corners.len() == 8 { 3 } else { 2 });
    }
}

#[test]
fn reduced_blocks_come_with_their_error() {
    let modes = "elastic = [{ select = [\"lower\", \"upper\"], modes = 8, elements = 3 }]\n";
    let built = built(&stacked("young_modulus = 20e9", modes)).unwrap();
    let found = built.elastic.reduction.unwrap();
    assert_eq!((found.blocks, found.bases), (2, 2));
    assert!(found.static_error < 1e-6 && found.step_error < 0.1 && found.step_error > 0.0, "{found:?}");
    assert!(found.vectors >= 8 && found.displacements == 3 * 64, "{found:?}");
    // one mesh is reduced for the neighbours of each block
    assert_eq!(built.elastic.meshes, 1);
}
