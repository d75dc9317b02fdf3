import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { credentialDetectors } from "../../../src/detectors/credentials/catalog.ts";
import { credentialShapes } from "../../../src/detectors/credentials/shapes/catalog.ts";
import { vendorTokens } from "../../../src/detectors/credentials/vendors/catalog.ts";
import { EntityEngine } from "../../../src/detectors/entity-engine.ts";
import type { EntityDetector } from "../../../src/detectors/entity.ts";
import { alphabets, randomText, seededRandom } from "./seeded-random.ts";

const folder = new URL("../../../src/detectors/credentials/", import.meta.url);
const filesIn = (name: string) =>
  readdirSync(new URL(name, folder))
    .map((file) => file.replace(".ts", ""))
    .filter((file) => file !== "catalog");
const options = { categories: new Set(["credential"] as const), threshold: null };
const engine = new EntityEngine(credentialDetectors);
const scan = (text: string) =>
  engine
    .scan(text, options)
    .map(({ detector, start, end }) => [detector.entityType, text.slice(start, end)] as const);

describe("the catalog", () => {
  it("names every detector once", () => {
    const ids = credentialDetectors.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has every file of the shapes under its detector's name", () => {
    expect(credentialShapes.map(({ id }) => id).toSorted()).toEqual(filesIn("shapes").toSorted());
  });

  it("has every service", () => {
    expect(filesIn("vendors").length).toBeGreaterThan(300);
    expect(vendorTokens.length).toBeGreaterThanOrEqual(filesIn("vendors").length);
  });

  it.each(credentialDetectors.map((detector) => [detector.id, detector] as const))(
    "%s is well-formed",
    (id, { entityType, label, category, keywords, score, description, positives, negatives }) => {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(entityType).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)*$/);
      expect(label).toMatch(/^[A-Z0-9]+(_[A-Z0-9]+)*$/);
      expect(category).toBe("credential");
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(score).toBeGreaterThanOrEqual(0.5);
      expect(keywords.length).toBeGreaterThan(0);
      expect(keywords.filter((word) => word === "" || word !== word.toLowerCase())).toEqual([]);
      expect(positives.length).toBeGreaterThan(0);
      expect(negatives.length).toBeGreaterThan(0);
    },
  );
});

describe("the detectors together", () => {
  it("find every positive with its own type and exactly its value", () => {
    const missed = credentialDetectors.flatMap(({ id, entityType, positives }) =>
      positives
        .filter(([text, value]) => !has(scan(text), entityType, value))
        .map(([text]) => [id, text]),
    );
    expect(missed).toEqual([]);
  });

  it("find nothing of a type in its negatives", () => {
    const wrong = credentialDetectors.flatMap(({ id, entityType, negatives }: EntityDetector) =>
      negatives
        .filter((text) => scan(text).some(([found]) => found === entityType))
        .map((text) => [id, text]),
    );
    expect(wrong).toEqual([]);
  });
});

function has(found: ReturnType<typeof scan>, entityType: string, value: string): boolean {
  return found.some(([type, text]) => type === entityType && text === value);
}

/** What code, logs and prose are full of, with no secret in it. */
const ordinary = [
  "client_vpn_endpoint_id = aws_ec2_client_vpn_endpoint.client-vpn-endpoint.id",
  "credentialsId: '29f63271-dc2f-4734-8221-5b31b5169bac'",
  "X-Organization-AuthSource: sm02915.int.meadow.test",
  "MantleAPI_version=9a038989604e8da62ecddbe2094b16ce1b778be1",
  "secretName: my-app-tls-7d8f9c6b5",
  '"etag": "5d8c72a5edda8d6a"',
  "commit 9a038989604e8da62ecddbe2094b16ce1b778be1",
  "trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7",
  "id: 550e8400-e29b-41d4-a716-446655440000",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  'const tokens = tokenizer.encode("hello world 12345")',
  '"prompt_tokens": 12345678, "completion_tokens": 23456789',
  'token_type = "Bearer"; expires_in = 3600',
  'session.access_token = response.data["access_token"]',
  'api_key = os.environ["OPENAI_API_KEY"]',
  "apiKey: process.env.OPENAI_API_KEY",
  'password = input("Password: ")',
  "const passwordRegex = /^(?=.*[A-Z])(?=.*\\d).{8,}$/",
  "password: z.string().min(8).max(64)",
  "The token is invalid or has expired",
  "Your API key is stored in ~/.config/app/credentials.json",
  "secretKeyRef:\n  name: db-secret-v1\n  key: password",
  "Authorization: Bearer eyJhbGciOi...",
  "OPENAI_API_KEY=sk-...",
  "ssh git@git.meadow.test:org/repo.git",
  "Discord guild id: 718203645091827364",
  "heroku release id 3f0c9a1e-7b52-4d8e-9c06-52d1b7e9a4f3",
  "SSH_KEY=/home/user/.ssh/id_ed25519",
  "object_key: images/a8f5f167f44f4964e6c998dee827110c.png",
  "pwd=/home/user/project2",
  "passphrase: correct horse battery staple",
];

describe("ordinary text", () => {
  it.each(ordinary)("%j has no credential", (text) => {
    expect(scan(text)).toEqual([]);
  });

  it("of base64 and hex without a name has none", () => {
    const random = seededRandom(7);
    for (let line = 0; line < 300; line += 1) {
      const text = randomText(random, alphabets.base64, 76);
      const hash = randomText(random, alphabets.hex, 64);
      expect(scan(`${text}\n${text} ${hash}`)).toEqual([]);
    }
  });
});

describe("a service that nobody knows", () => {
  const shapes = [
    (name: string, value: string) => `export ${name.toUpperCase()}_TOKEN=${value}`,
    (name: string, value: string) => `{"${name}ApiKey": "${value}"}`,
    (name: string, value: string) => `${name}_secret: '${value}'`,
    (name: string, value: string) => `<${name}Token>\n  ${value}\n</${name}Token>`,
    (name: string, value: string) => `${name}Token ??= "${value}"`,
  ];

  it("has its keys found, exactly, wherever they are assigned", () => {
    const random = seededRandom(11);
    for (const alphabet of [alphabets.hex, alphabets.base36, alphabets.base62]) {
      for (let draw = 0; draw < 100; draw += 1) {
        const value = randomText(random, alphabet, 24 + (draw % 24));
        for (const shape of shapes) {
          expect(scan(shape("quillbay", value)).map(([, text]) => text)).toEqual([value]);
        }
      }
    }
  });
});
