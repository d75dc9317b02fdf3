import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lingerBytesMax, lingerIdleMsMax, lingerMsMax } from "../../../src/contract/limits.ts";
import { LingeringClose } from "../../../src/proxy/listener/lingering-close.ts";

describe("the bounds", () => {
  let closes = 0;
  let lingering: LingeringClose;
  beforeEach(() => {
    vi.useFakeTimers();
    closes = 0;
    lingering = new LingeringClose(() => (closes += 1));
  });
  afterEach(() => {
    lingering.stop();
    vi.useRealTimers();
  });

  test("the end of the body, behind the turn of the loop in which it came", () => {
    lingering.took(1, false);
    lingering.took(1, true);
    expect(closes).toBe(0);
    vi.advanceTimersByTime(0);
    vi.runAllTimers();
    expect(closes).toBe(1);
  });

  test("bytes", () => {
    lingering.took(lingerBytesMax, false);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(0);
    lingering.took(1, false);
    lingering.took(1, false);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(1);
  });

  test("silence", () => {
    vi.advanceTimersByTime(lingerIdleMsMax - 1);
    lingering.took(1, false);
    vi.advanceTimersByTime(lingerIdleMsMax - 1);
    expect(closes).toBe(0);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(1);
    lingering.took(1, true);
    vi.runAllTimers();
    expect(closes).toBe(1);
  });

  test("time, however it drips", () => {
    for (let ms = 0; ms < lingerMsMax; ms += 1_000) {
      expect(closes).toBe(0);
      lingering.took(1, false);
      vi.advanceTimersByTime(1_000);
    }
    vi.advanceTimersByTime(1);
    lingering.took(1, false);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(1);
  });

  test("a connection that is closed is not closed again", () => {
    lingering.took(1, true);
    lingering.stop();
    vi.runAllTimers();
    expect(closes).toBe(0);
  });
});
