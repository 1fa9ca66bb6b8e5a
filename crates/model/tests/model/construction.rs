//! Bodies that stages add and remove, and probes: orders of construction, and invalid input.

use std::path::Path;

use voussoir_model::{AnyModel, Built, Scene, build, waiting};

/// A wall of three courses, an arch of five voussoirs on centring, and a ground that all stand on.
fn scene(rest: &str) -> Result<Built, String> {
    let text = format!(
        r#"
[materials.stone]
density = 2000.0
[[joints]]
between = ["stone", "stone"]
friction = 0.6
[[bodies]]
name = "wall"
generator = "wall"
courses = 3
bricks = 2
brick = [0.4, 0.2, 0.2]
material = "stone"
[[bodies]]
name = "prop"
shape = "box"
size = 0.2
position = [3.0, 0.0, 0.1]
material = "stone"
[[bodies]]
name = "beam"
shape = "box"
size = [0.2, 0.2, 0.2]
position = [3.0, 0.0, 0.3]
material = "stone"
[[supports]]
select = "prop"
motion = {{ quantity = "position", direction = [0.0, 0.0, -1.0], ramp = {{ start = 1.0, end = 1.5, to = 0.01 }} }}
{rest}"#
    );
    let scene = Scene::parse(&text, "scene.toml").map_err(|error| error.to_string())?;
    build(&scene, Path::new(".")).map_err(|error| error.to_string())
}

fn name(built: &Built, body: usize) -> String {
    match &built.model {
        AnyModel::Two(model) => model.bodies[body].name.clone(),
        AnyModel::Three(model) => model.bodies[body].name.clone(),
    }
}

/// Names of the groups of the first stage, and the steps after which they come.
fn groups(order: &str) -> Vec<(u64, Vec<String>)> {
    let stage = format!(
        "[[stages]]\nanalysis = \"dynamic\"\nstep = 1e-3\nduration = 0.02\n\
         build = {{ select = [\"wall.course\", \"beam\"], order = \"{order}\", pause = 0.01 }}\n"
    );
    let built = scene(&stage).unwrap();
    let changes = &built.stages[0].changes;
    assert_eq!(built.stages[0].steps(), 10 * changes.len() as u64 + 20);
    changes.iter().map(|c| (c.after, c.add.iter().map(|&body| name(&built, body)).collect())).collect()
}

#[test]
fn courses_lie_at_one_height() {
    let found = groups("courses");
    let sizes: Vec<usize> = found.iter().map(|(_, bodies)| bodies.len()).collect();
    // 2 whole bricks; 3 with halves, and the beam at the same height; 2 whole bricks
    assert_eq!(sizes, [2, 4, 2]);
    assert_eq!(found.iter().map(|(after, _)| *after).collect::<Vec<_>>(), [0, 10, 20]);
    assert!(found[0].1.iter().all(|name| name.starts_with("wall.course[0]")));
}

#[test]
fn one_by_one_goes_along_the_courses() {
    let found = groups("one-by-one");
    assert_eq!(found.len(), 8);
    assert!(found.iter().all(|(_, bodies)| bodies.len() == 1));
    assert_eq!(found[3].1, ["wall.course[1].brick[1]"]);
}

#[test]
fn from_below_waits_for_what_carries() {
    let found = groups("from-below");
    // the beam rests on the prop, which is there: it comes first with the lowest course
    assert_eq!(found.iter().map(|(_, bodies)| bodies.len()).collect::<Vec<_>>(), [3, 3, 2]);
    assert!(found[0].1.contains(&"beam".to_owned()));
}

#[test]
fn lists_come_as_listed() {
    let found = groups("as-listed");
    assert_eq!(found.iter().map(|(_, bodies)| bodies.len()).collect::<Vec<_>>(), [7, 1]);
}

fn stage(keys: &str) -> String {
    format!("[[stages]]\nanalysis = \"dynamic\"\nstep = 1e-3\nduration = 0.5\n{keys}\n")
}

#[test]
fn bodies_wait_until_they_are_added_and_finish_without_what_was_removed() {
    let stages =
        stage("") + &stage("add = \"beam\"") + &stage("") + &stage("remove = \"prop\"\nrelease = \"wall.ground\"");
    // a half-space cannot be released
    assert!(scene(&stages).unwrap_err().contains("it is unbounded and has no mass"));
    let stages = stage("") + &stage("add = \"beam\"") + &stage("") + &stage("remove = \"prop\"");
    let built = scene(&stages).unwrap();
    let all = waiting(&built.stages);
    assert_eq!(all.iter().map(|&body| name(&built, body)).collect::<Vec<_>>(), ["beam"]);
    assert_eq!(built.finished().bodies(), built.model.bodies() - 1);
}

#[test]
fn what_contradicts_itself_is_refused() {
    for (stages, words) in [
        (stage("add = \"nothing\""), "finds no body"),
        (stage("add = \"beam\"") + &stage("add = \"beam\""), "is already added by stage 1"),
        (stage("add = \"beam\"\nbuild = { select = \"beam\", pause = 0.1 }"), "is added twice in this stage"),
        (stage("remove = \"beam\"") + &stage("add = \"beam\""), "\"beam\" is removed before it is added (by stage 2)"),
        (stage("remove = \"beam\"") + &stage("remove = \"beam\""), "stage 1 has removed it already"),
        (stage("remove = \"prop\""), "before its motion has ended"),
        (stage("release = \"beam\""), "cannot be released: it is not a support"),
        (stage("placement = \"as-drawn\""), "this stage adds nothing"),
        (stage("build = { select = \"beam\", pause = 0.0 }"), "the pause is 0; it must be above zero"),
        (stage("build = { select = \"beam\", pause = 1e-4 }"), "longer than the pause"),
        (
            stage("build = { select = [\"wall.course\", \"wall.course[1]\"], order = \"as-listed\", pause = 0.1 }"),
            "this item adds no bodies",
        ),
        ("[[stages]]\nanalysis = \"static\"\nbuild = { select = \"beam\", pause = 0.1 }\n".to_owned(), "takes no time"),
    ] {
        let error = scene(&stages).expect_err(&stages);
        assert!(error.contains(words), "{stages}\n{error}");
    }
}

