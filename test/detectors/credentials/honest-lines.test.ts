import { describe, expect, it } from "vitest";
import { credentialDetectors } from "../../../src/detectors/credentials/catalog.ts";
import { EntityEngine } from "../../../src/detectors/entity-engine.ts";
import { code } from "./honest/code.ts";
import { commands } from "./honest/commands.ts";
import { emptyValues } from "./honest/empty-values.ts";
import { ids } from "./honest/ids.ts";
import { prose } from "./honest/prose.ts";
import { references } from "./honest/references.ts";
import { settings } from "./honest/settings.ts";
import { urls } from "./honest/urls.ts";
import { vendorMarks } from "./honest/vendor-marks.ts";

const engine = new EntityEngine(credentialDetectors);
const options = { categories: new Set(["credential"] as const), threshold: null };

/** What is found in each text in which something is. */
function findingsIn(texts: readonly string[]): (readonly [text: string, value: string])[] {
  return texts.flatMap((text) =>
    engine
      .scan(text, options)
      .map(({ start, end }): readonly [string, string] => [text, text.slice(start, end)]),
  );
}

describe("what documentation, templates, tests and code hold that is no secret", () => {
  it.each(
    Object.entries({
      code,
      commands,
      emptyValues,
      ids,
      prose,
      references,
      settings,
      urls,
      vendorMarks,
    }),
  )("%s", (_kind, texts) => {
    expect(findingsIn(texts)).toEqual([]);
  });

  it("is none between others either", () => {
    const all = [...settings, ...references, ...urls, ...commands];
    const before = "The settings of this service:\n\n";
    expect(findingsIn(all.map((text) => `${before}${text}\n\nThat is all.`))).toEqual([]);
  });
});
