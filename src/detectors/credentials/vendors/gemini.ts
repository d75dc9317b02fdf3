import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const gemini: readonly EntityDetector[] = [
  assignedToken({
    id: "gemini-api-key",
    entityType: "GEMINI_API_KEY",
    description: "API key of Gemini without the usual prefix.",
    owners: ["gemini"],
    value: String.raw`AQ\.[\w-]{40,60}`,
    examples: [
      "AQ.iogxDalwtaTZbuVvlgLUHMIHiHOCC6vnnD9CNU2PzlzsZCs5Nv",
      "AQ.YHJS69pgBQdKR3wzTzGuwMLMFpdp9mb8AqXoqb4d4GOPg4mpKP",
    ],
  }),
];
