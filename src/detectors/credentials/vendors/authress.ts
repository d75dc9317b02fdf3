import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const authress: readonly EntityDetector[] = [
  markedToken({
    id: "authress-service-key",
    entityType: "AUTHRESS_KEY",
    description: "Service client access key of Authress.",
    prefix: ["sc_", "ext_", "scauth_", "authress_"],
    body: String.raw`[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}`,
    examples: [
      "vgdpt0ip6p95.hdzg.acc_xa56zb2l3ebvranw.amtts4gp4d949rwaks5y32kz3hjn200ppq3c1nl0s4ydi988zrprub900bgroiqb",
      "g0mvhaxy2ydd.to87.acc_u2ccijqcbkl22in2.6x8957gebjp0xhubmyknjvz69p4ybvm61zfq7vi4g19m8v266ncc3oq35qtaney9",
    ],
  }),
];
