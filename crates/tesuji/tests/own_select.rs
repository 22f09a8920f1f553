//! A tree policy of another crate in recipes.
#![cfg(feature = "recipe")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji::doc_game::Nim;
use tesuji::recipe::{Recipe, parts};
use tesuji::{Budget, Child, OwnSelect, Parent, Select, Shared, register_select};

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

impl OwnSelect for Again {
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

    // The same tree as by the policy of the library, with both widths of links.
    for rest in ["", ",solver=true", ",memory.nodes=500", ",memory.nodes=60,recycle=true", ",ties=random"] {
        let dump = |kind: &str| {
            let recipe = Recipe::parse(&format!("uct,select={kind},select.c=0.5{rest}")).unwrap();
            let game = Nim::new(21);
            let mut bot = recipe.bot(&game, 3).unwrap();
            match bot.genmove(&game, &Budget::simulations(3000), &mut ()).unwrap() {
                tesuji::Reply::Play(report) => (report.best, report.value, report.children, report.nodes),
                tesuji::Reply::Resign => panic!("{rest}"),
            }
        };
        assert_eq!(dump("again"), dump("uct"), "{rest}");
    }
}

#[test]
#[should_panic = "two tree policies have the kind uct"]
fn a_kind_of_the_library_is_not_free() {
    #[derive(Serialize, Deserialize, JsonSchema, Debug, Default)]
    struct Other {}
    impl Select for Other {
        fn score(&self, _: Shared, child: &Child) -> f32 {
            child.value
        }
    }
    impl OwnSelect for Other {
        const KIND: &'static str = "uct";
    }
    register_select::<Other>();
}
