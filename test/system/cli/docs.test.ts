import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { shippedProgram } from '../../support/shipped-programs.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```console\n\$ (.+)\n([\s\S]*?)\n```$/gm)].map(
  ([, command = '', output = '']) => ({ command, output }),
);

describe('the examples in docs/cli.md', () => {
  it.each(examples)('show the output of $command', async ({ command, output }) => {
    const program = shippedProgram('rollout-doctor');
    const script = `rollout-doctor() { "${process.execPath}" "${program}" "$@"; }\n${command}\ntrue`;
    const { stdout } = await run('bash', ['--norc', '-c', script], { cwd: root });
    expect(stdout.trimEnd()).toBe(output);
  });

  it('are at least four', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
  });
});
