import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const expo: readonly EntityDetector[] = [
  assignedToken({
    id: "expo-token",
    entityType: "EXPO_TOKEN",
    description: "Access token of Expo.",
    owners: ["expo token", "expo access", "eas access"],
    what: null,
    value: String.raw`[\w-]{40}`,
    exampleName: "",
    examples: [
      "H25WAQZAmbylUG7p9jGGfcDtiAkmSe6p85JARHB7",
      "sSDq4ZYTHZjWq5YyVF307aEd31fRtg5gM4qapMHU",
    ],
  }),
];
