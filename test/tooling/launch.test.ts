import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allocatorEnv, nodeFlags } from "../../bench/launch.ts";

const read = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

test("what is measured is started as users start it", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const dockerfile = read("Dockerfile");
  for (const [name, value] of Object.entries(allocatorEnv)) {
    expect(scripts["start"]).toContain(`${name}=${value} `);
    expect(dockerfile).toContain(`${name}=${value}`);
  }
  const command = ["node", ...nodeFlags, "dist/main.js"];
  expect(scripts["start"]).toContain(command.join(" "));
  expect(dockerfile).toContain(command.map((word) => `"${word}"`).join(", "));
});
