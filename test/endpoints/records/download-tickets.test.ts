import { expect, test } from "vitest";
import { downloadTicketMs, downloadTicketsMax } from "../../../src/contract/limits.ts";
import { DownloadTickets } from "../../../src/endpoints/records/download-tickets.ts";

test("a ticket ends after its time", () => {
  let nowMs = 0;
  const tickets = new DownloadTickets(() => nowMs);
  const [inTime, late] = [tickets.issue("a", "secret"), tickets.issue("a", "secret")];
  nowMs = downloadTicketMs - 1;
  expect(tickets.take("a", inTime)).toBe("secret");
  nowMs = downloadTicketMs;
  expect(tickets.take("a", late)).toBeNull();
});

test("the oldest ticket makes room", () => {
  const tickets = new DownloadTickets(() => 0);
  const first = tickets.issue("a", "secret");
  const others = Array.from({ length: downloadTicketsMax }, () => tickets.issue("a", "secret"));
  expect(tickets.take("a", first)).toBeNull();
  expect(tickets.take("a", others[0] ?? "")).toBe("secret");
});
