//! Every part and parameter, read from the types themselves.

use super::check::{describe, layers, short};
use super::suggest::nearest;
use super::{AXES, Agent, AnyBackup, AnyParallel, AnyPlayout, AnySelect};
use crate::bias::Bias;
use crate::root_policy::RootPolicy;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::Value as Schema;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

/// A part that a recipe can name, or one of a search's other settings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Part {
    /// `select`, `backup`, `playout`, `parallel`, `root`, `bias`, or `search` for settings that
    /// stand on their own.
    pub axis: String,
    /// The name that `kind` takes; empty for `search`.
    pub kind: String,
    /// A description, in a sentence.
    pub about: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a recipe.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    /// The dotted key, as an override names it.
    pub key: String,
    /// A description, in a sentence.
    pub about: String,
    /// Its unit, where it has one.
    pub unit: Option<String>,
    /// The accepted values.
    pub range: String,
    /// Its default.
    pub default: String,
}

/// Every part and its parameters: what recipes may contain.
pub fn parts() -> Vec<Part> {
    let mut parts = Vec::new();
    axis::<AnySelect>("select", &mut parts);
    axis::<AnyBackup>("backup", &mut parts);
    axis::<AnyPlayout>("playout", &mut parts);
    axis::<AnyParallel>("parallel", &mut parts);
    axis::<RootPolicy>("root", &mut parts);
    axis::<Bias>("bias", &mut parts);
    let agent = schema_for!(Agent).to_value();
    let mut search = parameters(&agent, &agent, "");
    search.retain(|p| p.key != "about" && !AXES.contains(&p.key.as_str()));
    parts.push(Part {
        axis: "search".to_string(),
        kind: String::new(),
        about: "Settings of every search.".to_string(),
        parameters: search,
    });
    parts
}

/// Whether a part of this axis has the kind.
pub(super) fn has_kind(axis: &str, kind: &str) -> bool {
    parts().iter().any(|part| part.axis == axis && part.kind == kind)
}

fn axis<T: JsonSchema>(axis: &str, parts: &mut Vec<Part>) {
    let schema = schema_for!(T).to_value();
    for alternative in schema["oneOf"].as_array().into_iter().flatten() {
        let about = layers(&schema, alternative).iter().rev().find_map(|layer| layer["description"].as_str());
        parts.push(Part {
            axis: axis.to_string(),
            kind: alternative["properties"]["kind"]["const"].as_str().unwrap_or_default().to_string(),
            about: sentence(about.unwrap_or_default()),
            parameters: parameters(&schema, alternative, axis),
        });
    }
}

fn parameters(root: &Schema, schema: &Schema, axis: &str) -> Vec<Parameter> {
    let mut found = Vec::new();
    each_parameter(root, schema, axis, &mut |parameter, _| found.push(parameter));
    found
}

/// Calls `f` with each parameter and its whole description.
fn each_parameter(root: &Schema, schema: &Schema, axis: &str, f: &mut impl FnMut(Parameter, &str)) {
    for layer in layers(root, schema) {
        for (name, property) in layer["properties"].as_object().into_iter().flatten() {
            if name == "kind" {
                continue;
            }
            let key = if axis.is_empty() { name.clone() } else { format!("{axis}.{name}") };
            let inner = layers(root, property);
            if inner.iter().any(|layer| layer["properties"].is_object()) {
                each_parameter(root, property, &key, f);
                continue;
            }
            let items = inner.iter().find(|layer| layer["items"].is_object()).map(|layer| &layer["items"]);
            if let Some(items) = items
                && layers(root, items).iter().any(|layer| layer["properties"].is_object())
            {
                each_parameter(root, items, &format!("{key}[]"), f);
                continue;
            }
            let about = inner.iter().find_map(|layer| layer["description"].as_str()).unwrap_or_default();
            let parameter = Parameter {
                key,
                about: sentence(about),
                unit: inner.iter().find_map(|layer| layer["unit"].as_str()).map(ToString::to_string),
                range: range(&inner),
                default: default(&property["default"]),
            };
            f(parameter, about);
        }
    }
}

/// The first paragraph of a description, on one line.
fn sentence(text: &str) -> String {
    text.split("\n\n").next().unwrap_or_default().replace('\n', " ")
}

fn range(layers: &[&Schema]) -> String {
    if let Some(alternatives) = layers.iter().find_map(|l| l["oneOf"].as_array().or(l["anyOf"].as_array())) {
        return describe(alternatives);
    }
    let bound = |name: &str| layers.iter().find_map(|layer| layer[name].as_f64());
    let number = layers.iter().find_map(|l| l["type"].as_str().or(l["type"][0].as_str()));
    if number == Some("array") {
        let item = layers.iter().find(|layer| layer["items"].is_object()).map(|layer| &layer["items"]);
        let (min, max) = (bound("minItems").unwrap_or(0.0), bound("maxItems").unwrap_or(f64::INFINITY));
        return format!(
            "list of {min} to {max}, each {}",
            item.map_or("any".to_string(), |item| range(&[item]))
        );
    }
    match (number, bound("minimum"), bound("maximum")) {
        (Some("boolean"), ..) => "true, false".to_string(),
        (_, Some(min), Some(max)) => format!("{} to {}", short(min), short(max)),
        (_, Some(min), None) => format!("{} or more", short(min)),
        (_, None, Some(max)) => format!("{} or less", short(max)),
        (kind, None, None) => kind.unwrap_or("any").to_string(),
    }
}

