//! Lines that ask for something.

use super::fields::{Fields, Refusal, Warning};
use super::rules;
use super::settings::{Effect, Settings};
use crate::engine::{Engine, Move};
use crate::restriction::Restriction;
use crate::rule_set::{HandicapBonus, RuleSet};
use crate::rules::{Illegal, Komi, Rules};
use crate::sgf::Point;
use crate::with_go;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tesuji::Player;

/// A line that was read.
#[derive(Clone, Debug)]
pub enum Request {
    /// Positions to analyse, and warnings about parts that are done differently.
    Analyze(Box<Query>, Vec<Warning>),
    /// Anything else, with the line to send back.
    Act(Action, Value),
}

/// The request of a line without positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `query_version`.
    Version,
    /// `query_models`.
    Models,
    /// `clear_cache`.
    ClearCache,
    /// `terminate` of an id or `terminate_all`, perhaps of some turns only.
    Terminate {
        /// Of queries with this id, or of all.
        id: Option<String>,
        /// Of these turns, or of all.
        turns: Option<Vec<usize>>,
    },
}

/// Positions of a game to analyse, and the content of the answers.
#[derive(Clone, Debug)]
pub struct Query {
    /// The identifier that all answers repeat.
    pub id: String,
    /// Lines of the board.
    pub size: usize,
    /// The rules.
    pub rules: Rules,
    /// Stones at the beginning.
    pub stones: Vec<(Player, Point)>,
    /// The player to move at the beginning.
    pub first: Player,
    /// The moves.
    pub moves: Vec<(Player, Move)>,
    /// The numbers of moves after which to analyse, each with its priority.
    pub turns: BTreeMap<usize, i64>,
    /// Moves that are not searched.
    pub restriction: Option<Arc<Restriction>>,
    /// The settings for these analyses.
    pub settings: Settings,
    /// Whether answers have the ownership of points.
    pub ownership: bool,
    /// Whether answers have the ownership for every move.
    pub moves_ownership: bool,
    /// Whether answers have the policy of the network.
    pub policy: bool,
    /// The times of reports while the search goes on: of the first one, and between two.
    pub report: Option<(Duration, Duration)>,
}

/// Fields of KataGo's that ask for figures which this search does not have.
const MISSING: &[&str] =
    &["includePVVisits", "includeOwnershipStdev", "includeMovesOwnershipStdev", "includeNoResultValue"];

/// Settings that only files and the command line have.
const OF_THE_ENGINE: &[&str] =
    &["numAnalysisThreads", "numSearchThreadsPerAnalysisThread", "numSearchThreads"];

const MOVES: &str = "an array of pairs such as [\"B\",\"C3\"] with a player and a vertex";
const LIMITS: &str = "an array of objects with player, moves and untilDepth";

impl Request {
    /// Reads a line. `defaults` are the settings that a query leaves out.
    ///
    /// # Errors
    /// If the line is not carried out.
    pub fn read(line: &str, defaults: &Settings) -> Result<Request, Refusal> {
        let mut fields = Fields::read(line)?;
        let object = fields.object();
        match fields.take("action") {
            Some(action) => {
                let action = Action::read(action.as_str().unwrap_or_default(), &mut fields)?;
                Ok(Request::Act(action, object))
            }
            None => Query::read(fields, defaults),
        }
    }
}

impl Action {
    fn read(action: &str, fields: &mut Fields) -> Result<Action, Refusal> {
        let id = match action {
            "query_version" => return Ok(Action::Version),
            "query_models" => return Ok(Action::Models),
            "clear_cache" => return Ok(Action::ClearCache),
            "terminate" => {
                let id = fields.take_as("terminateId", "the id of a query, a text", text)?;
                Some(id.ok_or_else(|| fields.refuse("terminateId", "accepted: the id of a query, a text"))?)
            }
            "terminate_all" => None,
            _ => {
                let accepted = "query_version, query_models, clear_cache, terminate or terminate_all";
                return Err(fields.refuse("action", format!("accepted: {accepted}")));
            }
        };
        let turns = fields.take_as("turnNumbers", "an array of turns", |value| {
            value.as_array()?.iter().map(|turn| Some(turn.as_u64()? as usize)).collect()
        })?;
        Ok(Action::Terminate { id, turns })
    }
}

