import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";

export const kubernetesBootstrap: readonly EntityDetector[] = [
  assignedToken({
    id: "kubernetes-bootstrap-token",
    entityType: "KUBERNETES_TOKEN",
    description: "Bootstrap token of a Kubernetes cluster.",
    owners: ["bootstrap", "kubeadm"],
    what: "token",
    value: String.raw`[a-z0-9]{6}\.[a-z0-9]{16}`,
    exampleName: "token",
    examples: ["9qi7cj.4s29kkvcbj757wc4", "jsitgt.d96htvsknu71qu58"],
  }),
];
