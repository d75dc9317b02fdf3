import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const onepassword: readonly EntityDetector[] = [
  markedToken({
    id: "onepassword-secret-key",
    entityType: "ONEPASSWORD_SECRET_KEY",
    description: "Secret key of a 1Password account.",
    prefix: "A3-",
    body: "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
    examples: ["5SESWX-BESGP7XAWWW-XZGZ2-0CGU2-EH8HY", "AUDH0X-YCFTLT-E2OEP-XHC75-P587M-SYO7R"],
  }),
  markedToken({
    id: "onepassword-service-token",
    entityType: "ONEPASSWORD_TOKEN",
    description: "Service account token of 1Password.",
    prefix: "ops_",
    body: "eyJ[A-Za-z0-9+/]{250,}={0,3}",
    examples: [
      "eyJF2rg4yZxyxGr0BVYmsJEtABSiuXkL2Y1ZiXZfVbMfyoKFeLj1OjHV2CPYQJZgqZl6kfMvHMrzDYWPivUqCwKNwbI9RS4WWZeppSxOet0Ehc4nKPZLgoPdE13BNmUXMN2NxdFbBI2Sbr695XVrZzLTQ6yHUMyV6PhhU5p66Dipun3eUCaaODrsHLVuXYNVFP2By9UmYYET62se4XfRob7H9JxkFe6MjLWxsGUTWQIaZFHqvyRCmUsYyKSiNAsrXk2hTEN",
    ],
  }),
];
