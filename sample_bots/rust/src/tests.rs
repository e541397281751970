use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::model::{Reason, Request, Response, Search};
use prost::Message;

/// Keeps in mind how often it was asked, and what it was told.
struct Owl(Rc<RefCell<Vec<String>>>);

impl Bot for Owl {
    type Memory = u32;

    fn introduction(&self) -> Introduction {
        Introduction {
            name: "owl".into(),
            ..Introduction::default()
        }
    }

    fn choose(&mut self, question: &mut Question, game: &mut Match<u32>) -> String {
        game.memory += 1;
        assert_ne!(question.legal[0], "throw", "a mistake on purpose");
        question.note("one");
        question.note(&"é".repeat(600));
        question.say("nothing");
        question.say("hello");
        question.legal[1].clone()
    }

    fn match_started(&mut self, game: &mut Match<u32>) {
        self.0
            .borrow_mut()
            .push(format!("started {}", game.start.r#match));
    }

    fn match_ended(&mut self, game: Match<u32>, end: &MatchEnd) {
        let told = format!("asked {}, scores {:?}", game.memory, end.scores);
        self.0.borrow_mut().push(told);
    }
}

/// Lets the bot answer messages; returns what it told, its answers, and whether it failed.
fn played(messages: Vec<Turns>) -> (Vec<String>, Vec<Answer>, Result<(), String>) {
    let (told, answers) = (Rc::new(RefCell::new(vec![])), Rc::new(RefCell::new(vec![])));
    let sent = answers.clone();
    let mut player = Player::new(Owl(told.clone()), None, move |more| {
        sent.borrow_mut().extend(more);
    });
    let mut messages = messages.into_iter();
    let ended = messages.try_for_each(|turns| player.take(turns));
    (
        told.take(),
        answers.take(),
        ended.map_err(|failure| failure.to_string()),
    )
}

fn start(r#match: u32, ready_question: u64) -> MatchStart {
    MatchStart {
        r#match,
        ready_question,
        ..MatchStart::default()
    }
}

fn ask(id: u64, r#match: u32, legal: &[&str]) -> proto::Question {
    proto::Question {
        id,
        r#match,
        legal: legal.iter().map(|text| text.to_string()).collect(),
        ..proto::Question::default()
    }
}

#[test]
fn answers_carry_the_numbers_of_their_questions_and_matches_their_memory() {
    let begun = Turns {
        starts: vec![start(1, 0), start(2, 0)],
        questions: vec![ask(7, 2, &["keep", "exchange"])],
        ..Turns::default()
    };
    let ended = Turns {
        questions: vec![ask(u64::MAX, 1, &["keep", "pass"]), ask(9, 2, &["a", "b"])],
        ends: vec![MatchEnd {
            r#match: 2,
            scores: vec![3, -4],
            ..MatchEnd::default()
        }],
        ..Turns::default()
    };
    let (told, answers, failure) = played(vec![begun, ended]);
    let questions: Vec<_> = answers.iter().map(|answer| answer.question).collect();
    assert_eq!(questions, [7, u64::MAX, 9]);
    assert_eq!(answers[0].r#move, Some(answer::Move::Index(1)));
    assert_eq!(answers[0].note, format!("one\n{}", "é".repeat(510)));
    assert_eq!(answers[0].say, "hello");
    assert_eq!(told, ["started 1", "started 2", "asked 2, scores [3, -4]"]);
    assert_eq!(failure, Ok(()));
}

#[test]
fn a_bot_is_ready_once_it_has_started_its_match() {
    let begun = Turns {
        starts: vec![start(1, u64::MAX), start(2, 0)],
        ..Turns::default()
    };
    let (told, answers, _) = played(vec![begun]);
    assert_eq!(told, ["started 1", "started 2"]);
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].question, u64::MAX);
    assert_eq!(answers[0].r#move, Some(answer::Move::Index(0)));
}

#[test]
fn a_panic_is_told_and_earlier_answers_are_sent() {
    let turns = Turns {
        starts: vec![start(3, 0)],
        questions: vec![ask(7, 3, &["a", "b"]), ask(8, 3, &["throw", "b"])],
        ..Turns::default()
    };
    let (_, answers, failure) = played(vec![turns]);
    assert_eq!(answers.len(), 1);
    assert_eq!(failure, Err("owl failed in choose, in match 3".to_string()));
}

/// What is written to a model server that is none.
#[derive(Clone, Default)]
struct Requests(Rc<RefCell<Vec<u8>>>);

impl std::io::Write for Requests {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Requests {
    /// Returns the messages that were written.
    fn taken(&self) -> Vec<Request> {
        let bytes = self.0.take();
        let (mut rest, mut messages) = (bytes.as_slice(), vec![]);
        while !rest.is_empty() {
            let request = proto::ModelRequest::decode_length_delimited(&mut rest).unwrap();
            messages.extend(request.message);
        }
        messages
    }
}

/// Returns a model server that has these responses ready, and what it is told.
fn served(responses: Vec<Response>) -> (Rc<RefCell<ModelServer>>, Requests) {
    let told = Requests::default();
    let ready: Vec<u8> = responses
        .into_iter()
        .flat_map(|message| {
            let message = Some(message);
            proto::ModelResponse { message }.encode_length_delimited_to_vec()
        })
        .collect();
    let server = ModelServer::new(told.clone(), std::io::Cursor::new(ready));
    (Rc::new(RefCell::new(server)), told)
}

#[test]
fn a_model_server_is_asked_until_it_is_gone() {
    let world = |number| proto::World {
        world: number,
        ..proto::World::default()
    };
    let worlds = |number| {
        Response::Worlds(proto::Worlds {
            worlds: vec![world(number)],
        })
    };
    let error = proto::ModelError {
        reason: Reason::Limit.into(),
        sentence: "fewer".into(),
    };
    let (server, told) = served(vec![
        worlds(7),
        worlds(8),
        worlds(7),
        Response::Error(error),
    ]);
    let position = Position { number: 3, server };
    let mut drawn = position.worlds(1).unwrap();
    assert_eq!(drawn[0].played(&["keep"]).unwrap().state.world, 8);
    drawn[0].play(&["exchange"]).unwrap();
    let failure = position.worlds(1_000_000).err().unwrap();
    assert_eq!(
        (failure.reason, failure.to_string()),
        (Reason::Limit, "fewer".into())
    );
    let gone = position.evaluate(Search::default()).err().unwrap();
    assert_eq!(gone.reason, Reason::Unspecified);
    assert!(
        gone.sentence
            .starts_with("the model server is gone, the bot goes on without it: ")
    );
    assert_eq!(position.worlds(1).err().unwrap(), gone);
    let requests = told.taken();
    assert_eq!(
        requests.len(),
        5,
        "nothing is written to a server that is gone"
    );
    let steps: Vec<_> = requests
        .iter()
        .filter_map(|request| match request {
            Request::Steps(steps) => Some((steps.steps[0].world, steps.steps[0].copy)),
            _ => None,
        })
        .collect();
    assert_eq!(steps, [(7, true), (7, false)]);
}

#[test]
fn turns_and_answers_are_passed_on_and_events_come_back_as_lines() {
    let asked = |id, event: &str| proto::Question {
        id,
        r#match: 1,
        legal: vec!["a".into(), "b".into()],
        events: vec![event.into()],
        ..proto::Question::default()
    };
    let lines = Turns {
        starts: vec![start(1, 0)],
        questions: vec![asked(5, "set 1 begins")],
        ..Turns::default()
    };
    let (server, told) = served(vec![Response::Lines(lines)]);
    let mut player = Player::new(Owl(Rc::default()), Some(server.clone()), |_| {});
    let turns = Turns {
        starts: vec![start(1, 0)],
        questions: vec![asked(5, "[0,1]")],
        ..Turns::default()
    };
    assert!(player.take(turns.clone()).is_ok());
    let heard = server.borrow_mut().hear(turns.clone(), true);
    assert_eq!(heard.questions[0].events, ["set 1 begins"]);
    let heard = server.borrow_mut().hear(turns, true);
    assert!(heard.questions[0].events.is_empty(), "the server is gone");
    let requests = told.taken();
    assert!(matches!(requests[0], Request::Turns(_)));
    assert!(matches!(&requests[1], Request::Answers(sent) if sent.answers[0].question == 5));
    assert!(matches!(requests[2], Request::Lines(_)));
}
