//! Sets of rules by name.

use serde_json::{Map, Value, json};
use std::fmt;

/// The rule against repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ko {
    /// Retaking a single stone at once.
    Simple,
    /// Bringing back any earlier position.
    Positional,
    /// Bringing back an earlier position with the same player to move.
    Situational,
}

/// The points that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// Stones and what they surround.
    Area,
    /// What is surrounded, and captured stones.
    Territory,
}

/// The points that do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tax {
    /// Everything is counted.
    None,
    /// Points that are surrounded in a seki do not count.
    Seki,
    /// Nor two points of each group.
    All,
}

/// Points for White in a game with N stones of handicap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandicapBonus {
    /// None.
    None,
    /// N.
    Stones,
    /// N - 1.
    StonesLessOne,
}

/// The rules of the players, as far as a network sees them. Games of this crate always follow
/// [`Rules`](crate::Rules); a set says which game a network should assume. The names are those of
/// KataGo.
///
/// It takes a byte, since every position has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet(u8);

impl RuleSet {
    /// After Tromp and Taylor: area, positional superko.
    pub const TROMP_TAYLOR: RuleSet =
        RuleSet::new(Ko::Positional, Scoring::Area, Tax::None, HandicapBonus::None, false);

    /// A set. With `friendly_pass`, a pass that would end the game only proposes its end: the
    /// players agree on dead stones first.
    pub const fn new(
        ko: Ko,
        scoring: Scoring,
        tax: Tax,
        bonus: HandicapBonus,
        friendly_pass: bool,
    ) -> RuleSet {
        RuleSet(
            ko as u8
                | (scoring as u8) << 2
                | (tax as u8) << 3
                | (bonus as u8) << 5
                | (friendly_pass as u8) << 7,
        )
    }

    /// The set of this name, in any letters, and whether it allows suicide of more than one stone.
    ///
    /// Known are `japanese`, `korean`, `chinese`, `chinese-ogs`, `chinese-kgs`, `ancient-area`,
    /// `stone-scoring`, `ancient-territory`, `aga`, `bga`, `french`, `nz`, `new-zealand`,
    /// `tromp-taylor`, `goe` and `ing`; words may be separated by a blank, `_` or nothing in place
    /// of `-`. It also reads an object in the form of [`RuleSet::to_object`], and KataGo's short
    /// form of one, such as `koSIMPLEscoreAREAtaxNONEsui0whbN`. Keys that are missing have the
    /// values of Tromp and Taylor's rules, and a seki is not taxed unless territory is counted.
    pub fn parse(name: &str) -> Option<(RuleSet, bool)> {
        RuleSet::of_name(name).or_else(|| RuleSet::from_object(&object(name)?))
    }

