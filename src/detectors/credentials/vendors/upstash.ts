import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const upstash: readonly EntityDetector[] = [
  assignedToken({
    id: "upstash-token",
    entityType: "UPSTASH_TOKEN",
    description: "REST token of Upstash.",
    owners: ["upstash", "kv rest api"],
    what: "token",
    value: "A[A-Za-z0-9+/]{40,120}={0,2}",
    exampleName: "redis_rest_token",
    examples: [
      "A55GsLfV75jpBSCvmbaHjMOo7twqDHM7AxDTapTPREFNVrqb8ITsyty8",
      "A56iMg6LD5p32MNHZaxssbyzsjTd4qfo7n9FH4SJK3eVKMy682OhQ3UV",
    ],
  }),
];
