//! The rules that a query names, and the nearest ones that are played.

use crate::rule_set::{RuleSet, Scoring, Tax, object};
use crate::rules::Komi;
use serde_json::Value;

/// What a query says of rules.
pub(super) struct Named {
    /// What a network is told: the nearest rules, by which the search counts as well.
    pub(super) told: RuleSet,
    pub(super) suicide: bool,
    /// KataGo's komi for these rules, where the query has none.
    pub(super) komi: f32,
    /// How the game differs from them.
    pub(super) warning: Option<String>,
}

/// Reads a name or an object; nothing if it is neither.
pub(super) fn read(rules: &Value) -> Option<Named> {
    let mut differs = Vec::new();
    let (mut new_zealand, mut asked) = (false, None);
    let text = match rules {
        Value::String(text) => text.clone(),
        rules => rules.to_string(),
    };
    let ((told, suicide), button) = match object(&text) {
        None => {
            let letters = text.chars().filter(|c| c.is_alphanumeric()).take(16);
            let letters: String = letters.flat_map(char::to_lowercase).collect();
            let button = letters == "agabutton";
            new_zealand = ["nz", "newzealand"].contains(&&*letters);
            (RuleSet::parse(if button { "aga" } else { &text })?, button)
        }
        Some(mut object) => {
            asked = object.remove("komi");
            let button = object.get("hasButton").is_some_and(|has| has == true);
            object.insert("hasButton".into(), false.into());
            if object.get("ko").is_some_and(|ko| ko == "SPIGHT") {
                object.insert("ko".into(), "SITUATIONAL".into());
                differs.push("Spight's ko rule is treated as situational superko");
            }
            (RuleSet::parse(&Value::Object(object).to_string())?, button)
        }
    };
    let territory = told.scoring() == Scoring::Territory;
    if territory {
        differs.push("area is counted, with the komi as it is");
    }
    if told.tax() == Tax::All {
        differs.push("groups are not taxed");
    }
    if button {
        differs.push("there is no button");
    }
    let komi = match (territory, button || new_zealand) {
        (true, _) => 6.5,
        (_, true) => 7.0,
        _ => 7.5,
    };
    let komi = match asked {
        Some(asked) => asked.as_f64().filter(|komi| komi.abs() <= Komi::MAX.into())? as f32,
        None => komi,
    };
    let told = RuleSet::new(told.ko(), Scoring::Area, Tax::None, told.bonus(), told.friendly_pass());
    let warning = (!differs.is_empty()).then(|| format!("nearest rules: {}", differs.join("; ")));
    Some(Named { told, suicide, komi, warning })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_of_katagos_rules_are_read() {
        for (rules, komi, warns) in [
            (json!("japanese"), 6.5, true),
            (json!("Korean"), 6.5, true),
            (json!("chinese"), 7.5, false),
            (json!("chinese-ogs"), 7.5, false),
            (json!("chinese_kgs"), 7.5, false),
            (json!("ancient area"), 7.5, true),
            (json!("stone_scoring"), 7.5, true),
            (json!("ancient-territory"), 6.5, true),
            (json!("aga"), 7.5, false),
            (json!("aga-button"), 7.0, true),
            (json!("bga"), 7.5, false),
            (json!("french"), 7.5, false),
            (json!("new zealand"), 7.0, false),
            (json!("tromp-taylor"), 7.5, false),
            (json!("goe"), 7.5, false),
            (json!("ing"), 7.5, false),
            (json!({}), 7.5, false),
            (json!({"ko": "SPIGHT", "scoring": "AREA", "suicide": true}), 7.5, true),
            (json!({"scoring": "TERRITORY", "hasButton": false}), 6.5, true),
            (json!({"hasButton": true}), 7.0, true),
            (json!(r#"{"ko":"SIMPLE","tax":"ALL"}"#), 7.5, true),
            (json!({"tax": "NONE", "komi": 0.5}), 0.5, false),
            (json!("koPOSITIONALscoreAREAtaxNONEsui1"), 7.5, false),
            (json!("koSPIGHTscoringTERRITORYsui0button1whb0fpok1"), 6.5, true),
            (json!("koSIMPLEbutton1"), 7.0, true),
            (json!("koSIMPLEkomi0.5"), 0.5, false),
        ] {
            let named = read(&rules).unwrap_or_else(|| panic!("{rules}"));
            assert_eq!((named.komi, named.warning.is_some()), (komi, warns), "{rules}");
            assert_eq!((named.told.scoring(), named.told.tax()), (Scoring::Area, Tax::None), "{rules}");
        }
        for rules in [
            json!("house"),
            json!(5),
            json!(null),
            json!({"komi": "5"}),
            json!({"komi": 2000}),
            json!("{"),
            json!([]),
            json!("koNONE"),
            json!("koSIMPLEkomi2000"),
        ] {
            assert!(read(&rules).is_none(), "{rules}");
        }
    }
}
