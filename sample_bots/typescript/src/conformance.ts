// Uses everything that the conversation offers: arena's test of all languages plays it. The first legal move is what the
// test wants to see.

import { fromBinary } from "@bufbuild/protobuf";
import { taken } from "./model.ts";
import type { Bot, Question } from "./referee.ts";
import { CambioViewSchema } from "./v1/cambio_pb.ts";

interface Memory {
  asked: number;
}

export const conformance: Bot<Memory> = {
  name: "conformance",
  version: "1.2.3",
  games: ["cambio"],
  matchesAtOnce: 7,
  wantsEvents: true,
  wantsReady: true,
  wantsPositions: true,

  matchStarted(match) {
    match.memory = { asked: 0 };
    const { start } = match;
    console.error(`started: match ${start.match} of ${start.game}, seat ${start.seat} of ${start.seats}`);
  },

  async choose(question) {
    const { match, legal } = question;
    match.memory.asked++;
    switch (legal[0]) {
      case "tell":
        tell(question);
        break;
      case "long":
        question.note("é".repeat(600));
        break;
      case "draw":
        return legal[1 + match.random.below(legal.length - 1)];
      case "illegal":
        return "fly";
      case "think":
        for (const began = performance.now(); performance.now() < began + 40; );
        break;
      case "keep":
        await look(question);
        break;
      case "throw":
        throw new Error("a mistake on purpose");
    }
    return legal[legal.length - 1];
  },

  matchEnded(match, scores, ranks) {
    console.error(
      `ended: match ${match.start.match}, scores ${scores.join(";")}, ranks ${ranks.join(";")}, ` +
        `events ${match.events.join(";")}, asked ${match.memory.asked}`,
    );
  },
};

function tell(question: Question<Memory>): void {
  const { start, memory } = question.match;
  const { card } = fromBinary(CambioViewSchema, question.view);
  const options = Object.entries(start.options).map(([name, value]) => `${name}=${value}`);
  question.note(
    `match ${start.match} of ${start.game} ${start.behaviour}, seat ${start.seat} of ${start.seats}, ` +
      `options ${options.sort().join(";")}, names ${start.names.join(";")}`,
  );
  question.note(
    `move time ${start.moveTimeMs}, bank ${start.bankMs}, fischer ${start.fischer}, ready time ${start.readyTimeMs}`,
  );
  question.note(
    `card ${card}, events ${question.events.join(";")}, bank ${question.bankMs}, charged ${question.chargedUs}, ` +
      `again ${question.again}, asked ${memory.asked}`,
  );
  question.say("never heard");
  question.say(`seat ${start.seat} greets`);
}

/** Looks ahead, and notes what it sees. */
async function look(question: Question<Memory>): Promise<void> {
  const { position } = question;
  const found = await position.evaluate({ worlds: 20, policy: "counter" });
  question.note(found.note);
  const searched = await position.search({ worlds: 20, policy: "counter", observers: "own", mostNodes: 9 });
  question.note(searched.note);
  const [first, second] = await position.worlds(2);
  const copy = await first.played("keep");
  const { lines } = await copy.view(question.match.start.seat);
  const worlds = [first, second, copy].map(({ state }) => state.world);
  const { kept } = taken(await position.ask({ case: "drop", value: { worlds } }), "dropped");
  question.note(
    `worlds ${worlds[0]};${worlds[1]}, copy ${worlds[2]} asks seat ${copy.state.asked[0].seat}, ` +
      `lines ${lines.join(";")}, kept ${kept}`,
  );
  await position.worlds(1_000_000).catch((error: Error) => question.note(error.message));
}
