import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const telnyx: readonly EntityDetector[] = [
  markedToken({
    id: "telnyx-api-key",
    entityType: "TELNYX_API_KEY",
    description: "API key of Telnyx.",
    prefix: "KEY01",
    body: String.raw`[0-9A-F]{30}_[\w-]{22}`,
    examples: [
      "75DBD3F1F66FCE8970B1F49A43F7DB_OrHcNm6nKL6fio4MPSHzfE",
      "F01CED1101A3F8830D24AEF9EAA0CC_tQcrUIl2mBehVZMDtSiIyx",
    ],
  }),
];
