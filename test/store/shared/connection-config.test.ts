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

test("gateways have one name at the server, whatever the URL says", () => {
  const url = "postgres://weir:p%40ss@db.example.com/weir?application_name=mine&options=-c%20a%3Db";
  const { connectionParameters } = new Client(connectionConfig(url)) as Client & {
    readonly connectionParameters: Readonly<Record<string, string>>;
  };
  expect(connectionParameters).toMatchObject({
    ...{ application_name: "weir", host: "db.example.com", password: "p@ss", options: "-c a=b" },
  });
});
