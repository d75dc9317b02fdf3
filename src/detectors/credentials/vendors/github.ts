import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const github: readonly EntityDetector[] = [
  markedToken({
    id: "github-token",
    entityType: "GITHUB_TOKEN",
    description: "Personal, OAuth, app or refresh token of GitHub.",
    prefix: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    body: "[A-Za-z0-9]{76}|[A-Za-z0-9]{36}",
    examples: [
      "WUBPkbBuGYM2VIWoqZivdVkXzJj33Rbwea2v",
      "KGIaoDK4CWGL9Rs9dRMSUC3rFKWXRxwjI7CJ",
      "Zqumpm08hsE8JNpjJOQGa2rb19FlY0mG1ylvuhfJXqIEnomef2mSJ5CMTIeg1ZTVnVv2fgKD0f6Y",
    ],
  }),
  markedToken({
    id: "github-fine-grained-token",
    entityType: "GITHUB_TOKEN",
    description: "Fine-grained personal access token of GitHub.",
    prefix: "github_pat_",
    body: String.raw`\w{82}`,
    examples: [
      "KPFHrU0LUoqlwjawO59jxj_HHOMlon1mxONzupagFZdGj8K5wcbpNvncxn6tVjndk4NL7eOnI3eK67C55a",
      "3BKOmjpdszGMkx9kQYCCF0_UcYxgiyZyXV9ewK2cXtXBQLBnLEoKoxnTOG7sUEMdB4lwPHmR7gRd1mrQNf",
    ],
  }),
  assignedToken({
    id: "github-legacy-token",
    entityType: "GITHUB_TOKEN",
    description: "Token or client secret of GitHub without a prefix.",
    owners: ["github"],
    what: "(?:token|secret|key|pat|passw|auth)",
    value: "[0-9a-f]{40}",
    exampleName: "token",
    examples: [
      "8faefeac5bba156c0673b08c8e238ef062fee3db",
      "418f34bf8e7f3421332beda5431e02d7296bfa39",
    ],
  }),
];