    fn of_name(name: &str) -> Option<(RuleSet, bool)> {
        let letters = name.chars().filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace());
        let name: String = letters.flat_map(char::to_lowercase).take(32).collect();
        let area = |ko, tax, bonus, friendly| RuleSet::new(ko, Scoring::Area, tax, bonus, friendly);
        let territory = |tax| RuleSet::new(Ko::Simple, Scoring::Territory, tax, HandicapBonus::None, false);
        use HandicapBonus as Bonus;
        Some(match name.as_str() {
            "japanese" | "korean" => (territory(Tax::Seki), false),
            "ancientterritory" => (territory(Tax::All), false),
            "chinese" => (area(Ko::Simple, Tax::None, Bonus::Stones, true), false),
            "chineseogs" | "chinesekgs" => (area(Ko::Positional, Tax::None, Bonus::Stones, true), false),
            "ancientarea" | "stonescoring" => (area(Ko::Simple, Tax::All, Bonus::None, true), false),
            "aga" | "bga" | "french" => (area(Ko::Situational, Tax::None, Bonus::StonesLessOne, true), false),
            "nz" | "newzealand" => (area(Ko::Situational, Tax::None, Bonus::None, true), true),
            "tromptaylor" => (RuleSet::TROMP_TAYLOR, true),
            "goe" | "ing" => (area(Ko::Positional, Tax::None, Bonus::None, true), true),
            _ => return None,
        })
    }

    /// The set as the JSON object that KataGo has for it, with whether suicide of more than one
    /// stone is allowed.
    ///
    /// ```
    /// use tesuji_go::RuleSet;
    ///
    /// let object = RuleSet::TROMP_TAYLOR.to_object(false);
    /// assert!(object.contains(r#""ko":"POSITIONAL","scoring":"AREA","suicide":false"#));
    /// assert_eq!(RuleSet::parse(&object), Some((RuleSet::TROMP_TAYLOR, false)));
    /// ```
    pub fn to_object(self, suicide: bool) -> String {
        self.to_json(suicide).to_string()
    }

    pub(crate) fn to_json(self, suicide: bool) -> Value {
        json!({
            "friendlyPassOk": self.friendly_pass(),
            "hasButton": false,
            "ko": match self.ko() {
                Ko::Simple => "SIMPLE",
                Ko::Positional => "POSITIONAL",
                Ko::Situational => "SITUATIONAL",
            },
            "scoring": match self.scoring() {
                Scoring::Area => "AREA",
                Scoring::Territory => "TERRITORY",
            },
            "suicide": suicide,
            "tax": match self.tax() {
                Tax::None => "NONE",
                Tax::Seki => "SEKI",
                Tax::All => "ALL",
            },
            "whiteHandicapBonus": match self.bonus() {
                HandicapBonus::None => "0",
                HandicapBonus::Stones => "N",
                HandicapBonus::StonesLessOne => "N-1",
            },
        })
    }

    fn from_object(object: &Map<String, Value>) -> Option<(RuleSet, bool)> {
        let (mut ko, mut scoring, mut tax) = (Ko::Positional, Scoring::Area, None);
        let (mut bonus, mut friendly_pass, mut suicide) = (HandicapBonus::None, false, true);
        for (key, value) in object {
            match (key.as_str(), value.as_str()) {
                ("ko", Some("SIMPLE")) => ko = Ko::Simple,
                ("ko", Some("POSITIONAL")) => ko = Ko::Positional,
                ("ko", Some("SITUATIONAL")) => ko = Ko::Situational,
                ("scoring" | "score", Some("AREA")) => scoring = Scoring::Area,
                ("scoring" | "score", Some("TERRITORY")) => scoring = Scoring::Territory,
                ("tax", Some("NONE")) => tax = Some(Tax::None),
                ("tax", Some("SEKI")) => tax = Some(Tax::Seki),
                ("tax", Some("ALL")) => tax = Some(Tax::All),
                ("whiteHandicapBonus", Some("0")) => bonus = HandicapBonus::None,
                ("whiteHandicapBonus", Some("N")) => bonus = HandicapBonus::Stones,
                ("whiteHandicapBonus", Some("N-1")) => bonus = HandicapBonus::StonesLessOne,
                ("friendlyPassOk", None) => friendly_pass = value.as_bool()?,
                ("suicide", None) => suicide = value.as_bool()?,
                ("hasButton", None) if *value == Value::Bool(false) => {}
                _ => return None,
            }
        }
        let tax = tax.unwrap_or(if scoring == Scoring::Territory { Tax::Seki } else { Tax::None });
        Some((RuleSet::new(ko, scoring, tax, bonus, friendly_pass), suicide))
    }

    /// The rule against repetition.
    pub const fn ko(self) -> Ko {
        match self.0 & 3 {
            0 => Ko::Simple,
            1 => Ko::Positional,
            _ => Ko::Situational,
        }
    }

    /// The points that count.
    pub const fn scoring(self) -> Scoring {
        if self.0 >> 2 & 1 == 0 { Scoring::Area } else { Scoring::Territory }
    }

    /// The points that do not count.
    pub const fn tax(self) -> Tax {
        match self.0 >> 3 & 3 {
            0 => Tax::None,
            1 => Tax::Seki,
            _ => Tax::All,
        }
    }

    /// White's compensation for handicap stones.
    pub const fn bonus(self) -> HandicapBonus {
        match self.0 >> 5 & 3 {
            0 => HandicapBonus::None,
            1 => HandicapBonus::Stones,
            _ => HandicapBonus::StonesLessOne,
        }
    }

    /// Whether a pass that would end the game only proposes its end.
    pub const fn friendly_pass(self) -> bool {
        self.0 >> 7 == 1
    }

    /// Whether a game may end without a result, by a long cycle.
    pub fn can_fail(self) -> bool {
        self.ko() == Ko::Simple || self.scoring() == Scoring::Territory
    }

    /// A number for each set.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }
}

/// The keys of KataGo's short form, with those of an object. `komi` begins with another key, so it
/// comes first.
const SHORT_KEYS: [(&str, &str); 9] = [
    ("komi", "komi"),
    ("ko", "ko"),
    ("scoring", "scoring"),
    ("score", "scoring"),
    ("tax", "tax"),
    ("sui", "suicide"),
    ("button", "hasButton"),
    ("whb", "whiteHandicapBonus"),
    ("fpok", "friendlyPassOk"),
];

