//! Sets of rules by name.

use std::fmt;

/// What a game forbids of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ko {
    /// Retaking a single stone at once.
    Simple,
    /// Bringing back any earlier position.
    Positional,
    /// Bringing back an earlier position with the same player to move.
    Situational,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// Stones and what they surround.
    Area,
    /// What is surrounded, and captured stones.
    Territory,
}

/// What is not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tax {
    /// Everything is counted.
    None,
    /// Not what is surrounded in a seki.
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

/// The rules that the players go by, as far as a network is told of them. Games of this crate are always played after
/// [`Rules`](crate::Rules); a set says which game a network is to imagine. The names are those of KataGo.
///
/// It takes a byte, since every position has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet(u8);

impl RuleSet {
    /// After Tromp and Taylor: area, positional superko.
    pub const TROMP_TAYLOR: RuleSet =
        RuleSet::new(Ko::Positional, Scoring::Area, Tax::None, HandicapBonus::None, false);

    /// A set. With `friendly_pass` a pass that would end the game is one that asks whether it is over: the players agree on dead
    /// stones first.
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
    /// Known are `japanese`, `korean`, `chinese`, `chinese-ogs`, `chinese-kgs`, `ancient-area`, `stone-scoring`,
    /// `ancient-territory`, `aga`, `bga`, `french`, `nz`, `new-zealand`, `tromp-taylor`, `goe` and `ing`; words may be separated by a
    /// blank, `_` or nothing in place of `-`.
    pub fn parse(name: &str) -> Option<(RuleSet, bool)> {
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

    /// What is forbidden of repetition.
    pub const fn ko(self) -> Ko {
        match self.0 & 3 {
            0 => Ko::Simple,
            1 => Ko::Positional,
            _ => Ko::Situational,
        }
    }

    /// What is counted.
    pub const fn scoring(self) -> Scoring {
        if self.0 >> 2 & 1 == 0 { Scoring::Area } else { Scoring::Territory }
    }

    /// What is not counted.
    pub const fn tax(self) -> Tax {
        match self.0 >> 3 & 3 {
            0 => Tax::None,
            1 => Tax::Seki,
            _ => Tax::All,
        }
    }

    /// What White gets for stones of handicap.
    pub const fn bonus(self) -> HandicapBonus {
        match self.0 >> 5 & 3 {
            0 => HandicapBonus::None,
            1 => HandicapBonus::Stones,
            _ => HandicapBonus::StonesLessOne,
        }
    }

    /// Whether a pass that would end the game is one that asks whether it is over.
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
}
