/** Node's own options for the gateway's process, as `npm start` and the Docker image have them. */
export const nodeFlags: readonly string[] = ["--min-semi-space-size=16"];
