//! What the match runner does when players misbehave.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tesuji::{Bot, BotError, Budget, Game, Notation, Observer, Reply, Stop};
use tesuji_games::{Hex, TicTacToe};
use tesuji_lab::store::{Config, Disputed, Ending, GameRow, Matchup, Store};
use tesuji_lab::{
    Adjudication, Arena, Conditions, EngineLimits, Event, Factory, GameSpec, GtpBot, Limit, MatchAgent,
    MatchOptions, MatchSchedule, MatchSpec, Openings, PlainReferee, RandomBot, RunReport, run_match,
};

/// Plays at random until its `fault` is due, in the second move of a game.
struct Faulty {
    inner: RandomBot,
    moves: u32,
    fault: fn(&TicTacToe) -> Result<Reply<<TicTacToe as Game>::Move>, BotError>,
}

impl Bot<TicTacToe> for Faulty {
    fn name(&self) -> String {
        "faulty".to_owned()
    }

    fn new_game(&mut self, start: &TicTacToe, seed: u64) -> Result<(), BotError> {
        self.moves = 0;
        self.inner.new_game(start, seed)
    }

    fn played(&mut self, _: <TicTacToe as Game>::Move, _: &TicTacToe) -> Result<(), BotError> {
        Ok(())
    }

    fn genmove(
        &mut self,
        game: &TicTacToe,
        budget: &Budget,
        observer: &mut dyn Observer<<TicTacToe as Game>::Move>,
    ) -> Result<Reply<<TicTacToe as Game>::Move>, BotError> {
        self.moves += 1;
        if self.moves == 2 { (self.fault)(game) } else { self.inner.genmove(game, budget, observer) }
    }
}

fn config(name: &str) -> Config {
    Config { name: name.to_owned(), spec: format!("kind = \"{name}\"\n") }
}

fn conditions(game: &str) -> Conditions {
    Conditions {
        game: game.to_owned(),
        komi: None,
        seed: 3,
        longest: 100,
        adjudicate: Adjudication::NEVER,
        limit: Limit::Playouts(1),
        openings: Openings::RandomPlies(1),
        unpaired: false,
    }
}

/// Ten games of the random player against a faulty one; the run's report, its games, and what
/// failed.
fn against(
    fault: fn(&TicTacToe) -> Result<Reply<<TicTacToe as Game>::Move>, BotError>,
    store: &mut Store,
) -> (RunReport, Vec<GameRow>, Vec<String>) {
    let random = |_: &TicTacToe| Ok(Box::new(RandomBot::new(0)) as Box<dyn Bot<TicTacToe>>);
    let faulty = move |_: &TicTacToe| {
        Ok(Box::new(Faulty { inner: RandomBot::new(0), moves: 0, fault }) as Box<dyn Bot<TicTacToe>>)
    };
    let (random_config, faulty_config) = (config("random"), config("faulty"));
    let conditions = conditions("tic-tac-toe");
    let agents = [
        MatchAgent { config: &random_config, factory: &random as &dyn Factory<TicTacToe>, limit: None },
        MatchAgent { config: &faulty_config, factory: &faulty, limit: None },
    ];
    let arena = Arena {
        start: &TicTacToe::new(),
        deal: None,
        conditions: &conditions,
        agents: &agents,
        referee: &PlainReferee,
        disputed: Disputed::default(),
        // A forfeit is looked at for a second.
        threads: 10,
        stop: &Stop::default(),
    };
    let mut failures = Vec::new();
    let report = arena
        .run(&mut MatchSchedule::new(10, None), store, &mut |event| {
            if let Event::Failed { why, .. } = event {
                failures.push(why.to_owned());
            }
        })
        .unwrap();
    let tally = store
        .tally(&Matchup::new(&conditions, &random_config, &faulty_config), 10, Disputed::default())
        .unwrap();
    assert_eq!(tally.counts().games(), report.played + report.found);
    (report, store.games().unwrap().into_iter().map(|(_, game)| game).collect(), failures)
}

