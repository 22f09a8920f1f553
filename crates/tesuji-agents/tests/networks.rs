//! Networks in searches of Go: recipes, equal trees, errors.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use tesuji::recipe::Recipe;
use tesuji::{
    Budget, ChildReport, Evaluate, Evaluated, Game, Mean, NetworkOptions, NetworkSymmetry, Options, Outcome,
    Playouts, Puct, Reply, Report, Rng, Search, Value,
};
use tesuji_agents::Playable;
use tesuji_games::ConnectFour;
use tesuji_go::network::NetEvaluator;
use tesuji_go::{Go9, Go13, Rules, Vertex};
use tesuji_net::{Network, Notes, Parameters, Shape};

type Move = Vertex<10>;

/// A small network for 5x5 with 7 planes whose policy is far from uniform.
fn parameters() -> Parameters {
    let shape = Shape { board: 5, planes: 7, filters: 8, blocks: 1, value_hidden: 8, ..Shape::GO9 };
    let mut parameters = Parameters::random(shape, 3);
    for (name, factor) in [("policy.fc.weight", 2.0), ("value.fc2.weight", 12.0)] {
        parameters.tensor_mut(name).unwrap().iter_mut().for_each(|w| *w *= factor);
    }
    parameters
}

/// A file in a folder for these tests.
fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("networks");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

static FILE: LazyLock<String> = LazyLock::new(|| {
    let file = file("5x5.safetensors");
    parameters().save(&file, &Notes::new()).unwrap();
    file.display().to_string()
});

fn small() -> Go9 {
    let mut game = Go9::new(5, Rules::default());
    for name in ["C3", "C2", "D2"] {
        game.play(Vertex::parse(name).unwrap());
    }
    game
}

fn run(spec: &str, game: &Go9, simulations: u64) -> Report<Move> {
    let recipe = Recipe::parse(spec).unwrap_or_else(|error| panic!("{error}"));
    let mut bot = game.bot(&recipe, 1).unwrap_or_else(|error| panic!("{error}"));
    match bot.genmove(game, &Budget::simulations(simulations), &mut ()).unwrap() {
        Reply::Play(report) => report,
        Reply::Resign => panic!("a search never resigns"),
    }
}

fn same(a: &[ChildReport<Move>], b: &[ChildReport<Move>]) -> bool {
    a == b
}

#[test]
fn every_recipe_with_a_network_plays() {
    let game = Go9::new(9, Rules::default());
    let mut played = 0;
    for (name, _) in Recipe::built_ins() {
        if Recipe::built_in(name).unwrap().network().is_none() {
            continue;
        }
        let report = run(name, &game, 60);
        assert_eq!(report.simulations, 60, "{name}");
        assert!(report.children.iter().all(|child| child.prior.is_some()), "{name}");
        played += 1;
    }
    assert_eq!(played, 11);
    let spec = |rest: &str| format!("puct-net,network.file={}{rest}", *FILE);
    for rest in [
        ",parallel=root",
        ",memory.nodes=50,recycle=true",
        ",memory.nodes=60,two_level.lambda=0.5",
        ",solver=true",
        ",reuse=true",
        ",memory.bytes=200000,network.cache=50",
        ",root=gumbel",
        ",root=dirichlet",
        ",select=grave",
        ",select=uct",
        ",parallel=tree",
        ",select=uct,parallel=tree",
        ",depth=3",
        ",expand_at=4",
        ",playout=uniform",
        ",playout=mast,parallel=root",
        ",network.symmetry=random,network.temperature=2",
        ",backup=coulom",
    ] {
        assert_eq!(run(&spec(rest), &small(), 200).simulations, 200, "{rest}");
    }
}

#[test]
fn memory_limits_count_evaluator_and_cache() {
    let spec = |rest: &str| format!("puct-net,network.file={},{rest}", *FILE);
    let bytes = |cache: usize| run(&spec(&format!("network.cache={cache}")), &small(), 10).bytes;
    let slot = tesuji_net::Cache::bytes_per_slot(26);
    assert_eq!(bytes(1000) - bytes(0), 1000 * slot);
    let recipe = Recipe::parse(&spec("memory.bytes=30000")).unwrap();
    let error = small().bot(&recipe, 1).err().unwrap().to_string();
    let least = error.split_whitespace().filter_map(|word| word.parse::<usize>().ok()).max().unwrap();
    let report = run(&spec(&format!("memory.bytes={least}")), &small(), 100);
    assert!(report.bytes_peak <= least && least > 16_384 * slot, "{error}");
}

