import { test } from "vitest";
import { compareReadings } from "./undici-comparison.ts";

test("20,000 responses are read as undici reads them", () => compareReadings(1_000_000, 20_000));
