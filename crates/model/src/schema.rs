//! JSON Schema of scenes, from the structs that read them.
//!
//! The schema of the structs is corrected in two ways. Bodies, parts of compounds and stages have flattened keys, so
//! "no other keys" must be stated once for the whole table and not for each of its sources. And TOML has no null.

use serde_json::{Map, Value, json};

use crate::scene::Scene;

/// Keywords whose schemas apply to the same value as the schema that contains them.
const IN_PLACE: [&str; 3] = ["anyOf", "oneOf", "allOf"];
/// Structs with flattened fields.
const SPREAD: [&str; 3] = ["Body", "Part", "Stage"];

/// The JSON Schema (draft 2020-12) of a scene.
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Scene).to_value();
    without_null(&mut schema);
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        for name in SPREAD {
            accept_other_keys(definitions, name);
            if let Some(Value::Object(definition)) = definitions.get_mut(name) {
                definition.insert("unevaluatedProperties".into(), json!(false));
            }
        }
    }
    schema
}

/// Lets a definition, and all definitions that it refers to in place, accept unknown keys.
fn accept_other_keys(definitions: &mut Map<String, Value>, name: &str) {
    let (mut waiting, mut done) = (vec![name.to_string()], Vec::new());
    while let Some(name) = waiting.pop() {
        if let Some(definition) = definitions.get_mut(&name)
            && !done.contains(&name)
        {
            open(definition, &mut waiting);
            done.push(name);
        }
    }
}

fn open(schema: &mut Value, referred: &mut Vec<String>) {
    let Value::Object(keywords) = schema else { return };
    keywords.remove("additionalProperties");
    let name = keywords.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/"));
    referred.extend(name.map(str::to_string));
    for keyword in IN_PLACE {
        let alternatives = keywords.get_mut(keyword).and_then(Value::as_array_mut);
        alternatives.into_iter().flatten().for_each(|alternative| open(alternative, referred));
    }
}

/// Removes null from types and alternatives.
fn without_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(without_null),
        Value::Object(keywords) => {
            if let Some(Value::Array(types)) = keywords.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = &types[..] {
                    let only = only.clone();
                    keywords.insert("type".into(), only);
                }
            }
            if let Some(Value::Array(alternatives)) = keywords.get_mut("anyOf") {
                alternatives.retain(|alternative| alternative["type"] != "null");
                if let [Value::Object(only)] = &alternatives[..] {
                    let only = only.clone();
                    keywords.remove("anyOf");
                    // the description at the reference has priority
                    for (keyword, value) in only {
                        keywords.entry(keyword).or_insert(value);
                    }
                }
            }
            keywords.values_mut().for_each(without_null);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_tables_refuse_other_keys() {
        let schema = schema();
        let definitions = &schema["$defs"];
        for name in SPREAD {
            assert_eq!(definitions[name]["unevaluatedProperties"], json!(false), "{name}");
        }
        for name in ["Generator", "Shape"] {
            let variants = definitions[name]["oneOf"].as_array().expect("alternatives");
            assert!(variants.len() >= 5, "{name}");
            assert!(variants.iter().all(|variant| variant.get("additionalProperties").is_none()), "{name}");
        }
        for name in ["Joint", "Load", "Motion", "Rotation"] {
            assert_eq!(definitions[name]["additionalProperties"], json!(false), "{name}");
        }
    }

    #[test]
    fn nothing_may_be_null() {
        assert!(!schema().to_string().contains("null"));
    }
}
