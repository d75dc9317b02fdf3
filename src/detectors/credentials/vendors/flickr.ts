import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const flickr: readonly EntityDetector[] = [
  assignedToken({
    id: "flickr-access-token",
    entityType: "FLICKR_TOKEN",
    description: "API key or access token of Flickr.",
    owners: ["flickr"],
    value: "[A-Za-z0-9]{32}",
    exampleName: "access_token",
    examples: ["2s2cxGDsNXvYeLMiK3OU5XH5zP4g9jCY", "bDv2RwXFoy42yQL81hiBiTmUkiTiUqsl"],
  }),
];
