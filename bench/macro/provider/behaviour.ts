/**
 * The provider's behaviour for a request. The beginning of the path selects it, so that the provider
 * never has to read a body: `/events/200/10/v1/chat/completions` is answered with 200 events, one
 * every 10 ms.
 */
export type Behaviour =
  /** A small JSON answer, `delayMs` after the whole body has come. */
  | { readonly kind: "json"; readonly delayMs: number }
  /** A small JSON answer with the number of received bytes. */
  | { readonly kind: "sink" }
  /** The same, with their CRC-32, which costs the provider time. */
  | { readonly kind: "checked-sink" }
  /** This many events, `everyMs` apart, the first at once; 0: as fast as the reader takes them. */
  | { readonly kind: "events"; readonly count: number; readonly everyMs: number };

/** The part of the path before `/v1/…`. */
export function pathOf(behaviour: Behaviour): string {
  if (behaviour.kind === "events") return `/events/${behaviour.count}/${behaviour.everyMs}`;
  return behaviour.kind === "json" ? `/json/${behaviour.delayMs}/0` : `/${behaviour.kind}/0/0`;
}

/** Undefined for a path that `pathOf` does not make. */
export function behaviourOf(path: string): Behaviour | undefined {
  const [, kind, first, second] = /^\/([a-z-]+)\/(\d+)\/(\d+)\/v1\//.exec(path) ?? [];
  if (kind === "json") return { kind, delayMs: Number(first) };
  if (kind === "sink" || kind === "checked-sink") return { kind };
  if (kind === "events") return { kind, count: Number(first), everyMs: Number(second) };
  return undefined;
}
