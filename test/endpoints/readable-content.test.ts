import { beforeEach, expect, test } from "vitest";
import { refuse } from "../../src/contract/errors.ts";
import type { ApiKey } from "../../src/contract/identity.ts";
import { accept, type Outcome } from "../../src/contract/outcome.ts";
import {
  maskedContent,
  plainContent,
  withheldContent,
  type ContentServices,
} from "../../src/endpoints/readable-content.ts";
import type { Content } from "../../src/store/content/content.ts";
import type { MaskedText } from "../../src/workers/redact/mask.ts";
import { codeOf, valueOf } from "../store/temporary-store.ts";

const owner = { orgId: "org_1", requestId: "r-1", index: 7 };
const key = { id: "key_1", role: "admin" } as ApiKey;
const reader = { key, callId: "r-2", reason: "why" };

let content: Content | null;
let isAway: boolean;
let verdict: Outcome<MaskedText>;
let noted: () => Outcome<null>;

const services: ContentServices = {
  contents: {
    read: () => Promise.resolve(isAway ? refuse("internal_error", "away") : accept(content)),
  },
  mask: () => Promise.resolve(verdict),
  contentReads: { note: () => Promise.resolve(noted()) },
};

beforeEach(() => {
  const kept = (bytes: Buffer) => ({ bytes, length: bytes.length });
  content = { request: kept(Buffer.from("secret")), response: null, salt: "0".repeat(32) };
  isAway = false;
  verdict = accept({ kind: "masked", text: "<X>", found: { X: 1 } });
  noted = () => accept(null);
});

test("without a verdict nothing is shown", async () => {
  verdict = refuse("detector_unavailable", "no verdict");
  expect(await maskedContent(services, owner)).toMatchObject({ ok: false });
  const withheld = valueOf(await withheldContent(services, owner));
  expect(withheld?.request).toMatchObject({ text: "", bytes: 6, withheld: "no_verdict" });
  expect(JSON.stringify(withheld)).not.toContain("secret");
});

test("bytes that are no text are not shown masked, nor is the salt", async () => {
  const bytes = Buffer.from([0xff, 0xfe]);
  content = { request: { bytes, length: 2 }, response: null, salt: "1".repeat(32) };
  expect(await maskedContent(services, owner)).toEqual(
    accept({
      masked: true,
      request: { text: "", encoding: "base64", bytes: 2, truncated: false, withheld: "no_text" },
      response: null,
      input_salt: null,
    }),
  );
});

test("nothing is shown plain if its reading could not be recorded", async () => {
  noted = () => refuse("internal_error", "the disk is full");
  expect(await plainContent(services, owner, reader)).toMatchObject({ ok: false });
});

test("what was erased while its reading was recorded is not shown", async () => {
  noted = () => {
    content = null;
    return accept(null);
  };
  expect(await plainContent(services, owner, reader)).toEqual(accept(null));
});

test("a store that can't be asked is no store without content", async () => {
  isAway = true;
  expect(codeOf(await maskedContent(services, owner))).toBe("internal_error");
  expect(codeOf(await withheldContent(services, owner))).toBe("internal_error");
  expect(codeOf(await plainContent(services, owner, reader))).toBe("internal_error");
});
