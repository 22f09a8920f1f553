//! Parts of another crate in recipes.
#![cfg(feature = "recipe")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji::doc_game::Nim;
use tesuji::recipe::{Recipe, parts};
use tesuji::{
    Archive, ArchiveError, Backup, Budget, Child, Columns, Coulom, Game, Mast, NodeMut, OwnPart, Parent,
    Played, Playout, Rng, Select, Shared, TreeLabel, Value, register_backup, register_playout,
    register_select,
};

/// UCT again, by its formula.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[serde(default, deny_unknown_fields)]
struct Again {
    /// Weight of exploration.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "value"))]
    c: f32,
}

impl Default for Again {
    fn default() -> Again {
        Again { c: 0.7 }
    }
}

impl Select for Again {
    fn shared(&self, parent: &Parent) -> Shared {
        Shared { scale: self.c * tesuji::ln(parent.visits).sqrt(), first_play: 0.0 }
    }

    fn score(&self, shared: Shared, child: &Child) -> f32 {
        child.value + shared.scale / (child.visits as f32).sqrt()
    }
}

impl OwnPart for Again {
    const KIND: &'static str = "again";
}

#[test]
fn recipes_know_a_registered_policy_and_its_settings() {
    let error = |spec: &str| Recipe::parse(spec).unwrap_err().to_string();
    assert!(error("uct,select=again").contains("`select.kind`: \"again\" is not accepted"));
    register_select::<Again>();

    let part = parts().into_iter().find(|part| part.kind == "again").unwrap();
    assert_eq!((part.axis.as_str(), part.about.as_str()), ("select", "UCT again, by its formula."));
    let c = &part.parameters[0];
    assert_eq!((c.key.as_str(), c.default.as_str(), c.range.as_str()), ("select.c", "0.7", "0 to 100"));

    assert!(
        error("uct,select=again,select.c=-1").contains("`select.c`: -1 is not accepted; accepted: 0 to 100")
    );
    assert!(error("uct,select=again,select.d=1").contains("`select.d`: unknown key; accepted here: "));
    assert!(error("uct,select=agan").contains("hand-selected, again"));

    let recipe = Recipe::parse("uct,select=again,select.c=0.5").unwrap();
    assert_eq!(Recipe::from_toml(recipe.name(), &recipe.to_toml()).unwrap(), recipe);
    assert!(
        recipe.identity(None).contains("[select]\nkind = \"again\"\nc = 0.5\n"),
        "{}",
        recipe.identity(None)
    );

    same("uct,select=again,select.c=0.5", "uct,select.c=0.5");
}

/// Two recipes grow the same trees, with both widths of links and other settings.
fn same(one: &str, other: &str) {
    for rest in ["", ",solver=true", ",memory.nodes=500", ",memory.nodes=60,recycle=true", ",ties=random"] {
        let dump = |spec: &str| {
            let recipe = Recipe::parse(&format!("{spec}{rest}")).unwrap();
            let game = Nim::new(21);
            let mut bot = recipe.bot(&game, 3).unwrap();
            match bot.genmove(&game, &Budget::simulations(3000), &mut ()).unwrap() {
                tesuji::Reply::Play(report) => (report.best, report.value, report.children, report.nodes),
                tesuji::Reply::Resign => panic!("{rest}"),
            }
        };
        assert_eq!(dump(one), dump(other), "{one}{rest}");
    }
}

/// Coulom's mix again.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[serde(default, deny_unknown_fields)]
struct Mix {
    /// Weight of the best child.
    #[schemars(range(min = 0.0, max = 100.0), extend("unit" = "visits"))]
    p: f64,
}

impl Default for Mix {
    fn default() -> Mix {
        Mix { p: 2.0 }
    }
}

impl Mix {
    fn as_known(&self) -> Coulom {
        Coulom::new(self.p, 16.0)
    }
}

impl Backup for Mix {
    fn needs(&self) -> Columns {
        self.as_known().needs()
    }

    fn backup_state(&self) -> usize {
        self.as_known().backup_state()
    }

    fn turns_values(&self) -> bool {
        self.as_known().turns_values()
    }

    fn update(&self, node: &mut impl NodeMut, sample: f64) -> f64 {
        self.as_known().update(node, sample)
    }
}

impl OwnPart for Mix {
    const KIND: &'static str = "mix";
}

