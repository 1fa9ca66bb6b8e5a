//! Start and end of the program: arguments, threads, errors, exit code.

use std::ffi::OsString;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::Parser;
use miette::GraphicalReportHandler;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;

/// Runs the program with the arguments of the process and returns its exit code.
pub fn main() -> ExitCode {
    run(std::env::args_os()).into()
}

/// Runs the program with arguments, of which the first is the name of the program.
pub fn run<I: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = I>) -> Exit {
    report_panics();
    // invalid arguments end the program here, with exit code 2
    let arguments = Arguments::parse_from(arguments);
    let terminal = Terminal::new(arguments.general.loudness(), arguments.command.is_json());
    let exit = panic::catch_unwind(AssertUnwindSafe(|| match start(&arguments, &terminal) {
        Ok(exit) => exit,
        Err(failure) => {
            show(&failure, &terminal);
            failure.exit
        }
    }));
    // the panic hook has reported the panic
    exit.unwrap_or(Exit::Failed)
}

fn start(arguments: &Arguments, terminal: &Terminal) -> CommandResult<Exit> {
    if let Some(threads) = arguments.general.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().map_err(|error| Failure::bad_input(format!("--threads {threads}: {error}")))?;
    }
    match &arguments.command {
        Command::Demo(command) => command.execute(terminal),
        Command::New(command) => command.execute(terminal),
        Command::Check(command) => command.execute(terminal),
        Command::Import(command) => command.execute(terminal),
        Command::Run(command) => command.execute(terminal),
        Command::Resume(command) => command.execute(terminal),
        Command::Stand(command) => command.execute(terminal),
        Command::Limit(command) => command.execute(terminal),
        Command::Assess(command) => command.execute(terminal),
        Command::Compare(command) => command.execute(terminal),
        Command::Fill(command) => command.execute(terminal),
        Command::Modes(command) => command.execute(terminal),
        Command::Sample(command) => command.execute(terminal),
        Command::Calibrate(command) => command.execute(terminal),
        Command::Pushover(command) => command.execute(terminal),
        Command::Sweep(command) => command.execute(terminal),
        Command::Solve(command) => command.execute(terminal),
        Command::Export(command) => command.execute(terminal),
        Command::Report(command) => command.execute(terminal),
        Command::View(command) => command.execute(terminal),
        Command::Validate(command) => command.execute(terminal),
        Command::Materials(command) => command.execute(terminal),
        Command::Schema(command) => command.execute(terminal),
        Command::Completions(command) => command.execute(terminal),
    }
}

/// Prints an error on stderr, and with `--json` also as JSON on stdout.
fn show(failure: &Failure, terminal: &Terminal) {
    let handler = miette::MietteHandlerOpts::new().width(100).context_lines(1).build();
    let _ = writeln!(std::io::stderr(), "{:?}", Shown { handler, failure });
    if terminal.is_json() {
        let _ = terminal.answer(&failure.to_json().to_string());
    }
}

/// An error formatted for a terminal.
struct Shown<'a> {
    handler: miette::MietteHandler,
    failure: &'a Failure,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        miette::ReportHandler::debug(&self.handler, self.failure, f)
    }
}

/// An error as text without colours.
pub fn plain_text(failure: &Failure) -> String {
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
    match handler.with_width(100).with_context_lines(1).render_report(&mut text, failure) {
        Ok(()) => text,
        Err(_) => failure.to_string(),
    }
}

/// Reports panics as internal errors in one line, without a stack trace.
fn report_panics() {
    panic::set_hook(Box::new(|info| {
        let what = info
            .payload()
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| info.payload().downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no reason given".to_owned());
        let place = info.location().map_or(String::new(), |at| format!(" ({}:{})", at.file(), at.line()));
        let _ = writeln!(
            std::io::stderr(),
            "error: internal error: {what}{place}\n\
             This is a bug in voussoir. Results written so far can be read. Please report the bug with the scene."
        );
    }));
}
