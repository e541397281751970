import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type Bot, Player } from "../src/referee.ts";
import { type Answer, TurnsSchema } from "../src/v1/play_pb.ts";

/** Lets a bot answer messages and returns its answers. */
async function played(bot: Bot<number>, ...messages: object[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const player = new Player(bot, (sent) => answers.push(...sent));
  for (const turns of messages) {
    await player.take(create(TurnsSchema, turns)).catch((error) => errors.push(error.message));
  }
  return answers;
}

const errors: string[] = [];

test("answers carry the numbers of their questions, and matches their memory", async () => {
  const ended: unknown[] = [];
  const bot: Bot<number> = {
    name: "owl",
    matchStarted: (match) => {
      match.memory = 0;
    },
    choose: async ({ match, legal }) => legal[++match.memory],
    matchEnded: (match, scores, ranks) => void ended.push(match.memory, match.events, scores, ranks),
  };
  const starts = [1, 2].map((match) => ({ match, botSeed: new Uint8Array(32).fill(match) }));
  const legal = ["keep", "exchange", "pass"];
  const answers = await played(
    bot,
    { starts, questions: [{ id: 7n, match: 2, legal }] },
    {
      questions: [
        { id: 2n ** 64n - 1n, match: 2, legal },
        { id: 9n, match: 1, legal },
      ],
      ends: [{ match: 2, scores: [3, -4], ranks: [1, 2], events: ["over"] }],
    },
  );
  assert.deepEqual(
    answers.map((each) => [each.question, each.move.value]),
    [
      [7n, 1],
      [2n ** 64n - 1n, 2],
      [9n, 1],
    ],
  );
  assert.deepEqual(ended, [2, ["over"], [3, -4], [1, 2]]);
});

test("a bot is ready once it has started its match", async () => {
  const started: number[] = [];
  const bot: Bot<number> = {
    name: "owl",
    choose: () => "",
    matchStarted: ({ start }) => void started.push(start.match),
  };
  const answers = await played(bot, { starts: [{ match: 1, readyQuestion: 2n ** 63n + 9n }, { match: 2 }] });
  assert.deepEqual(
    answers.map((each) => [each.question, each.move.value]),
    [[2n ** 63n + 9n, 0]],
  );
  assert.deepEqual(started, [1, 2]);
});

test("what a bot throws is told with its place, and earlier answers are sent", async () => {
  const bot: Bot<number> = {
    name: "owl",
    choose: ({ legal }) => {
      if (legal[0] === "throw") throw new Error("a mistake on purpose");
      return legal[0];
    },
  };
  const questions = [
    { id: 7n, match: 1, legal: ["keep"] },
    { id: 8n, match: 1, legal: ["throw"] },
  ];
  const answers = await played(bot, { starts: [{ match: 1 }], questions });
  assert.deepEqual(
    answers.map((each) => each.question),
    [7n],
  );
  assert.match(
    errors[0],
    /^owl failed in choose, in match 1: Error: a mistake on purpose\n +at .*referee\.test\.\w+:\d+/,
  );
});

test("texts are cut at the end of a character", async () => {
  const bot: Bot<number> = {
    name: "owl",
    choose: (question) => {
      question.note(`x${"é".repeat(600)}`);
      return "keep";
    },
  };
  const [answer] = await played(bot, { starts: [{ match: 1 }], questions: [{ match: 1, legal: ["keep"] }] });
  assert.equal(answer.note, `x${"é".repeat(511)}`);
});
