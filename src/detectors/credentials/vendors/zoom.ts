import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const zoom: readonly EntityDetector[] = [
  assignedToken({
    id: "zoom-client-secret",
    entityType: "ZOOM_SECRET",
    description: "Client secret of Zoom.",
    owners: ["zoom"],
    what: "secret",
    value: "[A-Za-z0-9]{32,36}",
    exampleName: "client_secret",
    examples: ["QRd7dSuLczMLGtjXkYUZmQE5goWdIPuP", "WbKws10HR6j6XpsvxFX149pb4rqEvVq8"],
  }),
];
