import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const docker: readonly EntityDetector[] = [
  markedToken({
    id: "docker-token",
    entityType: "DOCKER_TOKEN",
    description: "Personal or organization access token of Docker Hub.",
    prefix: ["dckr_pat_", "dckr_oat_"],
    body: String.raw`[\w-]{27,32}`,
    examples: ["Znjh2ikiYuI0kZ2fUZoFW3GfLoF", "B9oih1vUZ7t5gWiVbQk5V0reRwE"],
  }),
  markedToken({
    id: "docker-swarm-token",
    entityType: "DOCKER_SWARM_TOKEN",
    description: "Join or unlock key of a Docker swarm.",
    prefix: ["SWMTKN-1-", "SWMKEY-1-"],
    body: "[a-z0-9]{50}-[a-z0-9]{25}|[A-Za-z0-9+/]{43}",
    examples: [
      "pccdexp4wjnl78k8cvmzpp0ofpfbcad2zupsw402apmk06hgpo-inzd3soocvy8t5dkggaeglalt",
      "bu3loy7mcbl1sp0ygo2c11175g83og5i6qfwwlm4byv98xd1mj-wk6b6brahywtq81ztgk13v2m7",
    ],
  }),
];
