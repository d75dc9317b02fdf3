import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const azure: readonly EntityDetector[] = [
  markedToken({
    id: "azure-ad-client-secret",
    entityType: "AZURE_CLIENT_SECRET",
    description: "Client secret of Microsoft Entra ID.",
    body: String.raw`[\w~.]{3}\dQ~[\w~.-]{31,34}`,
    keywords: ["q~"],
    examples: [
      "c9J3Q~qHk2xo1o1E8Y5QJae9vnEEiHGuH0xRIKDa",
      "Jgg6Q~afpWqJHaZjzOBxMEcqx0QMJVRhWaguqIbT",
    ],
  }),
  assignedToken({
    id: "azure-storage-key",
    entityType: "AZURE_STORAGE_KEY",
    description: "Account key of Azure Storage, Cosmos DB or Batch.",
    owners: ["account key", "storage key", "azure", "cosmos", "shared key"],
    what: null,
    value: "[A-Za-z0-9+/]{86}==",
    exampleName: "key",
    examples: [
      "B9JNsGXifiuE6TzYEZQvNbHTMosNnEh8pS8VDyB6LaOnJ7mDBZPEtiPeLQ9vbB5FcXctR8AFMKC3LBylOUWp7r==",
      "sIkbYm9Eqkrl1BxRYY7fRnGIBButhjgnk6CqTP0Slz72q6m8echjlrHy5xHDUO0r4v1KhYEfX6c8Ghlvif1Xes==",
    ],
  }),
  assignedToken({
    id: "azure-shared-access-key",
    entityType: "AZURE_SHARED_ACCESS_KEY",
    description: "Shared access key of Azure Service Bus, Event Hubs or IoT Hub.",
    owners: ["shared access key", "azure"],
    what: null,
    value: "[A-Za-z0-9+/]{43}=",
    exampleName: "value",
    examples: [
      "FrrTu2PaUPGV5O6SblambFERBtW4PJbdSFaEHvNiBvi=",
      "ZyaEmQngoQQ0SAZOCdm0KvAcmRB46fpWAn7PxwIH6YX=",
    ],
  }),
  markedToken({
    id: "azure-sas-signature",
    entityType: "AZURE_SAS",
    description: "Signature of a shared access signature.",
    prefix: ["sig="],
    body: "[A-Za-z0-9%+/]{43,65}(?:=|%3[Dd])",
    examples: [
      "XduYi3bMWDoGtC0h65Hlyhrwj1XouzqMC836yA5vx4I%3D",
      "Xch8zLXyESQhgh4ATqv5F69GSfLwU0qnayxFO0Hcsyf%3D",
    ],
  }),
  markedToken({
    id: "azure-annotated-key",
    entityType: "AZURE_API_KEY",
    description: "Key of an Azure service that carries the service's mark.",
    body: String.raw`[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9+/_-]{33,46}(?:AzSe|AzFu|AzCa|AIoT|ACDb|APIM|\+ACR|\+ASb|\+AEh|\+ARm|\+AMC|\+ABa|\+ASt)[A-Za-z0-9+/_-]{5,8}={0,2}`,
    score: 0.9,
    keywords: [
      "jqqj99",
      "azse",
      "azfu",
      "azca",
      "aiot",
      "acdb",
      "apim",
      "+acr",
      "+asb",
      "+aeh",
      "+arm",
      "+amc",
      "+aba",
      "+ast",
    ],
    examples: [
      "6DWfwZGpn5ZYcTnlsyz3wAkQr7YmlA5p4aW8lB0jtjAzSeAAeyoo",
      "NWGkYY8XKcSYnHAnDIhw02oMyrvRco9nKX0e2wThTXrQcWqwWwxeJQQJ99aEThe1hsigvqawte4JRFX7tghw",
    ],
  }),
  assignedToken({
    id: "azure-api-key",
    entityType: "AZURE_API_KEY",
    description: "API key of Azure AI services or API Management.",
    owners: [
      "azure",
      "cognitive",
      "ocp apim subscription",
      "speech",
      "text analytics",
      "computer vision",
    ],
    what: "(?:key|token)",
    value: "[0-9a-f]{32}",
    exampleName: "api_key",
    examples: ["49640b3fe74dd62087b4d6311b3777b9", "ce369c5591b22689d1700a2636857a39"],
  }),
];
