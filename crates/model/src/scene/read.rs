//! TOML to scene structs, with the place of every error.
//!
//! Most of the scene is read by `serde` as it stands. Bodies and stages are read here: the keys `shape`, `generator`,
//! `mesh` or `analysis` decide which other keys are valid, and an error must still refer to the faulty key or value.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::Scene;
use super::bodies::{
    BodyKeys, BodySpec, Compound, CylinderSpec, FormSpec, HalfSpaceSpec, MeshFile, PartPlacement, PartSpec,
    PolyhedronSpec, RadiusKeys, SegmentSpec, ShapeSpec, SizeKeys,
};
use super::generated::{Generator, ReadKeys};
use super::introspect::keys_of;
use super::stages::{DynamicKeys, StageAnalysisKeys, StageChanges, StageSpec, StaticKeys};
use crate::error::{SceneError, Source};
use crate::suggest;

/// Longest text that is read [bytes].
pub const LONGEST_TEXT: usize = 256 << 20;

/// The keys that determine the form of a body.
const FORM_KEYS: [&str; 3] = ["shape", "generator", "mesh"];

type Value<'i> = Spanned<DeValue<'i>>;

/// Reads a whole scene.
pub(super) fn scene(text: &str, file: &str) -> Result<Scene, SceneError> {
    if text.len() > LONGEST_TEXT {
        let source = Source::new("", file);
        return Err(source.error(0..0, format!("the scene has {} bytes, more than {LONGEST_TEXT}", text.len())));
    }
    let source = Source::new(text, file);
    let document = DeTable::parse(text).map_err(|e| explain(&source, &e))?;
    let span = document.span();
    let mut table = document.into_inner();
    let bodies = table.remove("bodies");
    let stages = table.remove("stages");
    let mut scene: Scene = decode(&source, Spanned::new(span, DeValue::Table(table)))?;
    if let Some(bodies) = bodies {
        scene.bodies = list(&source, bodies, "bodies", |value| body(&source, value))?;
    }
    if let Some(stages) = stages {
        scene.stages = list(&source, stages, "stages", |value| stage(&source, value))?;
    }
    scene.source = source;
    Ok(scene)
}

/// Reads an array of tables.
fn list<'i, T>(
    source: &Source,
    value: Value<'i>,
    what: &str,
    read: impl Fn(Value<'i>) -> Result<T, SceneError>,
) -> Result<Vec<T>, SceneError> {
    let span = value.span();
    match value.into_inner() {
        DeValue::Array(items) => items.into_iter().map(read).collect(),
        other => Err(source
            .error(span, format!("`{what}` is {}, expected a list of tables", type_of(&other)))
            .with_help(format!("start each of them with [[{what}]]"))),
    }
}

/// Reads one `[[bodies]]`.
fn body(source: &Source, value: Value<'_>) -> Result<BodySpec, SceneError> {
    let (span, mut table) = into_table(source, value, "a body")?;
    let name = table.get("name").and_then(|v| v.get_ref().as_str()).map_or(String::new(), |n| format!(" \"{n}\""));
    let mut given: Vec<&str> = FORM_KEYS.into_iter().filter(|key| table.contains_key(*key)).collect();
    let Some(first) = given.first().copied() else {
        // a misspelling of one of the three keys is the likely reason
        let known = [keys_of::<BodyKeys>(), &FORM_KEYS].concat();
        let likely = |key: &str| !every_form_key().contains(&key);
        check_keys_that(source, &table, &known, "a body", likely)?;
        return Err(source
            .error(span, format!("body{name} has neither `shape`, `generator` nor `mesh`"))
            .with_help("give one of them, for instance: shape = \"box\" and size = [1.0, 0.5, 0.5]"));
    };
    if given.len() > 1 {
        let second = given.remove(1);
        let at = table.get_key_value(second).map_or(span, |(key, _)| key.span());
        return Err(source.error(at, format!("body{name} has both `{first}` and `{second}`")).with_help("keep one"));
    }
    let common_keys = keys_of::<BodyKeys>();
    let form = if first == "mesh" {
        check_keys(source, &table, &[common_keys, keys_of::<MeshFile>()], "a body with a mesh")?;
        FormSpec::Mesh(decode(source, split_off(&mut table, &span, common_keys))?)
    } else {
        let (kind, kind_span) = tag(source, &mut table, first)?;
        if first == "shape" {
            FormSpec::Shaped(shape(source, &mut table, &span, (&kind, kind_span), common_keys)?)
        } else {
            FormSpec::Generated(generator(source, &mut table, &span, (&kind, kind_span), common_keys)?)
        }
    };
    let common: BodyKeys = decode(source, Spanned::new(span, DeValue::Table(table)))?;
    Ok(BodySpec { common, form })
}

