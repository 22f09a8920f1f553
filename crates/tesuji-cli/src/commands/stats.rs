//! `tesuji stats`.

use super::{print, print_json};
use tesuji_lab::LabError;
use tesuji_lab::stats::{Counts, Sprt, agresti_coull, clopper_pearson, p_text, summary_json, wilson};

/// Compute intervals, Elo and likelihoods from counts of results.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tesuji stats 563 0 437\n  tesuji stats 10 200 480 230 15 --elo0=-5 --elo1=0\n\nMore: docs/tutorial.md"
)]
pub(crate) struct Args {
    /// Three counts: wins, draws, losses. Five: pairs of games with LL, LD, LW or DD, DW, WW. Each
    /// is at most 10^15.
    #[arg(required = true, num_args = 1..)]
    counts: Vec<u64>,
    /// Sequential test: Elo of the null hypothesis.
    #[arg(long, requires = "elo1", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// Sequential test: Elo of the alternative, above --elo0.
    #[arg(long, requires = "elo0", allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<(), LabError> {
    let counts = Counts::from_list(&args.counts).map_err(LabError::input)?;
    let sprt = match (args.elo0, args.elo1) {
        (Some(elo0), Some(elo1)) => Some(Sprt::asked(elo0, elo1)?),
        _ => None,
    };
    if args.json { print_json(&summary_json(&counts, sprt)) } else { table(&counts, sprt) }
}

fn table(counts: &Counts, sprt: Option<Sprt>) -> Result<(), LabError> {
    let (k, n, elo) = (counts.points(), counts.games() as f64, counts.elo());
    let unit = if matches!(counts, Counts::Pairs(_)) { "games (in pairs)" } else { "games" };
    print(format_args!("{:<16} {} {unit}, score {:.6}\n", "counted", counts.games(), counts.score()))?;
    for (name, interval) in [
        ("Agresti-Coull", agresti_coull(k, n, 0.95)),
        ("Wilson", wilson(k, n, 0.95)),
        ("Clopper-Pearson", clopper_pearson(k, n, 0.95)),
    ] {
        print(format_args!("{name:<16} [{:.6}, {:.6}]  95 %\n", interval.lo, interval.hi))?;
    }
    for (name, elo) in [("Elo", elo), ("Elo normalized", counts.normalized_elo())] {
        let [elo, lo, hi] = [elo.elo, elo.lo, elo.hi].map(|x| signed(x, 2));
        print(format_args!("{name:<16} {elo} [{lo}, {hi}]  95 %\n"))?;
    }
    print(format_args!("{:<16} {:.6}\n", "superiority", counts.los()))?;
    print(format_args!("{:<16} {}\n", "p", p_text(counts.p_value())))?;
    if let Some(sprt) = sprt {
        let (lower, upper) = sprt.bounds();
        print(format_args!(
            "{:<16} {} of [{lower:.6}, {upper:.6}], Elo {} against {}\n",
            "LLR",
            signed(sprt.llr(counts), 6),
            sprt.elo0,
            sprt.elo1,
        ))?;
        print(format_args!("{:<16} {}\n", "LLR normalized", signed(sprt.llr_normalized(counts), 6)))?;
    }
    Ok(())
}

/// A number with its sign and N decimals; 0 is positive.
fn signed(x: f64, decimals: usize) -> String {
    let text = format!("{x:+.decimals$}");
    if text.parse::<f64>() == Ok(0.0) { text.replace('-', "+") } else { text }
}
