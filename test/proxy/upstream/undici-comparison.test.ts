import { test } from "vitest";
import { compareReadings } from "./undici-comparison.ts";

test("what undici reads of a response, right or wrong, is what is read here", () =>
  compareReadings(1, 600));
