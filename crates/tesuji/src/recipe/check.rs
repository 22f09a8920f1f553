//! Checks a TOML value against a JSON schema, with messages for people.
//!
//! Only what the schemas of this crate's types contain is understood: objects (always closed),
//! tagged alternatives, constants, plain types and ranges.

use super::suggest::did_you_mean;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Schema;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;
use toml::Value;

/// What does not fit, and where.
#[derive(Debug)]
pub(super) struct Misfit {
    /// Dotted key.
    pub(super) key: String,
    /// What was found and what would be accepted.
    pub(super) message: String,
    /// Whether the key itself is not known.
    pub(super) is_unknown: bool,
}

/// Checks the ranges of a part's parameters, as in a recipe that has it under this key.
///
/// # Errors
/// The parameter that is out of its range, and what is accepted.
pub fn check_part<T: Serialize + JsonSchema>(key: &str, part: &T) -> Result<(), String> {
    let mut value = Value::try_from(part).map_err(|error| format!("`{key}`: {error}"))?;
    as_written(&mut value);
    let schema = schemars::schema_for!(T).to_value();
    check(&schema, &value).map_err(|misfit| format!("`{key}.{}`: {}", misfit.key, misfit.message))
}

/// Gives numbers that were widened from 32 bits the digits with which they are written: 0.01, not
/// 0.009999999776.
fn as_written(value: &mut Value) {
    match value {
        Value::Float(x) if f64::from(*x as f32) == *x => {
            *x = (*x as f32).to_string().parse().expect("it is a number");
        }
        Value::Array(list) => list.iter_mut().for_each(as_written),
        Value::Table(table) => table.iter_mut().for_each(|(_, inner)| as_written(inner)),
        _ => {}
    }
}

/// Checks `value` against `schema`, whose references point into itself.
pub(super) fn check(schema: &Schema, value: &Value) -> Result<(), Misfit> {
    Checker { root: schema, path: Vec::new() }.check(schema, value)
}

struct Checker<'a> {
    root: &'a Schema,
    path: Vec<String>,
}

impl<'a> Checker<'a> {
    fn check(&mut self, schema: &'a Schema, value: &Value) -> Result<(), Misfit> {
        let layers = layers(self.root, schema);
        for layer in &layers {
            if let Some(alternatives) = alternatives(layer) {
                self.alternative(alternatives, value)?;
            }
            if let Some(names) = layer["enum"].as_array()
                && !names.iter().any(|name| name.as_str() == value.as_str())
            {
                return Err(self.misfit(value, &list(names.iter().filter_map(Schema::as_str))));
            }
            if let Some(constant) = layer["const"].as_str()
                && value.as_str() != Some(constant)
            {
                return Err(self.misfit(value, &format!("`{constant}`")));
            }
            if !has_type(layer, value) {
                let wanted = match layer["type"].as_str().or(layer["type"][0].as_str()) {
                    Some("number") => "a number",
                    Some("integer") => "a whole number",
                    Some("boolean") => "true or false",
                    Some("object") => "a table",
                    Some("array") => "a list",
                    _ => "a text",
                };
                return Err(self.misfit(value, wanted));
            }
            self.range(layer, value)?;
            if let Some(list) = value.as_array() {
                self.list(layer, list, value)?;
            }
        }
        let Some(table) = value.as_table().filter(|_| layers.iter().any(|l| l["properties"].is_object()))
        else {
            return Ok(());
        };
        for (key, inner) in table {
            self.path.push(key.clone());
            let Some(schema) = layers.iter().find_map(|layer| layer["properties"].get(key)) else {
                let known = layers.iter().filter_map(|layer| layer["properties"].as_object());
                let known = list(known.flat_map(|p| p.keys().map(String::as_str)));
                return Err(Misfit {
                    key: self.key(),
                    message: format!("unknown key; accepted here: {known}"),
                    is_unknown: true,
                });
            };
            self.check(schema, inner)?;
            self.path.pop();
        }
        Ok(())
    }

    /// Finds the alternative that a value is meant to be, and checks it against that one.
    fn alternative(&mut self, alternatives: &'a [Schema], value: &Value) -> Result<(), Misfit> {
        if let Some(table) = value.as_table() {
            let tagged: Vec<_> = alternatives.iter().filter_map(|a| Some((a, tag(a)?))).collect();
            if !tagged.is_empty() {
                let kinds = list(tagged.iter().map(|&(_, kind)| kind));
                let Some(kind) = table.get("kind") else {
                    return Err(self.misfit(value, &format!("a table with `kind` one of {kinds}")));
                };
                let Some((alternative, _)) = tagged.iter().find(|&&(_, k)| kind.as_str() == Some(k)) else {
                    self.path.push("kind".to_string());
                    let names = tagged.iter().map(|&(_, kind)| kind);
                    let meant = did_you_mean(kind.as_str().unwrap_or_default(), names);
                    return Err(self.misfit(kind, &(kinds + &meant)));
                };
                return self.check(alternative, value);
            }
            let named = alternatives.iter().find(|a| {
                a["required"][0].as_str().is_some_and(|key| table.len() == 1 && table.contains_key(key))
            });
            if let Some(alternative) = named {
                return self.check(alternative, value);
            }
        }
        let fits = |a: &Schema| a["const"].as_str().is_some_and(|name| value.as_str() == Some(name));
        let plain =
            |a: &Schema| a["enum"].as_array().is_some_and(|n| n.iter().any(|n| n.as_str() == value.as_str()));
        if alternatives.iter().any(|a| value.is_str() && (fits(a) || plain(a))) {
            return Ok(());
        }
        if let Some(inner) = alternatives.iter().find(|a| a["$ref"].is_string()) {
            return self.check(inner, value);
        }
        Err(self.misfit(value, &describe(alternatives)))
    }

