import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const planetscale: readonly EntityDetector[] = [
  markedToken({
    id: "planetscale-token",
    entityType: "PLANETSCALE_TOKEN",
    description: "Token or password of PlanetScale.",
    prefix: ["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
    body: String.raw`[\w=.-]{32,64}`,
    examples: [
      "wvthe28QwLm7db442xttoLTtmI9xhxT4l48w2ZsvGz7",
      "Y5gRNPfjrGyzt537kRRCr8y4Gd7kuuSFyHPutc8WpsP",
    ],
  }),
];
