import { type ChildProcess, spawn } from 'node:child_process';
import { bareEnvironment, shippedProgram } from '../../support/shipped-programs.js';

export interface Guarded {
  /** `guard` when the program did not end in time and was killed. */
  readonly status: number | null | 'guard';
  readonly out: string;
  readonly err: string;
}

/** Generous, because the machine may do other work; the program itself needs a second. */
const guardMs = 90_000;

/**
 * Runs the command line as a process, and kills it when it does not end in time.
 *
 * @param shell a line of `sh` in which `"$@"` is the program with its arguments, to give it another standard
 *   input
 */
export async function runGuarded(
  args: readonly string[],
  options: { readonly cwd: string; readonly shell?: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Guarded> {
  const program = shippedProgram('rollout-doctor');
  const command = [process.execPath, '--max-old-space-size=3072', program, ...args];
  const child: ChildProcess = spawn(
    'sh',
    ['-c', options.shell ?? 'exec "$@" < /dev/null', 'sh', ...command],
    {
      cwd: options.cwd,
      env: { ...bareEnvironment(), KUBECONFIG: '/nonexistent', ...options.env },
      detached: true,
    },
  );
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (out.length < 1_000_000) out += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  let guarded = false;
  const guard = setTimeout(() => {
    guarded = true;
    // The group is the shell that was started here, with what it started.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, guardMs);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(guard);
  return { status: guarded ? 'guard' : status, out, err };
}