    fn list(&mut self, layer: &'a Schema, list: &[Value], value: &Value) -> Result<(), Misfit> {
        let bound = |name: &str| layer[name].as_u64().map(|bound| bound as usize);
        let (min, max) = (bound("minItems").unwrap_or(0), bound("maxItems").unwrap_or(usize::MAX));
        if !(min..=max).contains(&list.len()) {
            return Err(self.misfit(value, &format!("a list of {min} to {max}")));
        }
        if layer["items"].is_object() {
            for (i, item) in list.iter().enumerate() {
                self.path.push(i.to_string());
                self.check(&layer["items"], item)?;
                self.path.pop();
            }
        }
        Ok(())
    }

    fn range(&self, layer: &Schema, value: &Value) -> Result<(), Misfit> {
        let Some(x) = value.as_float().or(value.as_integer().map(|i| i as f64)) else { return Ok(()) };
        let most = (layer["format"] == "uint32").then_some(f64::from(u32::MAX));
        let (min, max) = (layer["minimum"].as_f64(), layer["maximum"].as_f64().or(most));
        if min.is_none_or(|min| x >= min) && max.is_none_or(|max| x <= max) && !x.is_nan() {
            return Ok(());
        }
        let accepted = match (min, max) {
            (Some(min), Some(max)) => format!("{} to {}", short(min), short(max)),
            (Some(min), None) => format!("{} or more", short(min)),
            (None, Some(max)) => format!("{} or less", short(max)),
            (None, None) => "a number".to_string(),
        };
        Err(self.misfit(value, &accepted))
    }

    fn key(&self) -> String {
        self.path.join(".")
    }

    fn misfit(&self, found: &Value, accepted: &str) -> Misfit {
        let message = format!("{found} is not accepted; accepted: {accepted}");
        Misfit { key: self.key(), message, is_unknown: false }
    }
}

/// The end of a range, without the digits of 1e64.
pub(super) fn short(end: f64) -> String {
    let size = end.abs();
    if size >= 1e10 || (size > 0.0 && size < 1e-6) { format!("{end:e}") } else { end.to_string() }
}

/// A schema with everything it refers to.
pub(super) fn layers<'a>(root: &'a Schema, schema: &'a Schema) -> Vec<&'a Schema> {
    let mut layers = Vec::from([schema]);
    if let Some(name) = schema["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
        layers.extend(self::layers(root, &root["$defs"][name]));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        layers.extend(self::layers(root, part));
    }
    layers
}

fn alternatives(schema: &Schema) -> Option<&Vec<Schema>> {
    schema["oneOf"].as_array().or(schema["anyOf"].as_array())
}

fn tag(alternative: &Schema) -> Option<&str> {
    alternative["properties"]["kind"]["const"].as_str()
}

fn has_type(layer: &Schema, value: &Value) -> bool {
    let fits = |name: &str| match name {
        "number" => value.is_float() || value.is_integer(),
        "integer" => value.is_integer(),
        "boolean" => value.is_bool(),
        "string" => value.is_str(),
        "object" => value.is_table(),
        "array" => value.is_array(),
        _ => false,
    };
    match &layer["type"] {
        Schema::String(name) => fits(name),
        Schema::Array(names) => names.iter().filter_map(Schema::as_str).any(fits),
        _ => true,
    }
}

/// What a list of alternatives accepts, in words.
pub(super) fn describe(alternatives: &[Schema]) -> String {
    let names = alternatives.iter().flat_map(|a| {
        let constants = a["enum"].as_array().into_iter().flatten().filter_map(Schema::as_str);
        let key = a["required"][0].as_str().filter(|_| tag(a).is_none());
        constants
            .chain(a["const"].as_str())
            .chain(tag(a))
            .map(ToString::to_string)
            .chain(key.map(|key| format!("{{ {key} = number }}")))
    });
    let names: Vec<String> = names.collect();
    list(names.iter().map(String::as_str))
}

fn list<'s>(names: impl Iterator<Item = &'s str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
