//! Every template parses and builds, in both dimensions.

use std::path::Path;

use voussoir_model::{Scene, TemplateError, build, render, templates};

/// The dimension, of templates that have a choice; few grains.
fn given<'a>(template: &voussoir_model::Template, dim: &'a str) -> Vec<(&'static str, &'a str)> {
    match template.parameters().any(|parameter| parameter.key == "dim") {
        false => vec![("count", "30")],
        true => vec![("dim", dim)],
    }
}

#[test]
fn all_templates_build_without_warnings_in_2d_and_3d() {
    for template in templates() {
        for dim in template.dimensions.iter().map(u8::to_string) {
            let dim = dim.as_str();
            let text = render(template.name, &given(template, dim)).expect("defaults are right");
            let scene = Scene::parse(&text, template.name).unwrap_or_else(|e| panic!("{}", e.render()));
            let built = build(&scene, Path::new(".")).unwrap_or_else(|e| panic!("{}", e.render()));
            if built.sample.is_some() {
                // packings are described, and stages end by themselves
                continue;
            }
            // fields of floes report their concentration and sizes
            let report = |text: &&String| !text.contains("floes, concentration");
            assert_eq!(built.warnings.iter().filter(report).count(), 0, "{}: {:?}", template.name, built.warnings);
            assert_eq!(built.stages.len(), 1);
            assert_eq!(built.stages[0].steps(), 1000);
            assert_eq!(built.model.dimension().to_string(), dim);
        }
    }
}

#[test]
fn the_hints_in_the_comments_work() {
    for template in templates() {
        for dim in template.dimensions.iter().map(u8::to_string) {
            let dim = dim.as_str();
            let text = render(template.name, &given(template, dim)).expect("defaults are right");
            let uncommented = |line: &str| {
                let rest = line.strip_prefix("# ").filter(|rest| rest.starts_with("[[") || rest.contains(" = "));
                rest.unwrap_or(line).to_string()
            };
            let text = text.lines().map(uncommented).collect::<Vec<_>>().join("\n");
            let scene = Scene::parse(&text, template.name).unwrap_or_else(|e| panic!("{}", e.render()));
            build(&scene, Path::new(".")).unwrap_or_else(|e| panic!("{}", e.render()));
        }
    }
}

#[test]
fn parameters_of_the_command_line_arrive_in_the_model() {
    let bodies = |name: &str, given: &[(&str, &str)]| {
        let scene = Scene::parse(&render(name, given).expect("valid"), name).expect("parses");
        build(&scene, Path::new(".")).expect("builds").model.bodies()
    };
    assert_eq!(bodies("wall", &[("courses", "20"), ("bricks", "10"), ("brick", "[0.5,0.25,0.25]")]), 211);
    assert_eq!(bodies("wall", &[("courses", "3"), ("bricks", "2"), ("dim", "2"), ("brick", "0.5, 0.25, 0.25")]), 8);
    assert_eq!(bodies("stack", &[("count", "50"), ("size", "0.3")]), 51);
    assert_eq!(bodies("arch", &[("voussoirs", "7"), ("radius", "10"), ("embrace_deg", "157.5")]), 9);
    assert_eq!(bodies("pile", &[("count", "5"), ("seed", "7")]), 10);
    assert_eq!(bodies("pile", &[("count", "1"), ("size", "3")]), 6);
    assert_eq!(bodies("pier-dome", &[]), 181);
    assert_eq!(bodies("stair", &[("treads", "7")]), 9);
    // 8 supports, the floor; courses of a core and one ring, or of a core and two
    let cylinder = [("courses", "2"), ("rings", "2"), ("slices", "6")];
    assert_eq!(bodies("masonry-cylinder", &cylinder), 9 + 7 + 13);
    // two wythes and headers, or one wythe of stretchers
    assert!(bodies("masonry-wall", &[("bond", "flemish")]) > bodies("masonry-wall", &[("bond", "stretcher")]));
}

#[test]
fn wrong_parameters_are_named() {
    let message = |name: &str, given: &[(&str, &str)]| render(name, given).expect_err("wrong").to_string();
    insta::assert_snapshot!(message("wal", &[]), @r#"there is no template "wal" (did you mean `wall`? valid templates: stack, column, wall, masonry-wall, arch-wall, arch, bridge, flying-buttress, stair, masonry-cylinder, pier-dome, pile, ice-channel, ice-basin, ice-row, ice-ship, ice-shear, oedometer, biaxial, direct-shear, repose)"#);
    insta::assert_snapshot!(message("wall", &[("course", "3")]), @r#"template "wall" has no parameter `course` (did you mean `courses`? valid parameters: courses, bricks, brick, friction, density, dim, duration, step)"#);
    insta::assert_snapshot!(message("wall", &[("brick", "[1,2]")]), @"brick=[1,2]: expected three numbers above zero, for instance [0.5, 0.25, 0.25]");
    insta::assert_snapshot!(message("stack", &[("friction", "-1")]), @"friction=-1: expected a number, zero or more");
    insta::assert_snapshot!(message("stack", &[("count", "2"), ("count", "3")]), @"parameter `count` is given twice");
    assert!(matches!(render("stack", &[("step", "nan")]), Err(TemplateError::Value { key: "step", .. })));
}

#[test]
fn a_template_reads_like_this() {
    insta::assert_snapshot!(render("arch", &[]).expect("defaults are right"));
}

#[test]
fn samples_name_their_lid_and_sides() {
    let oedometer = render("oedometer", &[("count", "12")]).expect("valid");
    let wrong = |from: &str, to: &str| {
        let text = oedometer.replace(from, to);
        assert_ne!(text, oedometer);
        build(&Scene::parse(&text, "s.toml").expect("parses"), Path::new(".")).expect_err("wrong")
    };
    let error = wrong("lid = \"lid\"", "lid = \"led\"");
    assert_eq!(error.message, "there is no body \"led\"");
    assert!(error.help.unwrap().contains("did you mean `lid`"));
    assert_eq!(wrong("lid = \"lid\"\n", "").message, "this test needs the name of its `lid`");
    assert_eq!(wrong("test = \"oedometer\"", "test = \"biaxial\"").message, "a biaxial test needs `sides`");
}
