import { describe, expect, it } from "vitest";
import {
  couldBePassword,
  couldBeTypedPassword,
} from "../../../src/detectors/credentials/chosen-password.ts";

describe("couldBePassword", () => {
  it.each([
    "Winter2019",
    "quietFox71",
    "hunter2",
    "Meadow_6273",
    "Meadow-4672",
    "meadow.2019",
    "Meadow!71q",
    "kT7vq2Lx",
    "zp31n-Q8w",
    "Tr0ub4dor&3",
    "qzxkvbwpjtgh",
    "Harbor-Tulip-2291",
    "Meadow-19-Delta",
    "4lantern_Copper",
    "v7Tq2Lxk81cQn4Vt90Zp=",
    "kT7(vq)2Lx",
    "*Meadow71",
    Buffer.from("frosty-lake-71").toString("base64"),
  ])("%j", (value) => {
    expect(couldBePassword(value)).toBe(true);
  });

  it.each([
    "",
    "abc",
    "true",
    "required",
    "password",
    "string",
    "changeme1!",
    "12345678",
    "qwerty123456",
    "correcthorse",
    "config.database.password1",
    "users[0].password",
    "this->password",
    "Uint8Array",
    "newPassword2",
    "/run/secrets/db1",
    "--max-semi-space-size=16",
    "https://meadow.test/a1",
    "$PASSWORD",
    "%PASSWORD1%",
    "my-password-1",
    "redis-7",
    "meadow-db-2019",
    "Meadow_Copper_1",
    "12-Mar-2024",
    "Rev-2-Bus",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
    "file:/run/secrets/db1",
    "env:DB_PASSWORD_1",
    "secretsmanager:prod/db1",
    "keyvault:meadow-db1",
    "string2",
    "string(8..64)",
    "required|string|min:8",
    "*db_pass",
    "2.0**self.bits",
    "size=42",
    "&next=page2",
    "0x0B96",
    "10m30s",
    "localhost:5432",
    "db71.sqlite.db",
    "$2b$12$v7Tq2Lxk81cQn4Vt90ZpWu",
    "pbkdf2_sha256$260000$meadow$v7Tq2Lxk81=",
    "{SSHA}v7Tq2Lxk81cQn4Vt90ZpWm5Y",
    Buffer.from("password1").toString("base64"),
    "********",
  ])("not %j", (value) => {
    expect(couldBePassword(value)).toBe(false);
  });
});

describe("couldBeTypedPassword", () => {
  it.each([
    ["frosty-lake", true],
    ["kT7vq2Lx", true],
    ["password", false],
    ["${PASSWORD}", false],
    ["<password>", false],
    ["123456", false],
    ["config.password", false],
    [":password", false],
    ["password]", false],
    [Buffer.from("secret").toString("base64"), false],
  ])("%j: %s", (value, expected) => {
    expect(couldBeTypedPassword(value)).toBe(expected);
  });
});
