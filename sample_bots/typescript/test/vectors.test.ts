import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { create, equals, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { CambioViewSchema } from "../gen/referee/v1/cambio_pb.ts";
import { PlayRequestSchema, PlayResponseSchema, TurnsSchema } from "../gen/referee/v1/play_pb.ts";
import { answer } from "../src/referee.ts";

const known = [PlayRequestSchema, PlayResponseSchema, CambioViewSchema];
const file = JSON.parse(readFileSync("../../protos/vectors/vectors.json", "utf8"));

for (const vector of file.vectors) {
  const schema = known.find((each) => each.typeName === vector.message);
  test(vector.name, { skip: !schema }, () => {
    const told = fromJson(schema!, vector.json);
    const bytes = Buffer.from(vector.bytes, "base64");
    const decoded = fromBinary(schema!, bytes, { readUnknownFields: false });
    assert.ok(equals(schema!, decoded, told));
    assert.ok(equals(schema!, fromBinary(schema!, toBinary(schema!, told)), told));
  });
}

test("every question is answered by its own number, matches are kept apart and forgotten", () => {
  const matches = new Map();
  const starts = [1, 2].map((match) => ({ match, seats: 2, botSeed: new Uint8Array(32).fill(match) }));
  const questions = [
    { id: 7n, match: 2, legal: ["keep", "exchange"] },
    { id: 2n ** 64n - 1n, match: 1, legal: ["pass", "cuckoo", "keep"] },
  ];
  const answers = answer(create(TurnsSchema, { starts, questions } as never), matches, (question, match) => {
    return match.start.match === 1 ? question.legal.length - 1 : 0;
  });
  assert.deepEqual(answers.answers.map((each) => [each.question, each.move.value]), [[7n, 0], [2n ** 64n - 1n, 2]]);
  answer(create(TurnsSchema, { ends: [{ match: 1 }] } as never), matches, () => 0);
  assert.deepEqual([...matches.keys()], [2]);
});

test("a bot gets ready for the matches whose start asks for it", () => {
  const matches = new Map();
  const ready: bigint[] = [];
  const starts = [{ match: 1, readyQuestion: 2n ** 63n + 9n }, { match: 2 }];
  const turns = create(TurnsSchema, { starts, questions: [{ id: 7n, match: 2, legal: ["keep"] }] } as never);
  const answers = answer(turns, matches, () => 0, (match) => ready.push(match.start.readyQuestion));
  assert.deepEqual(ready, [2n ** 63n + 9n]);
  assert.deepEqual(answers.answers.map((each) => each.question), [7n]);
  assert.deepEqual([...matches.keys()], [1, 2]);
});
