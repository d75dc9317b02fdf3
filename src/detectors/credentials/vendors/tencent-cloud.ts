import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const tencentCloud: readonly EntityDetector[] = [
  markedToken({
    id: "tencent-secret-id",
    entityType: "TENCENT_SECRET_ID",
    description: "Secret id of Tencent Cloud.",
    prefix: "AKID",
    body: "[A-Za-z0-9]{32}",
    examples: ["GLOOUnUN91ZKirLdB9pbCSb1HjLnPFvD", "NcyKwPMCXwzyDjLmp8FJX78veyBWnAxv"],
  }),
  assignedToken({
    id: "tencent-secret-key",
    entityType: "TENCENT_SECRET_KEY",
    description: "Secret key of Tencent Cloud.",
    owners: ["tencent", "tencentcloud", "qcloud"],
    what: "(?:secret|key)",
    value: "[A-Za-z0-9]{32}",
    exampleName: "secret_key",
    examples: ["ylrv1IPluyYKcWVvBi2FCzPDDIOuGiMD", "ceiMZqF6ckBd5fQwFx9mWhoq62lDiL6g"],
  }),
];
