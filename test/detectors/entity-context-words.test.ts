import { describe, expect, test } from "vitest";
import { ContextWords } from "../../src/detectors/context-words.ts";

const words = new ContextWords({
  context: { words: ["phone", "social security", "tél", "c++"], score: 0.8 },
  otherwise: ["order", "ref"],
});

function scoreIn(text: string, context = words): number {
  const start = text.indexOf("VALUE");
  return context.weigh(0.3, text, start, start + "VALUE".length);
}

describe("ContextWords", () => {
  test.each([
    ["before", "phone: VALUE", 0.8],
    ["after", "VALUE (phone)", 0.8],
    ["in capitals", "PHONE VALUE", 0.8],
    ["of two words", "Social  Security VALUE", 0.8],
    ["of two words as an identifier", "social_security=VALUE", 0.8],
    ["in an identifier", "phone_number=VALUE", 0.8],
    ["in camel case", "homePhoneNumber: VALUE", 0.8],
    ["beyond ASCII", "TÉL VALUE", 0.8],
    ["with signs", "c++ VALUE", 0.8],
    ["on the line before", "Phone\nVALUE", 0.8],
    ["as a part of another", "phonetics VALUE, telephone", 0.3],
    ["before a blank line", "phone\n \r\nVALUE", 0.3],
    ["after a blank line", "VALUE\n\nphone", 0.3],
    ["61 units before", `phone${" ".repeat(56)}VALUE`, 0.3],
    ["60 units before", `phone${" ".repeat(55)}VALUE`, 0.8],
    ["30 units after", `VALUE${" ".repeat(25)}phone`, 0.8],
    ["31 units after", `VALUE${" ".repeat(26)}phone`, 0.3],
    ["missing", "VALUE", 0.3],
    ["for something else", "order VALUE", 0],
    ["for something else, after it", "VALUE ref", 0],
    ["nearer than one for something else", "my order, phone VALUE", 0.8],
    ["farther than one for something else", "phone order VALUE", 0],
    ["as near as one for something else", "phone VALUE order", 0.8],
    ["for something else on the line before", "order\n| VALUE", 0],
    ["that heads another column", "phone,ref\nAnna,VALUE", 0.8],
    ["for something else 32 units before", `phone order${" ".repeat(27)}VALUE`, 0],
    ["for something else 33 units before", `phone order${" ".repeat(28)}VALUE`, 0.8],
  ])("a word %s", (_, text, score) => {
    expect(scoreIn(text)).toBe(score);
  });

  test("a score above the context's stays", () => {
    expect(words.weigh(0.9, "phone VALUE", 6, 11)).toBe(0.9);
  });

  test("without words the score stays", () => {
    expect(scoreIn("order VALUE", new ContextWords({}))).toBe(0.3);
    expect(scoreIn("phone VALUE", new ContextWords({ otherwise: ["order"] }))).toBe(0.3);
    expect(scoreIn("order VALUE", new ContextWords({ otherwise: ["order"] }))).toBe(0);
  });
});
