import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const aws: readonly EntityDetector[] = [
  markedToken({
    id: "aws-access-key-id",
    entityType: "AWS_ACCESS_KEY",
    label: "AWS_KEY",
    description: "Access key id of Amazon Web Services.",
    prefix: ["AKIA", "ASIA", "ABIA", "ACCA"],
    body: "[A-Z0-9]{16}",
    examples: ["U6UMS7Y6MV65MJDE", "JIDREJVDTEQ3PSEW"],
  }),
  markedToken({
    id: "aws-legacy-key-id",
    entityType: "AWS_ACCESS_KEY",
    label: "AWS_KEY",
    description: "Access key id of Amazon Web Services in its former form.",
    prefix: "A3T",
    body: "[A-Z0-9]{17}",
    examples: ["X7QZK2LWTV81CQN4D"],
  }),
  assignedToken({
    id: "aws-secret-access-key",
    entityType: "AWS_SECRET_KEY",
    description: "Secret access key of Amazon Web Services.",
    owners: ["secret access key", "aws secret", "amazon secret"],
    what: null,
    value: "[A-Za-z0-9+/]{40}",
    exampleName: "value",
    examples: [
      "xdX7DNVdyVR3IiaEDADg0zKzhlJVQYXhYQJzmVFU",
      "nlc6WLz1OEAad86vmHnsfmrTct2ComJLEUrlNF4v",
    ],
  }),
  markedToken({
    id: "aws-session-token",
    entityType: "AWS_SESSION_TOKEN",
    description: "Session token of Amazon Web Services.",
    prefix: ["FwoGZXIvYXdz", "IQoJb3JpZ2luX2Vj"],
    body: "[A-Za-z0-9+/]{100,}={0,2}",
    examples: [
      "nc90hKhZqoPZqtYK75CVV6UxMDtfRGNs5ik79rgL13lYhxpJeCgWMjgUTS6M0z1GrowCZHNJ5xLJDFiTsznFyp4BXWUnU04v75TPL5AhCtfo4dm6L6MetgS3N3E2GtntTDQJZa6HwGjxr267kQAPcfG0Tc1HC6QB",
    ],
  }),
  markedToken({
    id: "aws-bedrock-long-lived-key",
    entityType: "AWS_BEDROCK_KEY",
    description: "Long-lived API key of Amazon Bedrock.",
    prefix: "ABSK",
    body: "[A-Za-z0-9+/]{109,269}={0,2}",
    examples: [
      "QIzGgOo8oJM50FGOWEb6CpnxagZfe3BfSRPNdKF53Lin2H5s84oRz7FiriMDawRm47vW85QeG5hwVikYKtk82lHmFil6fmXJ5oGyFEqzx2QVmEeP0x5OQ64A",
    ],
  }),
  markedToken({
    id: "aws-bedrock-short-lived-key",
    entityType: "AWS_BEDROCK_KEY",
    description: "Short-lived API key of Amazon Bedrock.",
    prefix: "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t",
    body: "[A-Za-z0-9+/]{0,}={0,2}",
    examples: ["pMftjBU0hatufkTZMIB039wIv4vC3WiSa2wciKax7rX4vJMBJMX3I0YwErLh"],
  }),
  markedToken({
    id: "aws-appsync-api-key",
    entityType: "AWS_APPSYNC_KEY",
    description: "API key of AWS AppSync.",
    prefix: "da2-",
    body: "[a-z0-9]{26}",
    examples: ["q7vk2lxt81cn4vt90zpwm5ys3h", "x9fk2lt7vq81cqn4vt90zpwm5y"],
  }),
];
