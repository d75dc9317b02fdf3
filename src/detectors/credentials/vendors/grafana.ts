import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const grafana: readonly EntityDetector[] = [
  markedToken({
    id: "grafana-service-account-token",
    entityType: "GRAFANA_TOKEN",
    description: "Service account token of Grafana.",
    prefix: "glsa_",
    body: "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}",
    examples: [
      "QMo22DRZ0zjqxeLqbFZfenkZSkQGHefg_c123fdbe",
      "xXpaVRh5guiK7sJmqUsc9JCVGpftQ5zK_f6Ed51bD",
    ],
  }),
  markedToken({
    id: "grafana-cloud-token",
    entityType: "GRAFANA_TOKEN",
    description: "Access policy token of Grafana Cloud.",
    prefix: "glc_",
    body: "[A-Za-z0-9+/]{32,400}={0,3}",
    examples: [
      "rLaKT2b3wwlwOthObm9nWm5zrNXggpXSsrEEHGiWddAkl9Nq0Cs0xuhVGNjpXz6pL5NPsdXs5ekYKqGR",
      "oM7YSoHS5vyPKmwxAPGF80qp4sUx5M0oBcOMw1xEcjJIwDjxMRx5IbPD1jds1cX4ShfqvwuWyCLLdLbH",
    ],
  }),
  markedToken({
    id: "grafana-api-key",
    entityType: "GRAFANA_TOKEN",
    description: "API key of Grafana.",
    prefix: "eyJrIjoi",
    body: "[A-Za-z0-9]{70,400}={0,3}",
    examples: [
      "4nSMNI8uB9psxyhwKXTRArTxT5UWN1n45k0tMUdX85C7eJ1CCvkJ3D7fARXoVFsHdAfwjKqcOPnkekSO",
      "mhNvO1gPg3wTRMyrwWYZjNGyJCvvnBEZa4ilk2PV9ehABdGHMetJonYI2lOplsZPmxIzi1zsvRkeLrcs",
    ],
  }),
];
