//! The conversation with the referee: dial, say hello, answer until the stream ends.

use std::collections::HashMap;
use std::env;
use std::error::Error;

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

/// Plays until the referee ends the stream.
pub async fn play(name: &str, games: &[&str], choose: Choose) -> Result<(), Box<dyn Error>> {
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
    while let Some(response) = stream.message().await? {
        match response.message {
            Some(play_response::Message::Refusal(refusal)) => {
                return Err(format!("refused: {}", refusal.sentence).into());
            }
            Some(play_response::Message::Turns(turns)) => {
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
        let mut seed = [0; 32];
        let known = start.bot_seed.len().min(32);
        seed[..known].copy_from_slice(&start.bot_seed[..known]);
        matches.insert(
            start.r#match,
            Match {
                start,
                random: StdRng::from_seed(seed),
            },
        );
    }
    let mut answers = Answers::default();
    for question in turns.questions {
        if let Some(game) = matches.get_mut(&question.r#match) {
            let index = choose(&question, game) as u32;
            let chosen = Some(answer::Move::Index(index));
            answers.answers.push(Answer {
                question: question.id,
                r#move: chosen,
                ..Answer::default()
            });
        }
    }
    for end in turns.ends {
        matches.remove(&end.r#match);
    }
    answers
}