/// Reads one `[[stages]]`: the key `analysis` decides which other keys are valid.
fn stage(source: &Source, value: Value<'_>) -> Result<StageSpec, SceneError> {
    let (span, mut table) = into_table(source, value, "a stage")?;
    if !table.contains_key("analysis") {
        return Err(source
            .error(span, "missing key `analysis` of a stage")
            .with_help("write analysis = \"dynamic\", analysis = \"explicit\" or analysis = \"static\""));
    }
    let (kind, kind_span) = tag(source, &mut table, "analysis")?;
    let others = keys_of::<StageChanges>();
    let what = format!("a {kind} stage");
    let analysis = match kind.as_str() {
        "dynamic" => StageAnalysisKeys::Dynamic(form_of(source, &mut table, &span, others, &what)?),
        "explicit" => {
            let what = "an explicit stage";
            StageAnalysisKeys::Explicit(Box::new(form_of(source, &mut table, &span, others, what)?))
        }
        "static" => {
            check_keys(source, &table, &[others, keys_of::<StaticKeys>()], &what).map_err(|error| {
                let timed = table.keys().any(|key| keys_of::<DynamicKeys>().contains(&key.get_ref().as_ref()));
                if timed {
                    error.with_help("a static stage takes no time; write analysis = \"dynamic\" for motion")
                } else {
                    error
                }
            })?;
            StageAnalysisKeys::Static(form_of(source, &mut table, &span, others, &what)?)
        }
        "events" => {
            StageAnalysisKeys::Events(form_of(source, &mut table, &span, others, &what.replace("a e", "an e"))?)
        }
        _ => return Err(unknown(source, kind_span, "analysis", &kind, &StageAnalysisKeys::NAMES)),
    };
    let changes = decode(source, Spanned::new(span, DeValue::Table(table)))?;
    Ok(StageSpec { changes, analysis })
}

/// Reads the keys of a shape; `others` are the keys that stay in `table`.
fn shape(
    source: &Source,
    table: &mut DeTable<'_>,
    span: &Range<usize>,
    (kind, kind_span): (&str, Range<usize>),
    others: &[&str],
) -> Result<ShapeSpec, SceneError> {
    macro_rules! read {
        ($variant:ident) => {
            ShapeSpec::$variant(form_of(source, table, span, others, &format!("shape \"{kind}\""))?)
        };
    }
    Ok(match kind {
        "box" => read!(Box),
        "polyhedron" => read!(Polyhedron),
        "sphere" => read!(Sphere),
        "cylinder" => read!(Cylinder),
        "half-space" => read!(HalfSpace),
        "rectangle" => read!(Rectangle),
        "polygon" => read!(Polygon),
        "disc" => read!(Disc),
        "segment" => read!(Segment),
        "half-plane" => read!(HalfPlane),
        "ground" => read!(Ground),
        "compound" => {
            check_keys(source, table, &[others, keys_of::<Compound>()], "shape \"compound\"")?;
            let Some(parts) = table.remove("parts") else {
                return Err(source.error(kind_span, "missing key `parts` of shape \"compound\""));
            };
            ShapeSpec::Compound(Compound { parts: list(source, parts, "parts", |value| part(source, value))? })
        }
        _ => return Err(unknown(source, kind_span, "shape", kind, &ShapeSpec::NAMES)),
    })
}

/// Reads the keys of a generator; `others` are the keys that stay in `table`.
fn generator(
    source: &Source,
    table: &mut DeTable<'_>,
    span: &Range<usize>,
    (kind, kind_span): (&str, Range<usize>),
    others: &[&str],
) -> Result<Generator, SceneError> {
    let mut keys = FormKeys { source, table, span, others, what: format!("generator \"{kind}\"") };
    Generator::read(kind, &mut keys)
        .unwrap_or_else(|| Err(unknown(source, kind_span, "generator", kind, Generator::NAMES)))
}

