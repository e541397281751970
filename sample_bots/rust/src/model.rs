//! Looking ahead: a model server beside the bot draws worlds and plays in them by the rules of the game.

use std::cell::RefCell;
use std::env;
use std::error::Error;
use std::fmt::{Display, Formatter};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use prost::Message;

use crate::proto::{
    self, Answers, DropRequest, EvaluateRequest, Evaluation, ModelRequest, ModelResponse,
    SearchRequest, Step, StepsRequest, Turns, ViewRequest, WorldView, WorldsRequest,
};
pub use crate::proto::{
    model_error::Reason, model_request::Message as Request, model_response::Message as Response,
};

/// How to evaluate or search: in so many worlds, for so long, or with neither as the clock of the match allows.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The most worlds. 0: any number.
    pub worlds: u32,
    /// The most time. Zero: no limit of its own.
    pub time: Duration,
    /// Who plays in playouts: "base" (by rules of thumb, where a package has them for the game, else learnt), "learnt"
    /// (what has done well in the playouts before), "random", or a sample bot that plays the game. Empty: base.
    pub policy: String,
    /// Of `search` alone: whose eyes tell nodes of the tree apart, "every" or "own". Empty: every.
    pub observers: String,
    /// Of `search` alone: how many nodes the tree may have. 0: 50,000.
    pub most_nodes: u32,
}

/// A question as its seat knows it. What is drawn and played from it ends with the question.
#[derive(Clone)]
pub struct Position {
    pub(crate) number: u32,
    pub(crate) server: Rc<RefCell<ModelServer>>,
}

impl Position {
    /// Plays each legal move in the same worlds, and these on. `best` is the best move, `moves` has the mean and the
    /// standard error of each, the best first, and `note` says so in a line.
    pub fn evaluate(&self, search: Search) -> Result<Evaluation, ModelFailure> {
        let request = EvaluateRequest {
            r#match: self.number,
            worlds: search.worlds,
            time_ms: search.time.as_millis() as u32,
            policy: search.policy,
        };
        self.weigh(Request::Evaluate(request))
    }

    /// Does the same by a tree search, whose tree grows where moves turn out well for whoever makes them. It needs more
    /// playouts to be better than `evaluate`.
    pub fn search(&self, search: Search) -> Result<Evaluation, ModelFailure> {
        let request = SearchRequest {
            r#match: self.number,
            worlds: search.worlds,
            time_ms: search.time.as_millis() as u32,
            policy: search.policy,
            observers: search.observers,
            most_nodes: search.most_nodes,
        };
        self.weigh(Request::Search(request))
    }

    fn weigh(&self, request: Request) -> Result<Evaluation, ModelFailure> {
        match self.ask(request)? {
            Response::Evaluation(evaluation) => Ok(evaluation),
            other => Err(unexpected(&other)),
        }
    }

    /// Draws worlds that the seat cannot tell from the real one.
    pub fn worlds(&self, count: u32) -> Result<Vec<World>, ModelFailure> {
        let request = WorldsRequest {
            r#match: self.number,
            count,
        };
        self.ask_for_worlds(Request::Worlds(request))
    }

    /// Makes any request to the model server: the comments of `ModelRequest` say what there is.
    pub fn ask(&self, request: Request) -> Result<Response, ModelFailure> {
        self.server.borrow_mut().ask(request)
    }

    fn ask_for_worlds(&self, request: Request) -> Result<Vec<World>, ModelFailure> {
        match self.ask(request)? {
            Response::Worlds(told) => Ok(told
                .worlds
                .into_iter()
                .map(|state| self.world(state))
                .collect()),
            other => Err(unexpected(&other)),
        }
    }

    fn world(&self, state: proto::World) -> World {
        World {
            state,
            position: self.clone(),
        }
    }
}

/// A complete state of the match. It is kept until it is discarded, or its question is answered.
pub struct World {
    /// The world as it stands: its number, who is asked with the legal moves, scores and ranks.
    pub state: proto::World,
    position: Position,
}

impl World {
    /// Plays a legal move of each seat of `state.asked`, in their order.
    pub fn play(&mut self, moves: &[&str]) -> Result<(), ModelFailure> {
        self.state = self.step(moves, false)?.state;
        Ok(())
    }

    /// Returns a copy of the world in which moves are played; the world stays as it is.
    pub fn played(&self, moves: &[&str]) -> Result<World, ModelFailure> {
        self.step(moves, true)
    }

    fn step(&self, moves: &[&str], copy: bool) -> Result<World, ModelFailure> {
        let step = Step {
            world: self.state.world,
            moves: moves.iter().map(|text| text.to_string()).collect(),
            copy,
        };
        let request = Request::Steps(StepsRequest { steps: vec![step] });
        let mut worlds = self.position.ask_for_worlds(request)?;
        worlds
            .pop()
            .ok_or_else(|| ModelFailure::gone("it told of no world".into()))
    }