/// Rules as an object: a text that is one, or KataGo's short form such as
/// `koPOSITIONALscoreAREAtaxNONEsui1`, with its keys in any order.
pub(crate) fn object(text: &str) -> Option<Map<String, Value>> {
    let mut rest = text.trim();
    if rest.starts_with('{') {
        return serde_json::from_str(rest).ok();
    }
    let mut object = Map::new();
    while !rest.is_empty() {
        let found = SHORT_KEYS.iter().find_map(|&(short, key)| Some((key, rest.strip_prefix(short)?)));
        let (key, after) = found.map(|(key, after)| (key, after.trim_start()))?;
        // A value has no small letters, and the next key begins with one.
        let end = after.find(|c: char| c.is_ascii_lowercase() || c.is_whitespace());
        let (value, after) = after.split_at(end.unwrap_or(after.len()));
        let value = match (key, value) {
            ("komi", number) => number.parse::<f64>().ok()?.into(),
            ("suicide" | "hasButton" | "friendlyPassOk", "0") => false.into(),
            ("suicide" | "hasButton" | "friendlyPassOk", "1") => true.into(),
            (_, word) => word.into(),
        };
        object.insert(key.into(), value);
        rest = after.trim_start();
    }
    (!object.is_empty()).then_some(object)
}

/// [`RuleSet::TROMP_TAYLOR`].
impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet::TROMP_TAYLOR
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("ko", &self.ko())
            .field("scoring", &self.scoring())
            .field("tax", &self.tax())
            .field("bonus", &self.bonus())
            .field("friendly_pass", &self.friendly_pass())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_keeps_what_it_is_made_of() {
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            for scoring in [Scoring::Area, Scoring::Territory] {
                for tax in [Tax::None, Tax::Seki, Tax::All] {
                    for bonus in [HandicapBonus::None, HandicapBonus::Stones, HandicapBonus::StonesLessOne] {
                        for friendly in [false, true] {
                            let set = RuleSet::new(ko, scoring, tax, bonus, friendly);
                            let parts =
                                (set.ko(), set.scoring(), set.tax(), set.bonus(), set.friendly_pass());
                            assert_eq!(parts, (ko, scoring, tax, bonus, friendly));
                            for suicide in [false, true] {
                                let object = set.to_object(suicide);
                                assert_eq!(RuleSet::parse(&object), Some((set, suicide)), "{object}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_read_in_any_spelling() {
        for name in ["Tromp-Taylor", "tromp taylor", "TROMP_TAYLOR", "tromptaylor"] {
            assert_eq!(RuleSet::parse(name), Some((RuleSet::TROMP_TAYLOR, true)), "{name}");
        }
        let (japanese, suicide) = RuleSet::parse("Japanese").unwrap();
        assert!(japanese.can_fail() && japanese.scoring() == Scoring::Territory && !suicide);
        assert!(RuleSet::parse("New Zealand").unwrap().1);
        assert_eq!(RuleSet::parse("house rules"), None);
    }

    #[test]
    fn an_object_leaves_out_what_is_as_tromp_and_taylor_have_it() {
        assert_eq!(RuleSet::parse("{}"), Some((RuleSet::TROMP_TAYLOR, true)));
        assert_eq!(RuleSet::parse(r#" {"suicide":false}"#), Some((RuleSet::TROMP_TAYLOR, false)));
        let (territory, _) = RuleSet::parse(r#"{"ko":"SIMPLE","score":"TERRITORY"}"#).unwrap();
        assert_eq!(territory, RuleSet::parse("japanese").unwrap().0);
        for object in ["{", "{\"ko\":\"SPIGHT\"}", "{\"hasButton\":true}", "{\"suicide\":0}", "{\"komi\":7}"]
        {
            assert_eq!(RuleSet::parse(object), None, "{object}");
        }
    }

    #[test]
    fn the_short_form_is_an_object() {
        for (short, long) in [
            ("koPOSITIONALscoreAREAtaxNONEsui1", "{}"),
            ("koSIMPLEscoreAREAtaxNONEsui0", r#"{"ko":"SIMPLE","suicide":false}"#),
            (
                " sui0 ko SITUATIONAL whbN-1fpok1 ",
                r#"{"suicide":false,"ko":"SITUATIONAL","whiteHandicapBonus":"N-1","friendlyPassOk":true}"#,
            ),
            ("whb0scoringTERRITORYbutton0", r#"{"scoring":"TERRITORY"}"#),
            ("taxALLkoSIMPLEwhbNfpok0", r#"{"tax":"ALL","ko":"SIMPLE","whiteHandicapBonus":"N"}"#),
        ] {
            let read = RuleSet::parse(short);
            assert!(read.is_some() && read == RuleSet::parse(long), "{short}: {read:?}");
        }
        for text in ["", "ko", "koNONE", "kosimple", "sui2", "button1", "koSIMPLEx", "koSIMPLEkomi7.5", "tax"]
        {
            assert_eq!(RuleSet::parse(text), None, "{text}");
        }
        assert_eq!(object("komi-6.5koSIMPLE").unwrap()["komi"], -6.5);
    }
}
