import { symbols, type Logger } from "pino";

/** Where a logger's lines go. */
export interface LogStream {
  write(line: string): void;
  /**
   * Takes a packed line (`packedLines`). The bytes are the caller's again when it returns. Absent: it takes
   * only text.
   */
  writePacked?(packed: Buffer): void;
}

/** The logger's own stream. */
export function logStream(logger: Logger): LogStream {
  const stream: unknown = Reflect.get(logger, symbols.streamSym);
  if (!isLogStream(stream)) throw new Error("the logger has no stream that can be written");
  return stream;
}

function isLogStream(stream: unknown): stream is LogStream {
  return (
    typeof stream === "object" &&
    stream !== null &&
    "write" in stream &&
    typeof stream.write === "function" &&
    (!("writePacked" in stream) || typeof stream.writePacked === "function")
  );
}
