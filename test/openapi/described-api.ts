import { Compile } from "typebox/schema";
import { openApiDocument } from "../../src/openapi/document.ts";

/** The document as a client reads it: plain JSON, as far as tests look at it. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly schema: object }>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

export interface DescribedOperation {
  readonly operationId: string;
  /** Those that are written out, and references to others. */
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: "query" | "header" | "path";
  readonly required: boolean;
}

interface DescribedResponse {
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: DescribedContent;
}

type DescribedContent = Readonly<Record<string, DescribedMedia>>;

export interface DescribedMedia {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export const described = JSON.parse(JSON.stringify(openApiDocument())) as Document;

/** The operations with their path and method. */
export const describedOperations = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** What keeps a value from being what a schema of the document says; empty: nothing does. */
export function faults(schema: object, value: unknown): unknown[] {
  const validator = Compile({ components: described.components, ...schema });
  return validator.Check(value) ? [] : [...validator.Errors(value)[1]];
}

/** How an answer differs from what the document says of it; empty: it does not. */
export async function answerFaults(
  method: string,
  path: string,
  response: Response,
): Promise<unknown[]> {
  const text = await response.text();
  const status = String(response.status);
  const responses = described.paths[path]?.[method.toLowerCase()]?.responses ?? {};
  const expected = responses[status] ?? responses[`${status.charAt(0)}XX`];
  if (expected === undefined) return [`${method} ${path} says nothing of status ${status}`];
  return [
    ...bodyFaults(expected, response, text),
    ...[...response.headers].flatMap(([name, value]) => headerFaults(expected, name, value)),
    ...(response.headers.has("x-svc-request-id") ? [] : ["no request id"]),
    ...(response.status < 400 || response.headers.has("x-svc-error-source") ? [] : ["no source"]),
  ];
}

function bodyFaults(expected: DescribedResponse, response: Response, text: string): unknown[] {
  const type = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  if (expected.content === undefined) {
    return text === "" && type === "" ? [] : ["there is a body where none is said to be"];
  }
  const media = expected.content[type];
  if (media === undefined) return [`nothing is said of ${type}`];
  return faults(media.schema, type === "application/json" ? JSON.parse(text) : text);
}

/** A provider's own rate-limit headers, such as `x-ratelimit-limit-tokens`, are its affair. */
const ownHeader =
  /^(x-svc-.*|retry-after|x-ratelimit-(limit|remaining|reset|scope|org-limit|org-remaining))$/;

function headerFaults(expected: DescribedResponse, lowerName: string, value: string): unknown[] {
  if (!ownHeader.test(lowerName)) return [];
  const name = Object.keys(expected.headers).find((one) => one.toLowerCase() === lowerName);
  const schema = name === undefined ? undefined : described.components.headers[name]?.schema;
  if (schema === undefined) return [`nothing is said of the header ${lowerName}`];
  const isNumber = "type" in schema && schema.type === "integer";
  return faults(schema, isNumber ? Number(value) : value);
}