/// The table of a body whose form is to be read.
struct FormKeys<'a, 'i> {
    source: &'a Source,
    table: &'a mut DeTable<'i>,
    span: &'a Range<usize>,
    others: &'a [&'a str],
    what: String,
}

impl ReadKeys for FormKeys<'_, '_> {
    fn read<T: DeserializeOwned>(&mut self) -> Result<T, SceneError> {
        form_of(self.source, self.table, self.span, self.others, &self.what)
    }
}

/// Reads one part of a compound.
fn part(source: &Source, value: Value<'_>) -> Result<PartSpec, SceneError> {
    let (span, mut table) = into_table(source, value, "a part of a compound")?;
    if !table.contains_key("shape") {
        return Err(source.error(span, "missing key `shape` of a part of a compound"));
    }
    let (kind, kind_span) = tag(source, &mut table, "shape")?;
    if ["half-space", "half-plane", "ground", "compound"].contains(&kind.as_str()) {
        return Err(source.error(kind_span, format!("shape \"{kind}\" cannot be a part of a compound")));
    }
    let shape = shape(source, &mut table, &span, (&kind, kind_span), keys_of::<PartPlacement>())?;
    let placement = decode(source, Spanned::new(span, DeValue::Table(table)))?;
    Ok(PartSpec { placement, shape })
}

/// Checks all keys of the table, takes those of the form out of it and reads them.
fn form_of<T: DeserializeOwned>(
    source: &Source,
    table: &mut DeTable<'_>,
    span: &Range<usize>,
    others: &[&str],
    what: &str,
) -> Result<T, SceneError> {
    check_keys(source, table, &[others, keys_of::<T>()], what)?;
    decode(source, split_off(table, span, others)).map_err(|mut error| {
        if error.message.starts_with("missing key") {
            error.message += &format!(" of {what}");
        }
        error
    })
}

/// Takes the keys that are not among `others` out of a table.
fn split_off<'i>(table: &mut DeTable<'i>, span: &Range<usize>, others: &[&str]) -> Value<'i> {
    let (stay, leave): (Vec<_>, Vec<_>) =
        std::mem::take(table).into_iter().partition(|(key, _)| others.contains(&key.get_ref().as_ref()));
    *table = stay.into_iter().collect();
    Spanned::new(span.clone(), DeValue::Table(leave.into_iter().collect()))
}

/// Removes the key with the kind, a string.
fn tag(source: &Source, table: &mut DeTable<'_>, key: &str) -> Result<(String, Range<usize>), SceneError> {
    let Some(value) = table.remove(key) else {
        return Err(source.error(0..0, format!("missing key `{key}`")));
    };
    let span = value.span();
    match value.get_ref().as_str() {
        Some(kind) => Ok((kind.to_string(), span)),
        None => Err(source.error(span, format!("`{key}` is {}, expected a string", type_of(value.get_ref())))),
    }
}

/// The first key that is not among the valid ones is an error.
fn check_keys(source: &Source, table: &DeTable<'_>, valid: &[&[&str]], what: &str) -> Result<(), SceneError> {
    check_keys_that(source, table, &valid.concat(), what, |_| true)
}

/// The same, for keys with a specific error message.
fn check_keys_that(
    source: &Source,
    table: &DeTable<'_>,
    valid: &[&str],
    what: &str,
    suspect: impl Fn(&str) -> bool,
) -> Result<(), SceneError> {
    let wrong = |key: &str| !valid.contains(&key) && suspect(key);
    // in the order of the text, so that the first mistake is shown
    let first = table.keys().filter(|key| wrong(key.get_ref())).min_by_key(|key| key.span().start);
    match first {
        None => Ok(()),
        Some(key) => Err(source
            .error(key.span(), format!("unknown key `{}` of {what}", key.get_ref()))
            .with_help(suggest::help("keys", key.get_ref(), valid))),
    }
}

/// The keys of all forms together.
fn every_form_key() -> Vec<&'static str> {
    [
        keys_of::<SizeKeys>(),
        keys_of::<PolyhedronSpec>(),
        keys_of::<RadiusKeys>(),
        keys_of::<CylinderSpec>(),
        keys_of::<SegmentSpec>(),
        keys_of::<HalfSpaceSpec>(),
        keys_of::<Compound>(),
        keys_of::<MeshFile>(),
        &Generator::every_key(),
    ]
    .concat()
}

