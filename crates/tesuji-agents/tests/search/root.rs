//! Root policies.

use crate::games::Choice;
use crate::trees::{Count, check, fingerprint};
use crate::{search, visits};
use tesuji::{
    Budget, BuildError, Dirichlet, Game, Gumbel, Mean, Options, Puct, Report, RootPolicy, Search, SearchGame,
    TwoLevel, Ucb, Uniform,
};
use tesuji_games::{ConnectFour, Hex, TicTacToe};
use tesuji_go::{Go9, Rules};

fn run<G: SearchGame>(spec: &str, start: &G, seed: u64, simulations: u64) -> Report<G::Move> {
    search(spec, start, seed).run(start, &Budget::simulations(simulations)).unwrap()
}

#[test]
fn trees_are_sound_and_follow_from_the_seed() {
    fn sound<G: SearchGame>(start: &G) {
        for spec in
            ["puct,root=gumbel", "puct,root=dirichlet", "puct,root=gumbel,select.c=0.2,root.considered=3"]
        {
            let mut trees = [1, 1, 2].map(|seed| {
                let mut search = search(spec, start, seed);
                search.run(start, &Budget::simulations(200)).unwrap();
                check(search.tree(), start, Count::AtLeast);
                fingerprint(search.tree(), start)
            });
            assert_eq!(trees[0], trees[1], "{spec}");
            assert_ne!(trees[0], trees[2], "{spec}");
            for rest in
                ["memory.nodes=40", "memory.nodes=40,recycle=true", "memory.bytes=40000", "expand_at=5"]
            {
                let spec = format!("{spec},{rest}");
                let mut search = search(&spec, start, 1);
                search.run(start, &Budget::simulations(200)).unwrap();
                check(search.tree(), start, Count::AtLeast);
                trees[0] = fingerprint(search.tree(), start);
            }
        }
    }
    sound(&ConnectFour::new());
    sound(&Hex::new(4).unwrap());
    sound(&Go9::new(5, Rules::default()));
}

#[test]
fn halving_looks_at_as_many_moves_as_it_considers() {
    let start = Hex::new(5).unwrap();
    for considered in [1, 2, 5, 25, 99] {
        let report = run(&format!("puct,root=gumbel,root.considered={considered}"), &start, 3, 1000);
        assert_eq!(report.children.len(), considered.min(25));
        let found = visits(&report);
        assert_eq!(found.iter().map(|(_, n)| n).sum::<u32>(), 1000);
        // The last two share the last round and all before it.
        assert!(considered == 1 || found[0].1 - found[1].1 <= 1, "{found:?}");
        assert!(found[..2.min(considered)].iter().any(|&(m, _)| m == report.best));
    }
}

#[test]
fn what_does_not_go_with_a_root_policy_is_refused() {
    let start = ConnectFour::new();
    let gumbel = || Options { root: RootPolicy::Gumbel(Gumbel::default()), ..Options::default() };
    let two_level = TwoLevel { lambda: 0.5, ..TwoLevel::default() };
    for options in [Options { solver: true, ..gumbel() }, Options { two_level, ..gumbel() }] {
        let search = Search::new(&start, Puct::default(), Mean {}, Uniform {}, options, 1);
        assert!(matches!(search, Err(BuildError::Clash(what)) if what.contains("gumbel")));
    }
    let dirichlet = Options { root: RootPolicy::Dirichlet(Dirichlet::default()), ..Options::default() };
    for options in [gumbel(), dirichlet] {
        let search = Search::new(&start, Ucb { c: 0.7 }, Mean {}, Uniform {}, options, 1);
        assert!(matches!(search, Err(BuildError::Clash(what)) if what.contains("priors")));
    }
}

