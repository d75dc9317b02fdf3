import type { DetectionLocation, Location, Segment } from "../../contract/scan.ts";
import type { Place } from "../segment/place.ts";

/** One row of `scanned.spans`. */
export interface SpanRow {
  readonly location: Location;
  readonly segment: Segment;
  tokens: number;
}

/** One row of `scanned.unscanned`. */
export interface UnscannedRow {
  readonly location: Location;
  tokens: number;
}

/** Counts tokens by place: leaves of one message and segment are one row (spec: Scan response). */
export class TokenRows {
  readonly #bytes: Uint8Array;
  readonly #spans = new Map<string, SpanRow>();
  readonly #unscanned = new Map<string, UnscannedRow>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get spans(): readonly SpanRow[] {
    return [...this.#spans.values()];
  }

  get unscanned(): readonly UnscannedRow[] {
    return [...this.#unscanned.values()];
  }

  /** Σ `spans[].tokens`. */
  get scannedTokens(): number {
    return this.spans.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** `segment` null: text of nobody in particular, which only entity detectors see. */
  scanned(place: Place, segment: Segment | null, tokens: number): void {
    const location = rowLocation(place.location(this.#bytes, false));
    const shown = segment ?? "user";
    const key = `${shown} ${JSON.stringify(location)}`;
    const row = this.#spans.get(key);
    if (row === undefined) this.#spans.set(key, { location, segment: shown, tokens });
    else row.tokens += tokens;
  }

  skipped(place: Place, tokens: number): void {
    const location = rowLocation(place.location(this.#bytes, false));
    const key = JSON.stringify(location);
    const row = this.#unscanned.get(key);
    if (row === undefined) this.#unscanned.set(key, { location, tokens });
    else row.tokens += tokens;
  }
}

/** The coarse location that a row has; a finding's leads further down. */
function rowLocation({ source, index, path = [] }: DetectionLocation): Location {
  switch (source) {
    case "system":
    case "tools":
      return { source };
    case "input":
      return index === undefined ? { source } : { source, index };
    case "messages":
      return index === undefined
        ? { source: "request", path: ["messages", ...path] }
        : { source, index };
    case "request":
      return { source, path };
  }
}
