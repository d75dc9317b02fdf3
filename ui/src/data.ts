import { useCallback, useEffect, useState } from "preact/hooks";
import { call, ApiError } from "./api.ts";

export interface Loaded<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** How soon a question is asked again that the gateway could not answer yet. */
const againMs = 2_000;

/**
 * What a path answers; asked again when the path changes or `reload` is called, and by itself while the gateway says
 * that it can't answer yet (503). null asks nothing.
 */
export function useData<T>(path: string | null): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>(asking);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) {
      setState({ value: null, error: null, loading: false });
      return undefined;
    }
    const left = new AbortController();
    let again: number | undefined;
    setState((before) => ({ ...before, loading: true }));
    call<T>(path, { signal: left.signal }).then(
      (value) => {
        if (!left.signal.aborted) setState({ value, error: null, loading: false });
      },
      (error: unknown) => {
        if (left.signal.aborted) return;
        const failure = asError(error);
        setState({ value: null, error: failure, loading: false });
        if (failure.status === 503) again = setTimeout(() => setRound((one) => one + 1), againMs);
      },
    );
    return () => {
      left.abort();
      clearTimeout(again);
    };
  }, [path, round]);
  const reload = useCallback(() => setRound((one) => one + 1), []);
  return { ...state, reload };
}

const asking = { value: null, error: null, loading: true };

export function asError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, "unreachable", "The gateway can't be reached.", null);
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

export interface Data<T> {
  readonly data: T;
}
