import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Policy } from '#src/core/authorization/policy.js';
import { type KeptPolicy, keepPolicy } from '#src/keep-policy.js';
import { loadPolicy } from '#src/load-policy.js';

const policyOf = (group: string): string =>
  `grants:\n  - groups: [${group}]\n    namespaces: [ml]\n    actions: "*"\n`;

let folder: string;
let path: string;
let kept: KeptPolicy | undefined;
let lines: string[];

beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-policy-'));
  path = join(folder, 'policy.yaml');
  lines = [];
});
afterEach(() => {
  kept?.close();
  rmSync(folder, { recursive: true });
  vi.useRealTimers();
});

function keep(): KeptPolicy {
  const loaded = loadPolicy(path);
  if ('problems' in loaded) throw new Error('the first policy is wrong');
  kept = keepPolicy(path, loaded, pino({ level: 'info' }, { write: (line: string) => lines.push(line) }));
  return kept;
}

const groupsOf = ({ current }: KeptPolicy) => current().grants.flatMap(({ groups }) => groups);
const pass = () => vi.advanceTimersByTime(10_000);

describe('a policy file that changes', () => {
  it('counts without a restart', () => {
    writeFileSync(path, policyOf('ml-oncall'));
    const policy = keep();
    writeFileSync(path, policyOf('platform'));
    pass();

    expect(groupsOf(policy)).toEqual(['platform']);
    expect(policy.isReadable()).toBe(true);
  });

  it('counts when the kubelet exchanges the folder of a ConfigMap', () => {
    for (const group of ['first', 'second']) {
      mkdirSync(join(folder, group));
      writeFileSync(join(folder, group, 'policy.yaml'), policyOf(group));
    }
    symlinkSync('first', join(folder, '..data'));
    symlinkSync(join('..data', 'policy.yaml'), path);
    const policy = keep();
    expect(groupsOf(policy)).toEqual(['first']);
    symlinkSync('second', join(folder, '..new'));
    renameSync(join(folder, '..new'), join(folder, '..data'));
    pass();

    expect(groupsOf(policy)).toEqual(['second']);
  });

  it('takes all grants away when it grants nothing', () => {
    writeFileSync(path, policyOf('ml-oncall'));
    const policy = keep();
    writeFileSync(path, 'grants: []\n');
    pass();

    expect(policy.current().grants).toEqual([]);
  });

  it.each([
    ['has an unknown field', 'grants:\n  - group: [x]\n    namespaces: [ml]\n    actions: "*"\n', 'groups'],
    ['is no YAML', 'grants: [', 'POLICY_FILE'],
    ['is empty', '', 'POLICY_FILE'],
    ['is gone', undefined, 'no such file'],
    ['is a folder', 'folder', 'folder'],
  ])('counts as it was while the file %s, and the log names the fault once', (_, content, named) => {
    writeFileSync(path, policyOf('ml-oncall'));
    const policy = keep();
    rmSync(path);
    if (content === 'folder') mkdirSync(path);
    else if (content !== undefined) writeFileSync(path, content);
    pass();
    pass();

    expect(groupsOf(policy)).toEqual(['ml-oncall']);
    expect(policy.isReadable()).toBe(false);
    expect(lines.filter((line) => line.includes('the last good policy counts'))).toHaveLength(1);
    expect(lines.join('')).toContain(named);

    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, policyOf('platform'));
    pass();
    expect(groupsOf(policy)).toEqual(['platform']);
    expect(policy.isReadable()).toBe(true);
  });
});

it('stays as it is without a file', () => {
  kept = keepPolicy(undefined, Policy.parse({ grants: [] }), pino({ level: 'silent' }));
  pass();

  expect(kept.current().grants).toEqual([]);
  expect(kept.isReadable()).toBe(true);
});
