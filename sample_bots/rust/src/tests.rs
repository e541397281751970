use std::cell::RefCell;
use std::rc::Rc;

use super::*;

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
    let mut player = Player::new(Owl(told.clone()), move |more| {
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
