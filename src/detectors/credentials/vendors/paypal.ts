import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const paypal: readonly EntityDetector[] = [
  markedToken({
    id: "paypal-braintree-token",
    entityType: "PAYPAL_TOKEN",
    description: "Access token of PayPal Braintree.",
    prefix: ["access_token$production$", "access_token$sandbox$"],
    body: String.raw`[0-9a-z]{16}\$[0-9a-f]{32}`,
    examples: [
      "5pgmrobol13rrmcs$29c77698b9c2a523ddd0db9bffbe9f2f",
      "3jmmx2jmaxphtt83$c6ead649241826ec3de5158eac31884f",
    ],
  }),
  assignedToken({
    id: "paypal-client-secret",
    entityType: "PAYPAL_SECRET",
    description: "Client secret of PayPal.",
    owners: ["paypal"],
    what: "secret",
    value: String.raw`E[\w-]{79}`,
    exampleName: "client_secret",
    examples: [
      "EpwD51MX1fC8Du9bq07xrd3LMOrs8R7SP6kB1QjxYaX0RLsDR6CzMXFZk4X50liTgSShvF8BJso2cQOn",
      "EdQV7r8JjQDrIu3PJRgHFlkNcgwIuKmiEfABl7WcU5eIQqTCGjJwvsZmSB4fCbcEI6wOTiuAaxJ6E9op",
    ],
  }),
];
