//! The messages of the protocol's vectors are read and written, and questions are answered by their numbers.

use std::collections::HashMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use bot::proto::{
    Answer, MatchEnd, MatchStart, PlayRequest, PlayResponse, Question, Turns, answer,
};
use prost::Message;

fn there_and_back<M: Message + Default + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
    let decoded = M::decode(bytes).expect("bytes of a message");
    assert_eq!(
        M::decode(decoded.encode_to_vec().as_slice()).expect("our own bytes"),
        decoded
    );
}

#[test]
fn vectors_are_decoded_and_encoded() {
    let text = std::fs::read_to_string("../../protos/vectors/vectors.json").expect("the vectors");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for vector in file["vectors"].as_array().expect("a list") {
        let bytes = STANDARD
            .decode(vector["bytes"].as_str().expect("base64"))
            .expect("base64");
        match vector["message"].as_str() {
            Some("referee.v1.PlayRequest") => there_and_back::<PlayRequest>(&bytes),
            Some("referee.v1.PlayResponse") => there_and_back::<PlayResponse>(&bytes),
            _ => {} // views of games that are not compiled in
        }
    }
}

#[test]
fn answers_carry_the_numbers_of_their_questions() {
    let ask = |id, r#match, legal: &[&str]| Question {
        id,
        r#match,
        legal: legal.iter().map(|text| text.to_string()).collect(),
        ..Question::default()
    };
    let starts = [1, 2].map(|r#match| MatchStart {
        r#match,
        bot_seed: vec![7; 32],
        ..MatchStart::default()
    });
    let questions = vec![
        ask(7, 2, &["keep", "exchange"]),
        ask(u64::MAX, 1, &["pass", "cuckoo", "keep"]),
    ];
    let mut matches = HashMap::new();
    let turns = Turns {
        starts: starts.to_vec(),
        questions,
        ends: vec![],
    };
    let answers = bot::answer(turns, &mut matches, |question, game| {
        if game.start.r#match == 1 {
            question.legal.len() - 1
        } else {
            0
        }
    });
    let wanted = |question, index| Answer {
        question,
        r#move: Some(answer::Move::Index(index)),
        ..Answer::default()
    };
    assert_eq!(answers.answers, [wanted(7, 0), wanted(u64::MAX, 2)]);
    let end = MatchEnd {
        r#match: 1,
        ..MatchEnd::default()
    };
    bot::answer(
        Turns {
            ends: vec![end],
            ..Turns::default()
        },
        &mut matches,
        |_, _| 0,
    );
    assert_eq!(matches.keys().collect::<Vec<_>>(), [&2]);
}

#[test]
fn matches_that_are_ready_join_the_others_unless_they_are_over() {
    let start = |r#match, ready_question| MatchStart {
        r#match,
        ready_question,
        ..MatchStart::default()
    };
    let mut turns = Turns {
        starts: vec![start(1, u64::MAX), start(2, 0), start(3, 8)],
        ..Turns::default()
    };
    let mut matches = HashMap::new();
    let mut readiness = bot::Readiness::default();
    let taken = readiness.take(&mut turns);
    assert_eq!(taken, [start(1, u64::MAX), start(3, 8)]);
    bot::answer(turns, &mut matches, |_, _| 0);
    assert_eq!(matches.keys().collect::<Vec<_>>(), [&2]);
    let end = MatchEnd {
        r#match: 3,
        ..MatchEnd::default()
    };
    readiness.take(&mut Turns {
        ends: vec![end],
        ..Turns::default()
    });
    let random = matches[&2].random.clone();
    for start in taken {
        let random = random.clone();
        readiness
            .ready
            .lock()
            .unwrap()
            .push(bot::Match { start, random });
    }
    readiness.collect(&mut matches);
    let mut known: Vec<_> = matches.keys().copied().collect();
    known.sort();
    assert_eq!(known, [1, 2]);
}
