//! `BULK_BEHAV.DAT` and `TACT_BEHAV.DAT`: gravity, densities, contact laws, and pairs of contactors in see tables.

use std::collections::BTreeMap;

use super::columns::{B, DatboxLine, DatboxTable};
use crate::import::{ImportError, Notes};

/// Gravity and densities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bulk {
    /// Acceleration of gravity [m/s²].
    pub gravity: [f64; 3],
    /// Densities by name [kg/m³].
    pub densities: BTreeMap<String, f64>,
}

/// Contact laws and see tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contact {
    /// Laws by name.
    pub laws: BTreeMap<String, DatboxLaw>,
    /// See tables in order: the first match is used.
    pub sees: Vec<See>,
}

/// A contact law.
#[derive(Clone, Debug, PartialEq)]
pub struct DatboxLaw {
    /// Its name in LMGC90, `IQS_CLB` for instance.
    pub kind: String,
    /// Its parameters in order.
    pub parameters: Vec<f64>,
    /// Line of the file.
    pub line: usize,
}

/// A pair of contactors in a see table.
#[derive(Clone, Debug, PartialEq)]
pub struct See {
    /// Contactor and colour on the one side …
    pub candidate: [String; 2],
    /// … and on the other.
    pub antagonist: [String; 2],
    /// Name of the law.
    pub law: String,
    /// Alert distance [m].
    pub alert: f64,
    /// Line of the file.
    pub line: usize,
}

impl See {
    /// True for these two (contactor, colour), in either order.
    pub fn matches(&self, a: &[String; 2], b: &[String; 2]) -> bool {
        (&self.candidate == a && &self.antagonist == b) || (&self.candidate == b && &self.antagonist == a)
    }
}

/// Reads `BULK_BEHAV.DAT`.
pub(crate) fn read_bulk(table: &DatboxTable, notes: &mut Notes) -> Result<Bulk, ImportError> {
    let mut bulk = Bulk::default();
    let lines = table.lines();
    if let Some(at) = lines.iter().position(|line| line.keyword() == Some("gravy")) {
        let line = lines.get(at + 1).ok_or_else(|| table.error(Some(&lines[at]), "$gravy without values"))?;
        bulk.gravity = table.reals(line, &[25..=38, 46..=59, 67..=80])?;
    }
    for line in laws(table) {
        let kind = line.columns(9..=38);
        match kind.as_str() {
            "RIGID" => {}
            "THERMO_RIGID" | "ELECTRO_RIGID" => {
                notes.dropped(format!("bulk law {} ({kind}): conduction; its density is kept", line.kind()));
            }
            _ => {
                return Err(table
                    .error(Some(line), format!("the bulk law {kind:?} is not for rigid bodies"))
                    .with_help("supported: RIGID, THERMO_RIGID and ELECTRO_RIGID"));
            }
        }
        bulk.densities.insert(line.kind(), table.real(line, B[0].clone())?);
    }
    Ok(bulk)
}

/// Reads `TACT_BEHAV.DAT`.
pub(crate) fn read_contact(table: &DatboxTable, notes: &mut Notes) -> Result<Contact, ImportError> {
    let mut contact = Contact::default();
    for record in table.records("behav") {
        let Some(line) = record.first() else { continue };
        let mut parameters = Vec::new();
        let more = record[1..].iter().take_while(|line| line.goes_on());
        for line in std::iter::once(line).chain(more) {
            parameters.extend(table.given(line, &B)?);
        }
        let law = DatboxLaw { kind: line.columns(9..=38), parameters, line: line.number };
        if contact.laws.insert(line.kind(), law).is_some() {
            notes.changed(format!(
                "TACT_BEHAV.DAT, line {}: a second law {:?} replaces the first",
                line.number,
                line.kind()
            ));
        }
    }
    for record in table.records("seety") {
        // the first line is a header
        let Some(line) = record.get(1) else { continue };
        contact.sees.push(See {
            candidate: [line.columns(9..=13), line.columns(16..=20)],
            law: line.columns(23..=27),
            antagonist: [line.columns(37..=41), line.columns(44..=48)],
            alert: table.real(line, 55..=68)?,
            line: line.number,
        });
    }
    if contact.sees.is_empty() {
        return Err(table.error(None, "the file has no $seety: no bodies would be in contact"));
    }
    Ok(contact)
}

/// The first line after each `$behav`.
fn laws(table: &DatboxTable) -> impl Iterator<Item = &DatboxLine> {
    table.records("behav").into_iter().filter_map(<[DatboxLine]>::first)
}
