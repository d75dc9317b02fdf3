import { useEffect, useRef, useState } from "preact/hooks";
import type { TailEnd } from "../../../src/contract/records-api.ts";
import { ApiError, request } from "../api.ts";
import { asError } from "../data.ts";
import { streamEvents } from "../event-stream.ts";
import type { RecordedRequest } from "../records.ts";
import { hasEnded, signedOut } from "../session.ts";

/** Rows that a tail keeps: the server tells as many in a second. */
export const keptRowsMax = 200;
/** A server that says nothing for three of its beats is gone. */
const silenceMsMax = 15_000;
/** Waits between two tries; the last one repeats. */
const waitsMs = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;
/** A stream that was open for so long begins with the shortest wait again. */
const steadyMs = 10_000;

export type TailState =
  | { readonly kind: "off" | "connecting" | "open" }
  /** Tries again by itself, about `seconds` later. */
  | { readonly kind: "waiting"; readonly why: string; readonly seconds: number }
  /** The call is refused for good. */
  | { readonly kind: "refused"; readonly why: string };

export interface Tail {
  readonly state: TailState;
  /** What came, newest first. */
  readonly rows: readonly RecordedRequest[];
  /** Whether older rows had to go. */
  readonly isCut: boolean;
  /** Records that came since the tail is on; the ones that came while it was paused. */
  readonly came: number;
  readonly cameMeanwhile: number;
  /** Records that the server did not tell, because there were too many. */
  readonly skipped: number;
  /** Connects anew, and reads the list again. */
  readonly restart: () => void;
}

interface Rows {
  readonly rows: readonly RecordedRequest[];
  readonly held: readonly RecordedRequest[];
  readonly isCut: boolean;
  readonly came: number;
  readonly cameMeanwhile: number;
  readonly skipped: number;
  /** While it was paused the connection was lost, so something may be missing. */
  readonly isStale: boolean;
}

const nothing: Rows = {
  ...{ rows: [], held: [], isCut: false },
  ...{ came: 0, cameMeanwhile: 0, skipped: 0, isStale: false },
};

/**
 * Follows new records of `path`; null: follows nothing. While it is paused, what comes is held back and counted.
 * `reload` reads the list below again: it holds what was recorded before the stream began to tell.
 */
export function useTail(path: string | null, isPaused: boolean, reload: () => void): Tail {
  const [state, setState] = useState<TailState>(off);
  const [told, setTold] = useState<Rows>(nothing);
  const [round, setRound] = useState(0);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const latest = useRef(told);
  const change = (next: Rows) => {
    latest.current = next;
    setTold(next);
  };
  useEffect(() => {
    change(nothing);
    if (path === null) {
      setState(off);
      return undefined;
    }
    const left = new AbortController();
    let isFirst = true;
    void follow(path, left.signal, setState, {
      opened: () => {
        if (left.signal.aborted) return;
        // A person who has paused reads: the list changes when they go on.
        if (paused.current && !isFirst) return change({ ...latest.current, isStale: true });
        isFirst = false;
        change({ ...nothing, came: latest.current.came });
        reload();
      },
      told: (rows, skipped) => {
        if (!left.signal.aborted) change(withNews(latest.current, rows, skipped, paused.current));
      },
    });
    return () => left.abort();
  }, [path, round, reload]);
  useEffect(() => {
    const { isStale, cameMeanwhile } = latest.current;
    if (isPaused || (cameMeanwhile === 0 && !isStale)) return;
    change(goneOn(latest.current));
    if (isStale) reload();
  }, [isPaused, reload]);
  const restart = () => setRound((one) => one + 1);
  return { ...told, state, restart };
}

const off: TailState = { kind: "off" };

