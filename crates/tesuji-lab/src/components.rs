//! Components of sums by name, with their thermographs.

use crate::error::{LabError, faults};
use serde_json::{Value, json};
use tesuji::Player;
use tesuji_sums::{Dyadic, Graph, Heap, Solution, Thermograph, Tree};

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

/// The most components of a sum. The scores of this number of the largest and finest games fit into
/// the 128 bits of a [`Dyadic`].
const MOST: usize = 1 << 16;

/// The scores of the sum of some components under best play, if Left moves first and if Right does.
///
/// # Errors
/// If the sum has more than 65 536 components, or too many states.
pub fn sum_scores(components: &[NamedComponent]) -> Result<[Dyadic; 2], LabError> {
    if components.len() > MOST {
        return Err(ComponentError::Many { components: components.len(), most: MOST }.into());
    }
    let settled: Vec<Graph> = components.iter().map(|component| component.graph.settled()).collect();
    let sum = Solution::new(&settled).map_err(LabError::input)?;
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

/// A JSON number, whole where it is, if a reader of doubles gets exactly this number; otherwise a
/// fraction as text.
fn number(x: Dyadic) -> Value {
    let is_double = x.numerator().unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
    match (x.exponent(), i64::try_from(x.numerator())) {
        (0, Ok(whole)) if is_double => json!(whole),
        (1..=1022, _) if is_double => json!(x.to_f64()),
        _ => json!(x.to_string()),
    }
}

faults! {
    /// Why a text names no component.
    ComponentError {
        Text { text: String, fault: String } =>
            "{text:?}: {fault}; accepted are heaps such as b3r5b5 and games in braces such as {{3|-1}}",
        Many { components: usize, most: usize } =>
            "the sum has {components} games; accepted: at most {most}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        let json = |numerator: i128, exponent| number(Dyadic::new(numerator, exponent)).to_string();
        assert_eq!(json(-6, 0), "-6");
        assert_eq!(json(3, 1), "1.5");
        assert_eq!(json(1, 58), "3.469446951953614e-18");
        assert_eq!(json(1 << 53, 0), "9007199254740992");
        assert_eq!(json((1 << 53) + 1, 0), "\"9007199254740993\"");
        assert_eq!(json((1 << 53) - 1, 1), "4503599627370495.5");
        assert_eq!(json(-(1 << 53) - 1, 1), "\"-9007199254740993/2\"");
        assert_eq!(json((1_000_000_000 << 58) + 1, 58), "\"288230376151711744000000001/288230376151711744\"");
        assert_eq!(json(1, 2000), "\"1/2^2000\"");
    }

    #[test]
    fn the_largest_and_finest_games_have_scores() {
        let finest = format!("{}1/1048576{}", "{0|".repeat(Tree::DEEPEST), "}".repeat(Tree::DEEPEST));
        let finest = NamedComponent::read(&finest).unwrap();
        assert_eq!(finest.thermograph.mean(), Dyadic::new(1, 80));
        let mut components = vec![NamedComponent::read("1000000000").unwrap(); MOST];
        components[7] = finest.clone();
        let most = Dyadic::from(1_000_000_000 * (MOST as i64 - 1)) + Dyadic::new(1, 80);
        assert_eq!(sum_scores(&components).unwrap(), [most, most]);
        assert_eq!(components_json(&components[..9])["sum"]["left_first"], {
            let sum = Dyadic::from(8_000_000_000) + Dyadic::new(1, 80);
            sum.to_string()
        });
        components.push(finest);
        let error = sum_scores(&components).unwrap_err();
        assert!(matches!(error.cause(), Some(ComponentError::Many { components: 65_537, .. })));
        assert!(error.to_string().contains("at most 65536"));
    }
}
