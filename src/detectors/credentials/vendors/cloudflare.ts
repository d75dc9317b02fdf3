import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const cloudflare: readonly EntityDetector[] = [
  assignedToken({
    id: "cloudflare-api-token",
    entityType: "CLOUDFLARE_TOKEN",
    description: "API token of Cloudflare.",
    owners: ["cloudflare", "cf api"],
    value: String.raw`[\w-]{40}`,
    exampleName: "api_token",
    examples: [
      "LoIJLqsKm3tT7la0O8kXriknun1cYiKLOtsAY8B5",
      "oQYAqHIrTHy91JVmHOH4iuu3zteiyoJ4Df1Mr39w",
    ],
  }),
  assignedToken({
    id: "cloudflare-global-api-key",
    entityType: "CLOUDFLARE_API_KEY",
    description: "Global API key of Cloudflare.",
    owners: ["cloudflare", "cf api", "x auth"],
    value: "[0-9a-f]{37}",
    examples: ["698b713dd457528af4f2007e8a3ea633f4036", "a3252c3027d26c86e6bfaba95684d9b447ace"],
  }),
  markedToken({
    id: "cloudflare-origin-ca-key",
    entityType: "CLOUDFLARE_ORIGIN_CA_KEY",
    description: "Origin CA key of Cloudflare.",
    prefix: "v1.0-",
    body: "[0-9a-f]{24}-[0-9a-f]{146}",
    examples: [
      "c968505b1135e20408838ba0-b49ad7694c11504d1a5e0698baa933f3667271d05a2f07ce7e5e74d623cbf123765a82e049f636dedbe37930f85cfbadb341bfeea32992d177fb08df21802bb341183e7f66571e4b56",
      "46da1fe414eab14b87477fd5-476fabd0f1b3852716b52aa5e8f428e4769dc320ec458dd3ed337e6de8d30567e44f85b87f88619ccd3d050c8be7cf0ce35508d8446c4fafc40d7c43c95f3b4e13b7d9a8a07215460f",
    ],
  }),
];