#[test]
fn recipes_know_a_registered_backup() {
    register_backup::<Mix>();
    let part = parts().into_iter().find(|part| part.kind == "mix").unwrap();
    assert_eq!((part.axis.as_str(), part.parameters[0].key.as_str()), ("backup", "backup.p"));
    let recipe = Recipe::parse("uct,backup=mix,backup.p=3").unwrap();
    assert_eq!(Recipe::from_toml(recipe.name(), &recipe.to_toml()).unwrap(), recipe);
    assert!(recipe.identity(None).contains("[backup]\nkind = \"mix\"\np = 3.0\n"));
    same("uct,backup=mix,backup.p=3", "uct,backup=coulom,backup.p=3,backup.area=1");
}

/// MAST again, with what it has learned.
#[derive(Clone, Serialize, Deserialize, JsonSchema, Debug)]
#[serde(default, deny_unknown_fields)]
struct Learner {
    /// Probability of a random move.
    #[schemars(range(min = 0.0, max = 1.0), extend("unit" = "probability"))]
    epsilon: f32,
    #[serde(skip)]
    #[schemars(skip)]
    mast: Option<Mast>,
}

impl Default for Learner {
    fn default() -> Learner {
        Learner { epsilon: 0.4, mast: None }
    }
}

impl Learner {
    fn mast(&mut self) -> &mut Mast {
        self.mast.get_or_insert_with(|| Mast::new(self.epsilon, 0.2))
    }
}

impl Playout<Nim> for Learner {
    fn choose(&mut self, game: &Nim, rng: &mut Rng, buffer: &mut Vec<u8>) -> u8 {
        self.mast().choose(game, rng, buffer)
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&mut self, line: &[Played], outcome: &Value) {
        Playout::<Nim>::learn(self.mast(), line, outcome);
    }

    fn archive(&mut self, archive: &mut Archive<'_>) -> Result<(), ArchiveError> {
        Playout::<Nim>::archive(self.mast(), archive)
    }

    fn new_game(&mut self, game: &Nim) {
        self.mast().new_game(game);
    }

    fn new_move(&mut self) {
        Playout::<Nim>::new_move(self.mast());
    }

    fn bytes(&self, game: &Nim) -> usize {
        self.mast.as_ref().map_or(0, |mast| mast.bytes(game))
    }
}

impl OwnPart for Learner {
    const KIND: &'static str = "learner";
}

#[test]
fn recipes_know_a_registered_playout_policy_in_its_games() {
    register_playout::<Learner, Nim>();
    let part = parts().into_iter().find(|part| part.kind == "learner").unwrap();
    assert_eq!(part.axis, "playout");
    assert_eq!(part.parameters.iter().map(|p| p.key.as_str()).collect::<Vec<_>>(), ["playout.epsilon"]);
    same("mast,playout=learner,playout.epsilon=0.3", "mast,playout.epsilon=0.3");
    same("grave,playout=learner", "grave,playout=mast");

    // What it has learned is saved.
    let recipe = Recipe::parse("mast,playout=learner").unwrap();
    let (game, label, budget) = (Nim::new(21), TreeLabel::default(), Budget::simulations(500));
    let mut search = recipe.search(&game, 1).unwrap();
    search.run(&game, &budget).unwrap();
    let mut opened = recipe.search(&game, 2).unwrap();
    opened.open_tree(&game, &label, &search.save_tree(&label).unwrap()).unwrap();
    search.resume();
    let both = [&mut search, &mut opened].map(|search| search.run(&game, &budget).unwrap().children);
    assert_eq!(both[0], both[1]);

    let other = Other(Nim::new(5));
    let error = recipe.search(&other, 1).err().unwrap().to_string();
    assert!(error.contains("`learner` is not for this game; accepted: "), "{error}");
}

/// Another game.
#[derive(Clone)]
struct Other(Nim);

impl Game for Other {
    type Move = u8;
    type Outcome = Value;

    fn to_move(&self) -> tesuji::Player {
        self.0.to_move()
    }

    fn moves(&self, out: &mut Vec<u8>) {
        self.0.moves(out);
    }

    fn play(&mut self, m: u8) {
        self.0.play(m);
    }

    fn result(&self) -> Option<Value> {
        self.0.result()
    }
}

impl tesuji::PlainGame for Other {}

#[test]
#[should_panic = "two parts have select.kind = uct"]
fn a_kind_of_the_library_is_not_free() {
    #[derive(Serialize, Deserialize, JsonSchema, Debug, Default)]
    struct Taken {}
    impl Select for Taken {
        fn score(&self, _: Shared, child: &Child) -> f32 {
            child.value
        }
    }
    impl OwnPart for Taken {
        const KIND: &'static str = "uct";
    }
    register_select::<Taken>();
}
