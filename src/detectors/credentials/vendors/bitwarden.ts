import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const bitwarden: readonly EntityDetector[] = [
  assignedToken({
    id: "bitwarden-client-secret",
    entityType: "BITWARDEN_SECRET",
    description: "API client secret of Bitwarden.",
    owners: ["bitwarden", "bw client"],
    value: "[A-Za-z0-9]{30}",
    exampleName: "client_secret",
    examples: ["dn8GMAKsyjAHDeH0DZKqMo4YYiKhms", "FxII0kNyLkRnCjHURMMjSoZuDVZjNp"],
  }),
  assignedToken({
    id: "bitwarden-machine-token",
    entityType: "BITWARDEN_TOKEN",
    description: "Access token of Bitwarden Secrets Manager.",
    owners: ["bws", "bitwarden"],
    value: String.raw`0\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==`,
    exampleName: "access_token",
    examples: [
      "0.dd3ec5ba-a460-3407-1941-d1f35ac7cc6c.IBKWFl2IIeWV3oyV9XbzquqQ7VZIT6:Xlw0ez5mazkZ56iNkz8EvB==",
      "0.49c7e754-fa4c-ecc6-22d4-b59de3ffe54d.8Y6DSf8pZBI7g07YpJdt8tm7QqR8cj:lVQgsKhdNYDQhTlg5w4z8F==",
    ],
  }),
];
