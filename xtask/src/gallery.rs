//! `cargo xtask gallery`: every example computed and drawn, on one page of the book.
//!
//! The comments at the head of an example say what it shows, which command to run, which number to expect and what to
//! draw (`voussoir_testing::example`). The picture goes to `docs/pictures/`, the page is `docs/gallery.md`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use voussoir_testing::example::Example;

use crate::process::{cargo, root, run as run_process};

/// Draws all examples (or those named) and writes the page; with `--page` writes the page only.
pub fn run(names: &[String]) -> Result<(), String> {
    let examples = Example::all(&root().join("examples"))?;
    if names != ["--page"] {
        run_process(&mut cargo(&["build", "--workspace", "--bin", "voussoir"]))?;
        let program = root().join("target/debug/voussoir");
        for example in examples.iter().filter(|example| names.is_empty() || names.contains(&example.name)) {
            draw(&program, example)?;
        }
    }
    let page = root().join("docs/gallery.md");
    std::fs::write(&page, page_of(&examples)).map_err(|e| format!("{}: {e}", page.display()))?;
    println!("written to {}", page.display());
    Ok(())
}

fn draw(program: &Path, example: &Example) -> Result<(), String> {
    println!("{}", example.name);
    let out = root().join("target/gallery").join(&example.name);
    let command = if example.picture_of_run { &["run".to_owned()][..] } else { &example.command[..] };
    let mut compute = Command::new(program);
    compute.arg(&command[0]).arg(scene(example)).args(&command[1..]).args(["--force", "--quiet", "-o"]).arg(&out);
    run_process(&mut compute)?;
    let picture = root().join("docs/pictures").join(format!("{}.svg", example.name));
    match &example.picture[..] {
        // the drawing that the command itself leaves
        [file] if file.ends_with(".svg") => std::fs::copy(out.join(file), &picture)
            .map(|_| ())
            .map_err(|e| format!("{}: {e}", out.join(file).display())),
        options => {
            let mut export = Command::new(program);
            run_process(export.arg("export").arg(&out).args(["--to", "svg", "-o"]).arg(picture).args(options))
        }
    }
}

/// Path of a scene.
fn scene(example: &Example) -> PathBuf {
    root().join("examples").join(format!("{}.toml", example.name))
}

fn page_of(examples: &[Example]) -> String {
    let mut page = format!(
        "# Gallery\n\nThe {} scenes of the folder `examples`. Each has one number to expect, with its source; a test runs \
         the command and compares. To see a scene with a dynamic stage move: `voussoir run examples/NAME.toml`, then \
         `voussoir view out/NAME`. `cargo xtask gallery` draws the pictures and writes this page.\n",
        examples.len()
    );
    for example in examples {
        let Example { name, title, words, command, .. } = example;
        let options: String = command[1..].iter().map(|option| format!(" {option}")).collect();
        let _ = write!(
            page,
            "\n## {title}\n\n![{title}](pictures/{name}.svg)\n\n{words}\n\n{}\n\n```text\nvoussoir {} \
             examples/{name}.toml{options}\n```\n\n```toml\n{}\n```\n",
            example.expect.sentence(),
            command[0],
            example.scene(),
        );
    }
    page
}
