import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const mapbox: readonly EntityDetector[] = [
  markedToken({
    id: "mapbox-token",
    entityType: "MAPBOX_TOKEN",
    description: "Access token of Mapbox.",
    prefix: ["pk.", "sk.", "tk."],
    body: String.raw`eyJ[\w-]{50,200}\.[\w-]{22}|[a-z0-9]{60}\.[a-z0-9]{22}`,
    examples: [
      "sju4hew2v3vtp7ga8layu5ygemdc51lg3o4mphmwp0vrjw7bevdpno1sjjos.9mmlrwredmfvmmrym513e4",
      "43ttohkrekqm6grk01p3cfhoyjh359v2neaipjt9bxjvawus8xmqdjg5cjap.gty4qb2a1k6pilvw5qg3z0",
    ],
  }),
];
