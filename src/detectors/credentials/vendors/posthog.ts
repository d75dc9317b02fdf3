import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const posthog: readonly EntityDetector[] = [
  markedToken({
    id: "posthog-key",
    entityType: "POSTHOG_KEY",
    description: "Project or personal API key of PostHog.",
    prefix: ["phc_", "phx_", "phs_"],
    body: "[A-Za-z0-9]{40,52}",
    examples: [
      "Wl2mqrwhyyd70wWRppH2rD8lQCbI58bPZYq62QDySDI",
      "bIF93RcWM7ZgDwk7a9N4YtdQY3cGbINu1cHxfFzZynw",
    ],
  }),
];
