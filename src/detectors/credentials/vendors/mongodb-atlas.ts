import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const mongodbAtlas: readonly EntityDetector[] = [
  markedToken({
    id: "mongodb-atlas-client-secret",
    entityType: "MONGODB_ATLAS_SECRET",
    description: "Service account secret of MongoDB Atlas.",
    prefix: "mdb_sa_sk_",
    body: String.raw`[\w-]{40}`,
    examples: [
      "JI1xCTrpVds5ScA7wIoyxJIigz2TaB1MzmqXMLpD",
      "NfwRwQNQcbXcKNZagbsZl0OnTwMgKtmPzhRBOZjy",
    ],
  }),
  assignedToken({
    id: "mongodb-atlas-private-key",
    entityType: "MONGODB_ATLAS_SECRET",
    description: "Private API key of MongoDB Atlas.",
    owners: ["atlas"],
    what: "(?:private|api|key)",
    value: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    exampleName: "private_key",
    examples: ["e0c80b7b-a0aa-dce4-8336-687713c50a91", "65f082e1-0be1-8a8b-61a9-0234f8fb79a5"],
  }),
];
