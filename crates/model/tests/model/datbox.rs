//! LMGC90 models: both dialects, 2D and 3D, notes, and invalid input.

use std::fmt::Write;
use std::path::Path;

use proptest::prelude::*;
use voussoir_geometry::glam::{DMat3, DQuat, DVec3, dvec3};
use voussoir_geometry::{Pose, Shape2, Solid};
use voussoir_mechanics::joints::{Bond, Cohesive, Glued, Joint, MohrCoulomb};
use voussoir_mechanics::model::{MotionQuantity, Role};
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_model::import::datbox::import_files;
use voussoir_model::import::{ImportError, ImportOptions, Imported, NoteKind};
use voussoir_model::{AnyModel, Built, build};

/// Three values in the columns of bodies, behind what fills the first 28.
fn line(head: &str, values: &[(&str, f64)]) -> String {
    let mut text = format!("{head:<29}");
    for (label, value) in values {
        let _ = write!(text, "{label:<5}{:>14}  ", fortran(*value));
    }
    text + "\n"
}

/// Two values in the columns of laws.
fn law(head: &str, values: &[(&str, f64)]) -> String {
    let mut text = format!("{head:<40}");
    for (label, value) in values {
        let _ = write!(text, "{label:<5}{:>14}  ", fortran(*value));
    }
    text + "\n"
}

fn fortran(value: f64) -> String {
    format!("{value:.7E}").replace('E', "D")
}

fn body(dim: usize, number: usize, material: &str, at: [f64; 3], contactors: &str) -> String {
    let mut text = format!("$bdyty\n RBDY{dim} {number:>6}\n$blmty\n");
    text += &line(&format!(" PLAIN      1  behav  {material}"), &[("avrd=", 0.0), ("gyrd=", 0.0)]);
    if dim == 3 {
        text += &line("", &[("I1  =", 0.0), ("I2  =", 0.0), ("I3  =", 0.0)]);
    }
    text += "$nodty\n";
    let node = if dim == 2 { " NO3xx      1" } else { " NO6xx      1" };
    text += &line(node, &[("coo1=", at[0]), ("coo2=", at[1]), ("coo3=", at[2])]);
    if dim == 3 {
        text += &line("", &[("coo4=", 0.0), ("coo5=", 0.0), ("coo6=", 0.0)]);
    }
    text + "$tacty\n" + contactors + "$$$$$$\n"
}

/// A box as triangles, some of them wound the wrong way.
fn polyr(colour: &str, corners: impl Fn(DVec3) -> DVec3, half: DVec3) -> String {
    let mut text = format!(" POLYR      1  color  {colour}  nb_vertex={:>8}  nb_faces={:>8}\n", 8, 12);
    for i in 0..8 {
        let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let v = corners(half * dvec3(sign(0), sign(1), sign(2)));
        text += &line("", &[("coo1=", v.x), ("coo2=", v.y), ("coo3=", v.z)]);
    }
    for (k, [a, b, c, d]) in
        [[1, 5, 7, 3], [2, 4, 8, 6], [1, 2, 6, 5], [3, 7, 8, 4], [1, 3, 4, 2], [5, 6, 8, 7]].into_iter().enumerate()
    {
        let quad = if k == 2 { [d, c, b, a] } else { [a, b, c, d] };
        for t in [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]] {
            let _ = writeln!(text, "{:29}ver1= {:<15}ver2= {:<15}ver3= {:<15}", "", t[0], t[1], t[2]);
        }
    }
    text
}

const BULK_3D: &str = "$gravy\n                   grv1= 0.0000000D+00  grv2= 0.0000000D+00  grv3=-0.9810000D+01\n";
const BULK_2D: &str = "$gravy\n                   grv1= 0.0000000D+00  grv2=-0.9810000D+01  grv3= 0.0000000D+00\n";

fn bulk(gravity: &str, materials: &[(&str, f64)]) -> String {
    materials.iter().fold(gravity.to_owned(), |text, (name, density)| {
        text + "$behav  lawty\n" + &law(&format!(" {name}  RIGID"), &[("Umas=", *density)])
    })
}

fn see(candidate: (&str, &str), law: &str, antagonist: (&str, &str)) -> String {
    format!(
        "$seety\n cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert\n RBDY3  {}  {}  {law}  RBDY3  {}  {}       \
         0.5000000D-02\n",
        candidate.0, candidate.1, antagonist.0, antagonist.1
    )
}

