import { addClusterKeysCommand, addDoctorCommand } from '#src/edges/cli/further-commands.js';
import { runCli } from '#src/edges/cli/run-process.js';
import { noKubeconfig, type Ran, type RunOptions, repositoryRoot } from './command-line-run.js';

const further = [addDoctorCommand, addClusterKeysCommand];
let former: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in the process of the test, one run after the other: a process of its own costs a second of
 * processor time, and a run here a fraction. That the shipped program gives the same: `test/system/cli/program.test.ts`.
 */
export async function rolloutDoctor(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const run = former.then(() => runAlone(args, options));
  former = run.catch(() => undefined);
  return run;
}

/** With folder and environment of the person, which are those of the whole process. */
async function runAlone(args: readonly string[], { input = '', env = {}, cwd }: RunOptions): Promise<Ran> {
  const kept = { cwd: process.cwd(), env: { ...process.env } };
  const [out, err]: [string[], string[]] = [[], []];
  try {
    process.chdir(cwd ?? repositoryRoot);
    setEnvironment({ PATH: kept.env.PATH, HOME: '/nonexistent', ...noKubeconfig, ...env });
    const status = await runCli(
      args,
      {
        out: (text) => void out.push(text),
        err: (text) => void err.push(text),
        input: { bytes: bytesOf(input), typed: false },
        paint: { colour: false, width: 80 },
        watched: false,
      },
      { further, name: 'rollout-doctor' },
    );
    return { status, out: out.join(''), err: err.join('') };
  } finally {
    setEnvironment(kept.env);
    process.chdir(kept.cwd);
  }
}

function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

async function* bytesOf(input: string | Buffer): AsyncGenerator<Uint8Array | string> {
  if (input.length > 0) yield input;
}
