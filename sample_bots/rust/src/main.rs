//! A bot for arena: `bot` plays Kille, `bot random` plays any game by chance, `bot searcher` by looking
//! ahead.

mod conformance;
mod kille;

use bot::model::Search;
use bot::{Bot, Introduction, Match, Question, play};
use conformance::Conformance;
use kille::Hoarder;
use rand::Rng;

struct Random;

impl Bot for Random {
    type Memory = ();

    fn introduction(&self) -> Introduction {
        Introduction {
            name: "rust-random".into(),
            ..Introduction::default()
        }
    }

    fn choose(&mut self, question: &mut Question, game: &mut Match<()>) -> String {
        question.legal[game.random.random_range(0..question.legal.len())].clone()
    }
}

/// Plays the move that turns out best in playouts, for as long as the clock of the match allows.
struct Searcher;

impl Bot for Searcher {
    type Memory = ();

    fn introduction(&self) -> Introduction {
        Introduction {
            name: "rust-searcher".into(),
            matches_at_once: 1,
            wants_positions: true,
            ..Introduction::default()
        }
    }

    fn choose(&mut self, question: &mut Question, game: &mut Match<()>) -> String {
        match question.position().evaluate(Search::default()) {
            Ok(found) => {
                question.note(&found.note);
                found.best
            }
            Err(failure) => {
                question.note(&failure.sentence);
                Random.choose(question, game)
            }
        }
    }
}

fn main() {
    let played = match std::env::args().nth(1).as_deref() {
        Some("random") => play(Random),
        Some("searcher") => play(Searcher),
        Some("conformance") => play(Conformance),
        _ => play(Hoarder),
    };
    if let Err(failure) = played {
        eprintln!("{failure}");
        std::process::exit(1);
    }
}
