import { spawn } from 'node:child_process';
import { noKubeconfig, type Ran, type RunOptions, repositoryRoot } from '../../support/command-line-run.js';
import { bareEnvironment, shippedProgram } from '../../support/shipped-programs.js';

interface ProgramOption {
  /** The program's file; left out: that of the image. */
  readonly program?: string;
}

/** Runs the command line as a process of its own, without the developer's kubeconfig. */
export async function rolloutDoctor(
  args: readonly string[],
  options: RunOptions & ProgramOption = {},
): Promise<Ran> {
  const { input = '', env = {}, cwd = repositoryRoot } = options;
  const { program = shippedProgram('rollout-doctor') } = options;
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...bareEnvironment(), ...noKubeconfig, ...env },
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
