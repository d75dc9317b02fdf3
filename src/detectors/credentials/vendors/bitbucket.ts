import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const bitbucket: readonly EntityDetector[] = [
  markedToken({
    id: "bitbucket-token",
    entityType: "BITBUCKET_TOKEN",
    description: "App password or repository access token of Bitbucket.",
    prefix: ["ATBB", "ATCTT3"],
    body: String.raw`[\w=-]{150,250}|[A-Za-z0-9]{32}`,
    examples: ["g3qkynKxUsW4HWo3tIMfSbxxaryUTwrD", "YjABDwbVXLLEt9yZo7fwHq6o51pYIoX5"],
  }),
  assignedToken({
    id: "bitbucket-client-secret",
    entityType: "BITBUCKET_CLIENT_SECRET",
    description: "OAuth client secret of Bitbucket.",
    owners: ["bitbucket"],
    value: String.raw`[\w=-]{64}`,
    exampleName: "client_secret",
    examples: [
      "FBBJ1gvcCLAR4SrzFVaz70zFJlX5DC7ghCx4n4AEASn67opMa2AigDbvXeF6M3Kv",
      "doqPoCFOMFL4Xx6T2e1Ide3c6ykX2TbKmwJ2v4Kyqi9eF8lEuefsB3jFYG5me3v0",
    ],
  }),
  assignedToken({
    id: "bitbucket-client-id",
    entityType: "BITBUCKET_CLIENT_ID",
    description: "OAuth client id of Bitbucket.",
    owners: ["bitbucket"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "client_id",
    examples: ["iE4o4pTBZTx5b3CP1IdwkHOHWazyjXv7", "M7o4n0gXovFZU4T3jDPX9JZLgnjhagxj"],
  }),
];
