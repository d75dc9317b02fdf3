import { readFileSync, statSync } from "node:fs";
import { Check, Errors } from "typebox/value";
import { ConfigurationFile } from "../contract/configuration-file.ts";
import type { ConfigurationFault } from "../contract/configuration.ts";
import { configurationBytesMax } from "../contract/limits.ts";
import { JsonReader } from "../json/reader.ts";
import { JsonScanner } from "../json/scanner.ts";
import { decodeString } from "../json/string.ts";

/** Reads and validates the file; undefined if it has faults. */
export function readConfigurationFile(
  path: string,
  mayBeMissing: boolean,
  faults: ConfigurationFault[],
): ConfigurationFile | undefined {
  const bytes = readBytes(path);
  if (bytes === "missing" && mayBeMissing) return {};
  if (typeof bytes === "string") {
    faults.push({ path, expected: expectedOfUnreadable[bytes] });
    return undefined;
  }
  const at = syntaxFault(bytes);
  if (at !== undefined) {
    faults.push({ path, expected: at });
    return undefined;
  }
  const repeated = repeatedMembers(new JsonReader(bytes));
  if (repeated.length > 0) {
    // JSON.parse takes the last member; a person who reads the file may see the first.
    const expected = "this member once, but it stands more than once";
    faults.push(...repeated.map((steps) => ({ path: pathText(steps), expected })));
    return undefined;
  }
  const value: unknown = JSON.parse(bytes.toString("utf8"));
  if (Check(ConfigurationFile, value)) return value;
  faults.push(...schemaFaults(value));
  return undefined;
}

const expectedOfUnreadable = {
  missing: "a configuration file, but there is none",
  unreadable: "a file that this process may read",
  "too large": `a file of at most ${configurationBytesMax} bytes`,
};

function readBytes(path: string): Buffer | keyof typeof expectedOfUnreadable {
  try {
    if (statSync(path).size > configurationBytesMax) return "too large";
    const bytes = readFileSync(path);
    return bytes.length >= 3 && bytes.readUIntBE(0, 3) === byteOrderMark
      ? bytes.subarray(3)
      : bytes;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT"
      ? "missing"
      : "unreadable";
  }
}

/** Editors on Windows write it, and JSON.parse refuses it. */
const byteOrderMark = 0xefbbbf;

/**
 * JSON.parse gives no position for some faults, and for others it quotes the text, which may hold secrets.
 */
function syntaxFault(bytes: Buffer): string | undefined {
  const result = new JsonScanner().finish(bytes, bytes.length);
  if (!("reason" in result)) return undefined;
  const before = bytes.subarray(0, result.offset).toString("utf8").split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  return `valid JSON (line ${before.length}, column ${column}: ${result.reason})`;
}

/**
 * The paths of members that stand twice in an object. The JSON must be valid and no deeper than the scanner
 * allows.
 */
function repeatedMembers(reader: JsonReader, steps: readonly string[] = []): string[][] {
  const found: string[][] = [];
  const type = reader.type();
  if (type !== "object" && type !== "array") {
    reader.skip();
    return found;
  }
  const names = new Set<string>();
  reader.enter();
  for (let i = 0; type === "object" ? reader.nextMember() : reader.nextItem(); i++) {
    const { bytes, keyStart, keyEnd } = reader;
    const step = type === "object" ? decodeString(bytes, keyStart, keyEnd) : String(i);
    if (names.has(step)) found.push([...steps, step]);
    names.add(step);
    found.push(...repeatedMembers(reader, [...steps, step]));
  }
  return found;
}

/** The parts of a JSON Schema that the walk below needs. */
interface SchemaNode {
  /** All of typebox's schemas have this member, so each of them is a `SchemaNode`. */
  readonly "~kind"?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly errorMessage?: string;
}

function schemaFaults(value: unknown): ConfigurationFault[] {
  const expectedAt = new Map<string, string>();
  const add = (steps: readonly string[], expected: string) => {
    const path = pathText(steps);
    if (!expectedAt.has(path)) expectedAt.set(path, expected);
  };
  for (const error of Errors(ConfigurationFile, value)) {
    const steps = pointerSteps(error.instancePath);
    if (error.keyword === "boolean") {
      add(steps, `no such member here, but ${knownMembers(schemaAt(steps.slice(0, -1)))}`);
    } else if (error.keyword === "required") {
      for (const name of error.params.requiredProperties) {
        const missing = [...steps, name];
        add(missing, `${schemaAt(missing).errorMessage ?? "a value"}, but it is missing`);
      }
    } else if (error.keyword !== "additionalProperties") {
      // Every unknown member has an error of its own, with the keyword "boolean".
      add(steps, schemaAt(steps).errorMessage ?? "another value");
    }
  }
  // A union also reports an error if one of its alternatives has an error further below.
  const paths = [...expectedAt.keys()];
  const isAbove = (path: string) =>
    paths.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
  return [...expectedAt]
    .filter(([path]) => !isAbove(path))
    .map(([path, expected]) => ({ path, expected }));
}

/** The schema at a path, or else the nearest one above it. */
function schemaAt(steps: readonly string[]): SchemaNode {
  let schema: SchemaNode = ConfigurationFile;
  for (const step of steps) {
    const properties = schema.properties ?? {};
    const next = Object.hasOwn(properties, step)
      ? properties[step]
      : (Object.values(schema.patternProperties ?? {})[0] ?? schema.items);
    if (next === undefined) return schema;
    schema = next;
  }
  return schema;
}

function knownMembers(parent: SchemaNode): string {
  if (parent.properties === undefined) return parent.errorMessage ?? "none";
  return `one of ${Object.keys(parent.properties).join(", ")}`;
}

function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** `providers[0].baseUrl`, `pricing.models["openai/gpt-5.1"]`. */
function pathText(steps: readonly string[]): string {
  const text = steps
    .map((step) => {
      if (/^\d+$/.test(step)) return `[${step}]`;
      return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join("");
  return text === "" ? "(the whole file)" : text.replace(/^\./, "");
}
