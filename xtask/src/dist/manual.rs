//! The manual page, made of the help of the program.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::process::output;

/// `voussoir.1`: the help of the program, then that of every command.
pub fn page(program: &Path, version: &str) -> Result<String, String> {
    let help = output(Command::new(program).arg("--help"))?;
    let mut page = format!(
        ".TH VOUSSOIR 1 \"\" \"voussoir {version}\" \"User commands\"\n.SH NAME\nvoussoir \\- equilibrium, motion and \
         collapse of structures held together by contact and friction\n.SH SYNOPSIS\n.B voussoir\n.I COMMAND\n[options]\n"
    );
    section(&mut page, "DESCRIPTION", &help);
    for command in commands(&help) {
        let help = output(Command::new(program).args([command, "--help"]))?;
        section(&mut page, &format!("VOUSSOIR {}", command.to_uppercase()), &help);
    }
    Ok(page)
}

/// Names of the commands in the help of the program: the first words of the lines under `Commands:`.
fn commands(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| line.trim() != "Commands:").skip(1);
    let listed = listed.take_while(|line| line.starts_with("  "));
    // a wrapped description is indented further than a name
    let names = listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

/// A section with text as it is.
fn section(page: &mut String, title: &str, text: &str) {
    let _ = writeln!(page, ".SH {title}\n.nf");
    for line in text.lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        // a line that starts with a dot or an apostrophe would be a request of roff
        let _ = writeln!(page, "{}{line}", if line.starts_with(['.', '\'']) { "\\&" } else { "" });
    }
    page.push_str(".fi\n");
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_are_read_from_the_help() {
        let help = "What it does\n\nCommands:\n  run     Runs\n          all stages\n  stand   Decides\n  help    Prints\n\nOptions:\n  -h\n";
        assert_eq!(commands(help), ["run", "stand"]);
    }
}
