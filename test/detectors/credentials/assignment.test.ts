import RE2 from "re2";
import { describe, expect, it } from "vitest";
import {
  assigned,
  assignedPlain,
  assignedQuoted,
  keywordsOf,
  nameOf,
} from "../../../src/detectors/credentials/assignment.ts";

const value = "v7Tq2Lxk81cQ";
const name = "meadow_?token";
const valueOf = (fragment: string, text: string) =>
  new RE2(`${name}${fragment}(\\w{12})`, "iu").exec(text)?.[1] ?? null;

const quoted = [
  `meadow_token = "${value}"`,
  `meadowToken="${value}"`,
  `MEADOW_TOKEN := '${value}'`,
  `MEADOW_TOKEN ::= "${value}"`,
  `MEADOW_TOKEN ?= "${value}"`,
  `$meadowToken .= "${value}";`,
  `$meadowToken ??= '${value}';`,
  `meadowToken ||= "${value}"`,
  `if (meadowToken === "${value}")`,
  `"meadow_token": "${value}"`,
  `'meadow_token' => '${value}'`,
  `config["meadow_token"] = "${value}"`,
  `{\\"meadow_token\\":\\"${value}\\"}`,
  `let meadowToken: string = \`${value}\`;`,
  `let meadow_token: &'static str = "${value}";`,
  `meadow_token = b"${value}"`,
  `meadow_token = r'${value}'`,
  `meadow_token: @"${value}"`,
  `setMeadowToken("${value}")`,
  `put("meadow-token".replace("-", "_"), meadow_token, '${value}')`,
  `<add key="MeadowToken" value="${value}"/>`,
  `{"name": "MEADOW_TOKEN", "value": "${value}"}`,
  `{"name":"MEADOW_TOKEN","value":"${value}"}`,
  `{\\"name\\":\\"MEADOW_TOKEN\\",\\"value\\":\\"${value}\\"}`,
  `{"name":"MEADOW_TOKEN","type":"textbox","value":"${value}"}`,
  `meadow_token =\n    "${value}"`,
  `meadow_token <- "${value}"`,
  `meadowToken={"${value}"}`,
  `meadow_token                     = "${value}"`,
  `SET meadow_token = N'${value}'`,
  `**meadow_token:** \`${value}\``,
  `process.env.MEADOW_TOKEN || "${value}"`,
  `config.meadowToken ?? '${value}'`,
  `os.environ.get("MEADOW_TOKEN") or "${value}"`,
];
const plain = [
  `meadow_token=${value}`,
  `meadow_token: ${value}`,
  `MEADOW_TOKEN = ${value}`,
  `<meadowToken>${value}</meadowToken>`,
  `- name: MEADOW_TOKEN\n  value: ${value}`,
  `meadow_token: Bearer ${value}`,
  `?meadow_token=${value}&page=2`,
  `meadow_token%3D${value}`,
  `- textbox "Meadow_token" [active] [ref=e7]: ${value}`,
  `My meadow token is ${value}`.replace("meadow token", "meadowToken"),
  `| meadow_token | ${value} |`,
  `meadow_token                     = ${value}`,
  `meadow_token:                      ${value}`,
  `**meadow_token**: ${value}`,
  `meadow_token was ${value}`,
  `meadow_token lautet: ${value}`,
  `meadow_token — ${value}`,
  `meadow_token：${value}`,
];
const none = [
  `meadow_token ${value}`,
  `meadow_token\n${value}`,
  `meadow_token and then ${value}`,
  `meadow_tokens: ${value}`,
  `meadow_token = other.${value}`,
  `MEADOW_TOKEN=\n${value}`,
  `MEADOW_TOKEN=\n"${value}"`,
  `meadow_token =\n\n    "${value}"`,
  `meadow_tokenes ${value}`,
];

describe("assignedQuoted", () => {
  it.each(quoted)("%j", (text) => {
    expect(valueOf(assignedQuoted, text)).toBe(value);
    expect(valueOf(assigned, text)).toBe(value);
  });

  it.each([...plain, ...none])("not %j", (text) => {
    expect(valueOf(assignedQuoted, text)).toBeNull();
  });
});

describe("assignedPlain", () => {
  it.each(plain)("%j", (text) => {
    expect(valueOf(assignedPlain, text)).toBe(value);
  });

  it.each([...none, `f(meadowToken, ${value})`, `meadow_token:\n  ${value}`])("not %j", (text) => {
    expect(valueOf(assignedPlain, text)).toBeNull();
  });
});

describe("assigned", () => {
  it.each([`<meadowToken>\n    ${value}\n</meadowToken>`, `Meadow token:\n\n${value}`])(
    "%j",
    (text) => {
      expect(valueOf(assigned, text.replace("Meadow token", "MeadowToken"))).toBe(value);
    },
  );
});

describe("nameOf", () => {
  const names = (owners: readonly string[], what: string | null, text: string) =>
    new RE2(`^.*?${nameOf(owners, what)}$`, "iu").test(text);

  it.each([
    ["newRelicApiKey", true],
    ["NEW_RELIC_API_KEY", true],
    ["new-relic.key", true],
    ["KEY_FOR_NEW_RELIC", true],
    ["new_relic_host", false],
    ["new_relics", false],
  ])("%s is a key of New Relic's: %s", (text, expected) => {
    expect(names(["new relic"], "key", text)).toBe(expected);
  });

  it("does not look for a short owner within words", () => {
    expect(names(["lob"], null, "LOB_KEY")).toBe(true);
    expect(names(["lob"], null, "MY_LOB_KEY")).toBe(true);
    expect(names(["lob"], null, "global_key")).toBe(false);
  });
});

describe("keywordsOf", () => {
  it("spells an owner with every separator", () => {
    expect(keywordsOf(["okta", "new relic"])).toEqual([
      "okta",
      "newrelic",
      "new relic",
      "new_relic",
      "new-relic",
      "new.relic",
    ]);
  });
});