impl Query {
    fn read(mut fields: Fields, defaults: &Settings) -> Result<Request, Refusal> {
        let fields = &mut fields;
        let mut warnings = Vec::new();
        let size = size(fields)?;
        let rules = read_rules(fields, &mut warnings)?;
        let stones = take_moves(fields, "initialStones", size, |m| m.is_some())?.unwrap_or_default();
        let stones: Vec<_> = stones.into_iter().filter_map(|(player, m)| Some((player, m?))).collect();
        let moves = take_moves(fields, "moves", size, |_| true)?;
        let moves = moves.ok_or_else(|| fields.refuse("moves", format!("is missing; accepted: {MOVES}")))?;
        let first = fields.take_as("initialPlayer", "\"B\" or \"W\"", player)?;
        let first = first.or(moves.first().map(|&(player, _)| player)).unwrap_or_else(|| to_move(&stones));
        let turns = turns(fields, moves.len())?;
        let restriction = restriction(fields, size)?;
        let mut settings = defaults.clone();
        override_settings(fields, &mut settings, &mut warnings)?;
        let [ownership, moves_ownership, policy] = [
            fields.flag("includeOwnership")?,
            fields.flag("includeMovesOwnership")?,
            fields.flag("includePolicy")?,
        ];
        for &field in MISSING {
            if fields.flag(field)? {
                warnings.push(Warning { field: field.into(), text: "this search does not count it".into() });
            }
        }
        let report = reports(fields)?;
        if settings.warn_unused {
            let text = "this field is not known; is it misspelt?";
            warnings.extend(fields.rest().map(|field| Warning { field: field.into(), text: text.into() }));
        }
        let id = fields.id.clone();
        let mut query = Query {
            id,
            size,
            rules,
            stones,
            first,
            moves,
            turns,
            restriction,
            settings,
            ownership,
            moves_ownership,
            policy,
            report,
        };
        query.follow(&mut warnings).map_err(|(field, text)| fields.refuse(field, text))?;
        Ok(Request::Analyze(Box::new(query), warnings))
    }

    /// Who is to move after `turn` moves.
    pub(super) fn to_move(&self, turn: usize) -> Player {
        turn.checked_sub(1).map_or(self.first, |last| self.moves[last].0.other())
    }

    /// Plays the game. The points that White gets for stones of handicap are then part of the komi.
    /// Moves that repeat a position are possible, since other rules allow them. So is suicide,
    /// which the rules then allow in the search too.
    fn follow(&mut self, warnings: &mut Vec<Warning>) -> Result<(), (&'static str, String)> {
        let (stones, moves, rules) = (&self.stones, &self.moves, &mut self.rules);
        with_go!(self.size, *rules, |game| {
            let vertex = |p: Point| game.vertex(p.column.into(), p.row.into());
            let edits: Vec<_> =
                stones.iter().filter_map(|&(player, p)| Some((vertex(p)?, Some(player)))).collect();
            let vertices: Vec<_> = moves.iter().map(|&(_, m)| m.and_then(vertex)).collect();
            let no_liberty = |_| ("initialStones", "a chain of them has no liberty".to_owned());
            game.set_up(&edits).map_err(no_liberty)?;
            for (number, (&(player, m), vertex)) in moves.iter().zip(vertices).enumerate() {
                let vertex = vertex.unwrap_or(crate::vertex::Vertex::PASS);
                let mut legal = game.legal(player, vertex);
                if legal == Err(Illegal::Suicide) {
                    game.rules.suicide = true;
                    legal = game.legal(player, vertex);
                }
                match legal {
                    Ok(()) | Err(Illegal::Superko) => game.play_as(player, vertex),
                    Err(error) => {
                        let m = crate::engine::move_text(m);
                        return Err(("moves", format!("Illegal move {number}: {m}: {error}")));
                    }
                }
            }
            if game.rules.suicide && !rules.suicide {
                let text = "suicide is allowed, since a move of the game is one".into();
                warnings.push(Warning { field: "rules".into(), text });
                rules.suicide = true;
            }
            let told = rules.told;
            rules.komi = Komi::from_points(rules.komi.points() + game.handicap_bonus(told.bonus()));
            let bonus = HandicapBonus::None;
            rules.told = RuleSet::new(told.ko(), told.scoring(), told.tax(), bonus, told.friendly_pass());
            Ok(())
        })
    }
}

