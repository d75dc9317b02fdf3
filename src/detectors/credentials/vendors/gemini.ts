import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const gemini: readonly EntityDetector[] = [
  markedToken({
    id: "gemini-bound-api-key",
    entityType: "GEMINI_API_KEY",
    description: "API key of Gemini that is bound to a service account.",
    prefix: "AQ.Ab8RN6",
    body: String.raw`[\w-]{34,54}`,
    examples: [
      "jafQ4gGnRfXB-kg8QysD4FIS0Xzm41PB2qs353f2Huu6",
      "mXrxWUREVXXPHzGIz3qyV4J1TQt7fr_Rgjix7YSdn60L",
    ],
  }),
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
