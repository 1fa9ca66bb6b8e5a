//! `cargo xtask dist`: a static Linux binary in an archive and in a Debian package, with SHA-256 checksums.
//!
//! The binary contains glibc, so that it runs on any Linux of its architecture. Everything goes to `target/dist`.

mod manual;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, output, root, run as run_process, target};

/// Shells whose completions are packed: name, path in the Debian package.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/voussoir"),
    ("zsh", "usr/share/zsh/vendor-completions/_voussoir"),
    ("fish", "usr/share/fish/vendor_completions.d/voussoir.fish"),
];

/// Documents that are packed.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// What is packed.
struct Release {
    /// Folder of the packages.
    folder: PathBuf,
    program: PathBuf,
    version: String,
    /// As in `x86_64`.
    machine: String,
}

/// Builds, packs and tries the packages.
pub fn run() -> Result<(), String> {
    let release = build()?;
    let packages = [archive(&release)?, debian(&release)?];
    let names: Vec<&str> = packages.iter().map(String::as_str).collect();
    let sums =
        output(Command::new("sh").arg("-c").arg("cd \"$0\" && sha256sum \"$@\"").arg(&release.folder).args(&names))?;
    write(&release.folder.join("SHA256SUMS"), &sums)?;
    try_out(&release, &packages[1])?;
    print!("{sums}");
    println!("in {}", release.folder.display());
    Ok(())
}

/// Builds the static binary in the `dist` profile.
fn build() -> Result<Release, String> {
    let about = output(Command::new("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc does not name its host")?;
    if !host.ends_with("linux-gnu") {
        return Err(format!("packages are built on Linux with glibc, not on {host}"));
    }
    let mut command = cargo(&["build", "--profile", "dist", "--bin", "voussoir", "--target", host]);
    run_process(command.env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+crt-static"))?;
    let program = target().join(host).join("dist/voussoir");
    let version = output(Command::new(&program).arg("--version"))?;
    let folder = target().join("dist");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(Release {
        folder,
        program,
        version: version.split_whitespace().last().unwrap_or_default().to_owned(),
        machine: host.split('-').next().unwrap_or_default().to_owned(),
    })
}

/// `voussoir-VERSION-linux-MACHINE.tar.gz`: program, documents, examples, completions, manual page.
fn archive(release: &Release) -> Result<String, String> {
    let name = format!("voussoir-{}-linux-{}", release.version, release.machine);
    let folder = fresh(&release.folder.join(&name))?;
    copy(&release.program, &folder.join("bin/voussoir"))?;
    for document in DOCUMENTS {
        copy(&root().join(document), &folder.join(document))?;
    }
    examples(&folder.join("examples"))?;
    for (shell, path) in SHELLS {
        let file = Path::new(path).file_name().unwrap_or_default();
        write(&folder.join("completions").join(file), &completions(release, shell)?)?;
    }
    write(&folder.join("man/voussoir.1"), &manual::page(&release.program, &release.version)?)?;
    let packed = format!("{name}.tar.gz");
    // the same bytes for the same files
    let mut tar = Command::new("tar");
    tar.args([
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mtime=@0",
        "--use-compress-program=gzip -n9",
    ]);
    run_process(tar.arg("-C").arg(&release.folder).arg("-cf").arg(release.folder.join(&packed)).arg(&name))?;
    Ok(packed)
}

/// `voussoir_VERSION_ARCHITECTURE.deb`.
fn debian(release: &Release) -> Result<String, String> {
    let architecture = match release.machine.as_str() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let folder = fresh(&release.folder.join("debian"))?;
    copy(&release.program, &folder.join("usr/bin/voussoir"))?;
    let documents = folder.join("usr/share/doc/voussoir");
    for document in DOCUMENTS {
        copy(&root().join(document), &documents.join(document))?;
    }
    examples(&documents.join("examples"))?;
    let licences = "Voussoir may be used under either of two licences, the MIT licence or the Apache licence 2.0.\n";
    let licences = ["LICENSE-MIT", "LICENSE-APACHE"].iter().try_fold(licences.to_owned(), |all, name| {
        std::fs::read_to_string(root().join(name))
            .map(|text| format!("{all}\n{text}"))
            .map_err(|e| format!("{name}: {e}"))
    })?;
    write(&documents.join("copyright"), &licences)?;
    for (shell, path) in SHELLS {
        write(&folder.join(path), &completions(release, shell)?)?;
    }
    let page = folder.join("usr/share/man/man1/voussoir.1");
    write(&page, &manual::page(&release.program, &release.version)?)?;
    run_process(Command::new("gzip").args(["-n9", "--force"]).arg(&page))?;
    let size = output(Command::new("du").args(["-sk"]).arg(folder.join("usr")))?;
    let size = size.split_whitespace().next().unwrap_or("0").to_owned();
    let variable = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    // the variables of Debian's own tools
    let maintainer =
        format!("{} <{}>", variable("DEBFULLNAME", "Voussoir developers"), variable("DEBEMAIL", "root@localhost"));
    let control = format!(
        "Package: voussoir\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {maintainer}\n\
         Installed-Size: {size}\nSection: science\nPriority: optional\nDescription: equilibrium, motion and collapse of masonry\n \
         Voussoir computes the equilibrium, motion and collapse of structures held\n together by contact and friction: \
         arches, walls, columns, domes.\n",
        release.version
    );
    write(&folder.join("DEBIAN/control"), &control)?;
    let packed = format!("voussoir_{}_{architecture}.deb", release.version);
    let file = release.folder.join(&packed);
    run_process(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&folder).arg(file))?;
    Ok(packed)
}

/// Unpacks the Debian package into a folder and decides with its program whether an arch stands.
fn try_out(release: &Release, package: &str) -> Result<(), String> {
    let folder = fresh(&release.folder.join("tried"))?;
    run_process(Command::new("dpkg-deb").arg("--extract").arg(release.folder.join(package)).arg(&folder))?;
    let (program, scene) = (folder.join("usr/bin/voussoir"), folder.join("arch.toml"));
    run_process(Command::new(&program).args(["new", "arch", "-o"]).arg(&scene))?;
    let answer = output(Command::new(&program).args(["stand", "--json"]).arg(&scene))?;
    if !answer.replace(' ', "").contains("\"stands\":true") {
        return Err(format!("the packed program says of an arch that stands: {answer}"));
    }
    println!("tried: the packed program finds that an arch stands");
    Ok(())
}

fn completions(release: &Release, shell: &str) -> Result<String, String> {
    output(Command::new(&release.program).args(["completions", shell]))
}

fn examples(folder: &Path) -> Result<(), String> {
    let source = root().join("examples");
    let files = std::fs::read_dir(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    for path in files.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()) {
        copy(&path, &folder.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// An empty folder.
fn fresh(folder: &Path) -> Result<PathBuf, String> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder.to_path_buf())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    parent(to)?;
    std::fs::copy(from, to).map(|_| ()).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    parent(path)?;
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn parent(path: &Path) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}
