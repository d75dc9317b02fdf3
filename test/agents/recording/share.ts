/** Every turn of a session repeats the turns before: what stands twice is written once. */

const sharedBytesMin = 160;
const reference = "$shared";

export interface Shared {
  readonly shared: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

export function share(value: unknown): Shared {
  const counts = new Map<string, number>();
  count(value, counts);
  const names = new Map<string, string>();
  const shared: Record<string, unknown> = {};

  function short(part: unknown): unknown {
    if (typeof part === "string" || (typeof part === "object" && part !== null)) {
      const json = JSON.stringify(part);
      if (json.length >= sharedBytesMin && (counts.get(json) ?? 0) > 1) {
        const known = names.get(json);
        if (known !== undefined) return { [reference]: known };
        const name = `s${names.size + 1}`;
        names.set(json, name);
        shared[name] = inner(part);
        return { [reference]: name };
      }
    }
    return inner(part);
  }

  function inner(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(short);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, short(member)]));
  }

  const whole = inner(value);
  return { shared, value: whole };
}

function count(part: unknown, counts: Map<string, number>): void {
  if (typeof part !== "string" && (typeof part !== "object" || part === null)) return;
  const json = JSON.stringify(part);
  if (json.length < sharedBytesMin) return;
  const before = counts.get(json) ?? 0;
  counts.set(json, before + 1);
  // What lies in something that is shared as a whole need not be shared itself.
  if (before > 0 || typeof part === "string") return;
  for (const member of Object.values(part)) count(member, counts);
}

export function unshare({ shared, value }: Shared): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => unshare({ shared, value: item }));
  if (typeof value !== "object" || value === null) return value;
  const name = (value as Readonly<Record<string, unknown>>)[reference];
  if (typeof name === "string") return unshare({ shared, value: shared[name] });
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key,
      unshare({ shared, value: member }),
    ]),
  );
}
