//! The choice of a type by a size that is read at run time.

/// Evaluates `$body` with `$game` bound to an empty board of `$size` (1 to 19) under `$rules`: a
/// [`Go9`](crate::Go9), [`Go13`](crate::Go13) or [`Go19`](crate::Go19). The body is compiled once
/// for each and must have the same type for all.
///
/// # Panics
/// If the size is not between 1 and 19.
///
/// ```
/// use tesuji::Game;
/// use tesuji::Keyed;
/// use tesuji_go::{Rules, with_go};
/// let keys = with_go!(13, Rules::default(), |game| game.keys());
/// assert_eq!(keys, 2 * (13 * 13 + 1));
/// ```
#[macro_export]
macro_rules! with_go {
    ($size:expr, $rules:expr, |$game:ident| $body:expr) => {{
        let size: usize = $size;
        match size {
            0..=9 => {
                #[allow(unused_mut)]
                let mut $game = $crate::Go9::new(size, $rules);
                $body
            }
            10..=13 => {
                #[allow(unused_mut)]
                let mut $game = $crate::Go13::new(size, $rules);
                $body
            }
            _ => {
                #[allow(unused_mut)]
                let mut $game = $crate::Go19::new(size, $rules);
                $body
            }
        }
    }};
}
