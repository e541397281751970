// Cambio by the odds of one exchange: keep what is likelier to stand above a card of the pile than below it.

import { fromBinary } from "@bufbuild/protobuf";
import { CambioViewSchema } from "../gen/referee/v1/cambio_pb.ts";
import type { Choose } from "./referee.ts";

const FROM_HERE_ON_KEEP = 4;

export const careful: Choose = (question) => {
  const view = fromBinary(CambioViewSchema, question.view);
  const holding = view.card ?? 0;
  const wanted = question.legal.includes("pass") // we hold a cuckoo, before somebody else's turn
    ? "pass"
    : holding >= FROM_HERE_ON_KEEP
      ? "keep"
      : "exchange";
  return Math.max(0, question.legal.indexOf(wanted));
};