#[test]
fn what_is_remembered_changes_nothing() {
    for symmetry in ["none", "random", "average"] {
        let spec = |cache| {
            format!("puct-net,network.file={},network.symmetry={symmetry},network.cache={cache}", *FILE)
        };
        let plain = run(&spec(0), &small(), 400);
        for cache in [1, 10, 5000] {
            assert!(same(&plain.children, &run(&spec(cache), &small(), 400).children), "{symmetry} {cache}");
        }
    }
}

#[test]
fn copies_share_what_they_remember_and_nothing_else_changes() {
    let options = NetworkOptions::default();
    let mut one = NetEvaluator::new(Arc::new(Network::new(&parameters())), &options).unwrap();
    let mut other = one.clone();
    assert_eq!(policy(&mut one, &small()), policy(&mut other, &small()));
    assert_eq!([one.hits(), other.hits()], [0, 1]);

    let spec = |rest: &str| Recipe::parse(&format!("puct-net,network.file={}{rest}", *FILE)).unwrap();
    let evaluator = spec("").evaluator(&small()).unwrap();
    for rest in ["", ",backup=coulom", "", ",parallel.kind=root,parallel.threads=3"] {
        let search = |mut bot: Box<dyn tesuji::Bot<Go9> + Send>| match bot
            .genmove(&small(), &Budget::simulations(300), &mut ())
            .unwrap()
        {
            Reply::Play(report) => report.children,
            Reply::Resign => panic!("a search never resigns"),
        };
        let alone = search(small().bot(&spec(rest), 1).unwrap());
        let together = search(small().bot_by(&spec(rest), evaluator.clone(), 1).unwrap());
        assert!(same(&alone, &together), "{rest}");
    }
    // Who would make no use of it is refused as without it.
    let useless = Recipe::parse(&format!("uct,network.file={}", *FILE)).unwrap();
    let error = small().bot_by(&useless, evaluator, 1).err().unwrap().to_string();
    assert_eq!(error, small().bot(&useless, 1).err().unwrap().to_string());
    assert!(error.contains("`select`"), "{error}");
}

/// An evaluator that counts.
#[derive(Clone, Debug)]
struct Counted {
    inner: NetEvaluator,
    calls: Arc<AtomicU64>,
}

impl Evaluate<Go9> for Counted {
    fn evaluate(&mut self, position: &Go9, moves: &[Move], priors: &mut Vec<f32>) -> Value {
        self.calls.fetch_add(1, Ordering::Relaxed);
        assert!(position.result().is_none());
        self.inner.evaluate(position, moves, priors)
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go9>> {
        Box::new(self.clone())
    }
}

#[test]
fn a_node_costs_one_evaluation() {
    let options = NetworkOptions { cache: 0, ..NetworkOptions::default() };
    let inner = NetEvaluator::new(Arc::new(Network::new(&parameters())), &options).unwrap();
    let evaluator = Counted { inner, calls: Arc::default() };
    let (calls, game) = (evaluator.calls.clone(), small());
    let playout = Evaluated::new(evaluator.boxed());
    let mut search = Search::new(&game, Puct::default(), Mean {}, playout, Options::default(), 1).unwrap();
    let report = search.run(&game, &Budget::simulations(300)).unwrap();
    // Those simulations that ended a game cost none.
    let evaluations = calls.load(Ordering::Relaxed);
    assert!(evaluations <= 301 && evaluations > 200, "{evaluations}");
    assert!(evaluations <= 1 + report.nodes as u64, "{evaluations} for {} nodes", report.nodes);
    // And the tree is that of the recipe.
    let recipe = run(&format!("puct-net,network.file={}", *FILE), &game, 300);
    assert!(same(&recipe.children, &report.children));
}

/// No preference, and playouts for outcomes.
#[derive(Clone, Debug)]
struct Plain(Rng);

impl Evaluate<Go9> for Plain {
    fn evaluate(&mut self, position: &Go9, moves: &[Move], priors: &mut Vec<f32>) -> Value {
        priors.extend(moves.iter().map(|_| 1.0));
        if moves.is_empty() {
            position.clone().playout(&mut self.0, &mut Vec::new(), &mut ())
        } else {
            Value::DRAW
        }
    }

