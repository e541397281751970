import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { sizeDelimitedDecodeStream, sizeDelimitedEncode } from "@bufbuild/protobuf/wire";
import { ModelFailure, ModelServer, Position } from "../src/model.ts";
import { type Bot, Player } from "../src/referee.ts";
import { ModelError_Reason, ModelRequestSchema, ModelResponseSchema } from "../src/v1/model_pb.ts";
import { TurnsSchema } from "../src/v1/play_pb.ts";

/** Returns a model server that has these responses ready, and a function that returns the cases of what it was told. */
function served(
  ...responses: MessageInitShape<typeof ModelResponseSchema>["message"][]
): [ModelServer, () => Promise<string[]>] {
  const requests = new PassThrough();
  async function* ready() {
    for (const message of responses) {
      yield sizeDelimitedEncode(ModelResponseSchema, create(ModelResponseSchema, { message }));
    }
  }
  async function told(): Promise<string[]> {
    requests.end();
    const cases: string[] = [];
    for await (const request of sizeDelimitedDecodeStream(ModelRequestSchema, requests)) {
      cases.push(String(request.message.case));
    }
    return cases;
  }
  return [new ModelServer(requests, ready(), async () => "signal SIGKILL"), told];
}

test("a model server is asked until it is gone", async () => {
  const [server, told] = served(
    { case: "worlds", value: { worlds: [{ world: 7n }] } },
    { case: "worlds", value: { worlds: [{ world: 8n }] } },
    { case: "error", value: { reason: ModelError_Reason.LIMIT, sentence: "fewer" } },
  );
  const position = new Position(3, server);
  const [world] = await position.worlds(1);
  assert.equal((await world.played("keep")).state.world, 8n);
  await assert.rejects(position.worlds(1e6), new ModelFailure(ModelError_Reason.LIMIT, "fewer"));
  const sentence = "the model server is gone, the bot goes on without it: signal SIGKILL";
  for (const _ of [1, 2]) {
    await assert.rejects(position.evaluate(), new ModelFailure(ModelError_Reason.UNSPECIFIED, sentence));
  }
  assert.deepEqual(await told(), ["worlds", "steps", "worlds", "evaluate"]);
});

test("turns and answers are passed on, and events come back as lines", async () => {
  const asked = (event: string) => ({ id: 5n, match: 1, legal: ["keep"], events: [event] });
  const [server, told] = served({
    case: "lines",
    value: { starts: [{ match: 1 }], questions: [asked("set 1 begins")] },
  });
  const heard: string[][] = [];
  const bot: Bot = {
    name: "owl",
    wantsEvents: true,
    choose: ({ events, legal }) => {
      heard.push(events);
      return legal[0];
    },
  };
  const player = new Player(bot, () => {}, server);
  for (const event of ["[0,1]", "[0,2]"]) {
    await player.take(create(TurnsSchema, { questions: [asked(event)] }));
  }
  assert.deepEqual(heard, [["set 1 begins"], []]);
  assert.deepEqual(await told(), ["lines", "answers", "lines"]);
});
