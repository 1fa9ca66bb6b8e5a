//! The text of a scene as a document that is edited by key: comments and the order of all other keys are kept.
//!
//! `arch.thickness` is the key of the body (load, material) `arch`; `joints[0].friction`, `bodies.arch.span` and
//! `materials.stone.density` are paths from the top; a list without a number takes all its items, so that
//! `joints.friction`, or just `friction`, is that of all joints.

use std::fmt;

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::error::{Result, RunError};

/// Lists whose items are found by name alone, in this order.
const NAMED: [&str; 3] = ["bodies", "loads", "materials"];

/// Optional numbers at the top level of a scene.
const NUMBERS: [&str; 2] = ["gravity", "depth"];

/// Keys at the top level of a scene that are lists of tables.
const LISTS: [&str; 9] =
    ["added_masses", "bodies", "cables", "joints", "loads", "probes", "stages", "supports", "trains"];

/// The text of a scene that is edited by key.
#[derive(Clone, Debug, Default)]
pub struct SceneText(DocumentMut);

impl fmt::Display for SceneText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl SceneText {
    /// Reads a text; its keys are not checked.
    pub fn parse(text: &str) -> Result<Self> {
        text.parse().map(Self).map_err(|error: toml_edit::TomlError| RunError::input(error.message().to_owned()))
    }

    /// Sets a number that the scene has, or an optional number that has a default.
    pub fn set_number(&mut self, key: &str, value: f64) -> Result<()> {
        let unknown = || unknown(key, "the scene has no numeric key");
        let steps = steps(key).ok_or_else(unknown)?;
        let change = Change { value: &Value::from(value), number: true };
        if set_somewhere(self.0.as_table_mut(), &steps, &change) == 0 { Err(unknown()) } else { Ok(()) }
    }

    /// Sets any value: a number, a word, a list or a table.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<()> {
        let unknown = || unknown(key, "the scene has no key");
        let steps = steps(key).ok_or_else(unknown)?;
        let change = Change { value, number: false };
        if let [Step::Word(word)] = &steps[..]
            && self.0.get(word).is_none()
            && word != "friction"
        {
            self.0.insert(word, Item::Value(value.clone()));
            return Ok(());
        }
        if set_somewhere(self.0.as_table_mut(), &steps, &change) == 0 { Err(unknown()) } else { Ok(()) }
    }

    /// The values at a key: one, or those of all items of a list.
    pub fn get(&self, key: &str) -> Result<Vec<Value>> {
        let unknown = || unknown(key, "the scene has no key");
        let steps = steps(key).ok_or_else(unknown)?;
        let mut found = Vec::new();
        collect_somewhere(self.0.as_table(), &steps, &mut found);
        if found.is_empty() { Err(unknown()) } else { Ok(found) }
    }

    /// All keys and values.
    pub fn value(&self) -> Value {
        Value::InlineTable(value_of_table(self.0.as_table()))
    }

    /// Removes a key at the top level; true if it existed.
    pub fn remove(&mut self, key: &str) -> bool {
        self.0.remove(key).is_some()
    }

    /// Adds a table to a list at the top level, such as `loads`; returns its index.
    pub fn append(&mut self, list: &str, table: InlineTable) -> Result<usize> {
        if !LISTS.contains(&list) {
            let help = format!("lists of a scene: {}", LISTS.join(", "));
            return Err(RunError::input(format!("\"{list}\" is not a list of a scene")).with_help(help));
        }
        let item = self.0.entry(list).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        match item {
            Item::ArrayOfTables(tables) => {
                tables.push(spread(table));
                Ok(tables.len() - 1)
            }
            Item::Value(Value::Array(array)) => {
                array.push(table);
                Ok(array.len() - 1)
            }
            _ => Err(RunError::input(format!("`{list}` of the scene is not a list"))),
        }
    }

    /// Adds a named table to a table at the top level, such as `materials`.
    pub fn insert(&mut self, parent: &str, name: &str, table: InlineTable) -> Result<()> {
        let item = self.0.entry(parent).or_insert_with(|| {
            let mut parent = Table::new();
            parent.set_implicit(true);
            Item::Table(parent)
        });
        let taken = || RunError::input(format!("`{parent}.{name}` exists already"));
        match item {
            Item::Table(parent) if parent.contains_key(name) => Err(taken()),
            Item::Table(parent) => {
                let mut table = spread(table);
                table.set_dotted(parent.is_dotted());
                parent.insert(name, Item::Table(table));
                Ok(())
            }
            Item::Value(Value::InlineTable(parent)) if parent.contains_key(name) => Err(taken()),
            Item::Value(Value::InlineTable(parent)) => {
                parent.insert(name, Value::InlineTable(table));
                Ok(())
            }
            _ => Err(RunError::input(format!("`{parent}` of the scene is not a table"))),
        }
    }
}

fn unknown(key: &str, what: &str) -> RunError {
    RunError::input(format!("{what} \"{key}\""))
        .with_help("examples: arch.thickness, friction, joints[0].friction, materials.stone.density, tilt_deg")
}

