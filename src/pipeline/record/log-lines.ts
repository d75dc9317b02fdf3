import { symbols, type Logger } from "pino";

/** Returns a function that writes whole lines to the logger's own stream. */
export function linesOf(logger: Logger): (line: string) => void {
  const stream: unknown = Reflect.get(logger, symbols.streamSym);
  if (typeof stream !== "object" || stream === null || !("write" in stream)) {
    throw new Error("the logger has no stream");
  }
  const { write } = stream;
  if (typeof write !== "function") throw new Error("the logger's stream can't be written");
  return (line) => void Reflect.apply(write, stream, [line]);
}
