import { expect, test } from "vitest";
import { mayUseModel } from "../../../src/pipeline/routing/allowed-models.ts";

test.each<[allowed: readonly string[] | null, model: string, aliases: string[], may: boolean]>([
  [null, "openai/gpt-5.1", [], true],
  [null, "", [], true],
  [[], "openai/gpt-5.1", ["small"], false],
  [["openai/gpt-5.1"], "openai/gpt-5.1", [], true],
  [["openai/gpt-5.1"], "openai/gpt-5.1-mini", [], false],
  [["openai/gpt-5.1"], "openai/gpt-5", [], false],
  [["openai/gpt-5.1"], "OpenAI/GPT-5.1", [], false],
  [["openai/gpt-5.1"], "azure/gpt-5.1", [], false],
  [["openai/gpt-5.1"], "gpt-5.1", [], false],
  [["small"], "openai/gpt-5-mini", ["small"], true],
  [["small"], "openai/gpt-5-mini", ["other"], false],
  [["openai/gpt-5-mini"], "openai/gpt-5-mini", ["small"], true],
  [["constructor"], "__proto__", ["toString"], false],
])("a key with %o may use %s, also known as %o: %s", (allowedModels, model, aliases, may) => {
  expect(mayUseModel({ allowedModels }, model, aliases)).toBe(may);
});