function withNews(
  before: Rows,
  rows: readonly RecordedRequest[],
  skipped: number,
  isPaused: boolean,
): Rows {
  const newest = rows.toReversed();
  const next = {
    ...before,
    came: before.came + rows.length + skipped,
    skipped: before.skipped + skipped,
  };
  if (!isPaused) return { ...next, ...kept([...newest, ...before.rows], before.isCut) };
  return {
    ...next,
    held: [...newest, ...before.held].slice(0, keptRowsMax),
    cameMeanwhile: before.cameMeanwhile + rows.length + skipped,
  };
}

/** What was held back is shown. If some of it was dropped, all that is older goes as well: no hole is left. */
function goneOn({ rows, held, isCut, isStale, ...others }: Rows): Rows {
  const next = { ...others, held: [], cameMeanwhile: 0, isStale: false };
  if (isStale) return { ...next, rows: [], isCut: false, skipped: 0 };
  return { ...next, ...kept([...held, ...rows], isCut) };
}

function kept(rows: readonly RecordedRequest[], isCut: boolean): Pick<Rows, "rows" | "isCut"> {
  return { rows: rows.slice(0, keptRowsMax), isCut: isCut || rows.length > keptRowsMax };
}

interface Listener {
  readonly opened: () => void;
  readonly told: (rows: readonly RecordedRequest[], skipped: number) => void;
}

/** Reads the stream, and opens it again when it ends, until `signal`, the session's end or a refusal. */
async function follow(
  path: string,
  signal: AbortSignal,
  tell: (state: TailState) => void,
  listener: Listener,
): Promise<void> {
  const hasLeft = () => signal.aborted;
  let tries = 0;
  while (!hasLeft()) {
    tell({ kind: "connecting" });
    const beganMs = Date.now();
    const why = await readOnce(path, signal, {
      ...listener,
      opened: () => {
        tell({ kind: "open" });
        listener.opened();
      },
    });
    if (hasLeft()) return;
    if (why === null) return signedOut(hasEnded);
    if (why.isFinal) return tell({ kind: "refused", why: why.text });
    if (Date.now() - beganMs > steadyMs) tries = 0;
    // Browsers that lost the same gateway must not come back together.
    const waitMs = (waitsMs[tries] ?? waitsMs[5]) * (0.5 + Math.random() / 2);
    tries = Math.min(tries + 1, waitsMs.length - 1);
    tell({ kind: "waiting", why: why.text, seconds: Math.ceil(waitMs / 1000) });
    await elapsed(waitMs, signal);
  }
}

interface Why {
  readonly text: string;
  readonly isFinal: boolean;
}

/** Why one stream is over; null: the session has ended. */
async function readOnce(path: string, left: AbortSignal, listener: Listener): Promise<Why | null> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMsMax);
  try {
    const signal = AbortSignal.any([left, silence.signal]);
    const { body } = await request(path, { signal, isStream: true });
    if (body === null) return lost;
    for await (const events of streamEvents(body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMsMax);
      const rows: RecordedRequest[] = [];
      let skipped = 0;
      for (const { name, data } of events) {
        if (name === "open") listener.opened();
        else if (name === "record") rows.push(JSON.parse(data) as RecordedRequest);
        else if (name === "skipped") skipped += (JSON.parse(data) as { rows: number }).rows;
        else if (name === "end") return whyOf((JSON.parse(data) as { reason: TailEnd }).reason);
      }
      if (rows.length + skipped > 0) listener.told(rows, skipped);
    }
    return lost;
  } catch (failure) {
    if (!(failure instanceof ApiError)) return lost;
    const { status, message } = asError(failure);
    return { text: message, isFinal: status >= 400 && status < 500 && status !== 429 };
  } finally {
    clearTimeout(timer);
  }
}

const lost: Why = { text: "The connection is lost.", isFinal: false };

function whyOf(reason: TailEnd): Why | null {
  if (reason === "signed_out") return null;
  const text =
    reason === "shutdown" ? "The gateway stops." : "The records can't be asked at the moment.";
  return { text, isFinal: false };
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
