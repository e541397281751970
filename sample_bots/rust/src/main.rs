//! A bot for arena: `bot` plays Kille, `bot random` plays any game by chance.

mod conformance;
mod kille;

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

fn main() {
    let played = match std::env::args().nth(1).as_deref() {
        Some("random") => play(Random),
        Some("conformance") => play(Conformance),
        _ => play(Hoarder),
    };
    if let Err(failure) = played {
        eprintln!("{failure}");
        std::process::exit(1);
    }
}
