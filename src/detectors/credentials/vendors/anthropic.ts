import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const anthropic: readonly EntityDetector[] = [
  markedToken({
    id: "anthropic-api-key",
    entityType: "ANTHROPIC_API_KEY",
    description: "API, admin or OAuth key of Anthropic.",
    prefix: ["sk-ant-api03-", "sk-ant-admin01-", "sk-ant-oat01-", "sk-ant-ort01-", "sk-ant-sid01-"],
    body: String.raw`[\w-]{80,110}`,
    examples: [
      "d5EpXBP4Am79AG0F9auRl47hLXkfGmw1hcp9tIL2Dl7Ik7T27rqfDpiCtwRWdbJcXfEHoajwP1PMWt4jb0P5I17N0pSL8AA",
      "Dnhm3QHB9omEEfCdxI0X9nfrlMkBCHeIL6BlpqsUn2s0sX1P6of0FBql1FFLSeEnzyLV8Q49BIzAOFG3sGSeue1Idn49EAA",
    ],
  }),
];
