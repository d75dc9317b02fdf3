import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

/**
 * A routable token of an instance with cells: its payload with the route, the payload's length, a
 * checksum.
 */
const routable = String.raw`[\w-]{27,300}\.(?:[0-9a-z]{2}\.)?[0-9a-z]{9}`;

export const gitlab: readonly EntityDetector[] = [
  markedToken({
    id: "gitlab-personal-access-token",
    entityType: "GITLAB_TOKEN",
    description: "Personal access token of GitLab.",
    prefix: "glpat-",
    body: String.raw`${routable}|[\w-]{20}`,
    examples: [
      "fuFw10StuBbjkr7vSIp0",
      "OcecYY8mhtE2hEUJlqtd",
      "YIgrCOX6Jhw7Hd11XzWL8MHpoKE.01.ziyacd5cw",
    ],
  }),
  markedToken({
    id: "gitlab-runner-token",
    entityType: "GITLAB_TOKEN",
    description: "Runner authentication token of GitLab.",
    prefix: "glrt-",
    body: String.raw`t\d_${routable}|(?:t\d_)?[\w-]{20}`,
    examples: ["8lbxp1vIM4SPzcVT4gH3", "wei0qMSXi3K5FLiPHDrs", "t1_WBhqG5KSFdPE0SPgjtHf"],
  }),
  markedToken({
    id: "gitlab-runner-registration-token",
    entityType: "GITLAB_TOKEN",
    description: "Runner registration token of GitLab.",
    prefix: "GR1348941",
    body: String.raw`[\w-]{20,50}`,
    examples: ["vSDCs0suUQAAKmzBoZdx", "qPta3vYNmf143Ht3WszH"],
  }),
  markedToken({
    id: "gitlab-short-token",
    entityType: "GITLAB_TOKEN",
    description: "Deploy, feature flag, feed or SCIM token of GitLab.",
    prefix: ["gldt-", "glffct-", "glft-", "glsoat-"],
    body: String.raw`[\w-]{20,50}`,
    examples: ["rWLIs57e6ozOPuC5k64L", "qirSlI9bHtNWaENHxeli"],
  }),
  markedToken({
    id: "gitlab-job-token",
    entityType: "GITLAB_TOKEN",
    description: "CI/CD job token of GitLab.",
    prefix: "glcbt-",
    body: String.raw`[0-9a-zA-Z]{1,5}_[\w-]{20}`,
    examples: ["5Dki_ePuI5lwwhmik1Qog1Vns", "9_955U3kgXQMlO6UsBCho7"],
  }),
  markedToken({
    id: "gitlab-incoming-mail-token",
    entityType: "GITLAB_TOKEN",
    description: "Incoming mail token of GitLab.",
    prefix: "glimt-",
    body: String.raw`[\w-]{25}`,
    examples: ["M2HPcNMZdV1CtPlpKoBoAlQW2", "4Iw8THSRGUEBH74QzSwmiFgFb"],
  }),
  markedToken({
    id: "gitlab-agent-token",
    entityType: "GITLAB_TOKEN",
    description: "Kubernetes agent token of GitLab.",
    prefix: "glagent-",
    body: String.raw`[\w-]{50}`,
    examples: [
      "mHqCbSXKPnHHrHvfItOgWJOadFLFBxqb2dnoM6RU2XrhhTfppQ",
      "0zbMKeoNvGuAXAYxVEDGek47ZrV67xnHWph84nyQKq84ZS0XMg",
    ],
  }),
  markedToken({
    id: "gitlab-oauth-secret",
    entityType: "GITLAB_TOKEN",
    description: "OAuth application secret of GitLab.",
    prefix: "gloas-",
    body: String.raw`[\w-]{64}`,
    examples: [
      "vzNBy265Vjw0wP47YCte19kLhMpE7fNXEemSEYEeQsKyK0ca9emxDlk3vGy8sMWn",
      "1VcHUgIRdxNSJlJfSkaFamowpj9QOOMyPUJ8nPqTxT6PAdCD1fM2WoldRqCiI3w9",
    ],
  }),
  markedToken({
    id: "gitlab-trigger-token",
    entityType: "GITLAB_TOKEN",
    description: "Pipeline trigger token of GitLab.",
    prefix: "glptt-",
    body: String.raw`[\w-]{40}`,
    examples: [
      "6e1e465a7829ebc325bd99413187604e8ef1b12a",
      "0bf8843075b7d1fb63c0ad3995bd6c96fde1797a",
    ],
  }),
  markedToken({
    id: "gitlab-session-cookie",
    entityType: "GITLAB_SESSION",
    description: "Session cookie of GitLab.",
    prefix: "_gitlab_session=",
    body: "[0-9a-f]{32}",
    examples: ["d723e1f94f401f062407bd8ecef4e670", "262b1e23cc47c3ee38ae14e8496f2fac"],
  }),
];
