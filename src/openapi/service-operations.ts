import { Type, type TSchema } from "typebox";
import type { ErrorCode } from "../contract/errors.ts";
import { Alive, Ready, Version } from "../contract/service-schemas.ts";
import { errorResponses } from "./error-responses.ts";
import { headerReferences } from "./headers.ts";
import type { Operation, Response } from "./operation.ts";

/** Codes that every request may get before its endpoint: for ambiguous framing, and for a bug. */
const publicErrors: readonly ErrorCode[] = ["invalid_request", "internal_error"];

function answer(description: string, schema: TSchema, value: unknown): Response {
  return {
    description,
    headers: headerReferences(),
    content: {
      "application/json": { schema, examples: { answer: { summary: description, value } } },
    },
  };
}

export const getVersion: Operation = {
  operationId: "getVersion",
  summary: "Tell the release",
  description: "Which release serves requests. A route that is newer answers `unknown_route`.",
  tags: ["Service"],
  security: [],
  responses: {
    "200": answer("The release.", Version, {
      version: "1.0.0",
      commit: "9c1e07f",
      built_at: "2026-01-01T00:00:00.000Z",
    } satisfies Version),
    ...errorResponses(publicErrors),
  },
};

export const getHealth: Operation = {
  operationId: "getHealth",
  summary: "Tell whether the process answers",
  description: "Alive, whatever state its parts are in.",
  tags: ["Service"],
  security: [],
  responses: {
    "200": answer("The process answers.", Alive, { status: "alive" } satisfies Alive),
    ...errorResponses(publicErrors),
  },
};

export const getReadiness: Operation = {
  operationId: "getReadiness",
  summary: "Tell whether requests may be sent here",
  description:
    "Ready: the store is open and is written in time, scan workers are up, and no shutdown has begun.",
  tags: ["Service"],
  security: [],
  responses: {
    "200": answer("Requests may be sent here.", Ready, { status: "ready" } satisfies Ready),
    ...errorResponses([...publicErrors, "auth_unavailable", "detector_unavailable"]),
  },
};

export const getOpenApi: Operation = {
  operationId: "getOpenApi",
  summary: "Get this document",
  description: "The description of the API in OpenAPI 3.1.0.",
  tags: ["Service"],
  security: [],
  responses: {
    "200": {
      description: "This document.",
      headers: headerReferences(),
      content: {
        "application/json": {
          schema: Type.Object(
            { openapi: Type.Literal("3.1.0") },
            { description: "An OpenAPI document.", additionalProperties: true },
          ),
        },
      },
    },
    ...errorResponses(publicErrors),
  },
};
