//! The fields of a line.

use serde_json::{Map, Value, json};

/// A line that the engine refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The id of the line, if it has one.
    pub id: Option<String>,
    /// The field at fault, if one is.
    pub field: Option<String>,
    /// The fault, and the accepted values.
    pub text: String,
}

impl Refusal {
    /// The answer.
    pub fn to_json(&self) -> Value {
        let mut answer = json!({ "error": self.text });
        for (key, value) in [("field", &self.field), ("id", &self.id)] {
            if let Some(value) = value {
                answer[key] = json!(value);
            }
        }
        answer
    }
}

/// A part of a query that the engine carries out differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The field.
    pub field: String,
    /// Its treatment.
    pub text: String,
}

impl Warning {
    /// The line for the query with this id.
    pub fn to_json(&self, id: &str) -> Value {
        json!({ "id": id, "field": self.field, "warning": self.text })
    }
}

/// The fields of a line that were not yet read.
pub(super) struct Fields {
    pub(super) id: String,
    map: Map<String, Value>,
}

impl Fields {
    /// Reads a line.
    pub(super) fn read(line: &str) -> Result<Fields, Refusal> {
        let refuse = |text: String| Refusal { id: None, field: None, text };
        let value: Value =
            serde_json::from_str(line).map_err(|error| refuse(format!("the line is not JSON: {error}")))?;
        let Value::Object(map) = value else {
            return Err(refuse("the line is JSON, but not an object".into()));
        };
        match map.get("id") {
            Some(Value::String(id)) => Ok(Fields { id: id.clone(), map }),
            _ => Err(refuse("a query needs a field \"id\" with a text".into())),
        }
    }

    /// A refusal because of a field.
    pub(super) fn refuse(&self, field: &str, text: impl Into<String>) -> Refusal {
        Refusal { id: Some(self.id.clone()), field: Some(field.into()), text: text.into() }
    }

    /// The whole line.
    pub(super) fn object(&self) -> Value {
        Value::Object(self.map.clone())
    }

    /// Takes a field out.
    pub(super) fn take(&mut self, field: &str) -> Option<Value> {
        self.map.remove(field)
    }

    /// Takes out a field that is read by `read`, and says `accepted` if that fails.
    pub(super) fn take_as<T>(
        &mut self,
        field: &str,
        accepted: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.take(field) else { return Ok(None) };
        read(&value).map(Some).ok_or_else(|| self.refuse(field, format!("accepted: {accepted}")))
    }

    pub(super) fn flag(&mut self, field: &str) -> Result<bool, Refusal> {
        Ok(self.take_as(field, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    /// The fields that nobody took.
    pub(super) fn rest(&self) -> impl Iterator<Item = &str> {
        self.map.keys().map(String::as_str).filter(|&field| field != "id")
    }
}
