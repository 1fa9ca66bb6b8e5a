//! Cases with external models, which are not part of the program.

use std::path::Path;

use tempfile::TempDir;
use voussoir_model::import::{ImportOptions, import};

use super::ValidateError;
use super::case::Case;

/// Name of the geometry files: `model.obj`, `model-PLEXx.obj`.
const NAME: &str = "model";

/// Cases that can be run.
#[derive(Debug)]
pub struct Ready {
    /// With the folders that their scenes start from.
    pub cases: Vec<Case>,
    /// Reasons why other cases are skipped.
    pub left_out: Vec<String>,
    /// Temporary folders with the geometry, removed when this value is dropped.
    folders: Vec<TempDir>,
}

/// Imports the models that cases ask for from the folder `data`.
pub fn fetch(cases: Vec<Case>, data: Option<&Path>) -> Result<Ready, ValidateError> {
    let mut ready = Ready { cases: Vec::new(), left_out: Vec::new(), folders: Vec::new() };
    for mut case in cases {
        if let Some(model) = &case.model {
            let Some(source) = data.map(|data| data.join(model)).filter(|source| source.exists()) else {
                ready.left_out.push(format!(
                    "{} is skipped: it needs {} in the folder of the environment variable VOUSSOIR_DATA",
                    case.id,
                    model.display()
                ));
                continue;
            };
            let folder = geometry_of(&source).map_err(|reason| case.wrong(reason))?;
            case.place = folder.path().to_owned();
            ready.folders.push(folder);
        }
        ready.cases.push(case);
    }
    Ok(ready)
}

/// A folder with the geometry of a model.
fn geometry_of(source: &Path) -> Result<TempDir, String> {
    let options = ImportOptions { name: NAME.to_owned(), ..ImportOptions::default() };
    let imported = import(source, &options).map_err(|error| error.to_string())?;
    let fail = |error: std::io::Error| format!("the geometry of {} cannot be kept: {error}", source.display());
    let folder = TempDir::new().map_err(fail)?;
    imported.write_geometry(folder.path()).map_err(fail)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    const CASE: &str = r#"
id = "X1"
title = "cube of a file"
source = "its weight"
explanation = ""
model = "parts/cube.obj"

[[run]]
name = "rest"
scene = '''
materials.stone.density = 1000.0
bodies = [{ name = "cube", mesh = "model.obj", material = "stone" }, { name = "ground", shape = "half-space", material = "stone" }]
joints = [{ between = ["stone", "stone"], friction = 0.5 }]
supports = [{ select = "ground" }]
stages = [{ analysis = "dynamic", duration = 2e-3, step = 1e-3 }]
'''

[[check]]
what = "force on the cube [N]"
quantity = "force"
body = "cube.part[0]"
component = "z"
take = "end"
expected = 9810.0
tolerance = { relative = 1e-9 }
"#;

    #[test]
    fn geometry_of_others_is_found_and_a_case_without_it_left_out() {
        let data = TempDir::new().unwrap();
        let case = || vec![Case::parse(CASE, "X1.toml").unwrap()];
        for place in [None, Some(data.path())] {
            let ready = fetch(case(), place).unwrap();
            assert!(ready.cases.is_empty() && ready.left_out[0].contains("parts/cube.obj"), "{:?}", ready.left_out);
        }
        std::fs::create_dir(data.path().join("parts")).unwrap();
        std::fs::write(data.path().join("parts/cube.obj"), CUBE).unwrap();
        let ready = fetch(case(), Some(data.path())).unwrap();
        let report = super::super::validate(&ready.cases, &|| {}).unwrap();
        assert_eq!((report.failed, ready.left_out.len()), (0, 0), "{}", report.table());
    }
}
