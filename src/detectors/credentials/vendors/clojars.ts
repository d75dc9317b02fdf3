import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const clojars: readonly EntityDetector[] = [
  markedToken({
    id: "clojars-token",
    entityType: "CLOJARS_TOKEN",
    description: "Deploy token of Clojars.",
    prefix: "CLOJARS_",
    body: "[A-Za-z0-9]{60}",
    examples: [
      "1TmTW1e3bdbGzLGtCqAObJTFezZ1ZyDn7cXFtcgaP69rmKJEcGte0OpmzpDu",
      "RYyz4wG1KKiKCEzpOzcsIK8yAOoX9wmLBvHZZXF3Z2ANmcRtmYuiLIK4KuJe",
    ],
  }),
];
