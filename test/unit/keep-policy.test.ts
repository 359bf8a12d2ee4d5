import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { type KeptPolicy, keepPolicy } from '#src/roots/keep-file.js';
import { loadPolicy } from '#src/settings/config.js';

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
  kept = keepPolicy({
    path,
    loaded,
    clock: { now: () => new Date() },
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
  });
  return kept;
}

const groupsOf = ({ current }: KeptPolicy) => current().grants.flatMap(({ groups }) => groups);
/** Two readings, the second of which finds what the first found. */
const pass = () => vi.advanceTimersByTime(10_000);
const passOneReading = () => vi.advanceTimersByTime(5_000);

describe('a policy file that changes', () => {
  it('counts without a restart', () => {
    writeFileSync(path, policyOf('ml-oncall'));
    const policy = keep();
    writeFileSync(path, policyOf('platform'));
    pass();

    expect(groupsOf(policy)).toEqual(['platform']);
    expect(policy.faultSince()).toBeUndefined();
  });

  it('counts from the second reading that finds the same, so that a file that is being written does not', () => {
    const demands = 'demands: [{ approvers: 2 }]\n';
    writeFileSync(path, `${policyOf('ml-oncall')}${demands}`);
    const policy = keep();
    const startedAt = policy.readAt();
    writeFileSync(path, policyOf('platform'));
    passOneReading();
    expect(policy.current().demands).toHaveLength(1);
    appendFileSync(path, demands);
    passOneReading();
    expect(groupsOf(policy)).toEqual(['ml-oncall']);
    expect(policy.readAt()).toEqual(startedAt);
    passOneReading();

    expect(groupsOf(policy)).toEqual(['platform']);
    expect(policy.current().demands).toHaveLength(1);
    expect(policy.readAt().getTime()).toBe(startedAt.getTime() + 15_000);
  });

  it('logs nothing when one reading finds no file', () => {
    writeFileSync(path, policyOf('ml-oncall'));
    const policy = keep();
    rmSync(path);
    passOneReading();
    writeFileSync(path, policyOf('ml-oncall'));
    pass();

    expect(policy.faultSince()).toBeUndefined();
    expect(lines).toEqual([]);
  });

  it('reports a changed policy once to those who asked for it', () => {
    writeFileSync(path, policyOf('ml-oncall'));
    const policy = keep();
    const seen: string[][] = [];
    policy.onChange(({ grants }) => seen.push(grants.flatMap(({ groups }) => groups)));
    writeFileSync(path, policyOf('platform'));
    pass();
    writeFileSync(path, `# the same\n${policyOf('platform')}`);
    pass();

    expect(seen).toEqual([['platform']]);
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
    expect(policy.faultSince()).toBeDefined();
    expect(policy.faultSince()?.getTime()).toBeLessThan(Date.now());
    expect(lines.filter((line) => line.includes('the last good policy counts'))).toHaveLength(1);
    expect(lines.join('')).toContain(named);

    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, policyOf('platform'));
    pass();
    expect(groupsOf(policy)).toEqual(['platform']);
    expect(policy.faultSince()).toBeUndefined();
  });
});

it('stays as it is without a file', () => {
  kept = keepPolicy({
    path: undefined,
    loaded: Policy.parse({ grants: [] }),
    clock: { now: () => new Date() },
    log: pino({ level: 'silent' }),
  });
  pass();

  expect(kept.current().grants).toEqual([]);
  expect(kept.faultSince()).toBeUndefined();
});
