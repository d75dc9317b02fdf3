import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentClient, Command, Setting } from "./client.ts";
import { installDir } from "./install.ts";
import { startLab, type Lab, type LabOptions, type Mode } from "./lab.ts";
import { startWeb } from "./web.ts";

export interface SessionOptions extends Partial<LabOptions> {
  /** What the user says, one run of the client each. */
  readonly prompts?: readonly string[];
  /** In place of the client's usual one; with own keys alone, for the lab has no price of it. */
  readonly model?: string;
  /** A web of one page behind a proxy. */
  readonly web?: boolean;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long a run may take before it is killed, milliseconds. */
  readonly runMsMax?: number;
  /** Files of the home besides the client's own. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Run {
  /** null: it was killed, by us after `runMsMax` if by nobody else. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Session {
  readonly lab: Lab;
  readonly setting: Setting;
  readonly runs: readonly Run[];
  close(): Promise<void>;
}

const runMsMax = 120_000;
/** The repository that agents work in; what stands here is in the recordings. */
export const projectFiles = {
  "notes.md": "One two three four five six seven.\n",
  "CLAUDE.md": "# Rules\n\nUse tabs in Makefiles. Names of files are in lower case.\n",
  "AGENTS.md": "# Rules\n\nUse tabs in Makefiles. Names of files are in lower case.\n",
} as const;
export const filesPrompt = "scenario:files Read the notes and say what they hold.";

/** Starts all that a client needs, lets it run to its end, and hands over what was seen. */
export async function runSession(
  client: AgentClient,
  mode: Mode,
  options: SessionOptions = {},
): Promise<Session> {
  mkdirSync(join(installDir, "homes"), { recursive: true });
  const home = mkdtempSync(join(installDir, "homes", "home-"));
  const project = makeProject(home);
  const lab = await startLab({ scenarios: client.scenarios(project), ...options });
  const web = options.web === true ? await startWeb("docs.example.org") : null;
  const close = async (): Promise<void> => {
    await web?.close();
    await lab.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const setting: Setting = {
      ...{ mode, home, project, prompt: "", continues: false },
      gatewayUrl: lab.tap.url,
      serviceKey: lab.serviceKey,
      providerKey: "sk-own-key-of-the-caller",
      upstreamUrl: lab.stub.origin,
      ...(options.model === undefined ? {} : { model: options.model }),
    };
    writeAll(home, options.files ?? {});
    const runs: Run[] = [];
    for (const [i, prompt] of (options.prompts ?? [filesPrompt]).entries()) {
      const command = client.command({ ...setting, prompt, continues: i > 0 });
      runs.push(
        await run(
          { ...command, env: { ...command.env, ...web?.env, ...options.env } },
          setting,
          options.runMsMax ?? runMsMax,
        ),
      );
    }
    return { lab, setting, runs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function makeProject(home: string): string {
  const project = join(home, "project");
  writeAll(project, projectFiles);
  // A commit of a fixed time has a fixed name.
  const when = { GIT_AUTHOR_DATE: "1795000000 +0000", GIT_COMMITTER_DATE: "1795000000 +0000" };
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    ["commit", "-qm", "First notes"],
  ]) {
    execFileSync("git", [...who, ...args], {
      cwd: project,
      env: { ...environment(home), ...when },
    });
  }
  return project;
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Nothing of the person's who runs this but the search path. */
function environment(home: string): Record<string, string> {
  const node = dirname(process.execPath);
  return { PATH: `${node}:${process.env["PATH"] ?? ""}`, HOME: home, LANG: "C.UTF-8" };
}

async function run(command: Command, { home, project }: Setting, msMax: number): Promise<Run> {
  writeAll(home, command.files ?? {});
  const child = spawn(command.file, command.args, {
    cwd: project,
    env: { ...environment(home), ...command.env },
    stdio: ["ignore", "pipe", "pipe"],
    // Some run in a child of their own, which would outlive them with our pipes in its hands.
    detached: true,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (bytes: Buffer) => (stdout += bytes.toString()));
  child.stderr.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, msMax);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearTimeout(timer);
  return { code, stdout, stderr };
}
