import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const packagist: readonly EntityDetector[] = [
  markedToken({
    id: "packagist-token",
    entityType: "PACKAGIST_TOKEN",
    description: "Token of Private Packagist.",
    prefix: ["packagist_ort_", "packagist_out_", "packagist_uut_"],
    body: "[0-9a-f]{68}",
    examples: [
      "b9ccac61352f6eeb4942bffaf41f7e9fda11afe27dea598537b29413af68b386076f",
      "6f692468cd9177df89ec1fd2f415ed65444038118bf6847ba452af67b5e661f8e498",
    ],
  }),
];
