import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "../format.ts";
import { Mark } from "./basics.tsx";
import { keptRowsMax, type Tail } from "./tail.ts";

/** How often a screen reader is told how many came. */
const sayEveryMs = 5_000;

/** How a live tail stands: connected or not, what came while it was paused, and what is not shown. */
export function LiveStatus({
  tail,
  isPaused,
}: {
  readonly tail: Tail;
  readonly isPaused: boolean;
}) {
  const { state, cameMeanwhile, skipped, isCut, restart } = tail;
  if (state.kind === "off") return null;
  return (
    <div class="live actions" role="group" aria-label="Live tail">
      {state.kind === "connecting" ? <Mark kind="plain">Connecting…</Mark> : null}
      {state.kind === "open" ? (
        <Mark kind={isPaused ? "plain" : "good"}>
          {isPaused ? `Paused: ${count(cameMeanwhile)} came meanwhile` : "Live"}
        </Mark>
      ) : null}
      {state.kind === "waiting" ? (
        <>
          <Mark kind="warn">
            {state.why} Trying again in {state.seconds} s.
          </Mark>
          <button type="button" onClick={restart}>
            Try now
          </button>
        </>
      ) : null}
      {state.kind === "refused" ? <Mark kind="bad">{state.why}</Mark> : null}
      {skipped === 0 ? null : (
        <>
          <Mark kind="warn">+{count(skipped)} skipped</Mark>
          <button type="button" class="quiet" onClick={restart}>
            Read the latest
          </button>
        </>
      )}
      {isCut ? <span class="none">The latest {keptRowsMax} are shown.</span> : null}
      <Said tail={tail} isPaused={isPaused} />
    </div>
  );
}

/** Tells a screen reader how many messages came, now and then: each of them would be too much. */
function Said({ tail, isPaused }: { readonly tail: Tail; readonly isPaused: boolean }) {
  const latest = useRef(tail);
  latest.current = tail;
  const told = useRef(tail.came);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setInterval(() => {
      const { came } = latest.current;
      if (came < told.current) told.current = 0;
      const many = came - told.current;
      told.current = came;
      if (many === 0) return;
      const words = `${many} new ${many === 1 ? "message" : "messages"}`;
      setSaid(isPaused ? `${words}, held back` : words);
    }, sayEveryMs);
    return () => clearInterval(timer);
  }, [isPaused]);
  const { state } = tail;
  return (
    <span class="hidden" role="status">
      {state.kind === "waiting" || state.kind === "refused" ? state.why : said}
    </span>
  );
}
