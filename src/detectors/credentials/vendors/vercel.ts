import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const vercel: readonly EntityDetector[] = [
  markedToken({
    id: "vercel-token",
    entityType: "VERCEL_TOKEN",
    description: "Access token of Vercel.",
    prefix: ["vcp_", "vck_", "vci_", "vca_", "vcr_"],
    body: String.raw`[\w-]{24,80}`,
    examples: [
      "PHncL1dLC4rYtALNmL1L5jwDUJ7hWEicakvoXOA7F9a0Kutn5J0wJuSE",
      "hv6XNEdaWLhvbBE0zSWTQ9k3tkcaNofu2AJyEwQ95os4irvdzdY4doDr",
    ],
  }),
  markedToken({
    id: "vercel-blob-token",
    entityType: "VERCEL_TOKEN",
    description: "Read-write token of Vercel Blob.",
    prefix: "vercel_blob_rw_",
    body: "[A-Za-z0-9]{16}_[A-Za-z0-9]{30}",
    examples: [
      "1Ryb6V919BdJYShL_4fJnimQvs44PQn5waJ9NG0O46aC7tH",
      "6ekaBMMjaTjIHD9Y_BYwhae51Kn8aQtg9wrIspZVbM56b6R",
    ],
  }),
  assignedToken({
    id: "vercel-legacy-token",
    entityType: "VERCEL_TOKEN",
    description: "Access token of Vercel without a prefix.",
    owners: ["vercel", "zeit"],
    what: "(?:token|key|secret)",
    value: "[A-Za-z0-9]{24}",
    exampleName: "token",
    examples: ["6H1Fz7utUMi324Ds8d6Tol2o", "4hGLHEq0s3FBWdyYTZA6eOQd"],
  }),
];
