import { describe, expect, it } from "vitest";
import { isExamplePair } from "../../../src/detectors/credentials/example-pair.ts";

describe("isExamplePair", () => {
  it.each([
    ["user", "password"],
    ["username", "pass"],
    ["db_user", "db_password"],
    ["myuser", "mypassword"],
    ["", "password"],
    ["key", "secret"],
    ["access_key_id", "secret_access_key"],
    ["foo", "bar"],
    ["a", "b"],
    ["scott", "tiger"],
  ])("%s:%s", (user, password) => {
    expect(isExamplePair(user, password)).toBe(true);
  });

  it.each([
    ["user", "kT7vq2Lx"],
    ["meadow", "password"],
    ["root", "secret"],
    ["", "frosty-lake"],
    ["foo", "Winter2019"],
  ])("not %s:%s", (user, password) => {
    expect(isExamplePair(user, password)).toBe(false);
  });
});
