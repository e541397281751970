//! The conversation with the referee: dial, say hello, answer until the stream ends.

use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use hyper_util::rt::TokioIo;
use rand::{SeedableRng, rngs::StdRng};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Channel, Endpoint, Uri};
use tower::service_fn;

pub mod proto {
    #![allow(clippy::all)]
    tonic::include_proto!("referee.v1");
}

pub mod model;

use model::{ModelServer, Position};
use proto::bot_service_client::BotServiceClient;
use proto::{Answer, Answers, Hello, MatchEnd, MatchStart, PlayRequest, Turns};
use proto::{answer, play_request, play_response};

#[cfg(test)]
mod tests;

/// Finished answers are sent after this time at the latest, so that their clock stops.
const FLUSH_AFTER: Duration = Duration::from_millis(20);

/// How many bytes of a note, of talk or of a move the protocol allows.
const LONGEST_TEXT: usize = 1024;

/// Any error, from any thread.
pub type Failure = Box<dyn Error + Send + Sync>;

/// What a bot tells the referee of itself.
#[derive(Clone, Default)]
pub struct Introduction {
    /// What the bot calls itself, for its owner.
    pub name: String,
    /// Its version, for its owner.
    pub version: String,
    /// The ids of the games that it plays. None: any game.
    pub games: Vec<String>,
    /// The most matches that it plays at the same time. 0: no limit of its own.
    pub matches_at_once: u32,
    /// Whether it gets the lines of the log: `question.events`, and `end.events` at the end.
    pub wants_events: bool,
    /// Whether the referee waits for `match_started`: no clock runs until it returns, but it has only
    /// `game.start.ready_time_ms` milliseconds (0: no limit).
    pub wants_ready: bool,
    /// Whether it looks ahead, by `question.position()`: a model server is started beside the bot.
    pub wants_positions: bool,
}

/// A player. All its functions are called one after the other, in the thread that called `play`.
pub trait Bot {
    /// What the bot keeps for each match; `()` for nothing.
    type Memory: Default;

    /// Returns what the bot tells the referee of itself.
    fn introduction(&self) -> Introduction;

    /// Returns one of `question.legal`.
    fn choose(&mut self, question: &mut Question, game: &mut Match<Self::Memory>) -> String;

    /// Reacts to the start of a match, before its first question.
    fn match_started(&mut self, _game: &mut Match<Self::Memory>) {}

    /// Reacts to the end of a match. Scores and ranks are by seat, and empty if the match did not end by its rules.
    fn match_ended(&mut self, _game: Match<Self::Memory>, _end: &MatchEnd) {}
}

/// One match of the bot, from its start to its end.
pub struct Match<M> {
    /// What the referee tells of it: game, options, seats, own seat, names, times.
    pub start: MatchStart,
    /// The only chance that a bot should use: it makes the same match play the same again.
    pub random: StdRng,
    /// Whatever the bot keeps for this match.
    pub memory: M,
}

/// A question: choose one of `legal`. `view` holds the bytes of the game's view; `events`, `bank_ms`, `charged_us` and
/// `again` are those of the protocol, too.
pub struct Question {
    asked: proto::Question,
    position: Option<Position>,
    note: String,
    say: String,
}

impl Deref for Question {
    type Target = proto::Question;

    fn deref(&self) -> &proto::Question {
        &self.asked
    }
}

impl Question {
    /// Adds a line to the note of this answer, which the bot's owner finds in the replay.
    pub fn note(&mut self, thought: &str) {
        if !self.note.is_empty() {
            self.note.push('\n');
        }
        self.note.push_str(thought);
    }

    /// Returns what to look ahead from. Panics where the bot's introduction has no `wants_positions`.
    pub fn position(&self) -> Position {
        let position = self.position.clone();
        position.expect("looking ahead needs wants_positions in the introduction of the bot")
    }

    /// Says something to the table with this answer, in games with table talk. It replaces what was said before.
    pub fn say(&mut self, words: &str) {
        self.say = words.into();
    }
}

