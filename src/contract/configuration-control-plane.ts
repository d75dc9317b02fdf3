import { Type } from "typebox";
import { members, textOf } from "./documented-schema.ts";
import { controlPlanePathsMax } from "./limits.ts";

/** design section 7, Control-plane reads. */
export const controlPlaneDefault = {
  paths: ["/api/claude_code/*", "/api/oauth/*", "/api/organizations/*"],
  baseUrl: "https://api.anthropic.com",
} as const;

/** The member `controlPlane` of the configuration file. */
export const ControlPlaneEntry = members(
  {
    paths: Type.Optional(
      Type.Array(
        textOf(
          "^(/[A-Za-z0-9._~-]+)+(/\\*)?$",
          'a path such as "/api/oauth/*", a * only at its end',
          "A path; a `*` at its end stands for everything below.",
        ),
        {
          description: "Paths under which clients read settings of their provider account.",
          errorMessage: `a list of at most ${controlPlanePathsMax} paths`,
          maxItems: controlPlanePathsMax,
          default: [...controlPlaneDefault.paths],
        },
      ),
    ),
    account: Type.Optional(
      textOf(
        "^[a-z0-9_-]{1,64}$",
        "the name of an account of type anthropic in providers",
        "The account whose address serves them; its credential is not used. Default: the first of type anthropic.",
      ),
    ),
    baseUrl: Type.Optional(
      textOf(
        "^https?://",
        'an http or https address such as "https://api.anthropic.com"',
        `The address that serves them where there is no such account. Default: ${controlPlaneDefault.baseUrl}.`,
      ),
    ),
  },
  { description: "Reads of settings from the caller's own account at the provider." },
);
