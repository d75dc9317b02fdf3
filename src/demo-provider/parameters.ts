import { fail, succeed, type Result } from "./provider-error.ts";

/** The parameters after the model's name: `echo?tokens=100&delay_ms=10&token_bytes=4`. */
export interface AnswerParameters {
  /** The number of tokens in the answer; null: those of the echoed text. */
  readonly tokens: number | null;
  /** UTF-8 bytes of a generated token; null: text is echoed, or 4 if `tokens` is set. */
  readonly tokenBytes: number | null;
  /** Wait before each token; a JSON answer waits for all of them before it begins. */
  readonly delayMs: number;
  /** Wait before the answer's headers. */
  readonly headersDelayMs: number;
}

export interface NamedModel {
  readonly model: string;
  readonly parameters: AnswerParameters;
}

/** Together with the largest token this allows an answer of 610 GiB, so every answer ends. */
export const tokensMax = 10_000_000;
export const tokenBytesMax = 65_536;
/** The longest wait: of one event, and of all waits of a JSON answer together. */
export const delayMsMax = 600_000;

const unset: AnswerParameters = { tokens: null, tokenBytes: null, delayMs: 0, headersDelayMs: 0 };

const parameterOfKey = new Map<string, { name: keyof AnswerParameters; min: number; max: number }>([
  ["tokens", { name: "tokens", min: 0, max: tokensMax }],
  ["token_bytes", { name: "tokenBytes", min: 1, max: tokenBytesMax }],
  ["delay_ms", { name: "delayMs", min: 0, max: delayMsMax }],
  ["headers_delay_ms", { name: "headersDelayMs", min: 0, max: delayMsMax }],
]);

/** Parses `name?key=value&…`. An unknown key or a value out of its bounds is `invalid_request`. */
export function parseModelName(name: string): Result<NamedModel> {
  const mark = name.indexOf("?");
  if (mark === -1) return succeed({ model: name, parameters: unset });
  const parameters: Record<keyof AnswerParameters, number | null> = { ...unset };
  for (const [key, text] of new URLSearchParams(name.slice(mark + 1))) {
    const parameter = parameterOfKey.get(key);
    if (parameter === undefined) return fail("invalid_request", `Unknown model parameter: ${key}`);
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= parameter.min && value <= parameter.max)) {
      const range = `${String(parameter.min)} to ${String(parameter.max)}`;
      return fail("invalid_request", `Model parameter ${key} must be an integer from ${range}`);
    }
    parameters[parameter.name] = value;
  }
  return succeed({
    model: name.slice(0, mark),
    parameters: {
      ...parameters,
      delayMs: parameters.delayMs ?? 0,
      headersDelayMs: parameters.headersDelayMs ?? 0,
    },
  });
}
