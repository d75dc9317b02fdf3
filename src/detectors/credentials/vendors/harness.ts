import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const harness: readonly EntityDetector[] = [
  markedToken({
    id: "harness-api-key",
    entityType: "HARNESS_API_KEY",
    description: "Personal or service account token of Harness.",
    prefix: ["pat.", "sat."],
    body: String.raw`[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`,
    examples: [
      "VsGYj6v0UWe7plepET1X0t.bdayJh2SXZOg0c4A5g9oylf4.JqjIYREMqCW6DTT1QXjO",
      "9ipXdSo4ZCkoSkgN570vEr.ntJdUQsB81JbQTKzJWUgseGC.LHxrbESKxYcWzjo3wWff",
    ],
  }),
];
