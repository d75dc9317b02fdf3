import { expect, test } from "vitest";
import { refuse } from "../../src/contract/errors.ts";
import { ControlPlane } from "../../src/endpoints/control-plane.ts";

const nobody = refuse("invalid_key", "nobody");
const plane = new ControlPlane({
  paths: ["/api/me", "/api/org/*"],
  upstream: { origin: "https://api.example.com", basePath: "" },
  findKey: () => nobody,
  limit: () => nobody,
  forward: () => Promise.reject(new Error("nothing is forwarded here")),
  records: () => undefined,
});

test.each([
  ["/api/me", true],
  ["/api/me/", false],
  ["/api/me/x", false],
  ["/api/mean", false],
  ["/api/org", false],
  ["/api/org/", false],
  ["/api/org/a/b", true],
  ["/api/organ", false],
  ["/v1/messages", false],
])("%s is covered: %s", (path, isCovered) => {
  expect(plane.covers(path)).toBe(isCovered);
});
