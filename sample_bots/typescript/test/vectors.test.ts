import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { equals, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { CambioViewSchema } from "../src/v1/cambio_pb.ts";
import { PlayRequestSchema, PlayResponseSchema } from "../src/v1/play_pb.ts";

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
