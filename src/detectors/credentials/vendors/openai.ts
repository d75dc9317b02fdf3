import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const openai: readonly EntityDetector[] = [
  markedToken({
    id: "openai-api-key",
    entityType: "OPENAI_API_KEY",
    description: "API key of OpenAI.",
    prefix: ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-"],
    body: String.raw`(?:[A-Za-z0-9]{3,30}-)?[\w-]{20,120}T3BlbkFJ[\w-]{20,120}`,
    examples: [
      "t2B9UEPxE8v1XacZzrmi6Y7f7OzYeTFHMZ2c9gU8mpHsiRsrDWHgD8aIt7jDv0jKtrM9fd2rlcT3BlbkFJq0NQ3uApnsgVtkl5X5ARMm5QXB8iWQM2G7cPRkvYvN7s3koNAfkH4aG2uOtRdQ3ulNJ82g8v3X",
      "if7l2hcPlNVTG4HQYW0zeYKo2BYQ0ZVrUrAy55pJPikMqQ9sAsWzgGLBULLueCuUOBC3Mh0dLQT3BlbkFJCJyJNh7iD1viuz81mqQOC6VTU6kgsIzFAGRqriiEsmAtk4ukwi5CxUmvzoufFLjSSqo2oRjOxY",
    ],
  }),
  markedToken({
    id: "openai-legacy-api-key",
    entityType: "OPENAI_API_KEY",
    description: "API key of OpenAI or of a service that is compatible with it.",
    prefix: "sk-",
    body: String.raw`[A-Za-z0-9]{32,64}`,
    score: 0.9,
    examples: [
      "v7zFaMsTXW8Cf7TDEmOjx7yWTSyQeyAWATOuDoikvDqDDiBa",
      "Q4Ca6Wz6AKjiA5hw1NYHg4rJpmiUPPbcNX9TORe7j2D2uRtp",
    ],
  }),
];