/// The type of a value, with its article.
fn type_of(value: &DeValue<'_>) -> String {
    let word = value.type_str();
    let article = if word.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {word}")
}

fn unknown(source: &Source, span: Range<usize>, what: &str, word: &str, valid: &[&str]) -> SceneError {
    let plural = if what == "analysis" { "analyses".to_owned() } else { format!("{what}s") };
    source.error(span, format!("unknown {what} \"{word}\"")).with_help(suggest::help(&plural, word, valid))
}

fn into_table<'i>(source: &Source, value: Value<'i>, what: &str) -> Result<(Range<usize>, DeTable<'i>), SceneError> {
    let span = value.span();
    match value.into_inner() {
        DeValue::Table(table) => Ok((span, table)),
        other => Err(source.error(span, format!("{what} is {}, expected a table", type_of(&other)))),
    }
}

/// Reads a value by `serde`.
fn decode<T: DeserializeOwned>(source: &Source, value: Value<'_>) -> Result<T, SceneError> {
    let fallback = value.span();
    T::deserialize(ValueDeserializer::from(value)).map_err(|error| {
        let mut explained = explain(source, &error);
        if error.span().is_none() {
            explained = source.error(fallback, explained.message);
        }
        explained
    })
}

/// Converts an error of the TOML reader to an error of a scene, with the nearest valid key.
fn explain(source: &Source, error: &toml::de::Error) -> SceneError {
    let span = error.span().unwrap_or(0..0);
    let message = error.message();
    for (prefix, what, plural) in [("unknown field `", "key", "keys"), ("unknown variant `", "value", "values")] {
        if let Some(rest) = message.strip_prefix(prefix) {
            let (word, valid) = rest.rsplit_once("`, expected ").unwrap_or((rest.trim_end_matches('`'), ""));
            // what serde lists stands between backticks
            let valid: Vec<&str> = valid.split('`').skip(1).step_by(2).collect();
            return source
                .error(span, format!("unknown {what} `{word}`"))
                .with_help(suggest::help(plural, word, &valid));
        }
    }
    let message = match message.strip_prefix("missing field ") {
        Some(key) => format!("missing key {key}"),
        None => match key_of_value(&source.text, span.start) {
            Some(key) if message.starts_with("invalid ") => format!("`{key}`: {}", plain_words(message)),
            _ => plain_words(message),
        },
    };
    let error = source.error(span.clone(), message);
    match advice(&source.text, &span, &error.message) {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// What was probably meant at a place that is no TOML or of another type.
fn advice(text: &str, span: &Range<usize>, message: &str) -> Option<String> {
    let (before, here) = (text.get(..span.start)?, text.get(span.start..)?);
    let digit = |c: char| c.is_ascii_digit();
    if here.starts_with(',') && before.ends_with(digit) && here[1..].starts_with(digit) {
        return Some("decimal numbers have a point: 0.6".to_owned());
    }
    if here.starts_with(['“', '”', '„', '‘', '’']) {
        return Some("texts stand between straight quotes: \"text\"".to_owned());
    }
    // [loads] for [[loads]]
    let name = here.lines().next()?.trim().strip_prefix('[')?.strip_suffix(']')?;
    let header = (before.is_empty() || before.ends_with('\n')) && !name.contains(['[', ']']);
    (header && message.contains("expected a list")).then(|| format!("begin every entry of this list with [[{name}]]"))
}

/// The key whose value starts at `start`, if key and value are on one line.
fn key_of_value(text: &str, start: usize) -> Option<&str> {
    let line = text.get(..start)?.rsplit('\n').next()?;
    let before = line.trim_end().strip_suffix('=')?.trim_end();
    let key = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).next()?;
    (!key.is_empty()).then_some(key)
}

/// Names of Rust types in terms of scene files.
fn plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 8] = [
        ("expected f64", "expected a number"),
        ("expected u64", "expected a whole number, zero or more"),
        ("expected u32", "expected a whole number, zero or more"),
        ("expected u8", "expected a whole number, zero or more"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table"),
        ("expected an array of length", "expected a list of length"),
        ("invalid type: map", "invalid type: table"),
    ];
    let mut message = message.to_string();
    for (rust, plain) in WORDS {
        message = message.replace(rust, plain);
    }
    if let Some(at) = message.find("expected struct ") {
        message.truncate(at);
        message += "expected a table";
    }
    message
}
