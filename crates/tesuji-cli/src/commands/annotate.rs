//! What a search says of each move of a game of Go, written into the record.

use tesuji_go::sgf::{Node, PointError, Property, RecordedMove, Tree};
use tesuji_lab::JudgedMove;

/// Moves that the root names, and that are marked as bad.
const LARGEST: usize = 10;
/// Smaller losses are not named.
const LEAST: f32 = 0.02;
/// From here on a move counts as very bad.
const LARGE: f32 = 0.15;
/// Properties that say something of a move or of the position before it.
const ON_THE_BOARD: [&str; 6] = ["B", "W", "AB", "AW", "AE", "PL"];
/// Judgements of a move, of which a node has one at most.
const JUDGEMENTS: [&str; 4] = ["BM", "DO", "IT", "TE"];

/// Writes each move's value into its node. Where another move would have been better, the line that
/// the search expected becomes a variation. The root names the largest losses, and their moves are
/// marked as bad (`BM`). Comments and variations of the record stay.
///
/// # Errors
/// If a move of the judgement is none of this board.
pub(super) fn annotate(
    tree: &mut Tree,
    size: usize,
    searched: &str,
    judged: &[JudgedMove],
) -> Result<(), PointError> {
    let nodes: Vec<usize> = tree.main_line().into_iter().flat_map(|node| moves_of(tree, node)).collect();
    let mut largest: Vec<&JudgedMove> = judged.iter().filter(|judged| judged.loss >= LEAST).collect();
    largest.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    largest.truncate(LARGEST);
    let mut about = format!("{searched}\nEach value is the win rate of the player who made the move.\n");
    about += if largest.is_empty() { "No move loses much." } else { "Largest losses:" };
    for JudgedMove { number, played, best, loss, .. } in &largest {
        about += &format!("\n{loss:.3} by move {number}, {played}; best {best}");
    }
    comment(tree, Tree::ROOT, &about);
    for (judged, &node) in judged.iter().zip(&nodes) {
        let JudgedMove { value, best, best_value, loss, .. } = judged;
        let is_best = *best == judged.played;
        let other = format!("; best {best}, value {best_value:.3}; loss {loss:.3}");
        comment(tree, node, &format!("value {value:.3}{}", if is_best { "; the best move" } else { &other }));
        if *loss > 0.0 {
            add_variation(tree, size, node, judged)?;
        }
    }
    for judged in largest {
        let node = nodes[judged.number - 1];
        if !JUDGEMENTS.iter().any(|name| tree.node(node).get(name).is_some()) {
            tree.set(node, "BM", &[if judged.loss < LARGE { "1" } else { "2" }]);
        }
    }
    tree.replace(Tree::ROOT, "CA", "UTF-8");
    Ok(())
}

/// The node, once for each of its moves.
fn moves_of(tree: &Tree, node: usize) -> impl Iterator<Item = usize> + use<> {
    let is_move = |property: &&Property| ["B", "W"].contains(&&*property.name);
    std::iter::repeat_n(node, tree.node(node).properties.iter().filter(is_move).count())
}

/// Adds a paragraph to the comment of a node.
fn comment(tree: &mut Tree, node: usize, text: &str) {
    let before = tree.node(node).get("C").map(|comment| comment.text() + "\n\n");
    tree.replace(node, "C", &format!("{}{text}", before.unwrap_or_default()));
}

/// Adds the line that the search expected beside a move, if the move alone makes its node.
fn add_variation(tree: &mut Tree, size: usize, node: usize, judged: &JudgedMove) -> Result<(), PointError> {
    let happens = |node: &Node| node.properties.iter().filter(|p| ON_THE_BOARD.contains(&&*p.name)).count();
    let Some(mut above) = tree.node(node).parent().filter(|_| happens(tree.node(node)) == 1) else {
        return Ok(());
    };
    let mut player = judged.player;
    for (i, text) in judged.variation.iter().enumerate() {
        let mut m = RecordedMove::parse(player, text, size)?;
        if i == 0 {
            m.comment = format!("value {:.3}", judged.best_value);
        }
        above = tree.add_move(above, &m, size);
        player = player.other();
    }
    Ok(())
}
