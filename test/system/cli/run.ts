import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bareEnvironment, shippedProgram } from '../../support/shipped-programs.js';

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** Standard input; left out: nothing is piped in and the stream is empty. */
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** The program's file; left out: that of the image. */
  readonly program?: string;
  readonly cwd?: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Folder of a recorded incident. */
export function scenario(name: string): string {
  return `${root}test/scenarios/${name}`;
}

/** Runs the command line as a process of its own, without the developer's kubeconfig. */
export async function rolloutDoctor(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input = '', env = {}, cwd = root } = options;
  const { program = shippedProgram('rollout-doctor') } = options;
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...bareEnvironment(), KUBECONFIG: '/nonexistent/config', ...env },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  // The program may end without having read all of its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { status, out, err };
}
