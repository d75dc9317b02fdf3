import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64PrintableText, base64Text } from "../../../src/detectors/credentials/base64.ts";
import { encodesCredentials } from "../../../src/detectors/credentials/encoded-credentials.ts";
import {
  beginsAsJsonWebToken,
  isJsonWebToken,
} from "../../../src/detectors/credentials/json-web-token.ts";
import { hasEncodedSecret } from "../../../src/detectors/credentials/kubernetes-manifest.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("base64Text", () => {
  it("gives back what was encoded", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
        const whole = text.toWellFormed();
        expect(base64Text(base64(whole))).toBe(whole);
        expect(base64Text(Buffer.from(whole).toString("base64url"))).toBe(whole);
      }),
    );
  });

  it("is null for what is no base64 or no text", () => {
    expect(base64Text("not base64!")).toBeNull();
    expect(base64Text(Buffer.from([0xff, 0xfe, 0x80, 0x81]).toString("base64"))).toBeNull();
  });

  it("tells text from bytes that happen to be UTF-8", () => {
    expect(base64PrintableText(base64("frosty lake\n"))).toBe("frosty lake\n");
    expect(base64PrintableText(base64("a\u0000b"))).toBeNull();
  });
});

describe("encodesCredentials", () => {
  it.each([
    ["meadow:kT7vq2Lx", true],
    [":kT7vq2Lx", true],
    ["meadow", false],
    ["meadow:", false],
    ["user:changeme", false],
    ["user:${PASSWORD}", false],
  ])("%j: %s", (text, expected) => {
    expect(encodesCredentials(base64(text))).toBe(expected);
  });
});

describe("JSON web tokens", () => {
  const header = base64url({ alg: "ES256", kid: "7" });
  const payload = base64url({ sub: "7041" });

  it.each([
    ["signed", `${header}.${payload}.c2lnbmF0dXJl`, true],
    ["unsigned", `${header}.${payload}.`, true],
    ["two parts", `${header}.${payload}`, true],
    ["encrypted", `${base64url({ alg: "RSA-OAEP", enc: "A256GCM" })}.a.b.c.d`, true],
    ["no algorithm", `${base64url({ typ: "JWT" })}.${payload}.x`, false],
    ["an algorithm that is no text", `${base64url({ alg: 1 })}.${payload}.x`, false],
    ["a header that is no object", `${base64url(["alg"])}.${payload}.x`, false],
    ["a payload that is no JSON", `${header}.bm9wZQ.x`, false],
    ["four parts", `${header}.${payload}.x.y`, false],
    ["one part", header, false],
    ["nothing", "", false],
  ])("%s", (_, text, expected) => {
    expect(isJsonWebToken(text)).toBe(expected);
  });

  it("knows one by its beginning", () => {
    expect(beginsAsJsonWebToken(`${header}.${payload.slice(0, 4)}`)).toBe(true);
    expect(beginsAsJsonWebToken(header.slice(0, 12))).toBe(true);
    expect(beginsAsJsonWebToken(base64url({ name: "x" }))).toBe(false);
    expect(beginsAsJsonWebToken("")).toBe(false);
  });
});

describe("hasEncodedSecret", () => {
  it.each([
    [`password: ${base64("frosty-lake")}`, true],
    [`'a': "${base64("frosty-lake")}"`, true],
    [`.dockercfg: |\n  ${base64('{"auths": {"registry.meadow.test": {}}}')}`, true],
    [`a: ""\nb: ${base64("mypassword")}`, true],
    [`key: ${Buffer.from("5f1d9b0c7e3a8842d6b1f0a97c3e55d1", "hex").toString("base64")}`, true],
    ["password: production", false],
    ["name: meadows1", false],
    [`password: ${base64("xxxxxxxx")}`, false],
    ['password: ""', false],
  ])("%j: %s", (members, expected) => {
    expect(hasEncodedSecret(members)).toBe(expected);
  });
});
