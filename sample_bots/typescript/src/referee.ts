// The conversation with the referee: dial, say hello, answer until the stream ends.

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import {
  type Answer,
  AnswerSchema,
  type Answers,
  AnswersSchema,
  type MatchStart,
  type PlayRequest,
  PlayRequestSchema,
  type PlayResponse,
  PlayResponseSchema,
  type Question,
  type Turns,
} from "../gen/referee/v1/play_pb.ts";
import { Random } from "./random.ts";

/** One match of ours. All chance that a bot uses should come from `random`: it makes a match play the same again. */
export interface Match {
  start: MatchStart;
  random: Random;
}

/** Returns the index of a move in `question.legal`; `question.view` holds the bytes of the game's view. */
export type Choose = (question: Question, match: Match) => number;

/**
 * Gets ready for a match, as it loads a network or clears a large table: no clock runs until it returns, or its promise
 * is kept, but it has only `match.start.readyTimeMs` milliseconds (0: no limit).
 */
export type Started = (match: Match) => void | Promise<void>;

/**
 * Takes in what one message tells and returns the answers to all its questions. `getReady` is called for each match that
 * the bot is to get ready for.
 */
export function answer(
  turns: Turns,
  matches: Map<number, Match>,
  choose: Choose,
  getReady?: (match: Match) => unknown,
): Answers {
  for (const start of turns.starts) {
    const match = { start, random: new Random(start.botSeed) };
    matches.set(start.match, match);
    if (start.readyQuestion) {
      getReady?.(match);
    }
  }
  const answers = create(AnswersSchema);
  for (const question of turns.questions) {
    const index = choose(question, matches.get(question.match)!);
    answers.answers.push(answerTo(question.id, index));
  }
  for (const end of turns.ends) {
    matches.delete(end.match);
  }
  return answers;
}

function answerTo(question: bigint, index: number): Answer {
  return create(AnswerSchema, { question, move: { case: "index", value: index } });
}

/**
 * Plays until the referee ends the stream, then exits: 0 in good order, 1 otherwise. With `started` the bot gets ready for
 * each match.
 */
export function play(name: string, games: string[], choose: Choose, started?: Started): void {
  const address = process.env.ARENA_ADDRESS;
  const token = process.env.ARENA_TOKEN;
  if (!address || !token) {
    fail("a referee starts this bot: README.md has the commands");
  }
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
  const matches = new Map<number, Match>();
  const say = (answers: Answers) =>
    stream.write(create(PlayRequestSchema, { message: { case: "answers", value: answers } }));
  const getReady = async (match: Match) => {
    await started?.(match); // what it throws ends the program
    say(create(AnswersSchema, { answers: [answerTo(match.start.readyQuestion, 0)] }));
  };
  stream.on("data", (response: PlayResponse) => {
    if (response.message.case === "refusal") {
      fail(`refused: ${response.message.value.sentence}`);
    }
    if (response.message.case === "turns") {
      const answers = answer(response.message.value, matches, choose, getReady);
      if (answers.answers.length > 0) {
        say(answers);
      }
    }
  });
  stream.on("error", (error) => fail(error.message));
  stream.on("end", () => process.exit(0));
  const hello = { protocols: [1], token, name, games, wantsReady: started !== undefined };
  stream.write(create(PlayRequestSchema, { message: { case: "hello", value: hello } }));
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
