import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { openApiPath, openApiText } from "../../scripts/generate-openapi.ts";
import { MessagesSecurityBlock } from "../../src/contract/error-schema.ts";
import { errorCodes } from "../../src/contract/errors.ts";
import { namedSchemas } from "../../src/openapi/named-schemas.ts";
import { scanAnswers, scanRequests } from "../../src/openapi/scan-examples.ts";
import type { ScanResponse } from "../../src/contract/scan-response.ts";
import { readScanRequest } from "../../src/contract/scan-request-reader.ts";
import { described, describedOperations, faults, type DescribedMedia } from "./described-api.ts";

const root = path.resolve(import.meta.dirname, "../..");

test("docs/openapi.json is current (node scripts/generate-openapi.ts writes it)", () => {
  expect(readFileSync(openApiPath, "utf8")).toBe(openApiText());
});

test("passes the lint of `npm run check`", async () => {
  const check = path.join(root, "scripts/check.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [check, "openapi"], { cwd: root });
  expect(stdout).toContain("ok     openapi");
});

test("is of version 3.1.0 and describes version 1.0.0 of the API (spec: Versioning 3)", () => {
  expect(described).toMatchObject({
    openapi: "3.1.0",
    info: { title: "Weir", version: "1.0.0" },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        serviceKey: { type: "apiKey", in: "header", name: "X-Svc-Api-Key" },
      },
    },
  });
});

const media: [where: string, media: DescribedMedia][] = describedOperations.flatMap(
  ({ path: at, method, operation }) => [
    ...Object.entries(operation.requestBody?.content ?? {}).map(
      ([type, one]): [string, DescribedMedia] => [`${method} ${at} takes ${type}`, one],
    ),
    ...Object.entries(operation.responses).flatMap(([status, response]) =>
      Object.entries(response.content ?? {}).map(([type, one]): [string, DescribedMedia] => [
        `${method} ${at} ${status} ${type}`,
        one,
      ]),
    ),
  ],
);

/** Named after a code, and not the messages wire's own form of a security block. */
function isEnvelope(name: string, value: unknown): boolean {
  return errorCodes.some((code) => code === name) && !Check(MessagesSecurityBlock, value);
}

describe("examples are what their schema says", () => {
  test.each(media)("%s", (_where, { schema, examples = {} }) => {
    for (const { value } of Object.values(examples)) expect(faults(schema, value)).toEqual([]);
  });

  test("and there are some for every body but this document's own", () => {
    const without = media.filter(([, { examples }]) => Object.keys(examples ?? {}).length === 0);
    expect(without.map(([where]) => where)).toEqual(["get /openapi.json 200 application/json"]);
  });

  // A provider's own error may be any object, so an envelope beside it is checked by its name.
  test("an error's example is its envelope", () => {
    const examples = media.flatMap(([, one]) => Object.entries(one.examples ?? {}));
    const envelopes = examples.filter(([name, { value }]) => isEnvelope(name, value));
    expect(envelopes.length).toBeGreaterThan(errorCodes.length);
    for (const [name, { value }] of envelopes) {
      expect(faults({ $ref: "#/components/schemas/ErrorEnvelope" }, value)).toEqual([]);
      expect(value).toMatchObject({ error: { code: name } });
    }
  });

  test("a wrong one would be found", () => {
    const schema = { $ref: "#/components/schemas/ScanResponse" };
    expect(faults(schema, { scan_id: "scan_0" })).not.toEqual([]);
  });
});

test("the gateway accepts every example of a scan request", () => {
  for (const { value } of Object.values(scanRequests)) {
    expect(readScanRequest(value)).toMatchObject({ ok: true });
  }
});

test("the offsets in the scan's examples slice the values out of the text", () => {
  const { input } = scanRequests["text"]?.value as { readonly input: string };
  const values = Object.values(scanAnswers).flatMap(({ value }) => {
    const { detections, custom_pattern_findings } = value as ScanResponse;
    return [...detections, ...custom_pattern_findings].map(({ start, end }) =>
      input.slice(start, end),
    );
  });
  expect(values).toEqual(["jane.doe@example.com", "INV-20417"]);
});

describe("operations", () => {
  test("have ids of their own", () => {
    const ids = describedOperations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(describedOperations)("$method $path: every response tells its headers", (one) => {
    for (const [status, { headers }] of Object.entries(one.operation.responses)) {
      expect(headers).toHaveProperty("X-Svc-Request-Id");
      expect("X-Svc-Error-Source" in headers).toBe(!status.startsWith("2"));
    }
  });

  test("the scan has the statuses of the contract", () => {
    expect(Object.keys(described.paths["/v1/security/scan"]?.["post"]?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "400", "401", "402", "403", "429", "500", "503"]),
    );
  });
});

describe("schemas", () => {
  test("are named once and referred to by name", () => {
    expect(Object.keys(described.components.schemas)).toEqual(Object.keys(namedSchemas));
    const texts = Object.values(namedSchemas).map((schema) => JSON.stringify(schema));
    expect(new Set(texts).size).toBe(texts.length);
    expect(described.components.schemas["ScanRequest"]).toMatchObject({
      anyOf: [
        { $ref: "#/components/schemas/DirectScanRequest" },
        { $ref: "#/components/schemas/ProviderScanRequest" },
      ],
    });
  });

  test("carry no keyword that OpenAPI does not know", () => {
    expect(openApiText()).not.toContain("errorMessage");
  });
});
