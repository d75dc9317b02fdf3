import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const typeform: readonly EntityDetector[] = [
  markedToken({
    id: "typeform-token",
    entityType: "TYPEFORM_TOKEN",
    description: "Personal access token of Typeform.",
    prefix: "tfp_",
    body: String.raw`[\w.=-]{40,80}`,
    examples: [
      "icLQIlpAzXSc6GjqYDxZnEdYJpB0cLXjfi0AqdPO8YLhRwEwDD566YtHUqd",
      "iuPsPxp1n8IsiltRO0fpcfarlnaWD5Lfq8xW4s9odobk4welvE6gUgV321C",
    ],
  }),
];
