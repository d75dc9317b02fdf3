/** The reasons for which a provider refuses a request. Each wire writes them in its own form. */
export type ErrorKind =
  | "invalid_request"
  | "authentication"
  | "permission"
  | "not_found"
  | "request_too_large"
  | "rate_limit"
  | "server"
  | "overloaded";

export interface ProviderError {
  readonly kind: ErrorKind;
  readonly message: string;
}

export const statusOf: Readonly<Record<ErrorKind, number>> = {
  invalid_request: 400,
  authentication: 401,
  permission: 403,
  not_found: 404,
  request_too_large: 413,
  rate_limit: 429,
  server: 500,
  overloaded: 529,
};

/** A value, or the error that the provider answers with. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ProviderError };

export function succeed<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(kind: ErrorKind, message: string): { ok: false; error: ProviderError } {
  return { ok: false, error: { kind, message } };
}
