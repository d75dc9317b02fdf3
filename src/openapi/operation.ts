import type { TSchema } from "typebox";

/** The parts of OpenAPI 3.1 that the document uses. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [Tag];
  /** If absent, the document's default applies: the gateway. */
  readonly servers?: readonly Server[];
  /** If empty, the operation is public. If absent, the document's default applies: a service key. */
  readonly security?: readonly Readonly<Record<string, readonly []>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: MediaContent };
  readonly responses: Responses;
}

export interface Server {
  readonly url: string;
  readonly description: string;
}

export type Tag =
  | "Models"
  | "Security scan"
  | "Account"
  | "Keys"
  | "Usage limits"
  | "Organizations"
  | "Providers"
  | "Policies"
  | "Records"
  | "Audit log"
  | "Sessions"
  | "Service";

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header" | "path";
  readonly description: string;
  readonly required: boolean;
  readonly schema: TSchema;
}

export function inQuery(
  name: string,
  description: string,
  schema: TSchema,
  required = false,
): Parameter {
  return { name, in: "query", description, required, schema };
}

/** By status, or by a class of them such as `4XX`. */
export type Responses = Readonly<Record<string, Response>>;

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  /** Absent: there is no body. */
  readonly content?: MediaContent;
}

/** By media type. */
export type MediaContent = Readonly<Record<string, MediaType>>;

export interface MediaType {
  readonly schema: TSchema;
  readonly examples?: Examples;
}

export type Examples = Readonly<Record<string, Example>>;

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Header {
  readonly description: string;
  readonly schema: TSchema;
}

export interface Reference {
  readonly $ref: string;
}
