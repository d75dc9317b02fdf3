import type { EntityDetector } from "../../entity.ts";
import { mayBeDrawn } from "../token-shape.ts";

const example = "yAnz5TF+lXXJte14tji3zlMNq2hd7rYUIgJBgB3fBm" + "k=";

export const wireguardPrivateKey: EntityDetector = {
  id: "wireguard-private-key",
  entityType: "PRIVATE_KEY",
  label: "PRIVATE_KEY",
  category: "credential",
  description: "Private or preshared key of a WireGuard interface.",
  keywords: ["privatekey", "presharedkey"],
  pattern: String.raw`(?:PrivateKey|PresharedKey)[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{43}=)`,
  group: 1,
  score: 0.95,
  validate: mayBeDrawn,
  positives: [[`[Interface]\nPrivateKey = ${example}\nListenPort = 51820`, example]],
  negatives: [`[Peer]\nPublicKey = ${example}\n`],
};
