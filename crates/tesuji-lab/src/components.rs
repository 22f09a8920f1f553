//! Components of sums by name, with their thermographs.

use crate::error::{LabError, faults};
use serde_json::{Value, json};
use tesuji::Player;
use tesuji_sums::{Dyadic, Graph, Heap, Solution, Thermograph, TooManyStates, Tree};

/// A component of a sum, as it was named.
#[derive(Clone, Debug)]
pub struct NamedComponent {
    /// As it is written.
    pub name: String,
    graph: Graph,
    /// Its thermograph.
    pub thermograph: Thermograph,
}

impl NamedComponent {
    /// Reads a heap of Heap-Go such as `b3r5b5`, or a game in brace notation such as `{3|-1}`,
    /// which begins with a brace, a digit or a minus that does not stand alone.
    ///
    /// # Errors
    /// If it is neither.
    pub fn read(text: &str) -> Result<NamedComponent, LabError> {
        let begins_tree = |c: char| c == '{' || c == '-' || c.is_ascii_digit();
        let is_tree = text != "-" && text.trim_start().starts_with(begins_tree);
        let (name, graph) = if is_tree {
            text.parse().map(|tree: Tree| (tree.to_string(), tree.graph().clone()))
        } else {
            text.parse().map(|heap: Heap| (heap.to_string(), Graph::of(&heap).0))
        }
        .map_err(|error| {
            let (text, fault) = (text.to_owned(), error.to_string());
            LabError::from(ComponentError::Text { text, fault })
        })?;
        let thermograph = graph.thermographs().swap_remove(graph.start());
        Ok(NamedComponent { name, graph, thermograph })
    }
}

/// The scores of the sum of some components under best play, if Left moves first and if Right does.
///
/// # Errors
/// If the sum has too many states.
pub fn sum_scores(components: &[NamedComponent]) -> Result<[Dyadic; 2], TooManyStates> {
    let settled: Vec<Graph> = components.iter().map(|component| component.graph.settled()).collect();
    let sum = Solution::new(&settled)?;
    Ok([Player::FIRST, Player::SECOND].map(|first| sum.score(first)))
}

/// Components and the scores of their sum, as `tesuji thermo --json` prints them.
pub fn components_json(components: &[NamedComponent]) -> Value {
    let sum = sum_scores(components)
        .ok()
        .map(|[left, right]| json!({ "left_first": number(left), "right_first": number(right) }));
    let heaps: Vec<Value> = components.iter().map(object).collect();
    json!({ "heaps": heaps, "sum": sum })
}

fn object(game: &NamedComponent) -> Value {
    let thermograph = &game.thermograph;
    let wall = |first| -> Vec<[String; 2]> {
        let points = thermograph.breakpoints(first).into_iter();
        points.map(|(t, x)| [t.to_string(), x.to_string()]).collect()
    };
    json!({
        "heap": game.name,
        "mean": thermograph.mean().to_string(),
        "temperature": thermograph.temperature().to_string(),
        "left_stop": thermograph.left_stop().to_string(),
        "right_stop": thermograph.right_stop().to_string(),
        "walls": { "left": wall(Player::FIRST), "right": wall(Player::SECOND) },
    })
}

/// A JSON number: whole where it is.
fn number(x: Dyadic) -> Value {
    match (x.exponent(), i64::try_from(x.numerator())) {
        (0, Ok(whole)) => json!(whole),
        _ => json!(x.to_f64()),
    }
}

faults! {
    /// Why a text names no component.
    ComponentError {
        Text { text: String, fault: String } =>
            "{text:?}: {fault}; accepted are heaps such as b3r5b5 and games in braces such as {{3|-1}}",
    }
}