/// Who moves first on a board with these stones: White after two stones of Black's or more, and
/// none of White's. Of two stones on one point the later one counts.
fn to_move(stones: &[(Player, Point)]) -> Player {
    let board: BTreeMap<_, _> =
        stones.iter().map(|&(player, point)| ((point.column, point.row), player)).collect();
    let handicap = board.len() >= 2 && board.values().all(|&player| player == Player::FIRST);
    if handicap { Player::SECOND } else { Player::FIRST }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn player(value: &Value) -> Option<Player> {
    match value.as_str()?.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Player::FIRST),
        "w" | "white" => Some(Player::SECOND),
        _ => None,
    }
}

/// `Q4`, `pass`, or `(15,15)` with column and row from the upper left.
fn vertex(value: &Value, size: usize) -> Option<Move> {
    let text = value.as_str()?;
    if text.eq_ignore_ascii_case("pass") {
        return Some(None);
    }
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let Some((x, y)) = inside.and_then(|text| text.split_once(',')) else {
        return Point::parse(text, size).ok().map(Some);
    };
    let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    (x < size && y < size).then(|| Some(Point { column: x as u8, row: (size - 1 - y) as u8 }))
}

/// Takes out a field with moves, of which each must be one by `is_move`.
fn take_moves(
    fields: &mut Fields,
    field: &str,
    size: usize,
    is_move: impl Fn(Move) -> bool,
) -> Result<Option<Vec<(Player, Move)>>, Refusal> {
    let pair = |value: &Value| match value.as_array()?.as_slice() {
        [who, place] => Some((player(who)?, vertex(place, size).filter(|&m| is_move(m))?)),
        _ => None,
    };
    let Some(values) = fields.take_as(field, MOVES, |value| value.as_array().cloned())? else {
        return Ok(None);
    };
    let read = |(i, value): (usize, &Value)| {
        let refuse =
            || fields.refuse(field, format!("{field}[{i}] is {value}; accepted on {size}x{size}: {MOVES}"));
        pair(value).ok_or_else(refuse)
    };
    values.iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
}

fn size(fields: &mut Fields) -> Result<usize, Refusal> {
    let (low, high) = (Engine::MIN_SIZE, Engine::MAX_SIZE);
    let mut read = |field: &str| {
        let accepted = format!("a whole number from {low} to {high}");
        let lines = fields.take_as(field, &accepted, |value| {
            value.as_u64().map(|lines| lines as usize).filter(|lines| (low..=high).contains(lines))
        })?;
        lines.ok_or_else(|| fields.refuse(field, format!("is missing; accepted: {accepted}")))
    };
    let (columns, rows) = (read("boardXSize")?, read("boardYSize")?);
    if columns != rows {
        return Err(fields.refuse("boardYSize", format!("boards are square here; accepted: {columns}")));
    }
    Ok(columns)
}

fn read_rules(fields: &mut Fields, warnings: &mut Vec<Warning>) -> Result<Rules, Refusal> {
    let accepted = "a name such as \"chinese\" or \"tromp-taylor\", or an object as kata-get-rules writes it";
    let named = fields.take_as("rules", accepted, rules::read)?;
    let named = named.ok_or_else(|| fields.refuse("rules", format!("is missing; accepted: {accepted}")))?;
    let bonus = fields.take_as("whiteHandicapBonus", "\"0\", \"N\" or \"N-1\"", |value| {
        Some(match value.as_str()? {
            "0" => HandicapBonus::None,
            "N" => HandicapBonus::Stones,
            "N-1" => HandicapBonus::StonesLessOne,
            _ => return None,
        })
    })?;
    let max = f64::from(Komi::MAX);
    let asked = fields.take_as("komi", &format!("a number from -{max} to {max}"), |value| {
        value.as_f64().filter(|komi| (-max..=max).contains(komi))
    })?;
    let asked = asked.map_or(named.komi, |komi| komi as f32);
    let komi = Komi::from_points(asked);
    if komi.points() != asked {
        let text = format!("komi is counted in halves; {komi} decides every game in the same way");
        warnings.push(Warning { field: "komi".into(), text });
    }
    warnings.extend(named.warning.map(|text| Warning { field: "rules".into(), text }));
    let told = named.told;
    let bonus = bonus.unwrap_or(told.bonus());
    let told = RuleSet::new(told.ko(), told.scoring(), told.tax(), bonus, told.friendly_pass());
    Ok(Rules { komi, suicide: named.suicide, told, ..Rules::default() })
}

