//! Parts of other crates, which recipes name like those of the library.

use crate::select::ErasedSelect;
use crate::{Child, Code, Columns, Link, NodeView, Parent, Pick, Rng, Select, Shared};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Debug;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::{PoisonError, RwLock};
use toml::{Table, Value};

/// A tree policy of another crate that recipes can name.
///
/// Its fields are its settings: `serde` reads them (with defaults, and `deny_unknown_fields`), and `schemars` tells of
/// their units and ranges. The sentence of `tesuji list` is the type's doc comment. Identities of agents hash the kind and all
/// settings. [`register_select`] makes recipes know it.
pub trait OwnSelect:
    Select + Serialize + DeserializeOwned + JsonSchema + Default + Debug + Send + Sync + 'static
{
    /// The name that `select.kind` takes.
    const KIND: &'static str;
}

/// A registered kind of tree policy.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    read: fn(Table) -> Result<OwnPolicy, String>,
    schema: fn() -> Schema,
}

static KINDS: RwLock<Vec<Kind>> = RwLock::new(Vec::new());

fn kinds() -> Vec<Kind> {
    KINDS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Makes recipes know a tree policy, from now on and in the whole program.
///
/// # Panics
/// If another tree policy has the kind.
pub fn register_select<S: OwnSelect>() {
    let kind = Kind { name: S::KIND, read: OwnPolicy::read::<S>, schema: schema_of::<S> };
    assert!(!crate::recipe::has_kind("select", S::KIND), "two tree policies have the kind {}", S::KIND);
    KINDS.write().unwrap_or_else(PoisonError::into_inner).push(kind);
}

/// The schema of a part with its kind, as that of an alternative of an enum with a tag.
fn schema_of<S: OwnSelect>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<S>();
    let object = schema.ensure_object();
    let properties = object.entry("properties").or_insert_with(|| serde_json::json!({}));
    properties["kind"] = serde_json::json!({ "type": "string", "const": S::KIND });
    object.insert("required".to_owned(), serde_json::json!(["kind"]));
    schema
}

/// Adds the registered tree policies to the schema of all.
pub(super) fn add_kinds(schema: &mut Schema) {
    let object = schema.ensure_object();
    // A variant without a tag, though it is skipped, lets alternatives overlap; these do not.
    if let Some(serde_json::Value::Array(mut all)) = object.remove("anyOf") {
        all.extend(kinds().iter().map(|kind| (kind.schema)().to_value()));
        object.insert("oneOf".to_owned(), serde_json::Value::Array(all));
    }
}

/// A tree policy of another crate, as a recipe has it.
#[derive(Clone)]
pub struct OwnPolicy(Arc<Held<dyn ErasedSelect + Send + Sync>>);

struct Held<P: ?Sized> {
    /// The kind and all settings.
    table: Table,
    policy: P,
}

impl OwnPolicy {
    /// This policy.
    ///
    /// # Errors
    /// If its settings cannot be written as a TOML table.
    pub fn new<S: OwnSelect>(policy: S) -> Result<OwnPolicy, String> {
        let mut table = Table::from_iter([("kind".to_owned(), Value::String(S::KIND.to_owned()))]);
        table.extend(Table::try_from(&policy).map_err(|e| e.to_string())?);
        Ok(OwnPolicy(Arc::new(Held { table, policy })))
    }

    fn read<S: OwnSelect>(mut table: Table) -> Result<OwnPolicy, String> {
        table.remove("kind");
        OwnPolicy::new(table.try_into::<S>().map_err(|e| e.message().to_string())?)
    }
}

impl Debug for OwnPolicy {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("OwnPolicy").field(&self.0.table).finish()
    }
}

impl PartialEq for OwnPolicy {
    fn eq(&self, other: &OwnPolicy) -> bool {
        self.0.table == other.0.table
    }
}

impl Serialize for OwnPolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OwnPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OwnPolicy, D::Error> {
        let table = Table::deserialize(deserializer)?;
        let kind = table.get("kind").and_then(Value::as_str).unwrap_or_default();
        let found = kinds().into_iter().find(|known| known.name == kind);
        let read = found.ok_or_else(|| D::Error::custom(format!("there is no tree policy {kind:?}")))?.read;
        read(table).map_err(D::Error::custom)
    }
}

impl Select for OwnPolicy {
    const NEEDS: Columns = Columns::ALL;

    #[inline]
    fn needs(&self) -> Columns {
        self.0.policy.needs()
    }

    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        self.0.policy.shared(parent)
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        self.0.policy.score(shared, child)
    }

    #[inline]
    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        self.0.policy.untried(shared, child)
    }

    #[inline]
    fn amaf_bar(&self, shared: Shared, score: f32) -> f32 {
        self.0.policy.amaf_bar(shared, score)
    }

    #[inline]
    fn reference(&self) -> u32 {
        self.0.policy.reference()
    }

    #[inline]
    fn random(&self) -> f32 {
        self.0.policy.random()
    }

    #[inline]
    fn pick<C: Code, I: Link>(&self, view: NodeView<'_, C, I>, rng: &mut Rng) -> Pick {
        C::pick(&self.0.policy, view, rng)
    }
}
