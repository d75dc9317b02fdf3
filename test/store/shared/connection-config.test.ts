import { Client } from "pg";
import { expect, test } from "vitest";
import { connectionConfig } from "../../../src/store/shared/connection-config.ts";

test.each([
  ["postgres://weir@localhost/weir", false],
  ["postgres://weir@127.0.0.2/weir", false],
  ["postgres://weir@[::1]/weir", false],
  ["postgres://%2fvar%2frun/weir", false],
  ["postgres:///weir?host=/var/run/postgresql", false],
  ["postgres://weir@db.example.com/weir", true],
  // pg connects to the host of the parameter.
  ["postgres://weir@localhost/weir?host=db.example.com", true],
  // A name, although it begins like an address of this machine.
  ["postgres://weir@127.example.com/weir", true],
])("the certificate of %s is verified: %s", (url, isVerified) => {
  const { ssl } = connectionConfig(url);
  expect(ssl).toEqual(isVerified ? { rejectUnauthorized: true } : undefined);
  const { host } = new Client(connectionConfig(url));
  expect(/^(localhost|127\.0\.0\.\d|::1|\/.*)$/.test(host)).toBe(!isVerified);
});