/// Plays until the referee ends the stream. Where the bot panics, the answers that it gave before count.
pub fn play(bot: impl Bot) -> Result<(), Failure> {
    let (Ok(address), Ok(token)) = (env::var("ARENA_ADDRESS"), env::var("ARENA_TOKEN")) else {
        return Err("a referee starts this bot: README.md has the commands".into());
    };
    let (say, said) = mpsc::unbounded_channel();
    let (hear, mut heard) = mpsc::unbounded_channel();
    // gRPC has a thread of its own, so that answers leave while the bot thinks about others.
    let network = thread::spawn(move || converse(address, said, hear));
    let introduction = bot.introduction();
    let server = if introduction.wants_positions {
        Some(Rc::new(RefCell::new(ModelServer::start()?)))
    } else {
        None
    };
    let hello = Hello {
        protocols: vec![1],
        token,
        name: introduction.name,
        version: introduction.version,
        games: introduction.games,
        matches_at_once: introduction.matches_at_once,
        wants_events: introduction.wants_events || introduction.wants_positions,
        wants_values: introduction.wants_positions,
        wants_ready: introduction.wants_ready,
        ..Hello::default()
    };
    say.send(request(play_request::Message::Hello(hello)))?;
    let mut player = Player::new(bot, server, move |answers| {
        // A stream that is gone ends the loop below.
        let _ = say.send(request(play_request::Message::Answers(Answers { answers })));
    });
    let mut played = Ok(());
    while let Some(turns) = heard.blocking_recv() {
        played = player.take(turns);
        if played.is_err() {
            break;
        }
    }
    drop((player, heard)); // no more answers follow, and the referee ends the stream
    let ended = network.join().map_err(|_| "the conversation failed")?;
    played.and(ended)
}

fn request(message: play_request::Message) -> PlayRequest {
    PlayRequest {
        message: Some(message),
    }
}

/// Passes on what both sides say, until the referee ends the stream.
fn converse(
    address: String,
    said: mpsc::UnboundedReceiver<PlayRequest>,
    hear: mpsc::UnboundedSender<Turns>,
) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let mut client =
            BotServiceClient::new(dial(address).await?).max_decoding_message_size(usize::MAX);
        let mut stream = client
            .play(UnboundedReceiverStream::new(said))
            .await?
            .into_inner();
        while let Some(response) = stream.message().await? {
            match response.message {
                Some(play_response::Message::Refusal(refusal)) => {
                    return Err(format!("refused: {}", refusal.sentence).into());
                }
                Some(play_response::Message::Turns(turns)) => {
                    let _ = hear.send(turns); // a bot that failed listens no more
                }
                _ => {}
            }
        }
        Ok(())
    })
}

/// Opens a channel to `unix:/path` or `host:port`, always with the authority `localhost`.
async fn dial(address: String) -> Result<Channel, tonic::transport::Error> {
    let connect = service_fn(move |_: Uri| {
        let address = address.clone();
        async move {
            let stream: Box<dyn Stream> = match address.strip_prefix("unix:") {
                Some(path) => Box::new(UnixStream::connect(path).await?),
                None => Box::new(TcpStream::connect(&address).await?),
            };
            Ok::<_, std::io::Error>(TokioIo::new(stream))
        }
    });
    Endpoint::from_static("http://localhost")
        .connect_with_connector(connect)
        .await
}

trait Stream: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin {}
impl<T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin> Stream for T {}

/// Answers the questions of a stream.
struct Player<B: Bot, S: FnMut(Vec<Answer>)> {
    bot: B,
    /// Where the bot looks ahead.
    server: Option<Rc<RefCell<ModelServer>>>,
    matches: HashMap<u32, Match<B::Memory>>,
    send: S,
    answers: Vec<Answer>,
    /// Which function of the bot runs, and in which match: told where it panics.
    doing: (&'static str, u32),
}

impl<B: Bot, S: FnMut(Vec<Answer>)> Player<B, S> {
    fn new(bot: B, server: Option<Rc<RefCell<ModelServer>>>, send: S) -> Self {
        Player {
            bot,
            server,
            matches: HashMap::new(),
            send,
            answers: Vec::new(),
            doing: ("", 0),
        }
    }

