import { Type, type TSchema } from "typebox";
import type { ErrorCode } from "../contract/errors.ts";
import { keysPageDefault, keysPageMax } from "../contract/limits.ts";
import { errorResponses, type OtherBody } from "./error-responses.ts";
import { headerReferences } from "./headers.ts";
import type { Operation, Parameter, Response, Server, Tag } from "./operation.ts";

/** The keys API has its own listener (spec: `{keys_api_url}`). */
const servers: readonly Server[] = [
  {
    url: "http://127.0.0.1:8788",
    description: "The keys API of a gateway started with its defaults (GATEWAY_KEYS_PORT).",
  },
];

/** Codes that every endpoint may answer. */
const everywhere: readonly ErrorCode[] = [
  "invalid_request",
  "invalid_key",
  "forbidden",
  "internal_error",
  "auth_unavailable",
];
/** Further codes of endpoints with a body. `detector_unavailable`: too many bodies, or closed books. */
const ofBodies: readonly ErrorCode[] = ["request_too_large", "detector_unavailable"];

export interface KeysApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: Tag;
  /** Whether the path has an `{id}`. */
  readonly hasId?: boolean;
  /** Whether it takes `limit` and `cursor`, and `orgId` too. */
  /** Further ones. */
  readonly parameters?: readonly Parameter[];
  readonly lists?: "pages" | "pages of an organization";
  readonly body?: { readonly schema: TSchema; readonly value: unknown; readonly optional?: true };
  /** Absent: 204. */
  readonly answer?: {
    readonly schema: TSchema;
    readonly value: unknown;
    readonly status?: "201" | "202";
    /** Absent: JSON. */
    readonly type?: "text/csv" | "text/event-stream";
  };
  readonly errors?: readonly ErrorCode[];
  readonly otherErrors?: Readonly<Record<number, OtherBody>>;
}

/** An operation of the keys API, with the parts that all of them share. */
export function keysApiOperation(one: KeysApiOperation): Operation {
  const { operationId, summary, description, tag, body, answer } = one;
  const codes = [...everywhere, ...(body === undefined ? [] : ofBodies), ...(one.errors ?? [])];
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    servers,
    security: [{ bearer: [] }],
    ...parametersOf(one),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: {
              "application/json": {
                schema: body.schema,
                examples: { request: { summary, value: body.value } },
              },
            },
          },
        }),
    responses: {
      [answer === undefined ? "204" : (answer.status ?? "200")]: success(one),
      ...errorResponses([...new Set(codes)], one.otherErrors),
    },
  };
}

function success({ summary, answer }: KeysApiOperation): Response {
  const headers = headerReferences();
  if (answer === undefined) return { description: "It is done.", headers };
  const { schema, value, type = "application/json" } = answer;
  const examples = { answer: { summary, value } };
  return {
    description: "It is done.",
    headers,
    content: { [type]: { schema, examples } },
  };
}

function parametersOf({ hasId, lists, ...more }: KeysApiOperation): Pick<Operation, "parameters"> {
  const parameters = [
    ...(hasId === true ? [idParameter] : []),
    ...(lists === "pages of an organization" ? [orgIdParameter] : []),
    ...(lists === undefined ? [] : pageParameters),
    ...(more.parameters ?? []),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "The resource's `id`.",
  required: true,
  schema: Type.String(),
};

const orgIdParameter: Parameter = {
  name: "orgId",
  in: "query",
  description: "The organization. Default: the admin's own; for an operator all.",
  required: false,
  schema: Type.String(),
};

const pageParameters: readonly Parameter[] = [
  {
    name: "limit",
    in: "query",
    description:
      "The most rows to list. A page of large rows has fewer and ends at about 1 MiB: go on while there is a `nextCursor`.",
    required: false,
    schema: Type.Integer({ minimum: 1, maximum: keysPageMax, default: keysPageDefault }),
  },
  {
    name: "cursor",
    in: "query",
    description: "The `nextCursor` of the page before.",
    required: false,
    schema: Type.String(),
  },
];