fn default(value: &Schema) -> String {
    match value {
        Schema::Null => "none".to_string(),
        Schema::String(text) => text.clone(),
        // Parameters are f32: shown as such, 0.7 does not become 0.699999988.
        Schema::Number(n) if n.is_f64() => format!("{}", n.as_f64().unwrap_or_default() as f32),
        other => other.to_string(),
    }
}

/// Keys of experiments that people write into agents.
const OF_EXPERIMENTS: [&str; 5] = ["kind", "name", "game", "games", "seed"];

/// The end of a message about a key that a recipe of this content does not have.
pub(super) fn about_key(key: &str, recipe: &toml::Value) -> String {
    if OF_EXPERIMENTS.contains(&key) {
        return format!("; `{key}` is a key of experiment files (tesuji run FILE), not of agents");
    }
    let last = |key: &str| key.rsplit('.').next().map(String::from);
    let all = parts();
    let usual = toml::Value::try_from(Agent::default()).ok();
    let kind = |value: &toml::Value, axis: &str| Some(value.get(axis)?.get("kind")?.as_str()?.to_owned());
    let is_chosen = |axis: &str, name: &str| {
        let chosen = kind(recipe, axis).or_else(|| kind(usual.as_ref()?, axis));
        axis == "search" || chosen.as_deref() == Some(name)
    };
    let chosen = all.iter().filter(|part| is_chosen(&part.axis, &part.kind));
    let keys: Vec<&str> = chosen.flat_map(|part| &part.parameters).map(|p| p.key.as_str()).collect();
    if let Some(same) = keys.iter().find(|other| last(other) == last(key)) {
        return format!("; did you mean `{same}`?");
    }
    let heads = keys.iter().filter_map(|key| key.split('.').next()).chain(AXES);
    if let Some(near) = nearest(key, keys.iter().copied().chain(heads)) {
        return format!("; did you mean `{near}`?");
    }
    let owner = all.iter().find(|part| part.parameters.iter().any(|p| last(&p.key) == last(key)));
    owner.map_or(String::new(), |part| {
        let own = part.parameters.iter().find(|p| last(&p.key) == last(key)).map(|p| p.key.as_str());
        format!("; `{}` is a key of {}={}", own.unwrap_or(key), part.axis, part.kind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paragraph of a field's documentation that says what its schema says.
    fn paragraph(p: &Parameter) -> String {
        let mut text = String::new();
        if p.range.starts_with(|c: char| c.is_ascii_digit()) || p.range.starts_with("list of") {
            let unit = p.unit.as_ref().map_or(String::new(), |unit| format!(" ({unit})"));
            text += &format!("Range: {}{unit}. ", p.range);
        }
        let has_default = p.default != "none" || p.range.contains("none");
        if has_default && !p.about.contains("Default:") {
            let is_number = p.default.starts_with(|c: char| c.is_ascii_digit());
            text += &if is_number {
                format!("Default: {}.", p.default)
            } else {
                format!("Default: `{}`.", p.default)
            };
        }
        text.trim_end().to_string()
    }

    /// The documentation of a parameter, as rustdoc shows it, has the range, unit and default that
    /// recipes have.
    #[test]
    fn documentation_has_range_unit_and_default() {
        let agent = schema_for!(Agent).to_value();
        let mut count = 0;
        let mut faults = Vec::new();
        let mut check = |p: Parameter, whole: &str| {
            count += 1;
            let wanted = paragraph(&p);
            let has = whole.split("\n\n").any(|part| part.replace('\n', " ") == wanted);
            if !has && !wanted.is_empty() {
                faults.push(format!("{}: {wanted}", p.key));
            }
        };
        let axes = [
            schema_for!(AnySelect),
            schema_for!(AnyBackup),
            schema_for!(AnyPlayout),
            schema_for!(AnyParallel),
            schema_for!(RootPolicy),
            schema_for!(Bias),
        ];
        for axis in axes.map(schemars::Schema::to_value) {
            for alternative in axis["oneOf"].as_array().unwrap() {
                each_parameter(&axis, alternative, "", &mut check);
            }
        }
        for (name, property) in agent["properties"].as_object().unwrap() {
            if name != "about" && !AXES.contains(&name.as_str()) {
                let one = serde_json::json!({ "properties": { name.clone(): property } });
                each_parameter(&agent, &one, "", &mut check);
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
        assert!(count > 60, "{count}");
    }
}