#[test]
fn an_illegal_move_loses_the_game() {
    let occupied = |game: &TicTacToe| {
        let mut bot = RandomBot::new(0);
        let mut legal = Vec::new();
        game.moves(&mut legal);
        let reply = bot.genmove(game, &Budget::default(), &mut ())?;
        let Reply::Play(mut report) = reply else { return Ok(Reply::Resign) };
        report.best = (0..9).find(|m| !legal.contains(m)).expect("the game has begun");
        Ok(Reply::Play(report))
    };
    let (report, games, _) = against(occupied, &mut Store::in_memory().unwrap());
    assert_eq!((report.played, report.failed), (10, 0));
    assert!(games.iter().all(|game| game.ending == Ending::Forfeit && game.score_a == 1.0), "{games:?}");
    assert!(games[0].detail.as_ref().unwrap().starts_with("illegal move"));
    assert_eq!((games[0].result.as_str(), games[1].result.as_str()), ("B+F", "W+F"));
}

#[test]
fn an_engine_that_errs_loses_the_game_and_the_match_goes_on() {
    let (report, games, _) =
        against(|_| Err(BotError("it is gone".to_owned())), &mut Store::in_memory().unwrap());
    assert_eq!((report.played, report.failed), (10, 0));
    assert!(games.iter().all(|game| game.detail.as_deref() == Some("it is gone")));
}

#[test]
fn resigning_is_no_forfeit() {
    let (_, games, _) = against(|_| Ok(Reply::Resign), &mut Store::in_memory().unwrap());
    assert!(games.iter().all(|game| game.ending == Ending::Resign && game.detail.is_none()));
    assert_eq!(games[0].result, "B+R");
}

#[test]
fn a_panic_costs_its_game_only_and_the_game_is_played_again() {
    static PANICS: AtomicU32 = AtomicU32::new(0);
    let once = |_: &TicTacToe| -> Result<Reply<_>, BotError> {
        assert_ne!(PANICS.fetch_add(1, Ordering::Relaxed), 3, "out of luck");
        Ok(Reply::Resign)
    };
    let mut store = Store::in_memory().unwrap();
    let (report, games, failures) = against(once, &mut store);
    assert_eq!((report.played, report.failed, games.len()), (9, 1, 9));
    assert!(failures.len() == 1 && failures[0].contains("out of luck"), "{failures:?}");
    let (report, games, _) = against(once, &mut store);
    assert_eq!((report.found, report.played, games.len()), (9, 1, 10));
}

/// An engine in shell that answers `genmove` from a list of moves; of `x/y` it takes y if x was
/// just played. It ends instead of the move `die`.
#[cfg(unix)]
fn engine(dir: &std::path::Path, moves: &str) -> String {
    let script = format!(
        r#"set -- {moves}
        while read id name rest; do
            case $name in
            genmove)
                [ $1 = die ] && exit
                [ $1 = crash ] && {{ echo "out of luck" >&2; kill -SEGV $$; }}
                [ $1 = killed ] && kill -KILL $$
                move=${{1%/*}}
                [ $move = "$taken" ] && move=${{1#*/}}
                echo "=$id $move"
                shift ;;
            known_command) echo "=$id true" ;;
            final_score)
                [ "$1" = killed ] && kill -KILL $$
                echo "=$id W+1" ;;
            final_status_list) echo "=$id a1" ;;
            *) echo "$name $rest" >> {log}; taken=${{rest#w }}; echo "=$id" ;;
            esac
            echo
        done"#,
        log = dir.join("log").display()
    );
    let file = dir.join("engine.sh");
    std::fs::write(&file, script).unwrap();
    format!("sh {}", file.display())
}

/// One game of Hex on 2 rows of an engine with these moves, playing first, against a random player.
#[cfg(unix)]
fn with_engine(moves: &str) -> (GameRow, String) {
    let (games, _, log) = play_engine(moves, 1, &Stop::default());
    (games.into_iter().next().unwrap(), log)
}

