import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let demo: ChildProcess | undefined;

/** What npm started would outlive npm. */
afterEach(() => {
  const { pid, exitCode, signalCode } = demo ?? {};
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
});

it('npm run demo prints the address of a page that answers, and ends with Ctrl-C', async () => {
  const { PORT: _, ...env } = process.env;
  demo = spawn('npm', ['run', 'demo', '--', '--no-open'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  demo.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  await expect.poll(() => output).toContain('Ctrl-C ends everything');
  const address = /^Open (\S+) /m.exec(output)?.[1] ?? '';
  const page = await fetch(address);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')]);

  // The terminal sends Ctrl-C to all processes of the group.
  process.kill(-(demo.pid ?? 0), 'SIGINT');
  await once(demo, 'exit');
  await expect.poll(() => fetch(address).then(String, () => 'no answer')).toBe('no answer');
  expect(output).toContain('Stopping …');
});

it('Ctrl-C while the demo starts leaves no process and no file behind, also where the program is busy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interrupted-'));
  const { PORT: _, REDIS_URL: __, ...env } = process.env;
  demo = spawn('npm', ['run', 'demo', '--', '--no-open', '--verbose'], {
    cwd: root,
    env: { ...env, TMPDIR: folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  demo.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const pids = () => [...output.matchAll(/^(?:app|worker)-1 .*"pid":(\d+)/gmu)].map(([, pid]) => Number(pid));
  await expect.poll(pids, { timeout: 60_000, interval: 20 }).not.toEqual([]);
  // A stopped program handles no signal for a moment, as a busy one.
  const program = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pids()[0])], { encoding: 'utf8' }));
  process.kill(program, 'SIGSTOP');
  process.kill(-(demo.pid ?? 0), 'SIGINT');
  await setTimeout(500);
  process.kill(program, 'SIGCONT');
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Stopping …');

  const left = async () => (await readdir(folder)).filter((name) => name.startsWith('rollout-doctor-'));
  await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  for (const pid of [program, ...pids()]) {
    await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
