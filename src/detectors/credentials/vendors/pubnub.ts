import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const pubnub: readonly EntityDetector[] = [
  markedToken({
    id: "pubnub-key",
    entityType: "PUBNUB_KEY",
    description: "Publish or secret key of PubNub.",
    prefix: ["pub-c-", "sec-c-"],
    body: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9]{48}",
    examples: ["dccd236d-df75-9227-4e2f-dfe08b3e1a1a", "4c3f93d1-e6b8-eff9-ae81-4f64949a210f"],
  }),
];
