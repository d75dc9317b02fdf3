/** The work of a part of the code for one request, on the thread that serves it. */
export interface CodeCounts {
  /** Modules with a function that runs for every request. */
  readonly files: number;
  readonly functions: number;
  /** Calls of them. */
  readonly calls: number;
}

/** The cost of one request for the loop, in counts and not in time; the mean of many requests. */
export interface Way {
  /** Counts of the program itself, `dist/`. */
  readonly own: CodeCounts;
  /** Counts of its packages. */
  readonly packages: CodeCounts;
  readonly promises: number;
  /** `queueMicrotask` and `process.nextTick`. */
  readonly ticks: number;
  /** Bytes of V8's heap, without a collection in between. */
  readonly heapBytes: number;
}

/** The probe answers each of these with `ProbeAnswer`, and its counts begin again after each. */
export type ProbeQuestion = "code" | "promises" | "heap";

export type ProbeAnswer =
  | { readonly about: "code"; readonly functions: readonly CalledFunction[] }
  | { readonly about: "promises"; readonly promises: number; readonly ticks: number }
  | { readonly about: "heap"; readonly usedBytes: number };

/** A function that has run since the previous question. */
export interface CalledFunction {
  readonly url: string;
  readonly calls: number;
}

/** A function is on a request's way if it runs for most of the requests. */
const share = 0.5;

/** Counts the functions that pass `is` and are on the way of `requests` requests. */
export function countsOf(
  functions: readonly CalledFunction[],
  requests: number,
  is: (url: string) => boolean,
): CodeCounts {
  const onTheWay = functions.filter(({ url, calls }) => is(url) && calls >= requests * share);
  const calls = onTheWay.reduce((sum, one) => sum + one.calls, 0) / requests;
  return {
    files: new Set(onTheWay.map(({ url }) => url)).size,
    functions: onTheWay.length,
    calls: Math.round(calls),
  };
}
