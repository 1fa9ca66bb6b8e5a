//! A server for the results page that continues after the command has ended.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The server shuts down after this time without a connected browser [minutes].
pub const MINUTES: u32 = 15;

/// Starts `voussoir view` for a results folder; returns the address, or the reason why there is none.
pub fn open_page(dir: &Path) -> Result<String, String> {
    if let Some(reason) = voussoir_view::page::missing() {
        return Err(format!("this program was built without the results page ({reason})"));
    }
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(["view", "--quiet", "--close-after", &MINUTES.to_string()]).arg(dir);
    // detached from this terminal, which may be closed before the server ends
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
