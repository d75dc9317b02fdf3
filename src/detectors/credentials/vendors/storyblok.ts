import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const storyblok: readonly EntityDetector[] = [
  assignedToken({
    id: "storyblok-token",
    entityType: "STORYBLOK_TOKEN",
    description: "Access token of Storyblok.",
    owners: ["storyblok"],
    value: "[A-Za-z0-9]{22}tt",
    exampleName: "token",
    examples: ["UbCrxkXsnmeX4AtGxwsfCOtt", "q4JoVxJOiMV7A8HXuyiIuTtt"],
  }),
];