fn import(files: &[(&str, &str)]) -> Result<Imported, ImportError> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    import_files(&files, &ImportOptions { name: "model".into(), ..ImportOptions::default() })
}

/// Writes the scene to a folder and builds it from there.
fn built(imported: &Imported) -> Built {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &imported.files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let text = imported.to_toml("DATBOX").unwrap();
    let scene = voussoir_model::Scene::parse(&text, "model.toml").unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(scene.bodies, imported.scene.bodies, "what is written is what is read");
    build(&scene, folder.path()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn held(dim: usize, body: usize) -> String {
    let dofs = if dim == 2 { 3 } else { 6 };
    let mut text = format!("$bdyty\n RBDY{dim} {body:>6}\n$nodty\n NO6xx      1\n$dofty\n");
    for dof in 1..=dofs {
        text += &driven("vlocy", dof, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }
    text + "$$$$$$\n"
}

fn driven(what: &str, dof: usize, values: [f64; 6]) -> String {
    let numbers: Vec<String> = values.iter().map(|v| format!("{:>14}", fortran(*v))).collect();
    format!(" {what}  {dof:>5} {}\n", numbers.join(" "))
}

const COULOMB: &str = " iqsc0  IQS_CLB";

/// Two boxes on a plane, written by hand: vertices in world axes, everything from the shape.
fn two_boxes() -> Vec<(&'static str, String)> {
    let half = dvec3(0.5, 0.4, 0.3);
    let mut bodies = String::from("! a comment\n\n");
    bodies += &body(3, 1, "stone", [0.0; 3], &polyr("BLEUx", |v| v + dvec3(2.0, 0.0, 0.3), half));
    bodies += &body(3, 2, "stone", [0.0; 3], &polyr("BLEUx", |v| v + dvec3(2.1, 0.0, 0.9), half));
    let plane = line(" PLANx      1  color  VERTx", &[("axe1=", 5.0), ("axe2=", 5.0), ("axe3=", 0.25)]);
    bodies += &body(3, 1, "floor", [2.0, 0.0, -0.25], &plane);
    let driven_dofs = held(3, 3)
        + "$bdyty\n RBDY3      2\n$nodty\n NO6xx      1\n$dofty\n"
        + &driven("force", 1, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0])
        + &driven("force", 3, [-700.0, 0.0, 0.0, 0.0, 0.0, 2.0])
        + " force      2 evolution push.DAT\n$$$$$$\n";
    let contact = "$behav  lawty\n".to_owned()
        + &law(COULOMB, &[("fric=", 0.7)])
        + " $behav  lawty\n"
        + &law(" lost0  IQS_CLB", &[("fric=", 0.1)])
        + &see(("POLYR", "BLEUx"), "iqsc0", ("POLYR", "BLEUx"))
        + &see(("PLANx", "VERTx"), "iqsc0", ("POLYR", "BLEUx"));
    vec![
        ("BODIES.DAT", bodies),
        ("DRV_DOF.DAT", driven_dofs),
        ("BULK_BEHAV.DAT", bulk(BULK_3D, &[("stone", 2000.0), ("floor", 1000.0)])),
        ("TACT_BEHAV.DAT", contact),
        ("DOF.INI", "$steps      0                time= 0.0000000D+00\n".to_owned()),
        ("push.DAT", " 0.0 0.0\n 0.5 100.0\n".to_owned()),
    ]
}

fn as_refs(files: &[(&'static str, String)]) -> Vec<(&'static str, &'static str)> {
    files.iter().map(|(name, text)| (*name, &*text.clone().leak())).collect()
}

#[test]
fn a_model_written_by_hand() {
    let imported = import(&as_refs(&two_boxes())).unwrap();
    let built = built(&imported);
    let AnyModel::Three(model) = &built.model else { panic!("3D") };
    assert_eq!(model.bodies.len(), 3);
    let block = |name: &str| model.bodies.iter().position(|b| b.tags.contains(&name.to_owned())).unwrap();
    let (first, second) = (block("body1"), block("body2"));
    assert!((model.bodies[first].mass - 2000.0 * 0.48).abs() < 1e-6);
    assert!(model.bodies[second].pose.position.distance(dvec3(2.1, 0.0, 0.9)) < 1e-6);
    let floor = model.bodies.iter().position(|b| b.name == "body3").unwrap();
    assert_eq!(model.bodies[floor].role, Role::Support(None));
    // the plane is a box that ends at z = 0
    assert!(model.bodies[floor].shape.bounds(&model.bodies[floor].pose).max.z.abs() < 1e-12);
    assert_eq!(model.joints.between(0, 1).friction, 0.7);
    // two loads on the second box: one that grows to −700 N in half a second, one from a file that grows without limit
    assert_eq!(model.loads.len(), 2);
    let at = |t: f64| {
        model.loads.iter().fold(DVec3::ZERO, |sum, load| {
            assert_eq!(load.body, second);
            sum + load.force * load.function.value(t)
        })
    };
    assert!(at(0.25).distance(dvec3(0.0, 50.0, -350.0)) < 1e-6, "{}", at(0.25));
    assert!(at(2.0).distance(dvec3(0.0, 400.0, -700.0)) < 1e-6, "{}", at(2.0));
    // changes are noted
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|n| n.starts_with("dropped") && n.contains("line 3")), "{notes:?}");
    assert!(notes.iter().any(|n| n.starts_with("repaired") && n.contains("2 blocks")), "{notes:?}");
    assert!(notes.iter().any(|n| n.starts_with("merged: 24 coplanar faces of 2 blocks into 12")), "{notes:?}");
}

#[test]
fn a_model_with_frames_and_velocities() {
    // vertices in the body's own axes; position, frame and velocities elsewhere
    let turn = DQuat::from_euler(voussoir_geometry::glam::EulerRot::XYZ, 0.3, -0.5, 1.1);
    let half = dvec3(0.5, 0.2, 0.3);
    let bodies = body(3, 1, "stone", [1.0, 2.0, 3.0], &polyr("BLEUx", |v| v, half));
    let frame = DMat3::from_quat(turn);
    let (a, b, g) = (frame.x_axis, frame.y_axis, frame.z_axis);
    let three = |label: &str, v: DVec3| {
        let names = [format!("{label}1="), format!("{label}2="), format!("{label}3=")];
        [(names[0].clone(), v.x), (names[1].clone(), v.y), (names[2].clone(), v.z)]
    };
    let mut dofs = String::from("$steps     10                time= 0.1000000D+00\n$bdyty\n RBDY3      1\n$nodty\n");
    for (i, v) in [dvec3(0.0, 0.0, 0.5), DVec3::ZERO, dvec3(0.1, 0.0, -0.2), dvec3(1.0, 2.0, 3.0), a, b, g]
        .into_iter()
        .enumerate()
    {
        let values = three("x", v);
        let values: Vec<(&str, f64)> = values.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        dofs += &line(if i == 0 { " NO6xx      1" } else { "" }, &values);
    }
    dofs += "$$$$$$\n";
    let contact = "$behav  lawty\n".to_owned()
        + &law(COULOMB, &[("fric=", 0.5)])
        + &see(("POLYR", "BLEUx"), "iqsc0", ("POLYR", "BLEUx"));
    let bulk = bulk(BULK_3D, &[("stone", 2000.0)]);
    let imported =
        import(&[("BODIES.DAT", &bodies), ("DOF.INI", &dofs), ("BULK_BEHAV.DAT", &bulk), ("TACT_BEHAV.DAT", &contact)])
            .unwrap();
    let built = built(&imported);
    let AnyModel::Three(model) = &built.model else { panic!("3D") };
    let body = &model.bodies[0];
    assert!(body.pose.position.distance(dvec3(1.0, 2.0, 3.5)) < 1e-6);
    assert!(body.velocity.distance(dvec3(0.1, 0.0, -0.2)) < 1e-7);
    // spin in the axes of the body, as LMGC90 has it; the shape is turned by the frame
    assert!(body.spin.distance(dvec3(1.0, 2.0, 3.0)) < 1e-5, "{}", body.spin);
    let expected = voussoir_geometry::Shape3::cuboid(2.0 * half).unwrap();
    let expected = expected.bounds(&Pose { position: dvec3(1.0, 2.0, 3.5), rotation: turn });
    let found = body.shape.bounds(&body.pose);
    assert!(found.min.distance(expected.min) < 1e-6 && found.max.distance(expected.max) < 1e-6);
}

#[test]
fn a_model_in_the_plane() {
    let polygon = |corners: &[[f64; 2]]| {
        let mut text = format!(" POLYG      1  color  REDxx  nb_vertex={:>7}\n", corners.len());
        corners.iter().for_each(|c| text += &line("", &[("coo1=", c[0]), ("coo2=", c[1])]));
        text
    };
    let disk = line(" DISKx      1  color  BLEUx", &[("byrd=", 0.25)]);
    let bar = line(" JONCx      1  color  VERTx", &[("axe1=", 2.0), ("axe2=", 0.1)]);
    let two = line(" DISKb      1  color  BLEUx", &[("byrd=", 0.1)])
        + &line("", &[("coo1=", -0.2), ("coo2=", 0.0)])
        + &line(" DISKb      2  color  BLEUx", &[("byrd=", 0.1)])
        + &line("", &[("coo1=", 0.2), ("coo2=", 0.0)]);
    let mut bodies =
        body(2, 1, "stone", [0.0, 0.6, 0.0], &polygon(&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]));
    bodies += &body(2, 2, "stone", [3.0, 1.0, 0.3], &disk);
    bodies += &body(2, 3, "stone", [0.0, 3.0, 0.0], &two);
    bodies += &body(2, 4, "floor", [0.0, 0.0, 0.0], &bar);
    bodies += &body(2, 5, "floor", [9.0, 0.0, 0.0], &line(" xKSID      1  color  VERTx", &[("byrd=", 4.0)]));
    // the bar shakes: velocity 0.3 cos(2π t) along x
    let mut drv = String::from("$bdyty\n RBDY2      4\n$nodty\n NO3xx      1\n$dofty\n");
    drv += &driven("vlocy", 1, [0.0, 0.3, std::f64::consts::TAU, 0.0, 1.0, 0.0]);
    drv += &driven("vlocy", 2, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    drv += &driven("vlocy", 3, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    drv += "$$$$$$\n";
    let contact = "$behav  lawty\n".to_owned()
        + &law(" rst00  RST_CLB", &[("rstn=", 0.5), ("rstt=", 0.0)])
        + &law("", &[("fric=", 0.3)])
        + "$behav  lawty\n"
        + &law(COULOMB, &[("fric=", 0.6)])
        + &see(("POLYG", "REDxx"), "iqsc0", ("JONCx", "VERTx"))
        + &see(("DISKx", "BLEUx"), "rst00", ("JONCx", "VERTx"));
    let bulk = bulk(BULK_2D, &[("stone", 2500.0), ("floor", 1000.0)]);
    let imported = import(&[
        ("BODIES.DAT", &bodies),
        ("DRV_DOF.DAT", &drv),
        ("BULK_BEHAV.DAT", &bulk),
        ("TACT_BEHAV.DAT", &contact),
    ])
    .unwrap();
    let built = built(&imported);
    let AnyModel::Two(model) = &built.model else { panic!("2D") };
    assert_eq!(model.bodies.len(), 4, "the hollow disc is dropped");
    assert!(
        imported.notes.iter().any(|n| n.kind == NoteKind::Dropped && n.text.contains("xKSID")),
        "{:?}",
        imported.notes
    );
    let body = |name: &str| model.bodies.iter().find(|b| b.name == name).unwrap();
    assert!((body("body1").mass - 2500.0).abs() < 1e-9);
    assert!((body("body2").pose.rotation - 0.3).abs() < 1e-7);
    assert!(matches!(*body("body3").shape, Shape2::Compound(_)));
    assert!(matches!(*body("body4").shape, Shape2::Segment(_)));
    let Role::Support(Some(motion)) = body("body4").role else { panic!("moved") };
    assert_eq!(model.motions[motion].quantity, MotionQuantity::Velocity);
    let TimeFunction::Sine { .. } = model.motions[motion].function else { panic!("a sine") };
    for t in [0.0, 0.1, 0.37] {
        let v = model.motions[motion].direction.x * model.motions[motion].function.value(t);
        assert!((v - 0.3 * (std::f64::consts::TAU * t).cos()).abs() < 1e-6);
    }
    // polygons and discs have no see table: they pass through each other
    let material = |name: &str| body(name).material;
    assert!(model.joints.ignores(material("body1"), material("body2")));
    assert_eq!(model.joints.between(material("body1"), material("body4")).friction, 0.6);
    assert_eq!(model.joints.between(material("body2"), material("body4")).friction, 0.3);
}

/// Fields that LMGC90 does not need: no radius of the bulk, no further lines; a plane without thickness; comments anywhere.
#[test]
fn bodies_without_optional_fields() {
    let bare = |number: usize, z: f64, contactor: &str| {
        let node = line(" NO6xx      1", &[("coo1=", 0.0), ("coo2=", 0.0), ("coo3=", z)]);
        format!(
            "# body\n\n$bdyty\n RBDY3 {number:>6}\n$blmty\n PLAIN      1  behav  stone\n\n$nodty\n{node}$tacty\n! its contactor\n{contactor}$$$$$$\n"
        )
    };
    let bodies = bare(1, 0.0, &line(" PLANx      1  color  VERTx", &[("axe1=", 5.0), ("axe2=", 4.0)]))
        + &bare(2, 0.5, &line(" SPHER      1  color  BLEUx", &[("byrd=", 0.5)]));
    let contact = "$behav  lawty\n".to_owned()
        + &law(COULOMB, &[("fric=", 0.6)])
        + &see(("SPHER", "BLEUx"), "iqsc0", ("PLANx", "VERTx"));
    let bulk = bulk(BULK_3D, &[("stone", 2500.0)]);
    let files = [
        ("BODIES.DAT", &*bodies),
        ("DRV_DOF.DAT", &held(3, 1)),
        ("BULK_BEHAV.DAT", &bulk),
        ("TACT_BEHAV.DAT", &contact),
    ];
    let imported = import(&files).unwrap();
    let AnyModel::Three(model) = built(&imported).model else { panic!("3D") };
    let bounds = [0, 1].map(|i| model.bodies[i].shape.bounds(&model.bodies[i].pose));
    // the ball rests on the face of the plane
    assert!(bounds[0].max.z.abs() < 1e-12 && bounds[1].min.z.abs() < 1e-12, "{bounds:?}");
    assert!((bounds[0].max.x - 5.0).abs() < 1e-12 && bounds[0].min.z < 0.0);
    assert!(imported.notes.iter().any(|note| note.text.contains("without thickness")), "{:?}", imported.notes);
}

/// The joint between the two boxes when they meet by a law of `TACT_BEHAV.DAT`, and what was noted.
fn joint_by(kind: &str, parameters: &[&[(&str, f64)]]) -> (Joint, Vec<String>) {
    let mut files = two_boxes();
    let mut contact = "$behav  lawty\n".to_owned() + &law(COULOMB, &[("fric=", 0.7)]);
    // a law that no see table uses is no reason to refuse the model
    contact += "$behav  lawty\n";
    contact += &law(" other  ELASTIC_ROD", &[("stif=", 1.0)]);
    contact += "! a comment between laws\n$behav  lawty\n";
    for (i, values) in parameters.iter().enumerate() {
        contact += &law(&if i == 0 { format!(" used0  {kind}") } else { String::new() }, values);
    }
    if parameters.is_empty() {
        contact += &format!(" used0  {kind}\n");
    }
    contact += &see(("POLYR", "BLEUx"), "used0", ("POLYR", "BLEUx"));
    contact += &see(("PLANx", "VERTx"), "iqsc0", ("POLYR", "BLEUx"));
    // planes are held: whatever the table says about them among themselves has no meaning
    contact += &see(("PLANx", "VERTx"), "other", ("PLANx", "VERTx"));
    files.iter_mut().find(|(name, _)| *name == "TACT_BEHAV.DAT").unwrap().1 = contact;
    let imported = import(&as_refs(&files)).unwrap();
    let AnyModel::Three(model) = built(&imported).model else { panic!("3D") };
    let stone = model.materials.iter().position(|material| material.name == "stone").unwrap();
    (model.joints.between(stone, stone), imported.notes.iter().map(ToString::to_string).collect())
}

#[test]
fn laws_of_contact_keep_cohesion_and_dynamic_friction() {
    let friction: &[(&str, f64)] = &[("dfrc=", 0.4), ("sfrc=", 0.6)];
    let (joint, notes) = joint_by("IQS_DS_CLB", &[friction]);
    assert!(notes.iter().any(|note| note.contains("law other (ELASTIC_ROD), which is not known")), "{notes:?}");
    assert_eq!((joint.friction, joint.dynamic_friction, joint.bond), (0.6, Some(0.4), None));

    let (joint, notes) = joint_by("IQS_MOHR_DS_CLB", &[&[("cohn=", 1e5), ("coht=", 3e4)], friction]);
    let bond = Bond::MohrCoulomb(MohrCoulomb { cohesion: 3e4, tension: 3e4 / 0.6 });
    assert_eq!((joint.friction, joint.bond), (0.6, Some(bond)));
    assert!(notes.iter().any(|note| note.contains("limited to cohesion/friction")), "{notes:?}");

    let values: [&[(&str, f64)]; 3] = [friction, &[("cn  =", 1e8), ("ct  =", 1e7)], &[("visc=", 0.5), ("dupr=", 90.0)]];
    let (joint, _) = joint_by("IQS_MAC_CZM", &values);
    let bond = Bond::Cohesive(Cohesive { normal: 1e8, tangential: 1e7, energy: 90.0, viscosity: 0.5, exponent: 1.0 });
    assert_eq!((joint.dynamic_friction, joint.bond), (Some(0.4), Some(bond)));

    let (joint, _) = joint_by("COUPLED_DOF", &[]);
    assert_eq!(joint.bond, Some(Bond::Glued(Glued)));

    let (joint, notes) = joint_by("IQS_WET_DS_CLB", &[&[("cohn=", 1.0), ("coht=", 0.0)], &[("Wthk=", 0.1)], friction]);
    assert_eq!((joint.friction, joint.bond), (0.6, None));
    assert!(notes.iter().any(|note| note.starts_with("dropped") && note.contains("water film")), "{notes:?}");
}

#[test]
fn numbers_of_bodies_and_evolutions_may_be_in_other_columns() {
    let mut files = two_boxes();
    let expected = built(&import(&as_refs(&files)).unwrap());
    for (name, from, to) in [
        ("DRV_DOF.DAT", " RBDY3      2\n", " RBDY3            2\n"),
        ("DRV_DOF.DAT", " force      2 evolution push.DAT", " force  2   evolution   push.DAT"),
        ("BULK_BEHAV.DAT", "stone  RIGID ", "stone  THERMO_RIGID "),
    ] {
        let text = &mut files.iter_mut().find(|(file, _)| *file == name).unwrap().1;
        assert!(text.contains(from), "{from} is not in {name}");
        *text = text.replacen(from, to, 1);
    }
    let text = &mut files.iter_mut().find(|(file, _)| *file == "BULK_BEHAV.DAT").unwrap().1;
    // the word is longer, the number stays in its columns
    *text = text.replacen("THERMO_RIGID       ", "THERMO_RIGID", 1);
    let found = built(&import(&as_refs(&files)).unwrap());
    assert_eq!(format!("{:?}", found.model), format!("{:?}", expected.model));
}

#[test]
fn a_support_may_move_by_another_function_in_each_direction() {
    let mut files = two_boxes();
    let mut moved = String::from("$bdyty\n RBDY3      3\n$nodty\n NO6xx      1\n$dofty\n");
    moved += &driven("vlocy", 1, [0.0, 0.3, 5.0, 0.0, 1.0, 0.0]);
    moved += &driven("vlocy", 2, [0.2, 0.0, 0.0, 0.0, 1.0, 0.0]);
    for dof in 3..=6 {
        moved += &driven("vlocy", dof, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }
    files.iter_mut().find(|(name, _)| *name == "DRV_DOF.DAT").unwrap().1 = moved + "$$$$$$\n";
    let AnyModel::Three(model) = built(&import(&as_refs(&files)).unwrap()).model else { panic!("3D") };
    let motion = &model.motions[0];
    for t in [0.0, 0.1, 0.7] {
        let parts = motion.components.iter().map(|(direction, function)| *direction * function.value(t));
        let velocity = parts.fold(motion.direction * motion.function.value(t), |sum, part| sum + part);
        assert!(velocity.distance(dvec3(0.3 * (5.0 * t).cos(), 0.2, 0.0)) < 1e-6, "{t}: {velocity}");
    }
}

#[test]
fn what_is_wrong_is_said_with_file_and_line() {
    let change = |file: &str, from: &str, to: &str| {
        let mut files = two_boxes();
        let text = &mut files.iter_mut().find(|(name, _)| *name == file).unwrap().1;
        assert!(text.contains(from), "{from} is not in {file}");
        *text = text.replacen(from, to, 1);
        import(&as_refs(&files)).unwrap_err().to_string()
    };
    for (file, from, to, expected) in [
        ("BODIES.DAT", "POLYR      1", "POLYX      1", "BODIES.DAT, line 12: \"POLYX\" is not a supported contactor"),
        ("BODIES.DAT", "nb_vertex=       8", "nb_vertex=      99", "line 12: POLYR ends before its vertices"),
        ("BODIES.DAT", "nb_faces=      12", "nb_faces=      1x", "columns 60 to 67 have \"1x\""),
        ("BODIES.DAT", "ver1= 1 ", "ver1= 9 ", "a triangle refers to vertex 9, there are 1 to 8"),
        ("BODIES.DAT", "RBDY3      2", "RBDY2      2", "bodies of 2D and 3D in one model"),
        ("BODIES.DAT", "behav  stone", "behav  stony", "there is no bulk law \"stony\""),
        ("BODIES.DAT", "$tacty", "$blmty", "body 1: it has no shape"),
        ("DRV_DOF.DAT", "RBDY3      3", "RBDY3      7", "DRV_DOF.DAT, line 2: body 7, there are 1 to 3"),
        ("DRV_DOF.DAT", "push.DAT", "lost.DAT", "lost.DAT"),
        ("DRV_DOF.DAT", "push.DAT", "../x.DAT", "is not the name of a file beside this one"),
        ("TACT_BEHAV.DAT", "IQS_CLB ", "ELASTIC ", "TACT_BEHAV.DAT, line 2: the contact law \"ELASTIC\""),
        ("TACT_BEHAV.DAT", "$seety", "$seet ", "has no $seety"),
        ("BULK_BEHAV.DAT", "RIGID", "ELAST", "BULK_BEHAV.DAT, line 4: the bulk law \"ELAST\""),
        ("DOF.INI", "$steps", " steps", "has no $steps"),
        ("push.DAT", " 0.5 100.0", " 0.5 x", "push.DAT, line 2"),
        ("push.DAT", " 0.5", "-0.5", "not after the row before"),
    ] {
        if to == "$blmty" || to == "$seet " {
            // these change what is read, not whether it can be
            continue;
        }
        let error = change(file, from, to);
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    }
    assert!(import(&[("BODIES.DAT", "")]).unwrap_err().to_string().contains("missing"));
}

#[test]
fn a_folder_that_is_no_model() {
    let folder = tempfile::tempdir().unwrap();
    let error = voussoir_model::import(folder.path(), &ImportOptions::default()).unwrap_err();
    assert!(error.message.contains("neither BODIES.DAT nor DATBOX/BODIES.DAT") && error.help.is_some(), "{error}");
    assert!(voussoir_model::import(Path::new("/no/such/place"), &ImportOptions::default()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    /// Damaged files are read or refused, nothing else happens.
    #[test]
    fn damage_never_panics(
        file in 0usize..6, at in 0.0..1.0f64, bytes in prop::collection::vec(any::<u8>(), 0..12), cut in any::<bool>(),
    ) {
        let mut files: Vec<(&str, Vec<u8>)> = two_boxes().into_iter().map(|(n, t)| (n, t.into_bytes())).collect();
        let text = &mut files[file].1;
        let at = (at * text.len() as f64) as usize;
        if cut {
            text.truncate(at);
        }
        for (i, byte) in bytes.iter().enumerate() {
            if let Some(place) = text.get_mut(at + i) {
                *place = *byte;
            }
        }
        let refs: Vec<(&str, &[u8])> = files.iter().map(|(n, t)| (*n, t.as_slice())).collect();
        if let Ok(imported) = import_files(&refs, &ImportOptions::default()) {
            let _ = imported.to_toml("damaged");
        }
    }
}
