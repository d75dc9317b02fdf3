import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const hashicorpTerraform: readonly EntityDetector[] = [
  markedToken({
    id: "terraform-token",
    entityType: "TERRAFORM_TOKEN",
    description: "API token of HCP Terraform.",
    body: String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`,
    keywords: ["atlasv1"],
    examples: [
      "psqLRCggf2TVbm.atlasv1.LcfBBhMIS8zaHI15Ct9yBTA4VxVT7CX2mBGYpE639ZfsNth3fgCglujvsTE1RYqxBLm",
      "SRpgqgKLShrlef.atlasv1.d8ZvhBjzx8ISsbkbNLLvSIuaOMW3WKc6v1lbUkmk7Gw4b4o9HREGEN8FbJdFlXTUiUM",
    ],
  }),
];