/// Props and the bodies that replace them may overlap: they are never present together.
#[test]
fn what_is_never_there_together_may_share_space() {
    let post =
        "[[bodies]]\nname = \"post\"\nshape = \"box\"\nsize = 0.2\nposition = [3.0, 0.0, 0.12]\nmaterial = \"stone\"\n";
    let always = post.to_owned() + &stage("");
    assert!(scene(&always).unwrap_err().contains("overlap"));
    let later = post.to_owned()
        + "[[stages]]\nanalysis = \"dynamic\"\nstep = 1e-3\nduration = 2.0\n"
        + &stage("remove = [\"prop\", \"beam\"]\nadd = \"post\"");
    scene(&later).unwrap();
}

fn probe(keys: &str) -> Result<Built, String> {
    scene(&format!("[[probes]]\nname = \"p\"\n{keys}\n"))
}

#[test]
fn probes_become_columns_with_units() {
    for (keys, head) in [
        ("quantity = \"displacement\"\nof = \"beam\"\ncomponent = \"z\"", "p_m"),
        ("quantity = \"velocity\"\nof = \"wall\"", "p_m_s"),
        ("quantity = \"reaction\"\nof = \"prop\"\ncomponent = \"normal\"", "p_n"),
        ("quantity = \"moment\"\nof = \"beam\"\nwith = \"prop\"\nabout = [0, 0, 0]", "p_nm"),
        ("quantity = \"opening\"\nof = \"beam\"\nwith = \"prop\"", "p_m"),
        ("quantity = \"stress\"\nof = \"beam\"\ncomponent = \"principal-3\"", "p_pa"),
        ("quantity = \"cut-load\"\nheight = 0.2", "p_n"),
        ("quantity = \"contacts\"\nof = \"wall\"\nstatus = \"slide\"", "p"),
    ] {
        assert_eq!(probe(keys).unwrap().probes[0].head, head, "{keys}");
    }
}

#[test]
fn probes_that_mean_nothing_are_refused() {
    for (keys, words) in [
        ("quantity = \"displacement\"", "needs `of`"),
        ("quantity = \"displacement\"\nof = \"beam\"\nwith = \"prop\"", "`with` has no meaning"),
        ("quantity = \"displacement\"\nof = \"beam\"\ncomponent = \"normal\"", "no such component"),
        ("quantity = \"force\"\nof = \"beam\"\nwith = \"beam\"", "is on both sides"),
        ("quantity = \"joint-stress\"\nof = \"*\"", "no body is left on the other side"),
        ("quantity = \"opening\"\nof = \"beam\"\nwith = \"wall\"", "do not touch"),
        ("quantity = \"cut-load\"", "needs `height`"),
        ("quantity = \"stress\"\nof = \"beam\"\ncomponent = \"x\"", "a stress has no such component"),
        ("quantity = \"cut-load\"\nheight = 0.1\nof = \"beam\"", "`of` has no meaning"),
    ] {
        let error = probe(keys).expect_err(keys);
        assert!(error.contains(words), "{keys}\n{error}");
    }
    let twice = "[[probes]]\nname = \"p\"\nquantity = \"velocity\"\nof = \"beam\"\n".repeat(2);
    assert!(scene(&twice).unwrap_err().contains("two probes called"));
}

#[test]
fn materials_of_the_library() {
    let with = |keys: &str| {
        let ground = "[[bodies]]\nname = \"ground\"\nshape = \"ground\"\nmaterial = \"stone\"\n";
        let text = format!("[materials.stone]\ndensity = 2000.0\n{keys}\n{ground}");
        let scene = Scene::parse(&text, "scene.toml").map_err(|error| error.to_string())?;
        let built = build(&scene, Path::new(".")).map_err(|error| error.to_string())?;
        let AnyModel::Three(model) = built.model else { return Err("2D".to_owned()) };
        Ok::<_, String>(model.materials[0].strength)
    };
    assert_eq!(with("").unwrap(), None);
    assert_eq!(with("like = \"tuffeau-dry\"").unwrap(), Some(11.67e6));
    assert_eq!(with("like = \"granite\"\ncompressive_strength = 5e6").unwrap(), Some(5e6));
    assert!(with("like = \"tufeau-dry\"").unwrap_err().contains("did you mean"));
}

#[test]
fn rough_joints_have_the_friction_of_barton() {
    let text = "[materials.stone]\ndensity = 2000.0\n[[joints]]\nbetween = [\"stone\", \"stone\"]\n\
                friction = { barton = { jrc = 6.0, jcs = 20e6, phi_r_deg = 25.0, normal_stress = 0.2e6 } }\n\
                [[bodies]]\nname = \"ground\"\nshape = \"ground\"\nmaterial = \"stone\"\n";
    let scene = Scene::parse(text, "scene.toml").unwrap();
    let AnyModel::Three(model) = build(&scene, Path::new(".")).unwrap().model else { panic!("3D") };
    // 6 · log₁₀ 100 = 12 degrees more than the residual 25
    assert!((model.joints.between(0, 0).friction - 37f64.to_radians().tan()).abs() < 1e-12);
}
