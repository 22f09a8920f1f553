//! The commands, by kind.

mod admin;
mod analyze;
mod gogui;
mod kata;
mod kgs;
mod play;
mod raw;
mod rules;
mod score;
mod sgf;
mod time;

use super::protocol::Answer;
use super::session::{Call, Session};
use crate::engine::{Engine, Move};
use crate::sgf::Point;
use tesuji::Player;

type Handler = fn(&mut Session, &mut Call<'_>) -> Answer;

/// Every command, sorted by name.
const TABLE: &[(&str, Handler)] = &[
    ("all_legal", play::all_legal),
    ("analyze", analyze::lz_analyze),
    ("boardsize", play::boardsize),
    ("cgos-gameover", kgs::accept),
    ("cgos-genmove_analyze", analyze::cgos_genmove),
    ("cgos-opponent_name", kgs::opponent),
    ("cgos-opponent_rating", kgs::opponent),
    ("clear_board", play::clear_board),
    ("cputime", admin::cpu_time),
    ("final_score", score::final_score),
    ("final_status_list", score::final_status_list),
    ("fixed_handicap", play::fixed_handicap),
    ("genmove", play::genmove),
    ("genmove_analyze", analyze::lz_genmove),
    ("get_komi", play::get_komi),
    ("gg-undo", play::gg_undo),
    ("gogui-analyze_commands", gogui::analyze_commands),
    ("gogui-interrupt", kgs::accept),
    ("gogui-play_sequence", gogui::play_sequence),
    ("gogui-rules_board", rules::board),
    ("gogui-rules_board_size", rules::board_size),
    ("gogui-rules_final_result", rules::final_result),
    ("gogui-rules_game_id", rules::game_id),
    ("gogui-rules_legal_moves", rules::legal_moves),
    ("gogui-rules_side_to_move", rules::side_to_move),
    ("gogui-setup", gogui::setup),
    ("gogui-setup_player", gogui::setup_player),
    ("gogui-title", gogui::title),
    ("gomill-cpu_time", admin::cpu_time),
    ("gomill-describe_engine", admin::describe),
    ("gomill-explain_last_move", admin::explain),
    ("is_legal", play::is_legal),
    ("kata-analyze", analyze::kata_analyze),
    ("kata-genmove_analyze", analyze::kata_genmove),
    ("kata-get-param", kata::get_param),
    ("kata-get-rules", kata::get_rules),
    ("kata-list-params", kata::list_params),
    ("kata-raw-nn", raw::evaluate),
    ("kata-set-param", kata::set_param),
    ("kata-set-rules", kata::set_rules),
    ("kgs-chat", kgs::chat),
    ("kgs-game_over", kgs::accept),
    ("kgs-genmove_cleanup", play::genmove_cleanup),
    ("kgs-rules", kgs::rules),
    ("kgs-time_settings", time::kgs_time_settings),
    ("known_command", admin::known_command),
    ("komi", play::komi),
    ("list_commands", admin::list_commands),
    ("loadsgf", sgf::load),
    ("lz-analyze", analyze::lz_analyze),
    ("lz-genmove_analyze", analyze::lz_genmove),
    ("name", admin::name),
    ("place_free_handicap", play::place_free_handicap),
    ("play", play::play),
    ("printsgf", sgf::print),
    ("protocol_version", admin::protocol_version),
    ("quit", admin::quit),
    ("reg_genmove", play::reg_genmove),
    ("set_free_handicap", play::set_free_handicap),
    ("showboard", play::showboard),
    ("stop", kgs::accept),
    ("tesuji-ownership", gogui::ownership),
    ("tesuji-values", gogui::values),
    ("tesuji-variation", gogui::variation),
    ("tesuji-visits", gogui::visits),
    ("time_left", time::time_left),
    ("time_settings", time::time_settings),
    ("undo", play::undo),
    ("version", admin::version),
];

/// Commands that are carried out but not listed. Sabaki takes `analyze` where it is listed, and
/// reads it in the format that the engine does not mean; KataGo does not list them either.
const UNLISTED: &[&str] = &["analyze", "genmove_analyze"];

/// The names of the commands that are listed.
pub(super) fn listed() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name).filter(|name| !UNLISTED.contains(name))
}

/// What carries out the command of this name.
pub(super) fn find(name: &str) -> Option<Handler> {
    let found = TABLE.binary_search_by_key(&name, |(name, _)| name);
    found.ok().map(|i| TABLE[i].1)
}

/// Nothing to say.
const DONE: Answer = Ok(String::new());

/// Reads a colour.
fn colour(text: &str) -> Result<Player, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::FIRST),
        "w" | "white" => Ok(Player::SECOND),
        _ => Err(format!("'{text}' is not a colour, black or white")),
    }
}

/// Reads a vertex or `pass`.
fn vertex(text: &str, engine: &Engine) -> Result<Move, String> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(None);
    }
    Point::parse(text, engine.size()).map(Some).map_err(|e| e.to_string())
}

/// `black` or `white`.
fn colour_text(player: Player) -> &'static str {
    if player == Player::FIRST { "black" } else { "white" }
}

/// Points with spaces between them.
fn points_text<'a>(points: impl IntoIterator<Item = &'a Point>) -> String {
    points.into_iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
        assert!(TABLE.iter().all(|(name, _)| find(name).is_some()));
    }
}