/// The turns with their priorities.
fn turns(fields: &mut Fields, moves: usize) -> Result<BTreeMap<usize, i64>, Refusal> {
    let accepted = format!("an array of turns from 0 to {moves}");
    let asked = fields.take_as("analyzeTurns", &accepted, |value| {
        let turn = |value: &Value| value.as_u64().map(|turn| turn as usize).filter(|turn| *turn <= moves);
        value.as_array()?.iter().map(turn).collect::<Option<Vec<_>>>()
    })?;
    let all = fields.take_as("priority", "a whole number", Value::as_i64)?;
    let each = fields.take_as("priorities", "an array of whole numbers", |value| {
        value.as_array()?.iter().map(Value::as_i64).collect::<Option<Vec<_>>>()
    })?;
    let Some(each) = each else {
        let turns = asked.unwrap_or_else(|| vec![moves]);
        return Ok(turns.into_iter().map(|turn| (turn, all.unwrap_or(0))).collect());
    };
    if all.is_some() {
        return Err(fields.refuse("priority", "accepted: either priority or priorities"));
    }
    match asked {
        Some(turns) if turns.len() == each.len() => Ok(turns.into_iter().zip(each).collect()),
        _ => Err(fields.refuse("priorities", "accepted: one number for each of analyzeTurns")),
    }
}

/// `avoidMoves` or `allowMoves`.
fn restriction(fields: &mut Fields, size: usize) -> Result<Option<Arc<Restriction>>, Refusal> {
    let entry = |value: &Value| {
        let places = value.get("moves")?.as_array()?.iter().map(|place| vertex(place, size));
        let cell = |m: Move| m.map_or(size * size, |p| usize::from(p.row) * size + usize::from(p.column));
        let cells: Vec<usize> = places.map(|place| place.map(cell)).collect::<Option<_>>()?;
        let depth = value.get("untilDepth")?.as_u64().filter(|&depth| depth > 0)?;
        Some((player(value.get("player")?)?, cells, u32::try_from(depth).unwrap_or(u32::MAX)))
    };
    let mut read = |field: &str| {
        fields.take_as(field, LIMITS, |value| value.as_array()?.iter().map(entry).collect::<Option<Vec<_>>>())
    };
    let (avoid, allow) = (read("avoidMoves")?, read("allowMoves")?);
    if avoid.is_some() && allow.is_some() {
        return Err(fields.refuse("allowMoves", "accepted: either allowMoves or avoidMoves"));
    }
    let mut restriction = Restriction::new(size);
    let mut allowed = Vec::new();
    for (player, cells, depth) in allow.iter().flatten() {
        if allowed.contains(player) {
            return Err(fields.refuse("allowMoves", "accepted: one entry for each player"));
        }
        allowed.push(*player);
        restriction.allow(*player, cells, *depth);
    }
    for (player, cells, depth) in avoid.iter().flatten() {
        restriction.avoid(*player, cells, *depth);
    }
    let any = avoid.or(allow).is_some_and(|entries| !entries.is_empty());
    Ok(any.then(|| Arc::new(restriction)))
}