    /// Takes in what one message tells, and answers all its questions. Fails where the bot panics.
    fn take(&mut self, turns: Turns) -> Result<(), Failure> {
        // Nothing of the bot is used once it has panicked; what it said is on stderr.
        if catch_unwind(AssertUnwindSafe(|| self.play(turns))).is_err() {
            self.flush(); // or the referee would ask again
            let (function, number) = self.doing;
            let name = self.bot.introduction().name;
            return Err(format!("{name} failed in {function}, in match {number}").into());
        }
        Ok(())
    }

    fn play(&mut self, mut turns: Turns) {
        if let Some(server) = &self.server {
            let wants_events = self.bot.introduction().wants_events;
            turns = server.borrow_mut().hear(turns, wants_events);
        }
        for start in turns.starts {
            self.start(start);
        }
        let mut flushed = Instant::now();
        for asked in turns.questions {
            let answer = self.answer(asked);
            self.answers.extend(answer);
            if flushed.elapsed() > FLUSH_AFTER {
                self.flush();
                flushed = Instant::now();
            }
        }
        self.flush();
        for end in turns.ends {
            if let Some(game) = self.matches.remove(&end.r#match) {
                self.doing = ("match_ended", end.r#match);
                self.bot.match_ended(game, &end);
            }
        }
    }

    fn start(&mut self, start: MatchStart) {
        let (number, ready_question) = (start.r#match, start.ready_question);
        let mut game = Match {
            random: seeded(&start.bot_seed),
            start,
            memory: B::Memory::default(),
        };
        self.doing = ("match_started", number);
        self.bot.match_started(&mut game);
        self.matches.insert(number, game);
        if ready_question != 0 {
            self.answers.push(Answer {
                question: ready_question,
                r#move: Some(answer::Move::Index(0)),
                ..Answer::default()
            });
            self.flush();
        }
    }

    fn answer(&mut self, asked: proto::Question) -> Option<Answer> {
        let game = self.matches.get_mut(&asked.r#match)?;
        let position = self.server.clone().map(|server| Position {
            number: asked.r#match,
            server,
        });
        let mut question = Question {
            asked,
            position,
            note: String::new(),
            say: String::new(),
        };
        self.doing = ("choose", question.r#match);
        let chosen = self.bot.choose(&mut question, game);
        let r#move = match question.legal.iter().position(|legal| *legal == chosen) {
            Some(index) => answer::Move::Index(index as u32),
            None => {
                let (number, legal) = (question.r#match, &question.legal);
                eprintln!(
                    "choose returned {chosen:?}, not a legal move in match {number}: return one of {legal:?}"
                );
                answer::Move::Text(cut(chosen)) // the referee punishes it
            }
        };
        Some(Answer {
            question: question.asked.id,
            r#move: Some(r#move),
            note: cut(question.note),
            say: cut(question.say),
        })
    }

    fn flush(&mut self) {
        if !self.answers.is_empty() {
            let answers = std::mem::take(&mut self.answers);
            match &self.server {
                None => (self.send)(answers),
                Some(server) => {
                    (self.send)(answers.clone());
                    server.borrow_mut().tell_answers(&Answers { answers });
                }
            }
        }
    }
}

/// Shortens a text to what the protocol allows, at the end of a character.
fn cut(mut text: String) -> String {
    let mut end = LONGEST_TEXT.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

fn seeded(bot_seed: &[u8]) -> StdRng {
    let mut seed = [0; 32];
    let known = bot_seed.len().min(32);
    seed[..known].copy_from_slice(&bot_seed[..known]);
    StdRng::from_seed(seed)
}
