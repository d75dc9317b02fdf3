import { hasEnded, sessionToken, signedOut } from "./session.ts";

/** A refusal in the form of the contract's envelope. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

export const gatewayPath = "/api/v1/gateway";
const timeoutMs = 30_000;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface CallOptions {
  readonly method?: Method;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** Calls with this key in place of the session. */
  readonly key?: string;
  /** For an answer without an end: only `signal` ends it. */
  readonly isStream?: boolean;
}

/** Calls an endpoint of this origin with the session. Throws `ApiError`. */
export async function request(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = "GET", body, signal, key, isStream = false } = options;
  const token = key === undefined ? sessionToken() : null;
  const signals = [
    ...(signal === undefined ? [] : [signal]),
    ...(isStream ? [] : [AbortSignal.timeout(timeoutMs)]),
  ];
  const response = await fetch(path, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(token === null ? {} : { "X-Svc-Session": token }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.any(signals),
  });
  if (response.ok) return response;
  // The page of a session that has ended says so by asking for a key.
  if (response.status === 401 && token !== null) signedOut(hasEnded);
  throw await errorOf(response);
}

/** The parsed answer. Its type is what the API documents. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  const response = await request(path, options);
  return (response.status === 204 ? null : await response.json()) as T;
}

async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("x-svc-request-id");
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return new ApiError(response.status, error.code, error.message, requestId);
  } catch {
    return new ApiError(response.status, "unknown", `HTTP ${response.status}`, requestId);
  }
}

/** `path?a=1&b=2`, without members that are empty. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}

/** The same call for a shell, with the key in a variable. */
export function curlOf(path: string, { method = "GET", body }: CallOptions = {}): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}${quoted(location.origin + path)}`,
    `-H "Authorization: Bearer $WEIR_KEY"`,
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}
