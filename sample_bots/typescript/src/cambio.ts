// Cambio by the odds of one exchange: keep what is likelier to stand above a card of the pile than below it.

import { fromBinary } from "@bufbuild/protobuf";
import type { Bot } from "./referee.ts";
import { CambioViewSchema } from "./v1/cambio_pb.ts";

const FROM_HERE_ON_KEEP = 4;

export const careful: Bot = {
  name: "typescript-careful",
  games: ["cambio"],

  choose(question) {
    const view = fromBinary(CambioViewSchema, question.view);
    const holding = view.card ?? 0;
    question.note(`holding ${holding}`);
    if (question.legal.includes("pass")) {
      return "pass"; // we hold a cuckoo, before somebody else's turn
    }
    return holding >= FROM_HERE_ON_KEEP ? "keep" : "exchange";
  },
};
