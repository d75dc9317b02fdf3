import type { EntityDetector } from "../../entity.ts";
import { assignedToken } from "../assigned-token.ts";
import { markedToken } from "../marked-token.ts";

export const google: readonly EntityDetector[] = [
  markedToken({
    id: "google-api-key",
    entityType: "GOOGLE_API_KEY",
    description: "API key of Google Cloud, Maps, Firebase or Gemini.",
    prefix: "AIza",
    body: String.raw`[\w-]{35}`,
    examples: ["TUYe6TSRrse4BBTWU0WDZteC6544NyYUwwh", "KJRmANF57Cqukm1mCrLdDdKHVrsjZUFT8k2"],
  }),
  markedToken({
    id: "google-oauth-client-secret",
    entityType: "GOOGLE_CLIENT_SECRET",
    description: "OAuth client secret of Google.",
    prefix: "GOCSPX-",
    body: String.raw`[\w-]{28}`,
    examples: ["RDQYgSbaGhJsHr3ycl5dq0n4ipjK", "KN1BI1BkngAXf8D3wc8rCd0oHyjo"],
  }),
  markedToken({
    id: "google-oauth-access-token",
    entityType: "GOOGLE_TOKEN",
    description: "OAuth access token of Google.",
    prefix: ["ya29."],
    body: String.raw`[\w-]{30,}`,
    examples: [
      "a0FvRF2nqZyZTe0wPTAAWqIisUghbxsUhUTqpnwzP3nOSlFSDkt9ioVurRyLpeJ37VDEr7QoRxF5xpZyvKr8p2oW6467xYUSVJu50l80s7396KYNDsrZECHfYX",
      "a0wGLUICZwtCNQzELcEI8dt57GEQjpBl5ynvFQS9KwyYTHkH545Fq8YdgcfIaGuOXFB3e8zom5oMR5eqTPxQtKRyqvNZ7PfSdXjPLXaJCMKK5SNIfclOBa1388",
    ],
  }),
  markedToken({
    id: "google-oauth-refresh-token",
    entityType: "GOOGLE_TOKEN",
    description: "OAuth refresh token of Google.",
    prefix: "1//0",
    body: String.raw`[\w-]{40,140}`,
    examples: [
      "DAAcw2U93uUjlEWGIYEzneh7bpgzvApp8Zi2ja3hZjVc3idyZ4cUJ9kTF3b5",
      "bj0NoaGtpSUxeM8l08F8JvP5MPBJ6HAgTYZZJgaCY4JTdpneVlagnkYU0zBV",
    ],
  }),
  markedToken({
    id: "google-fcm-server-key",
    entityType: "GOOGLE_FCM_KEY",
    description: "Server key of Firebase Cloud Messaging.",
    prefix: "AAAA",
    body: String.raw`[\w-]{7}:APA91b[\w-]{134}`,
    keywords: ["apa91b"],
    examples: [
      "MiXmW9v:APA91b7B44su65rZt1JHPMZns94jxlZl6K0ldRihYGfSQghj787LnSkSU4DjiZgJF2MibTCJZOTI2txRPf9UpJS10jFMVKqi5GsYpSGGh2hlP92lqBGgQW64IdvqPnStYeGOGvohgSJ2",
    ],
  }),
  assignedToken({
    id: "google-recaptcha-secret",
    entityType: "GOOGLE_RECAPTCHA_KEY",
    description: "Secret of reCAPTCHA.",
    owners: ["recaptcha"],
    what: "(?:secret|private|key)",
    otherNames: String.raw`recaptcha[ _.-]?(?:site|public)[ _.-]?key`,
    value: String.raw`6L[\w-]{6}AAAAA[\w-]{27}`,
    exampleName: "secret",
    examples: [
      "6LC1iTGjAAAAAHYM1xYvO6gC0bcZWaxtsYKt5dn3",
      "6Lzxi2aYAAAAAOoscMpWZR9wETG6IEkM1BWYdyaX",
    ],
    negatives: ["RECAPTCHA_SITE_KEY=6Lzxi2aYAAAAAOoscMpWZR9wETG6IEkM1BWYdyaX"],
  }),
];
