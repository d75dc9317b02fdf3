import { JsonScanner, type TopLevel } from "../../src/json/scanner.ts";
import { memberEdits, splice } from "../../src/json/splice.ts";
import { decodeString, encodeString } from "../../src/json/string.ts";
import { Inspection, member } from "../../src/pipeline/body/inspect.ts";
import type { OpenSuite, Piece, Suite } from "./suite.ts";
import { chatBody, prose } from "./texts.ts";
import { speed, time } from "./timing.ts";

const MB = 1_000_000;

/** The byte-level JSON code, with its inputs in shared memory, as for large bodies. */
export const jsonSuite: Suite = { id: "json", group: "JSON bodies", open };

function open(): OpenSuite {
  return { pieces: [...inspected(), ...scannedKinds(), ...strings(), ...splices()] };
}

/** A request's body, by its size. `JSON.parse` is measured too, so that a slow machine shows. */
function inspected(): Piece[] {
  const sizes = [
    ["1KB", 1_024],
    ["16KB", 16 * 1_024],
    ["1MB", MB],
  ] as const;
  return sizes.flatMap(([size, bytes]) => {
    const body = shared(chatBody(bytes));
    const text = Buffer.from(body).toString();
    const label = `Inspect a chat body, ${size}`;
    const note = `${body.length} bytes`;
    return [
      time(`inspect/${size}`, { label, note }, () => {
        const inspection = new Inspection();
        inspection.grown(body, body.length);
        return inspection.finish(body);
      }),
      time(`inspect/${size}/JSON.parse`, { label, subject: "JSON.parse", note }, () =>
        JSON.parse(text),
      ),
    ];
  });
}

function scannedKinds(): Piece[] {
  const base64 = json({ image: "QUJD".repeat((4 * MB) / 4) });
  const kinds = {
    prose: json({ text: prose(MB) }),
    Chinese: json({ text: "你好世界。".repeat(66_000) }),
    escapes: shared(Buffer.from(`{"text":"${String.raw`\u4f60\u597d`.repeat(80_000)}"}`)),
    numbers: json(Array.from({ length: 50_000 }, (_, i) => Math.sin(i))),
    indented: shared(
      Buffer.from(
        JSON.stringify(
          Array.from({ length: 10_000 }, (_, id) => ({ id, name: "abc", ok: true, none: null })),
          null,
          2,
        ),
      ),
    ),
  };
  return [
    ...Object.entries(kinds).map(([kind, body]) =>
      speed(`scan/${kind}`, body.length, { label: `Scan ${kind}` }, () =>
        scanned(body, body.length),
      ),
    ),
    ...[base64.length, 64 * 1_024, 1_024].map((step) => {
      const steps = step === base64.length ? "at once" : `${step} bytes at a time`;
      const id = `scan/base64/${step === base64.length ? "whole" : step}`;
      return speed(id, base64.length, { label: `Scan base64, ${steps}` }, () =>
        scanned(base64, step),
      );
    }),
  ];
}

function strings(): Piece[] {
  const text = json(prose(MB));
  const base64 = json("QUJD".repeat(MB / 4));
  return [
    speed("decode/prose", text.length, { label: "Decode a string of prose" }, () =>
      decodeString(text, 1, text.length - 1),
    ),
    speed("decode/base64", base64.length, { label: "Decode a string of base64" }, () =>
      decodeString(base64, 1, base64.length - 1),
    ),
  ];
}

function splices(): Piece[] {
  const body = shared(chatBody(1_024));
  const top = scanned(body, body.length);
  const [model, stream] = [member(top, "model"), member(top, "stream")];
  if (model === undefined || stream === undefined) throw new Error("the body lacks a member");
  return [
    time("splice", { label: "Splice: replace one member, remove one, add one" }, () =>
      splice(body, [
        { start: model.valueStart, end: model.valueEnd, replacement: encodeString("gpt-5.1") },
        ...memberEdits(top, [stream], ['"stream_options":{"include_usage":true}']),
      ]),
    ),
  ];
}

function json(value: unknown): Uint8Array {
  return shared(Buffer.from(JSON.stringify(value)));
}

function shared(source: Buffer): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(source.length));
  bytes.set(source);
  return bytes;
}

function scanned(bytes: Uint8Array, stepBytes: number): TopLevel {
  const scanner = new JsonScanner();
  for (let length = stepBytes; length < bytes.length; length += stepBytes) {
    scanner.grown(bytes, length);
  }
  scanner.grown(bytes, bytes.length);
  const top = scanner.finish(bytes, bytes.length);
  if ("reason" in top) throw new Error(`${top.reason} at ${top.offset}`);
  return top;
}
