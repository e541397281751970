//! The conversation with the referee: dial, say hello, answer until the stream ends.

use std::collections::{HashMap, HashSet};
use std::env;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

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

use proto::bot_service_client::BotServiceClient;
use proto::{Answer, Answers, Hello, MatchStart, PlayRequest, Question, Turns};
use proto::{answer, play_request, play_response};

/// One match of ours. All chance that a bot uses should come from `random`: it makes a match play the same again.
pub struct Match {
    pub start: MatchStart,
    pub random: StdRng,
}

/// Returns the index of a move in `question.legal`; `question.view` holds the bytes of the game's view.
pub type Choose = fn(&Question, &mut Match) -> usize;

/// Gets ready for a match, as it loads a network or clears a large table: no clock runs until it returns, but it has only
/// `game.start.ready_time_ms` milliseconds (0: no limit). It runs in a thread of its own.
pub type Started = fn(&mut Match);

/// Plays until the referee ends the stream.
pub async fn play(name: &str, games: &[&str], choose: Choose) -> Result<(), Box<dyn Error>> {
    converse(name, games, choose, None).await
}

/// Plays as `play` does, and gets ready for each match.
pub async fn play_ready(
    name: &str,
    games: &[&str],
    choose: Choose,
    started: Started,
) -> Result<(), Box<dyn Error>> {
    converse(name, games, choose, Some(started)).await
}

async fn converse(
    name: &str,
    games: &[&str],
    choose: Choose,
    started: Option<Started>,
) -> Result<(), Box<dyn Error>> {
    let (Ok(address), Ok(token)) = (env::var("ARENA_ADDRESS"), env::var("ARENA_TOKEN")) else {
        return Err("a referee starts this bot: README.md has the commands".into());
    };
    let (say, said) = mpsc::unbounded_channel();
    let games = games.iter().map(|game| game.to_string()).collect();
    let hello = Hello {
        protocols: vec![1],
        token,
        name: name.into(),
        games,
        wants_ready: started.is_some(),
        ..Hello::default()
    };
    say.send(PlayRequest {
        message: Some(play_request::Message::Hello(hello)),
    })?;

    let mut client =
        BotServiceClient::new(dial(address).await?).max_decoding_message_size(usize::MAX);
    let mut stream = client
        .play(UnboundedReceiverStream::new(said))
        .await?
        .into_inner();
    let mut matches = HashMap::new();
    let mut readiness = Readiness::default();
    while let Some(response) = stream.message().await? {
        match response.message {
            Some(play_response::Message::Refusal(refusal)) => {
                return Err(format!("refused: {}", refusal.sentence).into());
            }
            Some(play_response::Message::Turns(mut turns)) => {
                readiness.collect(&mut matches);
                for start in readiness.take(&mut turns) {
                    let (say, ready) = (say.clone(), readiness.ready.clone());
                    thread::spawn(move || get_ready(start, started, &ready, &say));
                }
                let answers = answer(turns, &mut matches, choose);
                if !answers.answers.is_empty() {
                    say.send(PlayRequest {
                        message: Some(play_request::Message::Answers(answers)),
                    })?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Gets ready for a match, and says so. A bot that fails in it ends, as one that fails to choose.
fn get_ready(
    start: MatchStart,
    started: Option<Started>,
    ready: &Mutex<Vec<Match>>,
    say: &mpsc::UnboundedSender<PlayRequest>,
) {
    let question = start.ready_question;
    let mut game = begin(start);
    if let Some(started) = started {
        let prepare = AssertUnwindSafe(|| started(&mut game));
        if catch_unwind(prepare).is_err() {
            std::process::exit(101);
        }
    }
    ready.lock().expect("nobody fails with the lock").push(game);
    let answers = vec![answer_to(question, 0)];
    // A stream that is gone ends the loop that reads it.
    let _ = say.send(PlayRequest {
        message: Some(play_request::Message::Answers(Answers { answers })),
    });
}

/// The matches that the bot gets ready for, each in a thread.
#[derive(Default)]
pub struct Readiness {
    /// Those that are ready, to be collected.
    pub ready: Arc<Mutex<Vec<Match>>>,
    expected: HashSet<u32>,
}

impl Readiness {
    /// Takes the starts of matches that the bot is to get ready for out of a message, and learns which are over.
    pub fn take(&mut self, turns: &mut Turns) -> Vec<MatchStart> {
        let (starts, known) = turns
            .starts
            .drain(..)
            .partition(|start| start.ready_question != 0);
        turns.starts = known;
        let starts: Vec<MatchStart> = starts;
        self.expected
            .extend(starts.iter().map(|start| start.r#match));
        for end in &turns.ends {
            self.expected.remove(&end.r#match);
        }
        starts
    }

    /// Moves the matches that are ready, and not over meanwhile, to the others.
    pub fn collect(&mut self, matches: &mut HashMap<u32, Match>) {
        for game in self
            .ready
            .lock()
            .expect("nobody fails with the lock")
            .drain(..)
        {
            if self.expected.remove(&game.start.r#match) {
                matches.insert(game.start.r#match, game);
            }
        }
    }
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

/// Takes in what one message tells, and returns the answers to all its questions.
pub fn answer(turns: Turns, matches: &mut HashMap<u32, Match>, choose: Choose) -> Answers {
    for start in turns.starts {
        matches.insert(start.r#match, begin(start));
    }
    let mut answers = Answers::default();
    for question in turns.questions {
        if let Some(game) = matches.get_mut(&question.r#match) {
            let index = choose(&question, game) as u32;
            answers.answers.push(answer_to(question.id, index));
        }
    }
    for end in turns.ends {
        matches.remove(&end.r#match);
    }
    answers
}

fn begin(start: MatchStart) -> Match {
    let mut seed = [0; 32];
    let known = start.bot_seed.len().min(32);
    seed[..known].copy_from_slice(&start.bot_seed[..known]);
    Match {
        start,
        random: StdRng::from_seed(seed),
    }
}

fn answer_to(question: u64, index: u32) -> Answer {
    Answer {
        question,
        r#move: Some(answer::Move::Index(index)),
        ..Answer::default()
    }
}