/// `overrideSettings`, and the settings that are fields of their own.
fn override_settings(
    fields: &mut Fields,
    settings: &mut Settings,
    warnings: &mut Vec<Warning>,
) -> Result<(), Refusal> {
    let overrides = fields.take_as("overrideSettings", "an object", |value| value.as_object().cloned())?;
    let mut idle = Vec::new();
    for (key, value) in overrides.into_iter().flatten() {
        let value = text(&value).unwrap_or_else(|| value.to_string());
        match settings.set(&key, &value) {
            Ok(effect) if effect == Effect::None || OF_THE_ENGINE.contains(&&*key) => idle.push(key),
            Ok(_) => {}
            Err(accepted) => return Err(fields.refuse("overrideSettings", format!("{key}: {accepted}"))),
        }
    }
    if !idle.is_empty() {
        let text = format!("without effect here: {}", idle.join(", "));
        warnings.push(Warning { field: "overrideSettings".into(), text });
    }
    for key in ["maxVisits", "analysisPVLen", "rootPolicyTemperature", "rootFpuReductionMax"] {
        let Some(value) =
            fields.take_as(key, "a number", |value| value.is_number().then(|| value.to_string()))?
        else {
            continue;
        };
        match settings.set(key, &value) {
            Ok(Effect::Set | Effect::Needless) => {}
            Ok(Effect::None) => {
                warnings.push(Warning { field: key.into(), text: "without effect here".into() });
            }
            Err(accepted) => return Err(fields.refuse(key, accepted)),
        }
    }
    Ok(())
}

