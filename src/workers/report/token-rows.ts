import { reportListBytesMax } from "../../contract/limits.ts";
import type { DetectionLocation, Location, Segment } from "../../contract/scan.ts";
import type { Place } from "../segment/place.ts";
import type { ReportJob } from "./report-job.ts";

/** How a row's text was treated: scanned as text of the user or of a tool, or not at all. */
type Fate = Segment | "unscanned";

interface Row {
  readonly location: Location;
  readonly fate: Fate;
  tokens: number;
}

/** A row as JSON without its location. */
const rowBytes = 64;

/**
 * Counts tokens by place: leaves of one message and segment are one row (spec: Scan response). Once the
 * locations of the rows have `reportListBytesMax` bytes, tokens of every other place are counted in the
 * row of the whole target, so that the sums stay correct.
 */
export class TokenRows {
  readonly #job: Pick<ReportJob, "bytes" | "target">;
  /** By fate and location, in the order of their first leaf. */
  readonly #rows = new Map<string, Row>();
  /** By the place of the row's location, because making a location takes longer with longer keys. */
  readonly #byPlace: Readonly<Record<Fate, Map<Place, Row>>> = {
    user: new Map(),
    tool: new Map(),
    unscanned: new Map(),
  };
  /** The top place of the last leaf. Leaves come in their order in the request. */
  #top: { readonly place: Place; readonly isOneRow: boolean } | null = null;
  #bytesLeft = reportListBytesMax;
  #scannedTokens = 0;
  #tokens = 0;

  constructor(job: Pick<ReportJob, "bytes" | "target">) {
    this.#job = job;
  }

  /** The member `scanned` of the response. */
  get json(): string {
    const spans: object[] = [];
    const unscanned: object[] = [];
    for (const { location, fate, tokens } of this.#rows.values()) {
      if (fate === "unscanned") unscanned.push({ location, tokens });
      else spans.push({ location, segment: fate, tokens });
    }
    return JSON.stringify({ spans, unscanned });
  }

  /** Σ `spans[].tokens`. */
  get scannedTokens(): number {
    return this.#scannedTokens;
  }

  /** The tokens of everything, scanned or not. */
  get tokens(): number {
    return this.#tokens;
  }

  /** `segment` null: the text belongs to no speaker, and only entity detectors read it. */
  scanned(place: Place, segment: Segment | null, tokens: number): void {
    this.#scannedTokens += tokens;
    this.#count(place, segment ?? "user", tokens);
  }

  skipped(place: Place, tokens: number): void {
    this.#count(place, "unscanned", tokens);
  }

  #count(place: Place, fate: Fate, tokens: number): void {
    this.#tokens += tokens;
    this.#row(place, fate).tokens += tokens;
  }

  #row(place: Place, fate: Fate): Row {
    const owner = this.#ownerOf(place);
    const known = this.#byPlace[fate].get(owner);
    if (known !== undefined) return known;
    if (this.#bytesLeft <= 0) return this.#rowAt(this.#wholeTarget(), fate);
    const row = this.#rowAt(rowLocation(owner.location(this.#job.bytes, false)), fate);
    this.#byPlace[fate].set(owner, row);
    return row;
  }

  #rowAt(location: Location, fate: Fate): Row {
    const json = JSON.stringify(location);
    this.#bytesLeft -= Buffer.byteLength(json) + rowBytes;
    const key = `${fate} ${json}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = { location, fate, tokens: 0 };
    this.#rows.set(key, row);
    return row;
  }

  /**
   * The place whose location is that of the row. A row of a message or a part includes everything
   * inside it.
   */
  #ownerOf(place: Place): Place {
    const { top } = place;
    if (this.#top?.place !== top) {
      const { source, index } = top.location(this.#job.bytes, false);
      const isOneRow = index !== undefined || !["messages", "request"].includes(source);
      this.#top = { place: top, isOneRow };
    }
    return this.#top.isOneRow ? top : place;
  }

  #wholeTarget(): Location {
    return this.#job.target === "input" ? { source: "input" } : { source: "request", path: [] };
  }
}

/** The coarse location of a row; a finding's location is more precise. */
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
