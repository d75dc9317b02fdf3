import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const auth0: readonly EntityDetector[] = [
  assignedToken({
    id: "auth0-client-secret",
    entityType: "AUTH0_CLIENT_SECRET",
    description: "Client secret of Auth0.",
    owners: ["auth0"],
    what: "secret",
    value: String.raw`[\w-]{64}`,
    exampleName: "client_secret",
    examples: [
      "tVgghRc8sldXolM9Ph4QIy3qTaWsjwyBDZ4L5k2yySwX9KrhkysX4d3mfzzjwvbn",
      "vMdEceQPDKPL4RpRbgY0PEvVhWBoBX18wZwbPSLXf2tykQcqecbNK94JsmkwLTQ3",
    ],
  }),
];
