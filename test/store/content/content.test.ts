import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteWriter } from "../../../src/runtime/packed-bytes.ts";
import {
  decodeContent,
  packContent,
  unpackContent,
  type KeptBody,
} from "../../../src/store/content/content.ts";

const body = fc.option(
  fc.uint8Array({ maxLength: 50 }).map((bytes): KeptBody => ({ bytes, length: bytes.length + 7 })),
);
const anyContent = fc.record({
  request: body,
  response: body,
  salt: fc.option(fc.constantFrom("", "0f", "0".repeat(32))),
});

test("content is read as it was written", () => {
  const packed = new ByteWriter();
  fc.assert(
    fc.property(anyContent, (one) => {
      packed.clear();
      packContent(packed, "größer", "r-1", 1.5, one);
      const { value, ...row } = unpackContent(packed.written);
      expect(row).toEqual({ orgId: "größer", requestId: "r-1", createdAtMs: 1.5 });
      const { request, response, salt } = decodeContent(value);
      expect(salt).toBe(one.salt);
      for (const [read, written] of [
        [request, one.request],
        [response, one.response],
      ] as const) {
        expect(read?.length).toBe(written?.length);
        expect(Buffer.from(read?.bytes ?? [])).toEqual(Buffer.from(written?.bytes ?? []));
      }
    }),
  );
});