/// What is stored of such games, and how the run went.
#[cfg(unix)]
fn play_engine(moves: &str, games: u64, stop: &Stop) -> (Vec<GameRow>, RunReport, String) {
    let dir = tempfile::tempdir().unwrap();
    let command = engine(dir.path(), moves);
    let engine = |_: &Hex| {
        let bot = GtpBot::spawn(&command, vec!["boardsize 2".to_owned()], EngineLimits::default())?;
        Ok(Box::new(bot) as Box<dyn Bot<Hex>>)
    };
    let random = |_: &Hex| Ok(Box::new(RandomBot::new(0)) as Box<dyn Bot<Hex>>);
    let (engine_config, random_config) = (config("engine"), config("random"));
    let conditions = Conditions { openings: Openings::RandomPlies(0), ..conditions("hex:2") };
    let agents = [
        MatchAgent { config: &engine_config, factory: &engine as &dyn Factory<Hex>, limit: None },
        MatchAgent { config: &random_config, factory: &random, limit: None },
    ];
    let arena = Arena {
        start: &Hex::new(2).unwrap(),
        deal: None,
        conditions: &conditions,
        agents: &agents,
        referee: &PlainReferee,
        disputed: Disputed::default(),
        threads: 1,
        stop,
    };
    let mut store = Store::in_memory().unwrap();
    let report = arena.run(&mut MatchSchedule::new(games, None), &mut store, &mut |_| {}).unwrap();
    let games = store.games().unwrap().into_iter().map(|(_, game)| game).collect();
    (games, report, std::fs::read_to_string(dir.path().join("log")).unwrap_or_default())
}

#[cfg(unix)]
#[test]
fn an_engine_is_told_the_game_and_its_own_moves_but_once() {
    let (game, log) = with_engine("B1 Resign");
    assert_eq!((game.ending, game.result.as_str()), (Ending::Resign, "W+R"));
    assert_eq!(game.moves.len(), 2);
    let told: Vec<_> =
        log.lines().map(str::trim).filter(|line| !line.starts_with("set_random_seed")).collect();
    let play = format!("play w {}", game.moves[1]);
    assert_eq!(told, ["protocol_version", "boardsize 2", "clear_board", play.as_str()]);
}

#[cfg(unix)]
#[test]
fn an_engine_may_dispute_a_result() {
    let (game, _) = with_engine("b1 a2/b2");
    assert_eq!((game.ending, game.score_a, game.moves.len()), (Ending::Rules, 1.0, 3));
    assert!(game.dispute.as_ref().unwrap().ends_with("says W+1 (dead: a1)"), "{game:?}");
    assert_eq!(game.dispute_value, Some(0.0));
}

#[cfg(unix)]
#[test]
fn an_engine_that_plays_off_the_board_or_dies_forfeits() {
    let (game, _) = with_engine("c9");
    assert_eq!((game.ending, game.detail.as_deref()), (Ending::Forfeit, Some("illegal move c9")));
    let (game, _) = with_engine("die");
    assert!(game.detail.as_ref().unwrap().contains("genmove b"), "{game:?}");
    assert_eq!(game.ending, Ending::Forfeit);
}

