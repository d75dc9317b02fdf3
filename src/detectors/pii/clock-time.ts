import type { EntityDetector } from "../entity.ts";

export const clockTime: EntityDetector = {
  id: "clock-time",
  entityType: "DATE_TIME",
  label: "TIME",
  category: "pii",
  description: "A time of day with seconds or with am or pm, or beside a word for an appointment.",
  keywords: [],
  // The first branches match, without a value, addresses and fingerprints with colons and places in
  // files (main.ts:12:34), so that no time is found in them.
  pattern:
    String.raw`\b[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3,63}|(?:\.[a-z]\w{0,4}|>):\d{1,6}:\d{1,5}\b|` +
    String.raw`\b((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.]\d{1,6})?)?` +
    String.raw`(?:\s?(?:a\.m\.|p\.m\.|[ap]m\b))?|(?:1[0-2]|[1-9])\s?(?:a\.m\.|p\.m\.|[ap]m\b))`,
  caseInsensitive: true,
  group: 1,
  score: 0.55,
  validate: (value) => /[ap]/i.test(value) || value.split(":").length === 3 || 0.4,
  context: {
    words: [
      "at",
      "time",
      "meeting",
      "appointment",
      "schedule",
      "scheduled",
      "until",
      "from",
      "arrived",
      "departs",
      "o'clock",
      "uhr",
      "today",
      "tomorrow",
      "morning",
      "evening",
    ],
    score: 0.55,
  },
  positives: [
    ["back by 10:45 pm.", "10:45 pm"],
    ["at 3 p.m. sharp", "3 p.m."],
    ["13:37:42.123", "13:37:42.123"],
    ["meeting 14:30", "14:30"],
  ],
  negatives: [
    "at run (/app/main.ts:12:34)",
    "at <anonymous>:12:34",
    "ratio 16:10",
    "aa:10:bb:20:cc:30",
    "Psalm 23:14",
    "error 99:99",
  ],
};
