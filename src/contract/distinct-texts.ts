import { Type, type TSchema } from "typebox";

/**
 * The schema with another check of lists of texts that have to differ (`uniqueItems`). typebox hashes each
 * item byte by byte, in big integers: the first list of 1,024 models with 384 characters blocked the loop for
 * 11 ms, and one turn got thirty such lists of a burst.
 */
export function withDistinctTexts<const S extends TSchema>(schema: S): S {
  // The new schema accepts the same values.
  return changed(schema) as S;
}

function changed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(changed);
  if (typeof node !== "object" || node === null) return node;
  const { uniqueItems, ...others } = node as Readonly<Record<string, unknown>>;
  const members = Object.entries(others).map(([name, value]) => [name, changed(value)]);
  const copy = Object.fromEntries(members) as TSchema;
  if (uniqueItems !== true) return uniqueItems === undefined ? copy : { ...copy, uniqueItems };
  if (!isOfTexts(others["items"])) return { ...copy, uniqueItems };
  return Type.Refine(
    copy,
    (items) => !Array.isArray(items) || new Set(items).size === items.length,
  );
}

function isOfTexts(items: unknown): boolean {
  return typeof items === "object" && items !== null && "type" in items && items.type === "string";
}