#[cfg(unix)]
#[test]
fn an_engine_that_crashes_forfeits_with_its_last_words() {
    let (game, _) = with_engine("crash");
    assert_eq!(game.ending, Ending::Forfeit);
    assert!(game.detail.as_ref().unwrap().ends_with("(signal 11); it last wrote: out of luck"), "{game:?}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_is_killed_forfeits_nothing() {
    // In place of a move, and when it is asked for the result.
    for moves in ["killed", "b1 a2/b2 killed"] {
        let (games, report, _) = play_engine(moves, 1, &Stop::default());
        assert_eq!((games.len(), report.failed, report.played), (0, 1, 0), "its game is to be played again");
    }
}

#[cfg(unix)]
#[test]
fn a_game_that_failed_is_told_and_not_counted_as_played() {
    let dir = tempfile::tempdir().unwrap();
    let spec = MatchSpec {
        name: "match".to_owned(),
        labels: Default::default(),
        a: format!("gtp:{}", engine(dir.path(), "killed")),
        b: "random".to_owned(),
        game: GameSpec::parse("go:3", None).unwrap(),
        games: 1,
        limit: Limit::Playouts(1),
        seed: 1,
        openings: None,
        unpaired: false,
        longest: 20,
        adjudicate: Adjudication::NEVER,
        sprt: None,
        disputed: Disputed::default(),
        engine: EngineLimits::default(),
    };
    let options =
        MatchOptions { threads: 1, cluster: None, out: None, changed: false, version: String::new() };
    let mut told = Vec::new();
    run_match(&spec, &options, &Stop::default(), &mut |event| match event {
        Event::Started { total, .. } => told.push(format!("{total} game")),
        Event::Failed { .. } => told.push("failed".to_owned()),
        Event::Stopped(why) => told.push(format!("{why:?}")),
        other => panic!("{other:?}"),
    })
    .unwrap();
    assert_eq!(told, ["1 game", "failed", "Failed"]);
}

#[cfg(unix)]
#[test]
fn an_engine_that_forfeited_is_started_anew() {
    let (games, _, log) = play_engine("c9 resign", 2, &Stop::default());
    assert!(games.iter().all(|game| game.detail.as_deref() == Some("illegal move c9")), "{games:?}");
    assert_eq!((games.len(), log.matches("protocol_version").count()), (2, 2));
}

/// The engine in shell, and the start of its game.
#[cfg(unix)]
fn bot(dir: &std::path::Path, moves: &str) -> (GtpBot<Hex>, Hex) {
    let bot = GtpBot::spawn(&engine(dir, moves), Vec::new(), EngineLimits::default()).unwrap();
    (bot, Hex::new(2).unwrap())
}

#[cfg(unix)]
#[test]
fn an_engine_is_told_its_time_in_each_game() {
    let dir = tempfile::tempdir().unwrap();
    let (mut bot, start) = bot(dir.path(), "b1 a1");
    let budget = Budget::time(Duration::from_millis(1500));
    for seed in 0..2 {
        bot.new_game(&start, seed).unwrap();
        bot.genmove(&start, &budget, &mut ()).unwrap();
    }
    let log = std::fs::read_to_string(dir.path().join("log")).unwrap();
    assert_eq!(log.matches("time_settings 0 2 1").count(), 2, "{log}");
}

#[cfg(unix)]
#[test]
fn an_engine_takes_back_a_move_that_was_not_played() {
    let dir = tempfile::tempdir().unwrap();
    let (mut bot, start) = bot(dir.path(), "b1");
    bot.new_game(&start, 1).unwrap();
    bot.genmove(&start, &Budget::default(), &mut ()).unwrap();
    let (m, mut after) = (start.parse_move("a1").unwrap(), start);
    after.play(m);
    bot.played(m, &after).unwrap();
    let log = std::fs::read_to_string(dir.path().join("log")).unwrap();
    let told: Vec<_> = log.lines().map(str::trim).rev().take(2).collect();
    assert_eq!(told, [format!("play b {}", after.move_text(m)).as_str(), "undo"]);
}

#[cfg(unix)]
#[test]
fn an_engine_that_does_not_say_what_it_knows_has_no_opinion() {
    let dir = tempfile::tempdir().unwrap();
    let script = r#"while read id name rest; do
        case $name in
        known_command) echo "?$id unknown command" ;;
        final_score) echo "=$id W+1" ;;
        *) echo "=$id" ;;
        esac
        echo
    done"#;
    let file = dir.path().join("engine.sh");
    std::fs::write(&file, script).unwrap();
    let command = format!("sh {}", file.display());
    let mut bot = GtpBot::<Hex>::spawn(&command, Vec::new(), EngineLimits::default()).unwrap();
    let start = Hex::new(2).unwrap();
    bot.new_game(&start, 1).unwrap();
    assert_eq!(bot.final_score(&start), Ok(None));
}

#[cfg(unix)]
#[test]
fn a_crash_after_a_kill_is_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let (mut bot, start) = bot(dir.path(), "killed");
    for (moves, was_killed) in [("killed", true), ("crash", false)] {
        engine(dir.path(), moves);
        bot.new_game(&start, 1).unwrap();
        assert!(bot.genmove(&start, &Budget::default(), &mut ()).is_err());
        assert_eq!(bot.was_killed(), was_killed, "{moves}");
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_ends_just_before_a_stop_leaves_no_game() {
    for last in ["die", "c9", "crash"] {
        let stop = Stop::default();
        let handle = stop.clone();
        // Long enough for the engine to come to its end, and less than a second after it.
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(600));
            handle.stop();
        });
        let (games, report, _) = play_engine(last, 1, &stop);
        assert_eq!((games.len(), report.failed), (0, 0), "{last}: {games:?}");
        assert!(report.stopped);
        stopper.join().unwrap();
    }
}
