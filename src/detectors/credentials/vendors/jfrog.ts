import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const jfrog: readonly EntityDetector[] = [
  markedToken({
    id: "artifactory-api-key",
    entityType: "ARTIFACTORY_API_KEY",
    description: "API key of JFrog Artifactory.",
    prefix: "AKCp",
    body: "[A-Za-z0-9]{69}",
    examples: [
      "9AjuATHz8ILTtWO1qijS1n1n3W6vFC2tnnz0APPSQTLeddpeqgXGuPYTQNQuJP3D5RFz1",
      "6uBLWBcN02A0A9edxPrwwWZqsLYt9hFJwnMnaaGFTEVVCmY7HiBhbsVRbVruRb4kmVIyw",
    ],
  }),
  markedToken({
    id: "artifactory-reference-token",
    entityType: "ARTIFACTORY_TOKEN",
    description: "Reference token of JFrog Artifactory.",
    prefix: "cmVmd",
    body: "[A-Za-z0-9]{59}",
    examples: [
      "65Dr5agPdSs9G4qbn1AMbXeSYh1cbDwqHQZwDqraucRWmzVFx1hiwwhUZJQ",
      "eqcYNqod3SjrQQs9nJ2z0aP2aV1qS9wI9DEZMGsZuNwMEcFzPnZiv7R7O2z",
    ],
  }),
  assignedToken({
    id: "jfrog-api-key",
    entityType: "JFROG_API_KEY",
    description: "API key of JFrog.",
    owners: ["jfrog", "artifactory", "bintray", "xray"],
    value: "[A-Za-z0-9]{73}",
    examples: [
      "OERRm9STut24Hxmqa9kNRli7jYZleq5VInbDPNKaSvqYCGqk9wG7vbKSOKdrHwzaqsoDeTFoe",
      "BISfNd7eWLdt4ktVP76QIDpyYWoUNjntbZ7bhqSd1kb6tRL3YTHo5OdUeePxLwnRJyqpqKnSD",
    ],
  }),
  assignedToken({
    id: "jfrog-identity-token",
    entityType: "JFROG_TOKEN",
    description: "Identity token of JFrog.",
    owners: ["jfrog", "artifactory", "bintray", "xray"],
    value: "[A-Za-z0-9]{64}",
    exampleName: "token",
    examples: [
      "tqgkiucv8mA5ljdUFEewFanAJWccR4AKi64CYfAPqhwA9p8WGlrAX3wpvMmpHdD9",
      "tQtHGPwdwWoynrOPi5ciLOfPB5us794k9tKmW6iCwXZJDBP6gp4snRs5H1COM96v",
    ],
  }),
];
