import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const cloudinary: readonly EntityDetector[] = [
  markedToken({
    id: "cloudinary-url",
    entityType: "CLOUDINARY_URL",
    description: "Address of Cloudinary with its API secret.",
    prefix: "cloudinary://",
    body: String.raw`\d{13,16}:[\w-]{24,30}@[a-z0-9-]{2,40}`,
    examples: [
      "438661346204892:EfFMeR1JTsitsFncWfoML5PH8Sb@meadow",
      "851882493417988:4aV2iUBGMWyuLl5e65le9dqP4KN@meadow",
    ],
  }),
  assignedToken({
    id: "cloudinary-api-secret",
    entityType: "CLOUDINARY_SECRET",
    description: "API secret of Cloudinary.",
    owners: ["cloudinary"],
    what: "secret",
    value: String.raw`[\w-]{27}`,
    exampleName: "api_secret",
    examples: ["1ueZccSosPD4A1fRssRtDzrcHeF", "fYWrq81oy0nZukue4rk3JkWVS6Y"],
  }),
];