    fn boxed(&self) -> Box<dyn Evaluate<Go9>> {
        Box::new(self.clone())
    }
}

#[test]
fn an_evaluator_without_preference_is_as_good_as_none() {
    let game = small();
    let primed = tesuji::Primed::new(Plain(Rng::new(1)).boxed(), tesuji::Uniform {});
    let run = |report: Report<Move>| report.children;
    let budget = Budget::simulations(500);
    let mut with = Search::new(&game, Puct::default(), Mean {}, primed, Options::default(), 5).unwrap();
    let uniform = tesuji::Uniform {};
    let mut without = Search::new(&game, Puct::default(), Mean {}, uniform, Options::default(), 5).unwrap();
    assert!(same(&run(with.run(&game, &budget).unwrap()), &run(without.run(&game, &budget).unwrap())));
}

fn policy(evaluator: &mut NetEvaluator, game: &Go9) -> (BTreeMap<Move, f32>, f32) {
    let (mut moves, mut priors) = (Vec::new(), vec![7.0]);
    game.moves(&mut moves);
    let value = evaluator.evaluate(game, &moves, &mut priors).of(game.to_move());
    assert_eq!((priors[0], priors.len()), (7.0, moves.len() + 1), "priors are appended");
    assert!((priors[1..].iter().sum::<f32>() - 1.0).abs() < 1e-5);
    (moves.into_iter().zip(priors.into_iter().skip(1)).collect(), value)
}

#[test]
fn priors_belong_to_their_moves() {
    let options = NetworkOptions::default();
    let network = Arc::new(Network::new(&parameters()));
    let evaluator = |temperature| {
        NetEvaluator::new(network.clone(), &NetworkOptions { temperature, ..options.clone() }).unwrap()
    };
    let game = small();
    let (priors, value) = policy(&mut evaluator(1.0), &game);
    // The logits themselves.
    let mut plain = tesuji_net::Evaluator::new(network.clone());
    let (mut planes, mut logits) = (vec![0.0; 7 * 25], vec![0.0; 26]);
    tesuji_go::network::Planes::new(7).unwrap().write(&game, &mut planes);
    let t = plain.evaluate(&planes, &mut logits);
    assert!((value - (1.0 + t) / 2.0).abs() < 1e-6 && (value - 0.5).abs() > 1e-3, "{value}");
    let place = |m: &Move| m.row().zip(m.column()).map_or(25, |(y, x)| 5 * y + x);
    let total: f32 = priors.keys().map(|m| logits[place(m)].exp()).sum();
    for (m, prior) in &priors {
        assert!((prior - logits[place(m)].exp() / total).abs() < 1e-5, "{m}: {prior}");
    }
    // A higher temperature evens them out, in the same order.
    let (even, again) = policy(&mut evaluator(3.0), &game);
    assert_eq!(again, value);
    let best =
        |priors: &BTreeMap<Move, f32>| priors.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(&m, &p)| (m, p));
    let (sharp, flat) = (best(&priors).unwrap(), best(&even).unwrap());
    assert!(sharp.0 == flat.0 && sharp.1 > 1.2 * flat.1, "{sharp:?} {flat:?}");
    // Moves that are not asked for take no share.
    let mut two = Vec::new();
    let moves: Vec<Move> = priors.keys().copied().take(2).collect();
    evaluator(1.0).evaluate(&game, &moves, &mut two);
    assert!(
        (two[0] / two[1] - priors[&moves[0]] / priors[&moves[1]]).abs() < 1e-3
            && (two[0] + two[1] - 1.0).abs() < 1e-6
    );
}

#[test]
fn the_average_of_all_symmetries_has_none() {
    let network = Arc::new(Network::new(&parameters()));
    let evaluator = |symmetry| {
        NetEvaluator::new(network.clone(), &NetworkOptions { symmetry, ..NetworkOptions::default() }).unwrap()
    };
    let (game, mut mirrored) = (small(), Go9::new(5, Rules::default()));
    let mirror = |m: Move| m.row().zip(m.column()).map_or(m, |(y, x)| Vertex::new(4 - y, x).unwrap());
    for name in ["C3", "C2", "D2"] {
        mirrored.play(mirror(Vertex::parse(name).unwrap()));
    }
    let mut average = evaluator(NetworkSymmetry::Average);
    let (a, b) = (policy(&mut average, &game), policy(&mut average, &mirrored));
    assert!((a.1 - b.1).abs() < 1e-5);
    assert!(a.0.iter().all(|(&m, p)| (p - b.0[&mirror(m)]).abs() < 1e-5));
    // The network itself has a preference, and one of its views is what a random symmetry shows.
    let (plain, other) = (
        policy(&mut evaluator(NetworkSymmetry::None), &game),
        policy(&mut evaluator(NetworkSymmetry::None), &mirrored),
    );
    assert!((plain.1 - other.1).abs() > 1e-4);
    let random: Vec<f32> = (0..30)
        .map(|row| {
            let mut game = small();
            (0..row).for_each(|_| game.play(Vertex::PASS));
            policy(&mut evaluator(NetworkSymmetry::Random), &game).1
                - policy(&mut evaluator(NetworkSymmetry::None), &game).1
        })
        .collect();
    assert!(random.iter().any(|x| x.abs() > 1e-5));
}

