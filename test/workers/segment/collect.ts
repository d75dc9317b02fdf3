import type { DetectionLocation, Segment } from "../../../src/contract/scan.ts";
import { decodeString } from "../../../src/json/string.ts";
import type { BodyFormat } from "../../../src/workers/pool/scan-job.ts";
import type { LeafForm } from "../../../src/workers/segment/leaf.ts";
import { visitLeaves } from "../../../src/workers/segment/segment.ts";

export interface Found {
  readonly form: LeafForm;
  readonly segment: Segment | null;
  readonly text: string;
  readonly location: DetectionLocation;
  readonly start: number;
  readonly end: number;
}

export interface Unscanned {
  readonly location: DetectionLocation;
  readonly json: string;
  readonly start: number;
  readonly end: number;
}

/** All leaves and unscanned parts of a request, given as an object or as JSON text. */
export function collect(
  request: unknown,
  format: BodyFormat,
  isShared = false,
): { bytes: Uint8Array; leaves: Found[]; unscanned: Unscanned[] } {
  const own = Buffer.from(typeof request === "string" ? request : JSON.stringify(request));
  const bytes = isShared ? Buffer.from(new SharedArrayBuffer(own.length)) : own;
  if (isShared) own.copy(bytes);
  const leaves: Found[] = [];
  const unscanned: Unscanned[] = [];
  visitLeaves(bytes, format, {
    leaf({ place, form, segment, start, end }) {
      const serialized = form === "serialized";
      const text = serialized
        ? bytes.toString("utf8", start, end)
        : decodeString(bytes, start, end);
      leaves.push({
        form,
        segment,
        text,
        location: place.location(bytes, serialized),
        start,
        end,
      });
    },
    unscanned(place, start, end) {
      const json = bytes.toString("utf8", start, end);
      unscanned.push({ location: place.location(bytes, false), json, start, end });
    },
  });
  return { bytes, leaves, unscanned };
}

/**
 * What a client does with a location: walks the request that it sent. The string it arrives at, or
 * the JSON text where the content was scanned in serialized form.
 */
export function textAt(request: unknown, location: DetectionLocation): unknown {
  const { source, index, part, inner_part, path, content_serialized } = location;
  let at = source === "request" ? request : member(request, source);
  if (index !== undefined) at = member(at, index);
  if (part !== undefined) at = member(source === "system" ? at : member(at, "content"), part);
  if (inner_part !== undefined) at = member(member(at, "content"), inner_part);
  for (const step of path ?? []) at = member(at, step);
  if (path === undefined && typeof at !== "string") at = member(at, ownMember(at, part));
  return content_serialized === true ? JSON.stringify(at) : at;
}

/** Where an object's own text is: a message and a tool result have content, other blocks text. */
function ownMember(object: unknown, part: number | undefined): string {
  const isBlock = part !== undefined;
  return isBlock && !String(member(object, "type")).endsWith("tool_result") ? "text" : "content";
}

function member(value: unknown, step: string | number): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === String(step))?.[1];
}
