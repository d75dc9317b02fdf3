import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api.ts";
import { call } from "../api.ts";
import { asError, useData, type Loaded, type Page } from "../data.ts";

/** A list of the API, page by page. `path` has a query. */
export function useList<T>(path: string): Loaded<Page<T>> & {
  readonly rows: readonly T[];
  readonly more: (() => void) | null;
} {
  const first = useData<Page<T>>(path);
  const [rest, setRest] = useState<Page<T> | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    setRest(null);
    setError(null);
  }, [path, first.value]);
  const cursor = rest === null ? (first.value?.nextCursor ?? null) : rest.nextCursor;
  const next = () => {
    call<Page<T>>(`${path}&cursor=${encodeURIComponent(cursor ?? "")}`).then(
      (page) =>
        setRest({ data: [...(rest?.data ?? []), ...page.data], nextCursor: page.nextCursor }),
      (failure: unknown) => setError(asError(failure)),
    );
  };
  return {
    ...first,
    error: first.error ?? error,
    rows: [...(first.value?.data ?? []), ...(rest?.data ?? [])],
    more: cursor === null ? null : next,
  };
}
