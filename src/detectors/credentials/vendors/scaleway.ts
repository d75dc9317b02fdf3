import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const scaleway: readonly EntityDetector[] = [
  markedToken({
    id: "scaleway-access-key",
    entityType: "SCALEWAY_ACCESS_KEY",
    description: "Access key of Scaleway.",
    prefix: "SCW",
    body: "[A-Z0-9]{17}",
    examples: ["8I1EDWLJ5UQSOHGR9", "5IDEUAUI5T4V6JFGG"],
  }),
  assignedToken({
    id: "scaleway-secret-key",
    entityType: "SCALEWAY_SECRET_KEY",
    description: "Secret key of Scaleway.",
    owners: ["scaleway", "scw"],
    what: "(?:secret|token)",
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "secret_key",
    examples: ["0b233931-a53f-0a0b-52d0-7e0bd04ab300", "440698c8-998e-705b-7a7a-3d2e2425ba96"],
  }),
];
