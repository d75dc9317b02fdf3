import { eventTime } from "../store/audit/event-line.ts";

const momentPattern =
  /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** In UTC, to the millisecond; null if the text is no date or time. A date means its first moment in UTC. */
export function moment(text: string): string | null {
  const date = momentPattern.exec(text)?.[1];
  if (date === undefined) return null;
  const [midnight, at] = [Date.parse(date), Date.parse(text)];
  if (Number.isNaN(midnight) || Number.isNaN(at)) return null;
  // The parser turns the 30th of February into the 2nd of March.
  if (new Date(midnight).toISOString().slice(0, 10) !== date) return null;
  return eventTime(at);
}
