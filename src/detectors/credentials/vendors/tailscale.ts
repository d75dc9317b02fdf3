import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const tailscale: readonly EntityDetector[] = [
  markedToken({
    id: "tailscale-key",
    entityType: "TAILSCALE_KEY",
    description: "Auth, API, client or webhook key of Tailscale.",
    prefix: [
      "tskey-auth-",
      "tskey-api-",
      "tskey-client-",
      "tskey-webhook-",
      "tskey-scim-",
      "tskey-",
    ],
    body: "[A-Za-z0-9]{6,24}(?:CNTRL)?-[A-Za-z0-9]{16,48}",
    examples: [
      "kjMicplFkE9CNTRL-A3lQdEpjh8hJ4AAhKLekAz98l6gj6tk4",
      "kZhsErBEeClCNTRL-qW9FhTmvcLLtVoUAFx3mHs3RRvWzTiq2",
    ],
  }),
];
