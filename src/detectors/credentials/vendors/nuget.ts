import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const nuget: readonly EntityDetector[] = [
  markedToken({
    id: "nuget-api-key",
    entityType: "NUGET_API_KEY",
    description: "API key of NuGet.",
    prefix: "oy2",
    body: "[a-z2-7]{43}",
    examples: [
      "xv4k5noxwt3fpksfhlshpuulgwxtgpplzkcgvlqsbyl",
      "5y4lq5vhz7ft4cdhnm4hm57geilwvt4utb674ohbzoi",
    ],
  }),
];
