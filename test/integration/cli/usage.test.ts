import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scenario } from '../../support/command-line-run.js';
import { rolloutDoctor } from '../../support/run-command-line.js';

const run = promisify(execFile);
const gpu = scenario('gpu-one-node');
const commands = ['diagnose', 'scan', 'check', 'explain', 'mcp', 'doctor', 'completion'];

describe('the command line', () => {
  it.each(commands)('shows examples in the help of %s', async (command) => {
    const { status, out } = await rolloutDoctor([command, '--help']);
    expect(status).toBe(0);
    expect(out).toContain(`Usage: rollout-doctor ${command}`);
    expect(out).toContain('Examples:\n');
  });

  it.each([
    ['no command', [], 'Usage: rollout-doctor'],
    ['a command that is mistyped', ['diagnos'], 'Did you mean diagnose?'],
    ['an option that is mistyped', ['scan', '--namespce', 'a'], 'Did you mean --namespace?'],
    ['a workload that is missing', ['diagnose'], 'The workload is missing. Use a name such as'],
    ['an invalid workload name', ['diagnose', 'a_b'], '`a_b`'.replaceAll('`', '')],
    ['an unsupported language', ['explain', 'x', '--lang', 'fr'], 'Valid values: en and ko.'],
    [
      'an invalid time',
      ['diagnose', 'a/b', '--from', scenario('gpu-one-node'), '--at', 'noon'],
      'is not a valid time',
    ],
    ['an unsupported shell', ['completion', 'csh'], 'Valid values: bash, zsh and fish.'],
  ])('reports %s as wrong usage with a helpful line', async (_, args, says) => {
    const { status, out, err } = await rolloutDoctor(args);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(says);
    expect(err).not.toContain('    at ');
  });

  it.each([
    ['diagnose', ['diagnose', 'a/b'], true],
    ['record, which reads no saved objects', ['record', 'cluster.json', '-A'], false],
  ])('names what to do without a cluster: %s', async (_, args, offersFiles) => {
    const { status, err } = await rolloutDoctor(args);
    expect(status).toBe(3);
    expect(err).toContain('Check --kubeconfig and --context');
    expect(err.includes('--from PATH')).toBe(offersFiles);
  });

  it.each(['--help', ...commands])('shows the help of %s in Korean', async (command) => {
    const args = command === '--help' ? ['--help'] : [command, '--help'];
    const { status, out } = await rolloutDoctor(args, { env: { LANG: 'ko_KR.UTF-8' } });
    expect(status).toBe(0);
    expect(out).toContain('사용법: rollout-doctor');
    expect(out).toContain('옵션:');
    expect(out).toContain('예시:\n');
    const sentences = out
      .split('\n')
      .filter(
        (line) => /^\s*(?:-|[A-Z][a-z])/.test(line) && !/rollout-doctor |kubectl |kustomize /.test(line),
      );
    for (const line of sentences) expect(line).toMatch(/[가-힣]/u);
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[], boolean]>([
    ['LANG', { LANG: 'ko_KR.UTF-8' }, [], true],
    ['LC_MESSAGES before LANG', { LANG: 'en_US.UTF-8', LC_MESSAGES: 'ko_KR' }, [], true],
    ['LC_ALL before both', { LANG: 'ko_KR.UTF-8', LC_MESSAGES: 'ko_KR', LC_ALL: 'C' }, [], false],
    ['English for POSIX', { LANG: 'POSIX' }, [], false],
    ['--lang before the environment', { LANG: 'ko_KR.UTF-8' }, ['--lang', 'en'], false],
  ])('takes the language from %s', async (_, env, options, korean) => {
    const { out } = await rolloutDoctor(['scan', '--from', scenario('gpu-one-node'), ...options], { env });
    expect(out.includes('교착 상태')).toBe(korean);
    const { err } = await rolloutDoctor(['diagnos', ...options], { env });
    expect(err.includes('알 수 없는 명령')).toBe(korean);
  });

  it('lists the observed values with --evidence, and times without fractions of a second', async () => {
    const args = ['diagnose', 'shop/inference', '--from', scenario('gpu-one-node')];
    const [short, long] = [await rolloutDoctor(args), await rolloutDoctor([...args, '--evidence'])];
    expect(short.out).not.toContain('Evidence');
    expect(long.out).toContain('Evidence\n');
    expect(long.out.replace(/\s+/g, ' ')).toContain(
      'Node gpu-a status.allocatable[nvidia.com/gpu] = 1: 1 requested',
    );
    for (const { out } of [short, long]) expect(out).not.toMatch(/\d\.\d+Z/);
  });

  it.each([
    ['is empty', 'objects.json', '', 'the file is empty'],
    ['is cut off', 'objects.json', '{"kind":"List","items":[{"kind":"Pod"', 'the JSON ends too early'],
    ['is not YAML', 'objects.yaml', 'kind: Pod\n  metadata: [', 'objects.yaml, line 2, column 11'],
    ['holds no object', 'objects.yaml', 'just text', 'no Kubernetes object'],
    [
      'holds a broken object',
      'objects.yaml',
      'kind: Pod\nmetadata: {name: a}\nspec: 7',
      'Pod a has no usable spec',
    ],
  ])('reports the place when the recording %s', async (_, file, text, says) => {
    const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-broken-'));
    try {
      await writeFile(join(folder, file), text);
      const { status, out, err } = await rolloutDoctor(['scan', '--from', folder]);
      expect([status, out]).toEqual([3, '']);
      expect(err).toContain(says);
      expect(err).not.toContain('    at ');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('diagnoses although another object does not parse, and names that object', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-malformed-'));
    try {
      await cp('test/scenarios/gpu-one-node', folder, { recursive: true });
      await writeFile(
        join(folder, 'foreign.yaml'),
        'apiVersion: v1\nkind: Pod\nmetadata: {name: odd, namespace: far}\nspec: {containers: 7}\n',
      );
      const { status, out } = await rolloutDoctor([
        'diagnose',
        'deploy/inference',
        '-n',
        'shop',
        '--from',
        folder,
      ]);
      expect(status).toBe(1);
      expect(out).toContain('surge-deadlock');
      expect(out).toContain('(likely, surge-deadlock)');
      expect(out.replace(/\s+/g, ' ')).toContain('Pod far/odd has no usable spec.containers');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('reports the object that does not parse when it is the requested workload', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-malformed-'));
    try {
      await writeFile(
        join(folder, 'objects.yaml'),
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: 7\n---\n' +
          'apiVersion: v1\nkind: Node\nmetadata: {name: n-a}\n',
      );
      const { status, err } = await rolloutDoctor(['diagnose', 'deploy/web', '-n', 'shop', '--from', folder]);
      expect(status).toBe(3);
      expect(err).toContain('Deployment shop/web has no usable spec');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['a command', ['rollout-doctor', 'ch'], ['check']],
    ['an option of the command', ['rollout-doctor', 'check', '--ag'], ['--against']],
    ['a format', ['rollout-doctor', 'check', '-o', 's'], ['sarif']],
    ['a part', ['rollout-doctor', 'doctor', '--only', 're'], ['redis']],
    ['a shell', ['rollout-doctor', 'completion', 'f'], ['fish']],
    ['no option for a file', ['rollout-doctor', 'scan', '--from', './x'], []],
  ])('completes %s in bash', async (_, words, expected) => {
    const { out } = await rolloutDoctor(['completion', 'bash']);
    const script = `${out}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_rollout_doctor
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['--norc', '-c', script]);
    expect(stdout.split('\n').filter((line) => line !== '')).toEqual(expected);
  });

  it.each(['zsh', 'fish'])('lists every command and every option in the completion for %s', async (shell) => {
    const { out } = await rolloutDoctor(['completion', shell]);
    const help = await rolloutDoctor(['scan', '--help']);
    const options = [...help.out.matchAll(/--([a-z-]+)/g)].map(([, option]) => option ?? '');
    for (const option of options.filter((each) => !['help', 'output json'].includes(each))) {
      expect(out).toMatch(new RegExp(`(--|-l )${option}\\b`));
    }
    for (const command of commands) expect(out).toContain(command);
  });

  it.each([
    ['diagnose', ['shop/inference', '--from', gpu]],
    ['scan', ['--from', gpu]],
    ['check', ['-f', 'docs/examples/inference.yaml', '--against', gpu]],
    ['explain', ['0/3 nodes are available: 3 Insufficient cpu.']],
  ])('prints the same as YAML and as JSON: %s', async (command, args) => {
    const at = command === 'diagnose' || command === 'scan' ? ['--at', '2026-11-20T09:00:00Z'] : [];
    const json = await rolloutDoctor([command, ...args, ...at, '-o', 'json']);
    const yaml = await rolloutDoctor([command, ...args, ...at, '-o', 'yaml']);
    expect(yaml).toEqual({ ...json, out: yaml.out });
    expect(parse(yaml.out)).toEqual(JSON.parse(json.out));
  });
});

describe('an option of mcp that cannot be used', () => {
  it.each([
    [['--from', '/nonexistent/objects'], 3, '/nonexistent/objects: there is no such file'],
    [['--kubeconfig', '/nonexistent/config'], 3, '/nonexistent/config: there is no such file'],
    [['--lang', 'ko', '--from', '/nonexistent/objects'], 3, '파일이나 폴더가 없습니다'],
    [['--from', scenario('gpu-one-node'), '--at', 'yesterday'], 2, 'yesterday'],
  ])('ends the program before a client waits for it: %j', async (args, status, says) => {
    const ended = await rolloutDoctor(['mcp', ...args]);
    expect([ended.status, ended.out, ended.err]).toEqual([status, '', expect.stringContaining(says)]);
  });

  it('ends the program where the kubeconfig has no such context', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-mcp-'));
    const file = join(folder, 'config');
    await writeFile(
      file,
      'clusters: [{name: a, cluster: {server: "https://a.example"}}]\nusers: [{name: a, user: {token: t}}]\ncontexts: [{name: prod-eu, context: {cluster: a, user: a}}]\n',
    );
    const ended = await rolloutDoctor(['mcp', '--kubeconfig', file, '--context', 'nowhere']);
    await rm(folder, { recursive: true });
    expect([ended.status, ended.out, ended.err]).toEqual([3, '', expect.stringMatching(/nowhere.*prod-eu/)]);
  });
});
