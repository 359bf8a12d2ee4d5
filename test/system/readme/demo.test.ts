import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let demo: ChildProcess | undefined;

/** What npm started would outlive npm. */
afterAll(() => {
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