#[test]
fn the_winning_move_is_found_and_is_the_target() {
    let mut game = TicTacToe::new();
    let play = |game: &mut TicTacToe, text: &str| {
        let m = tesuji::Notation::parse_move(game, text).unwrap();
        game.play(m);
    };
    ["a1", "b1", "a2", "b2"].iter().for_each(|text| play(&mut game, text));
    for seed in 0..20 {
        let mut search = search("puct,root=gumbel", &game, seed);
        let report = search.run(&game, &Budget::simulations(200)).unwrap();
        assert_eq!(tesuji::Notation::move_text(&game, report.best), "a3", "seed {seed}");
        let mut target = Vec::new();
        search.policy_target(&mut target);
        let total: f32 = target.iter().map(|(_, p)| p).sum();
        assert!(target.len() == 5 && (total - 1.0).abs() < 1e-5, "{target:?}");
        assert!(target.iter().all(|&(m, p)| (p > 0.9) == (m == report.best)), "{target:?}");
    }
}

#[test]
fn a_target_tells_good_moves_apart_after_many_visits() {
    let start = Choice { values: vec![0.2, 0.6, 0.7], chosen: None };
    let mut search = search("puct,root=gumbel", &start, 1);
    search.run(&start, &Budget::simulations(5000)).unwrap();
    let mut target = Vec::new();
    search.policy_target(&mut target);
    assert!(target.iter().all(|&(m, p)| (p > 0.99) == (m == 2)), "{target:?}");
}

#[test]
fn a_target_gives_moves_that_were_not_tried_the_mean_of_the_others() {
    for value in [0.1, 0.9] {
        let start = Choice { values: vec![value; 8], chosen: None };
        let mut search = search("puct,root=gumbel,root.considered=2", &start, 1);
        search.run(&start, &Budget::simulations(20)).unwrap();
        let mut target = Vec::new();
        search.policy_target(&mut target);
        assert!(search.tree().children(search.tree().root()).count() < 8);
        assert!(target.len() == 8 && target.iter().all(|(_, p)| (p - 0.125).abs() < 1e-4), "{target:?}");
    }
}

#[test]
fn a_target_without_halving_is_the_share_of_visits() {
    let start = ConnectFour::new();
    let mut search = search("puct,root=dirichlet", &start, 5);
    let report = search.run(&start, &Budget::simulations(500)).unwrap();
    let mut target = Vec::new();
    search.policy_target(&mut target);
    for child in &report.children {
        assert!(target.contains(&(child.m, child.visits as f32 / 500.0)));
    }
}

#[test]
fn noise_moves_the_priors_and_keeps_their_sum() {
    let start = Hex::new(4).unwrap();
    let priors = |spec: &str, seed| {
        let report = run(spec, &start, seed, 500);
        let mut priors: Vec<_> =
            report.children.iter().map(|child| (child.m, child.prior.unwrap())).collect();
        priors.sort_by_key(|&(m, _)| m);
        assert_eq!(priors.len(), 16);
        assert!((priors.iter().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-5);
        priors.into_iter().map(|(_, p)| p).collect::<Vec<f32>>()
    };
    let first = "puct,select.first_play=infinite,root=dirichlet";
    assert_eq!(priors(&format!("{first},root.share=0.0"), 1), vec![1.0 / 16.0; 16]);
    let (one, other) = (priors(first, 1), priors(first, 2));
    assert!(one != other && one.iter().all(|&p| p >= 0.75 / 16.0 - 1e-6));
    // On average the noise changes nothing, and a small total gives most of it to few moves.
    let mut means = vec![0.0; 16];
    let mut largest = [0.0; 2];
    for seed in 0..200 {
        for (mean, p) in means.iter_mut().zip(priors(first, seed)) {
            *mean += p / 200.0;
        }
        for (largest, total) in largest.iter_mut().zip(["0.5", "500.0"]) {
            let found = priors(&format!("{first},root.total={total}"), seed);
            *largest += found.iter().fold(0.0, |most: f32, &p| most.max(p)) / 200.0;
        }
    }
    assert!(means.iter().all(|mean| (mean - 1.0 / 16.0).abs() < 0.01), "{means:?}");
    assert!(largest[0] > 0.2 && largest[1] < 0.1, "{largest:?}");
}