    /// Returns what a seat sees in the world, as in `question.view`, and the lines of the log since the question.
    pub fn view(&self, seat: u32) -> Result<WorldView, ModelFailure> {
        let request = ViewRequest {
            world: self.state.world,
            seat: Some(seat),
        };
        match self.position.ask(Request::View(request))? {
            Response::View(view) => Ok(view),
            other => Err(unexpected(&other)),
        }
    }

    /// Makes room for other worlds.
    pub fn discard(self) -> Result<(), ModelFailure> {
        let worlds = vec![self.state.world];
        self.position
            .ask(Request::Drop(DropRequest { worlds }))
            .map(drop)
    }
}

/// Why a request was not fulfilled, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFailure {
    /// The kind of the failure; unspecified where there is no model server any more.
    pub reason: Reason,
    /// What happened.
    pub sentence: String,
}

impl ModelFailure {
    fn gone(why: String) -> Self {
        ModelFailure {
            reason: Reason::Unspecified,
            sentence: format!("the model server is gone, the bot goes on without it: {why}"),
        }
    }
}

impl Display for ModelFailure {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

impl Error for ModelFailure {}

fn unexpected(response: &Response) -> ModelFailure {
    ModelFailure::gone(format!("it answered with {response:?}"))
}

/// The program that looks ahead. It knows what it is told, and ends with the bot.
pub(crate) struct ModelServer {
    requests: Option<Box<dyn Write>>,
    responses: Box<dyn Read>,
    program: Option<Child>,
    failure: Option<ModelFailure>,
}

impl ModelServer {
    /// Starts the program, with the Python that has arena.
    pub fn start() -> Result<Self, String> {
        // Without the variable it is a remote bot, whose owner has installed botarena.
        let python = env::var("ARENA_PYTHON").unwrap_or_else(|_| "python3".into());
        let mut program = Command::new(python)
            .args(["-I", "-m", "arena.model_server"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                format!("the model server cannot be started: {error}; set ARENA_PYTHON to a Python that has botarena")
            })?;
        let (requests, responses) = (program.stdin.take(), program.stdout.take());
        let mut server = match (requests, responses) {
            (Some(requests), Some(responses)) => Self::new(requests, BufReader::new(responses)),
            _ => return Err("the model server has no pipes".into()),
        };
        server.program = Some(program);
        Ok(server)
    }

    pub fn new(requests: impl Write + 'static, responses: impl Read + 'static) -> Self {
        ModelServer {
            requests: Some(Box::new(requests)),
            responses: Box::new(responses),
            program: None,
            failure: None,
        }
    }

    /// Passes on answers, as they were sent. Where the server is gone, whoever looks ahead is told.
    pub fn tell_answers(&mut self, answers: &Answers) {
        let _ = self.tell(Request::Answers(answers.clone()));
    }

    /// Passes on turns, and returns them with lines of the log as events where these are wanted.
    pub fn hear(&mut self, mut turns: Turns, wants_events: bool) -> Turns {
        if !wants_events {
            let _ = self.tell(Request::Turns(turns.clone()));
            return turns;
        }
        if let Ok(Response::Lines(told)) = self.ask(Request::Lines(turns.clone())) {
            return told;
        }
        // Nobody is left to make lines of values.
        turns
            .questions
            .iter_mut()
            .for_each(|question| question.events.clear());
        turns.ends.iter_mut().for_each(|end| end.events.clear());
        turns
    }

    pub fn ask(&mut self, request: Request) -> Result<Response, ModelFailure> {
        self.tell(request)?;
        match self.read().map(|response| response.message) {
            Ok(Some(Response::Error(error))) => Err(ModelFailure {
                reason: error.reason(),
                sentence: error.sentence,
            }),
            Ok(Some(response)) => Ok(response),
            Ok(None) => Err(self.fail("it gave no answer that is known here".into())),
            Err(error) => Err(self.fail(error.to_string())),
        }
    }

    fn tell(&mut self, request: Request) -> Result<(), ModelFailure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let message = ModelRequest {
            message: Some(request),
        };
        let written = match &mut self.requests {
            Some(requests) => requests
                .write_all(&message.encode_length_delimited_to_vec())
                .and_then(|()| requests.flush()),
            None => Err(ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|error| self.fail(error.to_string()))
    }

    fn read(&mut self) -> io::Result<ModelResponse> {
        let (mut length, mut shift, mut byte) = (0_usize, 0, [0x80_u8]);
        while byte[0] & 0x80 != 0 && shift < 35 {
            self.responses.read_exact(&mut byte)?;
            length |= usize::from(byte[0] & 0x7f) << shift;
            shift += 7;
        }
        let mut message = vec![0; length];
        self.responses.read_exact(&mut message)?;
        ModelResponse::decode(message.as_slice()).map_err(io::Error::other)
    }

    fn fail(&mut self, error: String) -> ModelFailure {
        self.requests = None;
        let ended = self.program.as_mut().map(Child::wait);
        let why = match ended {
            Some(Ok(status)) => status.to_string(),
            _ => error,
        };
        self.failure.insert(ModelFailure::gone(why)).clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.requests = None; // its input ends, and so does it
        if let Some(program) = &mut self.program {
            let _ = program.wait();
        }
    }
}
