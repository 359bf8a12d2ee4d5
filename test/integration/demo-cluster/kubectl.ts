import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether this machine has kubectl. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

export interface KubectlAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The real kubectl, with a kubeconfig and a cache of its own. */
export interface Kubectl {
  /** Runs a command line; arguments are cut at spaces, further ones are taken whole. */
  (line: string, ...more: readonly string[]): Promise<KubectlAnswer>;
  /** Starts a command that goes on, and gathers what it prints. */
  follow(line: string): { readonly lines: string[]; readonly stop: () => void };
  /** Writes a file beside the kubeconfig and gives its path. */
  file(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

export async function createKubectl(kubeconfig: string): Promise<Kubectl> {
  const folder = await mkdtemp(join(tmpdir(), 'kubectl-'));
  const path = join(folder, 'kubeconfig');
  await writeFile(path, kubeconfig);
  const shared = ['--kubeconfig', path, '--cache-dir', join(folder, 'cache')];
  const running = new Set<ChildProcess>();
  const kubectl = async (line: string, ...more: readonly string[]): Promise<KubectlAnswer> => {
    const args = [...line.split(' '), ...more, ...shared];
    try {
      const { stdout, stderr } = await run('kubectl', args, { timeout: 90_000, cwd: folder });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const {
        code,
        stdout = '',
        stderr = '',
      } = error as {
        readonly code?: unknown;
        readonly stdout?: string;
        readonly stderr?: string;
      };
      return { code: typeof code === 'number' ? code : -1, out: stdout, err: stderr };
    }
  };
  return Object.assign(kubectl, {
    follow(line: string) {
      const child = spawn('kubectl', [...line.split(' '), ...shared], { cwd: folder });
      running.add(child);
      const lines: string[] = [];
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n');
        rest = parts.pop() ?? '';
        lines.push(...parts);
      });
      return { lines, stop: () => child.kill() };
    },
    async file(name: string, text: string) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
    async remove() {
      for (const child of running) child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
