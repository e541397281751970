//! A bot for arena: `bot` plays Kille, `bot random` plays any game by chance.

mod kille;

use bot::{Match, play, proto::Question};
use kille::hoard;
use rand::Rng;

fn random(question: &Question, game: &mut Match) -> usize {
    game.random.random_range(0..question.legal.len())
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .expect("a runtime");
    let played = if std::env::args().nth(1).as_deref() == Some("random") {
        runtime.block_on(play("rust-random", &[], random))
    } else {
        runtime.block_on(play("rust-hoarder", &["kille"], hoard))
    };
    if let Err(error) = played {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
