//! A picture of a grown tree, as an SVG file:
//!
//!     cargo run --release -p tesuji-games --example grown_tree > docs/papers/grown-tree.svg
//!
//! UCT has searched an empty board of Connect Four. Each box is a node, below its parent and as
//! wide as its share of the root's visits: good moves get wide and deep, and the tree grows towards
//! them (asymmetric growth). Boxes narrower than half a point are left out.

use tesuji::{Budget, Code, NodeId, Search, Tree};
use tesuji_games::ConnectFour;

const SIMULATIONS: u64 = 2000;
const WIDTH: f64 = 900.0;
const ROW: f64 = 22.0;

/// A box for the node and those below it; the depth of the deepest box.
fn draw<C: Code>(tree: &Tree<C>, id: NodeId, at: (f64, usize), scale: f64, out: &mut String) -> usize {
    let (left, depth) = at;
    let node = tree.node(id);
    let width = f64::from(node.visits()) * scale;
    // Light where the player who moved there wins seldom.
    let light = 92.0 - 50.0 * node.exact_value();
    *out += &format!(
        "<rect x=\"{left:.1}\" y=\"{:.0}\" width=\"{width:.1}\" height=\"{ROW:.0}\" fill=\"hsl(210,45%,{light:.0}%)\"/>\n",
        depth as f64 * ROW
    );
    let (mut x, mut deepest) = (left, depth);
    for (child, node) in tree.children(id) {
        let share = f64::from(node.visits()) * scale;
        if share >= 0.5 {
            deepest = deepest.max(draw(tree, child, (x, depth + 1), scale, out));
        }
        x += share;
    }
    deepest
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = ConnectFour::new();
    let mut search = Search::uct(&game, 0.7, 1);
    search.run(&game, &Budget::simulations(SIMULATIONS))?;
    let tree = search.tree();
    let scale = WIDTH / f64::from(tree.node(tree.root()).visits());
    let mut boxes = String::new();
    let deepest = draw(tree, tree.root(), (0.0, 0), scale, &mut boxes);
    let height = (deepest + 1) as f64 * ROW;
    println!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\">\n\
         <title>The tree of UCT after {SIMULATIONS} simulations of Connect Four</title>\n\
         <g stroke=\"#fff\" stroke-width=\"0.6\">\n{boxes}</g>\n</svg>"
    );
    Ok(())
}