#[test]
fn a_seed_gives_a_tree() {
    // Few simulations: none of their choices hangs on how a processor rounds.
    let report = run(&format!("puct-net,network.file={}", *FILE), &small(), 100);
    let visits: Vec<String> =
        report.children.iter().take(5).map(|c| format!("{} {}", c.m, c.visits)).collect();
    assert_eq!(visits.join(", "), "B2 52, C4 4, B5 4, D3 2, D1 2");
}

#[test]
fn what_cannot_work_is_refused() {
    let error = |spec: &str, size: usize| {
        let recipe = Recipe::parse(spec).unwrap_or_else(|error| panic!("{error}"));
        Go13::new(size, Rules::default())
            .bot(&recipe, 1)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let file_of = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = std::fs::read(&*FILE).unwrap();
        change(&mut bytes);
        std::fs::write(file(name), bytes).unwrap();
        format!("puct-net,network.file={}", file(name).display())
    };
    let blind = Parameters::<f32>::random(Shape { planes: 1, ..*parameters().shape() }, 1);
    blind.save(&file("blind.safetensors"), &Notes::new()).unwrap();
    let blind = format!("puct-net,network.file={}", file("blind.safetensors").display());
    let huge = |tensor: &str| {
        let (mut huge, path) = (parameters(), file(&format!("huge.{tensor}.safetensors")));
        huge.tensor_mut(tensor).unwrap().fill(3e38);
        huge.save(&path, &Notes::new()).unwrap();
        format!("puct-net,network.file={}", path.display())
    };
    let small = format!("puct-net,network.file={}", *FILE);
    for (spec, size, words) in [
        ("puct-net".to_string(), 13, &["13x13", "9x9", "network.file"][..]),
        (small.clone(), 13, &["5x5.safetensors", "for 5x5", "13x13"]),
        (huge("policy.fc.weight"), 5, &["huge.policy.fc.weight.safetensors", "too large"]),
        (huge("blocks.0.conv1.weight"), 5, &["huge.blocks.0.conv1.weight.safetensors", "too large"]),
        (blind, 5, &["blind.safetensors", "1 planes", "at least 2"]),
        ("puct-net,network.file=missing.safetensors".into(), 9, &["missing.safetensors", "No such file"]),
        (file_of("cut.safetensors", &|bytes| bytes.truncate(3000)), 5, &["cut.safetensors"]),
        (
            file_of("bit.safetensors", &|bytes| *bytes.last_mut().unwrap() ^= 1),
            5,
            &["bit.safetensors", "corrupt"],
        ),
        (file_of("text.safetensors", &|bytes| *bytes = b"(;GM[1])".to_vec()), 5, &["text.safetensors"]),
        (small.replace("puct-net", "uct"), 5, &["`network`", "`select`", "puct", "playout=net"]),
    ] {
        let message = error(&spec, size);
        assert!(words.iter().all(|word| message.contains(word)), "{spec}: {message}");
    }
    let recipe = Recipe::parse("puct-net").unwrap();
    let message = ConnectFour::new().bot(&recipe, 1).err().unwrap().to_string();
    assert!(message.contains("no network for this game comes with the program"), "{message}");
    for (spec, words) in [
        ("puct-net,network.temperature=0", "0.01 to 100"),
        ("puct-net,network.cache=-1", "0 to"),
        ("puct-net,network.symmetry=all", "none, random, average"),
        ("puct-net,network.path=x", "file, symmetry, temperature, cache"),
        ("puct-net,playout.c=1", "unknown key"),
    ] {
        let message = Recipe::parse(spec).unwrap_err().to_string();
        assert!(message.contains(words), "{spec}: {message}");
    }
}
