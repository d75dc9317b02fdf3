import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const flyIo: readonly EntityDetector[] = [
  markedToken({
    id: "fly-io-token",
    entityType: "FLY_IO_TOKEN",
    description: "Access token of Fly.io.",
    prefix: "fo1_",
    body: String.raw`[\w-]{43}`,
    examples: [
      "K2LH6YAm0JfGpmDB5mbQy5ZviMZD7LCJKHUinISxWzQ",
      "VjCrkbTHUKckLzBdgJoVV1mduyhOinRLmsC7yv2SkvD",
    ],
  }),
  markedToken({
    id: "fly-io-macaroon",
    entityType: "FLY_IO_TOKEN",
    description: "Macaroon token of Fly.io.",
    prefix: ["fm1a_", "fm1r_", "fm2_"],
    body: "[A-Za-z0-9+/]{100,}={0,3}",
    examples: [
      "iUwJjhcHkr81Bv9s5AAousJzqJ5rZfd2eHRBPZ024zcq7NeQNQmEAp58WNmTCIKO83XFb6Kr1WZffoOKORVL5DpYKL4MR3u64xeQsYBW",
      "A8R2lLtZA3LFXoQrlBM7h6GWMLZubClLJ7ykXpMq1ymvRRzSCDOmLturR9NWQyC248sKsESm2k4CK29Z0Z5ytH6lm94lwUimxDTBI4vt",
    ],
  }),
];
