import { constants, createBrotliCompress, createGzip, createZstdCompress } from "node:zlib";
import type { Transform } from "node:stream";

export type ContentCoding = "gzip" | "br" | "zstd";

/** Compressors that send the output of each write at once, as a streaming provider must. */
export const createEncoder: Readonly<Record<ContentCoding, () => Transform>> = {
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    }),
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
};

/** Whether an `accept-encoding` header names the coding with a weight above 0. */
export function accepts(acceptEncoding: string, coding: ContentCoding): boolean {
  return acceptEncoding.split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