/// A table of its own, one key per line.
fn spread(inline: InlineTable) -> Table {
    let mut table = inline.into_table();
    table.decor_mut().set_prefix("\n");
    for (mut key, item) in table.iter_mut() {
        key.leaf_decor_mut().clear();
        if let Item::Value(value) = item {
            value.decor_mut().clear();
        }
    }
    table
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Word(String),
    Index(usize),
}

/// `a.b[2].c` → a, b, 2, c.
fn steps(key: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in key.split('.') {
        let (word, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if word.is_empty() {
            return None;
        }
        steps.push(Step::Word(word.to_owned()));
        while let Some(inside) = rest.strip_prefix('[') {
            let (number, after) = inside.split_once(']')?;
            steps.push(Step::Index(number.trim().parse().ok()?));
            rest = after;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    Some(steps)
}

/// A new value, and whether it may replace numbers only.
struct Change<'a> {
    value: &'a Value,
    number: bool,
}

impl Change<'_> {
    /// The new value; a number without fraction as a whole number.
    fn whole(&self) -> Value {
        let exact = |number: &f64| self.number && number.fract() == 0.0 && number.abs() < 2f64.powi(53);
        let number = self.value.as_float().filter(exact);
        number.map_or_else(|| self.value.clone(), |number| Value::from(number as i64))
    }
}

/// Sets a value at a path from the top, in a named item of a list, or in all joints; returns the number of places.
fn set_somewhere(scene: &mut Table, path: &[Step], change: &Change<'_>) -> usize {
    let Some(Step::Word(first)) = path.first() else { return 0 };
    // a path from the top
    if scene.contains_key(first) || (path.len() == 1 && NUMBERS.contains(&first.as_str())) {
        return set_in_table(scene, path, change);
    }
    // a key of an item with this name
    for list in NAMED {
        let Some(items) = scene.get_mut(list).filter(|_| path.len() > 1) else { continue };
        if let Some(count) = in_named(items, first, &mut |item| set_in_table(item, &path[1..], change)) {
            return count;
        }
    }
    match (first.as_str(), scene.get_mut("joints")) {
        ("friction", Some(joints)) => set(joints, path, change),
        _ => 0,
    }
}

/// Acts on the item with this name of a list or a table of tables; `None` if there is none.
fn in_named<R>(items: &mut Item, name: &str, act: &mut dyn FnMut(&mut dyn TableLike) -> R) -> Option<R> {
    match items {
        Item::ArrayOfTables(tables) => tables.iter_mut().find(|table| is_named(*table, name)).map(|table| act(table)),
        Item::Value(Value::Array(array)) => {
            let mut tables = array.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.find(|table| is_named(*table, name)).map(|table| act(table))
        }
        _ => items.as_table_like_mut()?.get_mut(name)?.as_table_like_mut().map(act),
    }
}

fn is_named(table: &dyn TableLike, name: &str) -> bool {
    table.get("name").and_then(Item::as_str) == Some(name)
}

fn set(place: &mut Item, path: &[Step], change: &Change<'_>) -> usize {
    match (place, path) {
        (Item::Value(value), _) => set_in_value(value, path, change),
        (Item::Table(table), [Step::Word(_), ..]) => set_in_table(table, path, change),
        (Item::ArrayOfTables(tables), [Step::Index(i), rest @ ..]) => {
            tables.get_mut(*i).map_or(0, |table| set_in_table(table, rest, change))
        }
        (place @ Item::ArrayOfTables(_), [Step::Word(word), rest @ ..]) => {
            if let Some(count) = in_named(place, word, &mut |item| set_in_table(item, rest, change)) {
                return count;
            }
            let Item::ArrayOfTables(tables) = place else { return 0 };
            tables.iter_mut().map(|table| set_in_table(table, path, change)).sum()
        }
        _ => 0,
    }
}

fn set_in_value(place: &mut Value, path: &[Step], change: &Change<'_>) -> usize {
    match (place, path) {
        (place, []) if !change.number || place.is_float() || place.is_integer() => {
            let decor = place.decor().clone();
            *place = if place.is_integer() { change.whole() } else { change.value.clone() };
            *place.decor_mut() = decor;
            1
        }
        (Value::InlineTable(table), [Step::Word(_), ..]) => set_in_table(table, path, change),
        (Value::Array(array), [Step::Index(i), rest @ ..]) => {
            array.get_mut(*i).map_or(0, |item| set_in_value(item, rest, change))
        }
        (Value::Array(array), [Step::Word(word), rest @ ..]) => {
            let named = array.iter_mut().find(|item| item.as_inline_table().is_some_and(|t| is_named(t, word)));
            if let Some(item) = named {
                return set_in_value(item, rest, change);
            }
            array.iter_mut().map(|item| set_in_value(item, path, change)).sum()
        }
        _ => 0,
    }
}

/// A key that is absent has its default value: it is written if the schema has it.
fn set_in_table(table: &mut dyn TableLike, path: &[Step], change: &Change<'_>) -> usize {
    let Some((Step::Word(word), rest)) = path.split_first() else { return 0 };
    match table.get_mut(word) {
        Some(inner) => set(inner, rest, change),
        None if rest.is_empty() => {
            // counts and seeds must be integers; other numbers may be written as integers
            table.insert(word, Item::Value(change.whole()));
            1
        }
        None => 0,
    }
}

/// The values that [`set_somewhere`] would replace.
fn collect_somewhere(scene: &Table, path: &[Step], found: &mut Vec<Value>) {
    let Some(Step::Word(first)) = path.first() else { return };
    let scene = value_of_table(scene);
    if scene.contains_key(first) {
        return collect(&Value::InlineTable(scene), path, found);
    }
    for list in NAMED {
        let Some(items) = scene.get(list).filter(|_| path.len() > 1) else { continue };
        let item = match items {
            Value::Array(array) => {
                array.iter().find(|item| item.as_inline_table().is_some_and(|table| is_named(table, first)))
            }
            Value::InlineTable(tables) => tables.get(first),
            _ => None,
        };
        if let Some(item) = item {
            return collect(item, &path[1..], found);
        }
    }
    if let ("friction", Some(joints)) = (first.as_str(), scene.get("joints")) {
        collect(joints, path, found);
    }
}

fn collect(place: &Value, path: &[Step], found: &mut Vec<Value>) {
    match (place, path) {
        (place, []) => found.push(place.clone()),
        (Value::InlineTable(table), [Step::Word(word), rest @ ..]) => {
            if let Some(inner) = table.get(word) {
                collect(inner, rest, found);
            }
        }
        (Value::Array(array), [Step::Index(i), rest @ ..]) => {
            if let Some(item) = array.get(*i) {
                collect(item, rest, found);
            }
        }
        (Value::Array(array), [Step::Word(word), rest @ ..]) => {
            let named = array.iter().find(|item| item.as_inline_table().is_some_and(|table| is_named(table, word)));
            match named {
                Some(item) => collect(item, rest, found),
                None => array.iter().for_each(|item| collect(item, path, found)),
            }
        }
        _ => {}
    }
}

/// A table with everything below it as one value.
fn value_of_table(table: &dyn TableLike) -> InlineTable {
    let mut inline = InlineTable::new();
    for (key, item) in table.iter() {
        if let Some(value) = value_of(item) {
            inline.insert(key, value);
        }
    }
    inline
}

fn value_of(item: &Item) -> Option<Value> {
    match item {
        Item::None => None,
        Item::Value(value) => Some(value.clone()),
        Item::Table(table) => Some(Value::InlineTable(value_of_table(table))),
        Item::ArrayOfTables(tables) => {
            Some(Value::Array(tables.iter().map(|table| Value::InlineTable(value_of_table(table))).collect::<Array>()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "# an arch\ntitle = \"Arch\" # short\n\n[[bodies]]\nname = \"arch\"\n\
                         thickness = 0.5 # m, of the ring\n\n# stones\n[materials.stone]\ndensity = 2000.0\n";

    #[test]
    fn comments_and_order_stay() {
        let mut text = SceneText::parse(SCENE).unwrap();
        text.set_number("arch.thickness", 0.45).unwrap();
        assert_eq!(text.to_string(), SCENE.replace("thickness = 0.5 #", "thickness = 0.45 #"));
        text.set("title", &Value::from("Thin arch")).unwrap();
        assert!(text.to_string().contains("title = \"Thin arch\" # short\n"));
        assert!(text.set_number("arch.name", 1.0).is_err());
        assert!(text.set("vault.span", &Value::from(1.0)).is_err());
    }

    #[test]
    fn counts_and_seeds_stay_whole() {
        let mut text = SceneText::parse("[[bodies]]\nname = \"pile\"\ncount = 5\nsize = 0.5\n").unwrap();
        for (key, value, expected) in [
            ("pile.count", 7.0, "count = 7\n"),
            ("pile.seed", 1_234_567.0, "seed = 1234567\n"),
            ("pile.size", 2.0, "size = 2.0\n"),
            ("pile.count", 7.5, "count = 7.5\n"),
        ] {
            text.set_number(key, value).unwrap();
            assert!(text.to_string().contains(expected), "{text}");
        }
    }

    #[test]
    fn tables_are_added_after_those_that_are_there() {
        let mut text = SceneText::parse(SCENE).unwrap();
        let table = |key: &str, value: Value| InlineTable::from_iter([(key, value)]);
        assert_eq!(text.append("bodies", table("name", "pier".into())).unwrap(), 1);
        text.insert("materials", "brick", table("density", 1800.0.into())).unwrap();
        assert!(text.insert("materials", "brick", table("density", 1.0.into())).is_err());
        assert!(text.append("gravity", InlineTable::new()).is_err());
        let again = SceneText::parse(&text.to_string()).unwrap();
        assert_eq!(again.get("brick.density").unwrap()[0].as_float(), Some(1800.0));
        assert_eq!(again.get("bodies[1].name").unwrap()[0].as_str(), Some("pier"));
        assert_eq!(again.get("bodies.name").unwrap().len(), 2);
        assert!(text.to_string().starts_with("# an arch\ntitle"));
    }
}
