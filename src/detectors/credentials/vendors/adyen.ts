import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const adyen: readonly EntityDetector[] = [
  markedToken({
    id: "adyen-api-key",
    entityType: "ADYEN_API_KEY",
    description: "API key of Adyen.",
    prefix: "AQE",
    body: String.raw`[A-Za-z0-9]{5,10}[\w+/*^=.{}\[\]()-]{60,240}`,
    examples: [
      "I4gxXzaq36z1wyHXCvPxAJWRtncfVEc1Pn1UDXqw831Rxj6TvjkCvi8kVEq5rl5SKX0a19Z52eQMjsmCyIRxDs6DKUWTY6PsoSSa",
      "yKZ9wsTn0N67KnzHyIELzK8WDiCDBEqloMS519yGVUcItV7EeiIWs5vKqL9XdgVKyaGQTq2iuOWFmOF4G5oNlREzhSVvZbG3gZyE",
    ],
  }),
];
