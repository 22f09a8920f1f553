//! Parts of other crates, which recipes name like those of the library.

use crate::backup::{Backup, ErasedBackup, NodeMut};
use crate::code::{Code, Link};
use crate::columns::Columns;
use crate::game::SearchGame;
use crate::playout::{ErasedPlayout, Playout};
use crate::rng::Rng;
use crate::select::{Child, ErasedSelect, NodeView, Parent, Pick, Picking, Reference, Select, Shared};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::fmt::Debug;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::{PoisonError, RwLock};
use toml::{Table, Value};

/// A part of another crate that recipes can name: a tree policy, a backup or a playout policy.
///
/// Its fields are its settings: `serde` reads them (with defaults, and `deny_unknown_fields`), and
/// `schemars` describes their units and ranges; both skip fields that are not settings. The
/// sentence of `tesuji list` is the type's doc comment. Identities of agents hash the kind and all
/// settings. [`register_select`](crate::register_select),
/// [`register_backup`](crate::register_backup) and [`register_playout`](crate::register_playout)
/// make it known to recipes.
pub trait OwnPart:
    Serialize + DeserializeOwned + JsonSchema + Default + Debug + Send + Sync + 'static
{
    /// The name that the `kind` of the axis takes.
    const KIND: &'static str;
}

/// An axis of the search to which parts of other crates can belong. The implementing type is the
/// stored form of such a part.
pub trait Axis: 'static {
    #[doc(hidden)]
    const NAME: &'static str;
    #[doc(hidden)]
    const WHAT: &'static str;
    #[doc(hidden)]
    fn kinds() -> &'static RwLock<Vec<Kind<Self>>>;
}

macro_rules! axis {
    ($part:ty, $name:literal, $what:literal) => {
        impl Axis for $part {
            const NAME: &'static str = $name;
            const WHAT: &'static str = $what;

            fn kinds() -> &'static RwLock<Vec<Kind<Self>>> {
                static KINDS: RwLock<Vec<Kind<$part>>> = RwLock::new(Vec::new());
                &KINDS
            }
        }
    };
}

/// Tree policies.
pub(super) type Policies = dyn ErasedSelect + Send + Sync;
/// Backups.
pub(super) type Backups = dyn ErasedBackup + Send + Sync;
/// Playout policies, which games of each type make their own of.
pub(super) type Playouts = dyn Any + Send + Sync;

axis!(Policies, "select", "tree policy");
axis!(Backups, "backup", "backup");
axis!(Playouts, "playout", "playout policy");

/// A registered kind of part.
#[doc(hidden)]
pub struct Kind<P: ?Sized> {
    name: &'static str,
    part: TypeId,
    read: fn(Table) -> Result<Own<P>, String>,
    schema: fn() -> Schema,
}

impl<P: ?Sized> Debug for Kind<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

/// Adds a kind, which no other part of the axis has.
fn add<S: OwnPart, P: Axis + ?Sized>(read: fn(Table) -> Result<Own<P>, String>) {
    let kind = Kind { name: S::KIND, part: TypeId::of::<S>(), read, schema: schema_of::<S> };
    P::kinds().write().unwrap_or_else(PoisonError::into_inner).push(kind);
}

/// Adds a tree policy.
pub(crate) fn add_select<S: OwnPart + Select>() {
    add::<S, Policies>(|table| Own::read::<S>(table, |held| held));
}

/// Adds a backup.
pub(crate) fn add_backup<B: OwnPart + Backup>() {
    add::<B, Backups>(|table| Own::read::<B>(table, |held| held));
}

/// Adds a playout policy, which still plays no game.
pub(crate) fn add_playout<P: OwnPart>() {
    add::<P, Playouts>(|table| Own::read::<P>(table, |held| held));
}

/// Whether a playout policy was added.
pub(crate) fn has_playout<P: OwnPart>() -> bool {
    let same = |kind: &Kind<Playouts>| kind.name == P::KIND && kind.part == TypeId::of::<P>();
    Playouts::kinds().read().unwrap_or_else(PoisonError::into_inner).iter().any(same)
}

/// Lets a playout policy play a game. To do so again changes nothing.
pub(crate) fn add_game<P: OwnPart + Playout<G> + Clone, G: SearchGame>() {
    let make: Make<G> = |part| Some(Box::new(part.downcast_ref::<P>()?.clone()));
    let mut makers = MAKERS.write().unwrap_or_else(PoisonError::into_inner);
    if !makers.iter().any(|(kind, make)| *kind == P::KIND && make.is::<Make<G>>()) {
        makers.push((P::KIND, Box::new(make)));
    }
}

/// Makes a playout policy for games of one type.
type Make<G> = fn(&Playouts) -> Option<Box<dyn ErasedPlayout<G>>>;

/// The [`Make`] of each kind and game.
static MAKERS: RwLock<Vec<(&'static str, Box<dyn Any + Send + Sync>)>> = RwLock::new(Vec::new());

/// The schema of a part with its kind, as that of an alternative of an enum with a tag.
fn schema_of<S: OwnPart>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<S>();
    let object = schema.ensure_object();
    let properties = object.entry("properties").or_insert_with(|| serde_json::json!({}));
    properties["kind"] = serde_json::json!({ "type": "string", "const": S::KIND });
    object.insert("required".to_owned(), serde_json::json!(["kind"]));
    schema
}

