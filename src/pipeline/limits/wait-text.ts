const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/**
 * A wait in whole seconds, in words for a refusal. It is rounded up, in the largest unit that fits at least
 * twice.
 */
export function waitText(seconds: number): string {
  for (const [name, length] of units) {
    if (seconds >= 2 * length) return `${Math.ceil(seconds / length)} ${name}s`;
  }
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
