// Looking ahead: a model server beside the bot draws worlds and plays in them by the rules of the game.

import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { sizeDelimitedDecodeStream, sizeDelimitedEncode } from "@bufbuild/protobuf/wire";
import {
  type Evaluation,
  ModelError_Reason,
  ModelRequestSchema,
  type ModelResponse,
  ModelResponseSchema,
  type World as WorldState,
  type WorldView,
} from "./v1/model_pb.ts";
import type { Answer, Turns } from "./v1/play_pb.ts";

/** A request to the model server: the comments of `ModelRequest` say what there is. */
export type ModelQuestion = NonNullable<
  Extract<MessageInitShape<typeof ModelRequestSchema>, { message?: unknown }>["message"]
>;

/** What the model server answers, by the case of the response. */
export type ModelAnswer = Exclude<ModelResponse["message"], { case: undefined } | { case: "error" }>;

/** How to evaluate or search: in so many worlds, for so long, or with neither as the clock of the match allows. */
export interface Search {
  /** The most worlds. */
  worlds?: number;
  /** The most time, in milliseconds. */
  timeMs?: number;
  /**
   * Who plays in playouts: "base" (by rules of thumb, where a package has them for the game, else learnt), "learnt" (what
   * has done well in the playouts before), "random", or a sample bot. Default: base.
   */
  policy?: string;
}

/** How to search by a tree. */
export interface TreeSearch extends Search {
  /** Whose eyes tell nodes of the tree apart. Default: every. */
  observers?: "every" | "own";
  /** How many nodes the tree may have. Default: 50,000. */
  mostNodes?: number;
}

/** Why a request was not fulfilled, and what to do. `reason` is unspecified where there is no model server any more. */
export class ModelFailure extends Error {
  constructor(
    readonly reason: ModelError_Reason,
    sentence: string,
  ) {
    super(sentence);
    this.name = "ModelFailure";
  }
}

/** A question as its seat knows it. What is drawn and played from it ends with the question. All methods throw ModelFailure. */
export class Position {
  constructor(
    private readonly match: number,
    private readonly server: ModelServer,
  ) {}

  /**
   * Plays each legal move in the same worlds, and these on. `best` is the best move, `moves` has the mean and the standard
   * error of each, the best first, and `note` says so in a line.
   */
  async evaluate(search: Search = {}): Promise<Evaluation> {
    return taken(await this.ask({ case: "evaluate", value: { match: this.match, ...search } }), "evaluation");
  }

  /**
   * Does the same by a tree search, whose tree grows where moves turn out well for whoever makes them. It needs more playouts
   * to be better than `evaluate`.
   */
  async search(search: TreeSearch = {}): Promise<Evaluation> {
    return taken(await this.ask({ case: "search", value: { match: this.match, ...search } }), "evaluation");
  }

  /** Draws worlds that the seat cannot tell from the real one. */
  async worlds(count: number): Promise<World[]> {
    const told = taken(await this.ask({ case: "worlds", value: { match: this.match, count } }), "worlds");
    return told.worlds.map((state) => new World(state, this));
  }

  /** Makes any request to the model server. */
  ask(request: ModelQuestion): Promise<ModelAnswer> {
    return this.server.ask(request);
  }
}

/** A complete state of the match. It is kept until it is dropped, or its question is answered. */
export class World {
  /** state: the world as it stands: its number, who is asked with the legal moves, scores and ranks. */
  constructor(
    public state: WorldState,
    private readonly position: Position,
  ) {}

  /** Plays a legal move of each seat of `state.asked`, in their order. */
  async play(...moves: string[]): Promise<void> {
    this.state = await this.step(moves, false);
  }

  /** Returns a copy of the world in which moves are played; the world stays as it is. */
  async played(...moves: string[]): Promise<World> {
    return new World(await this.step(moves, true), this.position);
  }

  /** Returns what a seat sees in the world, as in `question.view`, and the lines of the log since the question. */
  async view(seat: number): Promise<WorldView> {
    return taken(await this.position.ask({ case: "view", value: { world: this.state.world, seat } }), "view");
  }

  /** Makes room for other worlds. */
  async drop(): Promise<void> {
    await this.position.ask({ case: "drop", value: { worlds: [this.state.world] } });
  }

  private async step(moves: string[], copy: boolean): Promise<WorldState> {
    const steps = [{ world: this.state.world, moves, copy }];
    return taken(await this.position.ask({ case: "steps", value: { steps } }), "worlds").worlds[0];
  }
}

/** Returns the value of a response, which must have this case. */
export function taken<Case extends ModelAnswer["case"]>(
  response: ModelAnswer,
  expected: Case,
): Extract<ModelAnswer, { case: Case }>["value"] {
  if (response.case !== expected) {
    throw gone(`it answered with ${response.case}`);
  }
  return response.value as never; // which is of the type above: a type parameter narrows nothing
}

/** The program that looks ahead. It knows what it is told, and ends with the bot. Requests are made one after the other. */
export class ModelServer {
  private readonly responses: AsyncIterator<ModelResponse>;
  private failure?: ModelFailure;

  /** ended: returns how the program ended, once it has. */
  constructor(
    private readonly requests: Writable,
    responses: AsyncIterable<Uint8Array>,
    private readonly ended: () => Promise<string>,
  ) {
    this.responses = sizeDelimitedDecodeStream(ModelResponseSchema, responses)[Symbol.asyncIterator]();
    requests.on("error", () => {}); // the next request tells
  }

  /** Starts the program, with the Python that has arena. */
  static start(): ModelServer {
    // Without the variable it is a remote bot, whose owner has installed botarena.
    const python = process.env.ARENA_PYTHON ?? "python3";
    const program = spawn(python, ["-I", "-m", "arena.model_server"], { stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise<string>((resolve) => {
      program.on("error", (error) => resolve(`${error.message}; set ARENA_PYTHON to a Python that has botarena`));
      program.on("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    });
    return new ModelServer(program.stdin, program.stdout, () => ended);
  }

  /** Passes on answers, as they were sent. */
  tellAnswers(answers: Answer[]): void {
    this.tell({ case: "answers", value: { answers } });
  }

  /** Passes on turns; where `wantsEvents`, their events become lines of the log. */
  async hear(turns: Turns, wantsEvents: boolean): Promise<Turns> {
    if (!wantsEvents) {
      this.tell({ case: "turns", value: turns });
      return turns;
    }
    try {
      return taken(await this.ask({ case: "lines", value: turns }), "lines");
    } catch {
      for (const part of [...turns.questions, ...turns.ends]) {
        part.events = []; // nobody is left to make lines of values
      }
      return turns;
    }
  }

  async ask(request: ModelQuestion): Promise<ModelAnswer> {
    if (this.failure) {
      throw this.failure;
    }
    this.tell(request);
    const response = await this.responses.next().catch(() => ({ done: true, value: undefined }) as const);
    const message = response.done ? undefined : response.value.message;
    if (message?.case === "error") {
      throw new ModelFailure(message.value.reason, message.value.sentence);
    }
    if (!message?.case) {
      this.failure = gone(await this.ended());
      throw this.failure;
    }
    return message;
  }

  private tell(message: ModelQuestion): void {
    if (!this.failure && this.requests.writable) {
      this.requests.write(sizeDelimitedEncode(ModelRequestSchema, create(ModelRequestSchema, { message })));
    }
  }
}

function gone(why: string): ModelFailure {
  return new ModelFailure(
    ModelError_Reason.UNSPECIFIED,
    `the model server is gone, the bot goes on without it: ${why}`,
  );
}
