//! Uses everything that the conversation offers: arena's test of all languages plays it. The first legal move is what the
//! test wants to see.

use std::fmt::Display;
use std::time::{Duration, Instant};

use bot::model::{ModelFailure, Request, Response, Search};
use bot::proto::{CambioView, DropRequest, MatchEnd};
use bot::{Bot, Introduction, Match, Question};
use prost::Message;
use rand::Rng;

pub struct Conformance;

impl Bot for Conformance {
    type Memory = u32;

    fn introduction(&self) -> Introduction {
        Introduction {
            name: "conformance".into(),
            version: "1.2.3".into(),
            games: vec!["cambio".into()],
            matches_at_once: 7,
            wants_events: true,
            wants_ready: true,
            wants_positions: true,
        }
    }

    fn match_started(&mut self, game: &mut Match<u32>) {
        let start = &game.start;
        eprintln!(
            "started: match {} of {}, seat {} of {}",
            start.r#match, start.game, start.seat, start.seats
        );
    }

    fn choose(&mut self, question: &mut Question, game: &mut Match<u32>) -> String {
        game.memory += 1;
        let last = question.legal.len() - 1;
        match question.legal[0].as_str() {
            "tell" => tell(question, game),
            "long" => question.note(&"é".repeat(600)),
            "draw" => return question.legal[game.random.random_range(1..=last)].clone(),
            "illegal" => return "fly".into(),
            "think" => {
                let began = Instant::now();
                while began.elapsed() < Duration::from_millis(40) {}
            }
            "keep" => look(question, game).expect("a model server that answers"),
            "throw" => panic!("a mistake on purpose"),
            _ => {}
        }
        question.legal[last].clone()
    }

    fn match_ended(&mut self, game: Match<u32>, end: &MatchEnd) {
        eprintln!(
            "ended: match {}, scores {}, ranks {}, events {}, asked {}",
            end.r#match,
            joined(&end.scores),
            joined(&end.ranks),
            joined(&end.events),
            game.memory
        );
    }
}

fn tell(question: &mut Question, game: &Match<u32>) {
    let start = &game.start;
    let view = CambioView::decode(question.view.as_slice()).expect("a view of Cambio");
    let mut options: Vec<_> = start
        .options
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    options.sort();
    question.note(&format!(
        "match {} of {} {}, seat {} of {}, options {}, names {}",
        start.r#match,
        start.game,
        start.behaviour,
        start.seat,
        start.seats,
        joined(&options),
        joined(&start.names)
    ));
    question.note(&format!(
        "move time {}, bank {}, fischer {}, ready time {}",
        start.move_time_ms, start.bank_ms, start.fischer, start.ready_time_ms
    ));
    question.note(&format!(
        "card {}, events {}, bank {}, charged {}, again {}, asked {}",
        view.card(),
        joined(&question.events),
        question.bank_ms,
        question.charged_us,
        question.again,
        game.memory
    ));
    question.say("never heard");
    question.say(&format!("seat {} greets", start.seat));
}

/// Looks ahead, and notes what it sees.
fn look(question: &mut Question, game: &Match<u32>) -> Result<(), ModelFailure> {
    let position = question.position();
    let found = position.evaluate(Search {
        worlds: 20,
        policy: "counter".into(),
        ..Search::default()
    })?;
    question.note(&found.note);
    let found = position.search(Search {
        worlds: 20,
        policy: "counter".into(),
        observers: "own".into(),
        most_nodes: 9,
        ..Search::default()
    })?;
    question.note(&found.note);
    let drawn = position.worlds(2)?;
    let played = drawn[0].played(&["keep"])?;
    let view = played.view(game.start.seat)?;
    let (first, second, copy) = (&drawn[0].state, &drawn[1].state, &played.state);
    let worlds = vec![first.world, second.world, copy.world];
    let Response::Dropped(dropped) = position.ask(Request::Drop(DropRequest { worlds }))? else {
        panic!("an answer to something else")
    };
    question.note(&format!(
        "worlds {};{}, copy {} asks seat {}, lines {}, kept {}",
        first.world,
        second.world,
        copy.world,
        copy.asked[0].seat,
        joined(&view.lines),
        dropped.kept
    ));
    if let Err(failure) = position.worlds(1_000_000) {
        question.note(&failure.to_string());
    }
    Ok(())
}

fn joined<T: Display>(values: &[T]) -> String {
    let texts: Vec<_> = values.iter().map(|value| value.to_string()).collect();
    texts.join(";")
}
