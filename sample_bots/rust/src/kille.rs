//! Kille: the weakest card wins the last trick, so the weak ones are kept.

use bot::proto::KilleView;
use bot::{Bot, Introduction, Match, Question};
use prost::Message;

/// How many of the weakest cards are never led while there are others.
const TREASURE: usize = 3;

/// Leads the weakest card outside its treasure, and beats the table by a card from the lower middle.
pub struct Hoarder;

impl Bot for Hoarder {
    type Memory = ();

    fn introduction(&self) -> Introduction {
        Introduction {
            name: "rust-hoarder".into(),
            games: vec!["kille".into()],
            ..Introduction::default()
        }
    }

    fn choose(&mut self, question: &mut Question, _: &mut Match<()>) -> String {
        let view = KilleView::decode(question.view.as_slice()).expect("a view of Kille");
        let last = question.legal.len() - 1; // the strongest card stands first
        let index = if view.table.is_empty() {
            last.saturating_sub(TREASURE)
        } else {
            (last * 2 + 1) / 3
        };
        question.note(&format!("{index} of {last} from the strongest"));
        question.legal[index].clone()
    }
}
