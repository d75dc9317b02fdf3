/** A part of a request that the staircase leaves out, by a module that stands in for the real one. */
export interface Part {
  readonly name: string;
  /** The end of the module's path in `dist/`. */
  readonly module: string;
  /** The source that is loaded instead. It has the exports that the program imports. */
  readonly source: string;
}

const admitted = "{ ok: true, value: null }";

/**
 * The parts in the order of the table. The program must never get an option that leaves out one of
 * them.
 */
export const parts: readonly Part[] = [
  {
    name: "records: log line, metrics, audit event, kept content",
    module: "/pipeline/record/request-records.js",
    source: "export const requestRecords = () => () => {};",
  },
  {
    name: "kept bodies alone",
    module: "/pipeline/record/kept-bodies.js",
    source: `export class KeptBodies {
      request = null; response = null; firstByteMs = null;
      keepRequest() {} showTo() {} begun() {} sent() {}
    }
    export const keptBody = () => null;
    export const keptText = () => null;`,
  },
  {
    name: "the injection scan",
    module: "/workers/pool/remembered-scans.js",
    source: `const verdict = { ok: true, value: { injection: { verdict: "allow", score: 0 }, worst: null, queuedMs: 0 } };
    export class RememberedScans { scan() { return verdict; } }`,
  },
  {
    name: "rate limits",
    module: "/pipeline/limits/rate-limits.js",
    source: `export class RateLimits {
      request() { return ${admitted}; } scan() { return ${admitted}; }
      scanUnits() { return ${admitted}; } passthrough() { return ${admitted}; }
    }`,
  },
  {
    name: "usage limits and budgets",
    module: "/pipeline/limits/usage-reservation.js",
    source: `export class UsageReservation {
      limitsTokens = false;
      reserve() { return ${admitted}; } answered() {} attempted() {} served() {} end() {}
      settle() { return []; }
    }`,
  },
  {
    name: "money: hold and debit",
    module: "/pipeline/money/payment.js",
    source: `export class FlushWaits { open = 0; }
    export class Payment {
      admissionHeaders = []; unchargedHeaders = [];
      static open() { return { ok: true, value: new Payment() }; }
      settle() {} settleWhole() { return []; } close() {}
    }
    export const admitFree = () => ({ ok: true, value: { streamed: [], whole: [] } });
    export const assumedPriceHeaders = () => [];`,
  },
];
