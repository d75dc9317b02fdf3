import type { Bench } from "../bench.ts";
import type { UploadBody, UploadResult } from "../generator/upload.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";

export const sink: Behaviour = { kind: "sink" };
const checkedSink: Behaviour = { kind: "checked-sink" };

/**
 * A body of 100 MB with base64 images, and 20 MB of new prose. Weir is a fresh process, so that the
 * memory for the upload can be told from its memory at rest.
 */
export async function uploads(bench: Bench): Promise<void> {
  const fresh = await bench.startWeir();
  try {
    const peers = bench.subjects.filter(({ scanThreads }) => scanThreads.size === 0);
    const subjects = [...peers, fresh.ownKeys, fresh.payThrough].map((subject) => ({
      subject,
      idleBytes: subject.tree?.residentBytes() ?? 0,
    }));
    for (const kind of ["media", "prose"] as const) {
      for (const { subject } of subjects) await check(bench, subject, kind);
      for (
        let round = 0;
        round < Math.min(bench.scale.rounds, bench.scale.longRounds);
        round += 1
      ) {
        for (const { subject, idleBytes } of subjects) await timed(bench, subject, kind, idleBytes);
      }
    }
  } finally {
    await fresh.stop();
  }
}

type Kind = UploadBody["kind"];

function described(bench: Bench, { name }: Subject, kind: Kind) {
  const megabytes = Math.round(bench.scale.uploadBytes[kind] / 1e6);
  const what = kind === "media" ? "base64 images" : "new prose";
  return { load: `upload-${kind}`, subject: name, group: `Upload: ${megabytes} MB of ${what}` };
}

/** The provider must get exactly the same bytes, unless a gateway has to change them. */
async function check(bench: Bench, subject: Subject, kind: Kind): Promise<void> {
  if (!subject.verbatim) return;
  await attempt(bench, described(bench, subject, kind), async () => {
    const { crc, sentCrc } = await uploaded(bench, subject, kind, checkedSink);
    if (crc !== sentCrc) throw new Error("the provider got other bytes than were sent");
  });
}

async function timed(bench: Bench, subject: Subject, kind: Kind, idleBytes: number): Promise<void> {
  await attempt(bench, described(bench, subject, kind), async (note) => {
    subject.tree?.forgetPeak();
    const { wallMs, sentBytes } = await uploaded(bench, subject, kind, sink);
    note("time", "time", "ms", wallMs);
    note("rate", "MB per second", "MB/s", sentBytes / 1e3 / wallMs, "higher");
    if (subject.tree === null) return;
    note("memory", "peak − idle memory", "MB", (subject.tree.peakBytes() - idleBytes) / 1e6);
  });
}

/** The most bytes that a gateway may add or remove because it names another model. */
const changedBytesMax = 100;

async function uploaded(
  { generator, scale }: Bench,
  subject: Subject,
  kind: Kind,
  behaviour: Behaviour,
): Promise<UploadResult> {
  const spec = { kind, model: subject.model(behaviour), bytes: scale.uploadBytes[kind] };
  const { value } = await generator.run("upload", subject.target(behaviour), spec);
  const changed = Math.abs(value.received - value.sentBytes);
  if (changed > (subject.verbatim ? 0 : changedBytesMax)) {
    throw new Error(`the provider got ${value.received} of ${value.sentBytes} bytes`);
  }
  return value;
}
