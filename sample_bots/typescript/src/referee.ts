// The conversation with the referee: dial, say hello, answer until the stream ends.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { ModelServer, Position } from "./model.ts";
import { Random } from "./random.ts";
import {
  type Answer,
  AnswerSchema,
  type MatchEnd,
  type MatchStart,
  type PlayRequest,
  PlayRequestSchema,
  type PlayResponse,
  PlayResponseSchema,
  type Question as AskedQuestion,
  type Turns,
} from "./v1/play_pb.ts";

/** Finished answers are sent after this many milliseconds at the latest, so that their clock stops. */
const FLUSH_AFTER = 20;

/** How many bytes of a note, of talk or of a move the protocol allows. */
const LONGEST_TEXT = 1024;

/**
 * A player: what it tells the referee of itself, and the functions that play. Only `name` and `choose` are needed. The
 * functions are called one after the other; each may be asynchronous. `Memory` is what the bot keeps for a match.
 */
export interface Bot<Memory = unknown> {
  /** What the bot calls itself, for its owner. */
  name: string;
  /** Its version, for its owner. */
  version?: string;
  /** The ids of the games that it plays. None: any game. */
  games?: string[];
  /** The most matches that it plays at the same time. 0: no limit of its own. */
  matchesAtOnce?: number;
  /** Whether it gets the lines of the log: `question.events` and, at the end, `match.events`. */
  wantsEvents?: boolean;
  /**
   * Whether the referee waits for `matchStarted`: no clock runs until it returns, but it has only
   * `match.start.readyTimeMs` milliseconds (0: no limit).
   */
  wantsReady?: boolean;
  /** Whether it looks ahead, by `question.position`: a model server is started beside the bot. */
  wantsPositions?: boolean;
  /** Returns one of `question.legal`. */
  choose(question: Question<Memory>): string | Promise<string>;
  /** Reacts to the start of a match, before its first question: the place to set `match.memory`. */
  matchStarted?(match: Match<Memory>): void | Promise<void>;
  /** Reacts to the end of a match. Scores and ranks are by seat, and empty if the match did not end by its rules. */
  matchEnded?(match: Match<Memory>, scores: number[], ranks: number[]): void | Promise<void>;
}

/** One match of the bot, from its start to its end. */
export class Match<Memory = unknown> {
  /** The only chance that a bot should use: it makes the same match play the same again. */
  readonly random: Random;
  /** Whatever the bot keeps for this match: set it in `matchStarted`. */
  memory!: Memory;
  /** The rest of the log, once the match has ended (only with `wantsEvents`). */
  events: string[] = [];

  /** start: what the referee tells of it: game, options, seats, own seat, names, times. */
  constructor(readonly start: MatchStart) {
    this.random = new Random(start.botSeed);
  }
}

/** A question: choose one of `legal`. */
export class Question<Memory = unknown> {
  /** What goes with the answer: the lines of the note, and what is said to the table. */
  readonly notes: string[] = [];
  said = "";

  constructor(
    private readonly asked: AskedQuestion,
    readonly match: Match<Memory>,
    private readonly server?: ModelServer,
  ) {}

  /** What to look ahead from (only with `wantsPositions`). */
  get position(): Position {
    if (!this.server) {
      throw new Error("looking ahead needs wantsPositions: true in the bot");
    }
    return new Position(this.asked.match, this.server);
  }

  /** The texts of all legal moves. */
  get legal(): string[] {
    return this.asked.legal;
  }

  /** Everything that the seat may see, as the bytes of the message that `match.start.viewType` names. */
  get view(): Uint8Array {
    return this.asked.view;
  }

  /** The lines of the log since the last question of this match (only with `wantsEvents`). */
  get events(): string[] {
    return this.asked.events;
  }

  /** What is left of the match's time bank, in milliseconds. */
  get bankMs(): number {
    return this.asked.bankMs;
  }

  /** The time charged for the previous answer of this match, in microseconds. */
  get chargedUs(): number {
    return this.asked.chargedUs;
  }

  /** Whether an earlier process of this bot failed to answer this question. */
  get again(): boolean {
    return this.asked.again;
  }

  /** Adds a line to the note of this answer, which the bot's owner finds in the replay. */
  note(thought: string): void {
    this.notes.push(thought);
  }

  /** Says something to the table with this answer, in games with table talk. It replaces what was said before. */
  say(words: string): void {
    this.said = words;
  }
}

/** Answers the questions of a stream. */
export class Player<Memory> {
  readonly matches = new Map<number, Match<Memory>>();
  private answers: Answer[] = [];
  private doing = "";

  constructor(
    private readonly bot: Bot<Memory>,
    private readonly send: (answers: Answer[]) => unknown,
    private readonly server?: ModelServer,
  ) {}

  /** Takes in what one message tells and answers all its questions. Throws what went wrong, once earlier answers are sent. */
  async take(turns: Turns): Promise<void> {
    try {
      await this.play(turns);
    } catch (error) {
      this.flush(); // or the referee would ask again
      const told = error instanceof Error ? error.stack : String(error);
      throw new Error(`${this.bot.name} failed in ${this.doing}: ${told}`);
    }
  }

