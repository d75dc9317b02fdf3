import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const huggingFace: readonly EntityDetector[] = [
  markedToken({
    id: "hugging-face-token",
    entityType: "HUGGING_FACE_TOKEN",
    description: "User or organization token of Hugging Face.",
    prefix: ["hf_", "api_org_"],
    body: "[A-Za-z0-9]{34,40}",
    examples: ["ppXeIlFWvIvTtqCZioeivdbtiPHKzAYwnT", "YtQGjgudQkcvzyFrJfUiwsiZSeoLBrqWOV"],
  }),
];
