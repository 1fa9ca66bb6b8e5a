//! A page that goes on being served after a command has ended.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The page closes when nobody has looked for so long [minutes].
pub const MINUTES: u32 = 15;

/// Starts `voussoir view` for a results folder and gives the address; an error says why there is none.
pub fn open_page(dir: &Path) -> Result<String, String> {
    if let Some(reason) = voussoir_view::page::missing() {
        return Err(format!("this program was built without it ({reason})"));
    }
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(["view", "--quiet", "--close-after", &MINUTES.to_string()]).arg(dir);
    // nothing of this terminal: it may be closed, and nobody should wait for the other program to end
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let mut address = String::new();
    if let Some(stdout) = child.stdout.take() {
        BufReader::new(stdout).read_line(&mut address).map_err(|error| error.to_string())?;
    }
    match address.trim() {
        "" => Err("the server did not start".to_owned()),
        address => Ok(address.to_owned()),
    }
}
