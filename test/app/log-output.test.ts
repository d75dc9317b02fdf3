import { describe, expect, test } from "vitest";
import { LogOutput } from "../../src/app/log-output.ts";
import { LogReader } from "../../src/app/log-reader.ts";
import { packedLine } from "../../src/contract/packed-log.ts";
import { ringBuffer, RingReader, RingWriter } from "../../src/runtime/ring.ts";

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** An output that takes so many bytes of a write, or fails with a code. */
function recorded(takes: () => number | string = () => Infinity) {
  const calls: string[] = [];
  const told = { times: 0 };
  const output = new LogOutput(
    (bytes) => {
      const taken = takes();
      if (typeof taken === "string") throw failure(taken);
      calls.push(Buffer.from(bytes.subarray(0, taken)).toString());
      return Math.min(taken, bytes.length);
    },
    () => (told.times += 1),
  );
  return { calls, told, output };
}

describe("the output of the log", () => {
  test("what a write did not take goes with the next one", () => {
    const { calls, output } = recorded(() => 2);
    expect(output.write("abcde")).toBe(true);
    expect(calls).toEqual(["ab", "cd", "e"]);
  });

  test("a full disk costs lines and nothing else, and is told of once and when there is room", () => {
    let room = false;
    const { calls, told, output } = recorded(() => (room ? Infinity : "ENOSPC"));
    for (let i = 0; i < 3; i += 1) expect(output.write(`${i}\n`)).toBe(true);
    expect([calls, told.times]).toEqual([[], 1]);
    room = true;
    output.write("4\n");
    expect(calls[0]).toBe("4\n");
    expect(JSON.parse(calls[1] ?? "")).toMatchObject({ level: 40, dropped: 3 });
    output.write("5\n");
    expect(calls.slice(2)).toEqual(["5\n"]);
  });

  test("a reader that stands still is waited for, and loses nothing", () => {
    let stands = true;
    const { calls, told, output } = recorded(() => (stands ? "EAGAIN" : Infinity));
    expect([output.write("a\n"), output.goOn(), output.isIdle]).toEqual([false, false, false]);
    stands = false;
    expect([output.goOn(), output.isIdle]).toEqual([true, true]);
    expect([calls, told.times]).toEqual([["a\n"], 0]);
  });

  test("lines that are given up are counted and told of", () => {
    let stands = true;
    const { calls, told, output } = recorded(() => (stands ? "EAGAIN" : Infinity));
    output.write("a\nb\n");
    output.dropRest();
    stands = false;
    expect([output.isIdle, output.goOn(), told.times]).toEqual([true, true, 1]);
    expect(JSON.parse(calls[0] ?? "")).toMatchObject({ dropped: 2 });
  });
});

describe("the reader of packed lines", () => {
  function opened(takes?: () => number | string) {
    const buffer = ringBuffer(256);
    const writer = new RingWriter(buffer);
    const { calls, told, output } = recorded(takes);
    const reader = new LogReader(new RingReader(buffer), output);
    const log = (line: string): boolean => writer.write(packedLine(line));
    return { buffer, output, reader, log, calls, told };
  }

  test("writes lines together, in their order", () => {
    const { reader, log, calls } = opened();
    for (const line of ["a\n", "b\n", "é\n"]) log(line);
    expect(reader.write()).toBe(true);
    expect(calls).toEqual(["a\nb\né\n"]);
  });

  test("tells how many lines a full ring has not taken, and gives room back once lines are written", () => {
    let stands = true;
    const { reader, log, calls, told } = opened(() => (stands ? "EAGAIN" : Infinity));
    const line = `${"x".repeat(50)}\n`;
    expect([log(line), log(line), log(line)]).toEqual([true, true, true]);
    expect(reader.write()).toBe(false);
    expect([log(line), log(line), log(line)]).toEqual([true, false, false]);
    expect(told.times).toBe(0);
    expect(reader.write()).toBe(false);
    expect(told.times).toBe(1);
    stands = false;
    expect(reader.write()).toBe(true);
    expect(calls[0]).toBe(line.repeat(3));
    expect(JSON.parse(calls[1] ?? "")).toMatchObject({ dropped: 2 });
    expect(calls.join("").match(/x\n/g)?.length).toBe(4);
    expect([log(line), told.times]).toEqual([true, 1]);
  });

  test("one that goes on for another begins with what is not written", () => {
    const { buffer, reader, log } = opened(() => "EAGAIN");
    log("a\n");
    expect(reader.write()).toBe(false);
    log("b\n");
    const { calls, output } = recorded();
    new LogReader(new RingReader(buffer), output).write();
    expect(calls).toEqual(["a\nb\n"]);
  });
});
