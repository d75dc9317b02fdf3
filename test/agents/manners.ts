/** How a client takes a refusal, as it was seen with the versions of `packages/package.json`. */
export interface Manner {
  /** Requests of a prompt that come at once: some ask for a title beside the answer. */
  readonly requestsPerPrompt: number;
  /** Requests of a prompt that meet a block, or a balance that is too low: 1, and its retries. */
  readonly blocked: number;
  /** Whether a prompt can go on with the session that was blocked. */
  readonly resumes: boolean;
  /** Whether the wait of a passing refusal is that of `Retry-After`; else it is the client's own. */
  readonly waits: boolean;
  /**
   * How often at most it asks where `x-should-retry` is `false`, by status: 1 honours it. null: for longer
   * than a test can wait.
   */
  readonly inVain: Readonly<Record<429 | 503, number>> | null;
  /** A status whose message the user is not told. */
  readonly hides: 429 | null;
}

const once: Manner = {
  requestsPerPrompt: 1,
  blocked: 1,
  resumes: false,
  waits: true,
  inVain: { 429: 1, 503: 1 },
  hides: null,
};

/** By the beginning of the client's name. */
const manners: readonly (readonly [prefix: string, manner: Manner])[] = [
  ["claude-code", { ...once, resumes: true }],
  // `stream_max_retries`, and for 503 `request_max_retries` within each.
  ["codex", { ...once, blocked: 6, resumes: true, inVain: { 429: 6, 503: 30 }, hides: 429 }],
  ["opencode", { ...once, requestsPerPrompt: 2, resumes: true, inVain: { 429: 6, 503: 6 } }],
  ["qwen-code", { ...once, resumes: true, inVain: null }],
  ["ai-sdk", { ...once, inVain: { 429: 3, 503: 3 } }],
  ["langchain", { ...once, waits: false, inVain: { 429: 7, 503: 7 } }],
];

export function mannerOf(client: string): Manner {
  return manners.find(([prefix]) => client.startsWith(prefix))?.[1] ?? once;
}
