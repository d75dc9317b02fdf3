import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const pinterest: readonly EntityDetector[] = [
  markedToken({
    id: "pinterest-token",
    entityType: "PINTEREST_TOKEN",
    description: "Access token of Pinterest.",
    prefix: "pina_",
    body: "[A-Z0-9]{40,100}",
    examples: [
      "6J5AON9ZLYR0K3ITHU6B0QMZS918V62H5ZKGSNONTYE5J33JWQAQPTXMJ2AV",
      "8SQU232XTFXTDAT2DFD4E8T57HF36L8WE63JAOFL064CP105RYDQO14N5LLB",
    ],
  }),
];