/// Adds the registered parts of an axis to the schema of all.
pub(super) fn add_kinds<P: Axis + ?Sized>(schema: &mut Schema) {
    let object = schema.ensure_object();
    // A variant without a tag, though it is skipped, lets alternatives overlap; these do not.
    if let Some(serde_json::Value::Array(mut all)) = object.remove("anyOf") {
        let kinds = P::kinds().read().unwrap_or_else(PoisonError::into_inner);
        all.extend(kinds.iter().map(|kind| (kind.schema)().to_value()));
        object.insert("oneOf".to_owned(), serde_json::Value::Array(all));
    }
}

/// A part of another crate, as a recipe has it.
pub struct Own<P: ?Sized>(Arc<Stored<P>>);

/// A tree policy of another crate.
pub type OwnPolicy = Own<Policies>;

/// A backup of another crate.
pub type OwnBackup = Own<Backups>;

/// A playout policy of another crate, as it begins in every game.
pub type OwnPlayout = Own<Playouts>;

struct Stored<P: ?Sized> {
    /// The kind and all settings.
    table: Table,
    part: P,
}

impl<P: ?Sized> Own<P> {
    fn read<S: OwnPart>(
        mut table: Table,
        erase: fn(Arc<Stored<S>>) -> Arc<Stored<P>>,
    ) -> Result<Own<P>, String> {
        table.remove("kind");
        let part: S = table.try_into().map_err(|e: toml::de::Error| e.message().to_string())?;
        let mut table = Table::from_iter([("kind".to_owned(), Value::String(S::KIND.to_owned()))]);
        table.extend(Table::try_from(&part).map_err(|e| e.to_string())?);
        Ok(Own(erase(Arc::new(Stored { table, part }))))
    }

    /// The name of its kind.
    pub fn kind(&self) -> &str {
        self.0.table.get("kind").and_then(Value::as_str).unwrap_or_default()
    }
}

impl OwnPlayout {
    /// A policy for games of this type, if there is one.
    pub(crate) fn play<G: SearchGame>(&self) -> Option<Box<dyn ErasedPlayout<G>>> {
        let makers = MAKERS.read().unwrap_or_else(PoisonError::into_inner);
        let mut makers = makers.iter().filter(|(kind, _)| *kind == self.kind());
        makers.find_map(|(_, make)| make.downcast_ref::<Make<G>>()?(&self.0.part))
    }
}

impl<P: ?Sized> Clone for Own<P> {
    fn clone(&self) -> Own<P> {
        Own(Arc::clone(&self.0))
    }
}

impl<P: ?Sized> Debug for Own<P> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Own").field(&self.0.table).finish()
    }
}

impl<P: ?Sized> PartialEq for Own<P> {
    fn eq(&self, other: &Own<P>) -> bool {
        self.0.table == other.0.table
    }
}

impl<P: ?Sized> Serialize for Own<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.table.serialize(serializer)
    }
}

impl<'de, P: Axis + ?Sized> Deserialize<'de> for Own<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Own<P>, D::Error> {
        let table = Table::deserialize(deserializer)?;
        let kind = table.get("kind").and_then(Value::as_str).unwrap_or_default();
        let kinds = P::kinds().read().unwrap_or_else(PoisonError::into_inner);
        let found = kinds.iter().find(|known| known.name == kind).map(|known| known.read);
        drop(kinds);
        let read = found.ok_or_else(|| D::Error::custom(format!("there is no {} {kind:?}", P::WHAT)))?;
        read(table).map_err(D::Error::custom)
    }
}

impl Select for OwnPolicy {
    const NEEDS: Columns = Columns::ALL;

    #[inline]
    fn needs(&self) -> Columns {
        self.0.part.needs()
    }

    #[inline]
    fn shared(&self, parent: &Parent) -> Shared {
        self.0.part.shared(parent)
    }

    #[inline]
    fn score(&self, shared: Shared, child: &Child) -> f32 {
        self.0.part.score(shared, child)
    }

    #[inline]
    fn untried(&self, shared: Shared, child: &Child) -> f32 {
        self.0.part.untried(shared, child)
    }

    #[inline]
    fn min_amaf_mean(&self, shared: Shared, score: f32) -> f32 {
        self.0.part.min_amaf_mean(shared, score)
    }

    #[inline]
    fn reference(&self) -> u32 {
        self.0.part.reference()
    }

    #[inline]
    fn random(&self) -> f32 {
        self.0.part.random()
    }

    #[inline]
    fn pick<C: Code, I: Link>(
        &self,
        view: NodeView<'_, C, I>,
        reference: Option<&mut Reference<'_>>,
        rng: &mut Rng,
    ) -> Pick {
        Picking::pick(&self.0.part, view, reference, rng)
    }
}

impl Backup for OwnBackup {
    fn needs(&self) -> Columns {
        self.0.part.needs()
    }

    fn backup_state(&self) -> usize {
        self.0.part.backup_state()
    }

    fn turns_values(&self) -> bool {
        self.0.part.turns_values()
    }

    fn is_local(&self) -> bool {
        self.0.part.is_local()
    }

    fn looks_at_changes(&self) -> bool {
        self.0.part.looks_at_changes()
    }

    /// One indirect call a node.
    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        node.update_by(&self.0.part, sample)
    }

    fn bytes(&self) -> usize {
        self.0.part.bytes()
    }
}
