//! Thermographs in characters.

use crate::dyadic::Dyadic;
use crate::thermograph::Thermograph;
use tesuji::Player;

/// The most rows of a picture below the mast's top.
const ROWS: i128 = 12;

impl Thermograph {
    /// A picture of `width` characters, at least 16 and as many as both stops need beside the
    /// temperatures, and at most 16 lines: temperatures from bottom to top, scores from right to
    /// left, Left's advantage on the left as usual. `L` and `R` are the walls, `|` is both.
    pub fn to_text(&self, width: usize) -> String {
        let (high, low) = (self.left_stop(), self.right_stop());
        let step = step(self.temperature());
        // A row above the temperature shows the mast.
        let mut rows = 1;
        while step.times_whole(rows) <= self.temperature() {
            rows += 1;
        }
        let margin = step.times_whole(rows).to_string().len().max(step.to_string().len()).max(4);
        let scores_width = high.to_string().len() + 1 + low.to_string().len();
        let columns = width.max(16).saturating_sub(margin + 3).max(scores_width);
        let column = |x: Dyadic| match (high - low).to_f64() {
            0.0 => columns / 2,
            range => ((high - x).to_f64() / range * (columns - 1) as f64).round() as usize,
        };
        let mut text = format!("{:>margin$}\n", "t");
        for row in (0..=rows).rev() {
            let t = step.times_whole(row);
            let walls = [Player::FIRST, Player::SECOND].map(|first| self.wall(first, t));
            let [left, right] = walls.map(column);
            let mut line = vec![' '; columns];
            (line[left], line[right]) = ('L', 'R');
            if left == right {
                line[left] = '|';
            }
            let line: String = line.into_iter().collect();
            text += format!("{t:>margin$} : {}", line.trim_end()).trim_end();
            text.push('\n');
        }
        text + &scores(high, low, self.mean(), margin + 3, columns, column(self.mean()))
    }
}

/// The line of scores below the picture: both stops, and the mean where there is room.
fn scores(high: Dyadic, low: Dyadic, mean: Dyadic, margin: usize, columns: usize, at: usize) -> String {
    let (high, low, mean) = (high.to_string(), low.to_string(), mean.to_string());
    let mut line = vec![' '; margin + columns];
    let mut put = |text: &str, at: usize| {
        let Some(last) = line.len().checked_sub(text.len()) else { return };
        let begin = at.min(last);
        let end = begin + text.len();
        let around = begin.saturating_sub(1)..(end + 1).min(line.len());
        if line[around].iter().all(|c| *c == ' ') {
            line.splice(begin..end, text.chars());
        }
    };
    if high == low {
        put(&mean, margin + at);
    } else {
        put(&high, margin);
        put(&low, margin + columns - low.len());
        put(&mean, margin + at - (mean.len() / 2).min(at));
    }
    let line: String = line.into_iter().collect();
    format!("{}\n", line.trim_end())
}

/// A round distance of rows for this temperature: 1, 2 or 5 times a power of ten, or a power of
/// 1/2.
fn step(temperature: Dyadic) -> Dyadic {
    let rows = |step: Dyadic| temperature <= step.times_whole(ROWS);
    let quarter = Dyadic::new(1, 2);
    let fine = [quarter, quarter + quarter].into_iter();
    let coarse = (0..18).flat_map(|power| [1, 2, 5].map(|n| Dyadic::from(n * 10i64.pow(power))));
    fine.chain(coarse).find(|&step| rows(step)).unwrap_or(temperature)
}

#[cfg(test)]
mod tests {
    use crate::Tree;

    #[test]
    fn long_scores_widen_the_picture() {
        let text = |game: &str| game.parse::<Tree>().unwrap().thermograph().to_text(16);
        let hot = text("{999999999|-999999999/1048576}");
        assert!(hot.ends_with("\n            999999999 -999999999/1048576\n"), "{hot}");
        assert!(text("999999999/1048576").trim_end().ends_with(" 999999999/1048576"));
        assert!(text("{3|-1}").lines().all(|line| line.len() <= 16));
    }
}