/// When to report while the search goes on.
fn reports(fields: &mut Fields) -> Result<Option<(Duration, Duration)>, Refusal> {
    let mut read = |field: &str| {
        fields.take_as(field, "seconds from 0.001 to 1000000", |value| {
            let seconds = value.as_f64().filter(|seconds| (0.001..=1e6).contains(seconds))?;
            Some(Duration::from_secs_f64(seconds))
        })
    };
    let (every, first) = (read("reportDuringSearchEvery")?, read("firstReportDuringSearchAfter")?);
    Ok(match (first, every) {
        (None, None) => None,
        (first, every) => Some((first.or(every).unwrap_or_default(), every.unwrap_or(Duration::MAX))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn query(more: Value) -> Result<(Query, Vec<Warning>), Refusal> {
        let mut line = json!({
            "id": "q", "moves": [], "rules": "tromp-taylor", "boardXSize": 9, "boardYSize": 9
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        match Request::read(&line.to_string(), &Settings::default())? {
            Request::Analyze(query, warnings) => Ok((*query, warnings)),
            Request::Act(..) => panic!("{line}"),
        }
    }

    #[test]
    fn what_a_query_leaves_out_has_a_default() {
        let (query, warnings) = query(json!({})).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!((query.size, query.first, query.turns), (9, Player::FIRST, BTreeMap::from([(0, 0)])));
        assert_eq!((query.rules.komi.points(), query.settings), (7.5, Settings::default()));
    }

    #[test]
    fn what_is_no_action_is_refused() {
        for action in [json!(5), json!("dance"), Value::Null] {
            let refusal = query(json!({"action": action})).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some("action"));
            assert!(refusal.text.starts_with("accepted: query_version"), "{refusal:?}");
        }
    }

    #[test]
    fn a_query_cannot_set_threads() {
        let overrides = json!({"overrideSettings": {"numSearchThreads": 2, "maxVisits": 5}});
        let (query, warnings) = query(overrides).unwrap();
        assert_eq!(query.settings.max_visits, 5);
        let [Warning { text, .. }] = &warnings[..] else { panic!("{warnings:?}") };
        assert_eq!(text, "without effect here: numSearchThreads");
    }

    #[test]
    fn handicap_stones_make_it_whites_turn() {
        let stones = json!({"initialStones": [["B", "C3"], ["B", "(6,2)"]]});
        let (query, _) = query(stones).unwrap();
        assert_eq!(query.first, Player::SECOND);
        assert_eq!(query.stones[1].1, Point { column: 6, row: 6 });
    }

    #[test]
    fn turns_have_priorities_of_their_own() {
        let moves = json!([["B", "C3"], ["W", "pass"]]);
        let asked = |more: Value| {
            let mut all = json!({"moves": moves, "analyzeTurns": [2, 0]});
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            query(all).map(|(query, _)| query.turns)
        };
        assert_eq!(asked(json!({"priorities": [5, -1]})), Ok(BTreeMap::from([(2, 5), (0, -1)])));
        assert_eq!(asked(json!({"analyzeTurns": []})), Ok(BTreeMap::new()));
        assert_eq!(asked(json!({"priority": 3})), Ok(BTreeMap::from([(2, 3), (0, 3)])));
        assert_eq!(asked(json!({"priorities": [5]})).unwrap_err().field.unwrap(), "priorities");
        assert_eq!(
            asked(json!({"priorities": [5, 1], "priority": 1})).unwrap_err().field.unwrap(),
            "priority"
        );
    }

    #[test]
    fn a_repetition_is_no_fault_but_an_illegal_move_is() {
        let moves = json!([
            ["B", "B1"],
            ["W", "C1"],
            ["B", "A2"],
            ["W", "D2"],
            ["B", "B3"],
            ["W", "C3"],
            ["B", "C2"],
            ["W", "B2"],
            ["B", "C2"],
        ]);
        assert_eq!(query(json!({"moves": moves})).unwrap().0.moves.len(), 9);
        let refusal = query(json!({"moves": [["B", "C3"], ["W", "C3"]]})).unwrap_err();
        assert_eq!((refusal.id.as_deref(), refusal.field.as_deref()), (Some("q"), Some("moves")));
        assert!(refusal.text.starts_with("Illegal move 1: C3"), "{refusal:?}");
    }

    #[test]
    fn points_for_handicap_stones_are_part_of_the_komi() {
        let stones = json!([["B", "C3"], ["B", "C7"], ["B", "G3"]]);
        let komi = |more: Value| {
            let mut line = json!({"initialStones": stones, "komi": 0.5});
            line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let rules = query(line).unwrap().0.rules;
            assert_eq!(rules.told.bonus(), HandicapBonus::None);
            rules.komi.points()
        };
        assert_eq!(komi(json!({"rules": "tromp-taylor"})), 0.5);
        assert_eq!(komi(json!({"rules": "chinese"})), 3.5);
        assert_eq!(komi(json!({"rules": "aga"})), 2.5);
        assert_eq!(komi(json!({"rules": "chinese", "whiteHandicapBonus": "0"})), 0.5);
        // Stones that Black plays first are handicap stones as well.
        let moves = json!([["B", "E5"], ["W", "pass"], ["B", "D4"], ["W", "E4"]]);
        assert_eq!(komi(json!({"rules": "chinese", "initialStones": [], "moves": moves})), 2.5);
    }

    #[test]
    fn a_game_with_suicide_is_followed() {
        let stones = json!([["B", "A2"], ["B", "B2"], ["B", "C1"], ["W", "A1"]]);
        let suicide = json!({"rules": "chinese", "initialStones": stones, "moves": [["W", "B1"]]});
        let (query, warnings) = query(suicide).unwrap();
        assert!(query.rules.suicide && warnings[0].text.starts_with("suicide is allowed"), "{warnings:?}");
    }

    #[test]
    fn a_pair_that_is_no_move_is_named() {
        for (field, wrong) in [("moves", json!(["B", "E55"])), ("initialStones", json!(["W", "pass"]))] {
            let refusal = query(json!({field: [["B", "C3"], wrong]})).unwrap_err();
            assert!(
                refusal.text.starts_with(&format!("{field}[1] is {wrong}; accepted on 9x9")),
                "{refusal:?}"
            );
        }
    }

    #[test]
    fn limits_of_moves_are_read() {
        let entry = |player: &str| json!({"player": player, "moves": ["C3", "pass"], "untilDepth": 2});
        let (query, _) = query(json!({"allowMoves": [entry("B")]})).unwrap();
        let restriction = query.restriction.unwrap();
        assert!(!restriction.bars(Player::FIRST, 20, 0) && restriction.bars(Player::FIRST, 21, 1));
        assert!(!restriction.bars(Player::FIRST, 21, 2) && !restriction.bars(Player::SECOND, 21, 0));
    }
}
