//! `cargo xtask gallery`: every example run, with its picture, on one page of the book.
//!
//! The first lines of an example are comments: what it is, what to expect, and a line `# Picture: OPTIONS` with options
//! of `voussoir export`. The picture goes to `docs/pictures/`, the page is `docs/gallery.md`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::process::{cargo, root, run as run_process};

/// An example, as its first lines describe it.
struct Example {
    name: String,
    title: String,
    words: Vec<String>,
    options: Vec<String>,
    text: String,
}

/// Runs all examples (or those named) and draws them.
pub fn run(names: &[String]) -> Result<(), String> {
    let folder = root().join("examples");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    let examples = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    run_process(&mut cargo(&["build", "--workspace", "--bin", "voussoir"]))?;
    let program = root().join("target/debug/voussoir");
    for example in examples.iter().filter(|example| names.is_empty() || names.contains(&example.name)) {
        draw(&program, example)?;
    }
    let page = root().join("docs/gallery.md");
    std::fs::write(&page, page_of(&examples)).map_err(|e| format!("{}: {e}", page.display()))?;
    println!("written to {}", page.display());
    Ok(())
}

fn read(path: &Path) -> Result<Example, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let comments = text.lines().map_while(|line| line.strip_prefix('#')).map(|line| line.trim().to_owned());
    let (pictures, words): (Vec<String>, Vec<String>) = comments.partition(|line| line.starts_with("Picture:"));
    let options = pictures.iter().flat_map(|line| line.trim_start_matches("Picture:").split_whitespace());
    let title = text.lines().find_map(|line| line.strip_prefix("title = "));
    Ok(Example {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        title: title.unwrap_or("untitled").trim().trim_matches('"').to_owned(),
        words,
        options: options.map(str::to_owned).collect(),
        text,
    })
}

fn draw(program: &Path, example: &Example) -> Result<(), String> {
    println!("{}", example.name);
    let out = root().join("target/gallery").join(&example.name);
    let scene = root().join("examples").join(format!("{}.toml", example.name));
    let mut command = std::process::Command::new(program);
    run_process(command.args(["run", "--force", "--quiet", "-o"]).arg(&out).arg(scene))?;
    let picture = root().join(picture(example));
    let mut command = std::process::Command::new(program);
    run_process(command.arg("export").arg(&out).args(["--to", "svg", "-o"]).arg(picture).args(&example.options))
}

/// Where the picture of an example is, from the root.
fn picture(example: &Example) -> String {
    format!("docs/pictures/{}.svg", example.name)
}

/// Lines of a comment as paragraphs: a line begins one when it says what to expect, or the line before ends a sentence.
fn paragraphs(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        let fresh = text.ends_with('.') || word.starts_with("Expect");
        text += if text.is_empty() {
            ""
        } else if fresh {
            "\n\n"
        } else {
            " "
        };
        text += word;
    }
    text
}

fn page_of(examples: &[Example]) -> String {
    let mut page = String::from(
        "# Gallery\n\nEvery scene of the folder `examples`, run and drawn by `cargo xtask gallery`. To see one move: \
         `voussoir run examples/NAME.toml`, then `voussoir view out/NAME`.\n",
    );
    for example in examples {
        let Example { name, title, words, text, .. } = example;
        let scene: Vec<&str> = text.lines().skip_while(|line| line.starts_with('#')).collect();
        let _ = write!(
            page,
            "\n## {title}\n\n![{title}](pictures/{name}.svg)\n\n{}\n\n`examples/{name}.toml`:\n\n```toml\n{}\n```\n",
            paragraphs(words),
            scene.join("\n").trim()
        );
    }
    page
}