  private async play(told: Turns): Promise<void> {
    const turns = this.server ? await this.server.hear(told, this.bot.wantsEvents ?? false) : told;
    for (const start of turns.starts) {
      await this.start(start);
    }
    let flushed = performance.now();
    for (const asked of turns.questions) {
      this.answers.push(await this.answer(asked));
      if (performance.now() > flushed + FLUSH_AFTER) {
        this.flush();
        await new Promise(setImmediate); // it leaves now
        flushed = performance.now();
      }
    }
    this.flush();
    for (const end of turns.ends) {
      await this.end(end);
    }
  }

  private async start(start: MatchStart): Promise<void> {
    const match = new Match<Memory>(start);
    this.matches.set(start.match, match);
    this.doing = `matchStarted, in match ${start.match}`;
    await this.bot.matchStarted?.(match);
    if (start.readyQuestion) {
      this.answers.push(create(AnswerSchema, { question: start.readyQuestion, move: { case: "index", value: 0 } }));
      this.flush();
    }
  }

  private async answer(asked: AskedQuestion): Promise<Answer> {
    const question = new Question(asked, this.matches.get(asked.match)!, this.server);
    this.doing = `choose, in match ${asked.match}`;
    const move = await this.bot.choose(question);
    const index = asked.legal.indexOf(move);
    if (index < 0) {
      const legal = asked.legal.map((text) => JSON.stringify(text)).join(", ");
      console.error(
        `choose returned ${JSON.stringify(move)}, not a legal move in match ${asked.match}: return one of ${legal}`,
      );
    }
    return create(AnswerSchema, {
      question: asked.id,
      // An illegal move is sent, too: the referee punishes it.
      move: index < 0 ? { case: "text", value: cut(String(move)) } : { case: "index", value: index },
      note: cut(question.notes.join("\n")),
      say: cut(question.said),
    });
  }

  private async end(end: MatchEnd): Promise<void> {
    const match = this.matches.get(end.match)!;
    this.matches.delete(end.match);
    match.events = end.events;
    this.doing = `matchEnded, in match ${end.match}`;
    await this.bot.matchEnded?.(match, end.scores, end.ranks);
  }

  private flush(): void {
    if (this.answers.length > 0) {
      this.send(this.answers);
      this.server?.tellAnswers(this.answers);
      this.answers = [];
    }
  }
}

/** Shortens a text to what the protocol allows, at the end of a character. */
function cut(text: string): string {
  if (text.length * 3 <= LONGEST_TEXT) {
    return text;
  }
  const bytes = new TextEncoder().encode(text);
  let end = Math.min(LONGEST_TEXT, bytes.length);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) {
    end--;
  }
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/**
 * Plays until the referee ends the stream, then exits: 0 in good order, 1 otherwise. Where the bot throws, its answers before
 * count.
 */
export function play<Memory>(bot: Bot<Memory>): void {
  const address = process.env.ARENA_ADDRESS;
  const token = process.env.ARENA_TOKEN;
  if (!address || !token) {
    fail("a referee starts this bot: README.md has the commands");
  }
  const server = bot.wantsPositions ? ModelServer.start() : undefined;
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
    "grpc.default_authority": "localhost",
    "grpc.enable_http_proxy": 0,
    "grpc.max_receive_message_length": -1,
  });
  const stream = client.makeBidiStreamRequest<PlayRequest, PlayResponse>(
    "/referee.v1.BotService/Play",
    (request) => Buffer.from(toBinary(PlayRequestSchema, request)),
    (bytes) => fromBinary(PlayResponseSchema, bytes),
  );
  const player = new Player(
    bot,
    (answers) => stream.write(create(PlayRequestSchema, { message: { case: "answers", value: { answers } } })),
    server,
  );
  let taking = Promise.resolve(); // messages are taken in one after the other
  let failed = false;
  stream.on("data", (response: PlayResponse) => {
    const { message } = response;
    if (message.case === "refusal") {
      fail(`refused: ${message.value.sentence}`);
    }
    if (message.case === "turns" && !failed) {
      taking = taking
        .then(() => (failed ? undefined : player.take(message.value)))
        .catch((error: Error) => {
          console.error(error.message);
          failed = true;
          stream.end(); // the referee takes what was sent, and ends the stream
        });
    }
  });
  stream.on("error", (error) => fail(error.message));
  stream.on("end", () => taking.then(() => process.exit(failed ? 1 : 0)));
  const hello = {
    protocols: [1],
    token,
    name: bot.name,
    version: bot.version,
    games: bot.games,
    matchesAtOnce: bot.matchesAtOnce,
    wantsEvents: bot.wantsEvents || bot.wantsPositions,
    wantsValues: bot.wantsPositions,
    wantsReady: bot.wantsReady,
  };
  stream.write(create(PlayRequestSchema, { message: { case: "hello", value: hello } }));
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
