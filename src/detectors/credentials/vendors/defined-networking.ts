import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const definedNetworking: readonly EntityDetector[] = [
  markedToken({
    id: "defined-networking-token",
    entityType: "DEFINED_NETWORKING_TOKEN",
    description: "API token of Defined Networking.",
    prefix: "dnkey-",
    body: String.raw`[\w=-]{26}-[\w=-]{52}`,
    examples: [
      "98llbm9drrugs3utyh5ytniuyp-9xdbpnt8y81ir23hj7qelxaqhmr79fcj9agyhgvtupvf8e5svxg5",
      "88akzylbr9f9nghvjbs9xkdgwk-gvrt0c5z05jifo5z4ns7s6sceslau6livk3zh4fhdp3l1lliu5he",
    ],
  }),
];
