import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const spotify: readonly EntityDetector[] = [
  assignedToken({
    id: "spotify-client-secret",
    entityType: "SPOTIFY_SECRET",
    description: "Client secret of Spotify.",
    owners: ["spotify"],
    what: "(?:secret|token|key)",
    value: "[0-9a-f]{32}",
    exampleName: "client_secret",
    examples: ["80c22b7062246cdbf2788a58680d69fd", "501f81a9e9eff28b958cf63b7739dd25"],
  }),
];
