import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const klarna: readonly EntityDetector[] = [
  markedToken({
    id: "klarna-api-key",
    entityType: "KLARNA_API_KEY",
    description: "API key of Klarna.",
    prefix: ["klarna_live_api_", "klarna_test_api_"],
    body: "[A-Za-z0-9!*()$&+/=_-]{40,150}",
    examples: [
      "alfAOkahMaHxObfPzuKj2XFPzh8ja7SwCwUJlMCLSQlNVVoEEetWA2Z2xIS5RQbeRKuGRSZMo91Kw95gEc8y3GUB8Y",
      "ZPd9lfbc30hH3326jf7FzldkOoiCdrf2sQ5kd59Hg3cUyPvqdc29Qrl136a7NejQzXHmmeq6w6WfLJhRvclPRBs1RQ",
    ],
  }),
];
