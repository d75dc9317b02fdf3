import { join } from "node:path";
import { exportIdPattern } from "./question.ts";

/** The folder of exports, beside the read model's file. */
export function exportsIn(directory: string): string {
  return join(directory, "exports");
}

/** The file of an export. Throws if the id is none of ours, so that no name leads elsewhere. */
export function exportPath(directory: string, id: string): string {
  if (!exportIdPattern.test(id)) throw new Error("that is no id of an export");
  return join(exportsIn(directory), `${id}.csv`);
}
