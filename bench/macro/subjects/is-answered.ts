import { request } from "node:http";

/** Whether a server answers HTTP there, with any status. */
export function isAnswered(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(true));
    });
    asked.once("error", () => resolve(false));
    asked.end();
  });
}
