import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalIncident, startLocalIncident } from '../../support/local-incident.js';
import { rolloutDoctor } from '../../support/run-command-line.js';

describe('rollout-doctor record', () => {
  let incident: LocalIncident;
  let folder: string;
  beforeAll(async () => {
    incident = await startLocalIncident();
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-record-'));
  });
  afterAll(async () => {
    await incident.close();
    await rm(folder, { recursive: true, force: true });
  });

  function record(...args: readonly string[]) {
    return rolloutDoctor(['record', ...args], { env: { KUBECONFIG: incident.kubeconfig }, cwd: folder });
  }
  const withoutTime = (text: string): string => text.replace(/"takenAt":"[^"]+"/u, '');

  it('writes a file that only its owner can read, the same for the same cluster', async () => {
    const { status, out, err } = await record('a.json', '-A');
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^Recorded \d+ objects of cluster \S+ in a\.json\.\n$/);
    expect((await stat(join(folder, 'a.json'))).mode & 0o777).toBe(0o600);
    await record('b.json', '-A');
    const [a, b] = await Promise.all(
      ['a.json', 'b.json'].map((each) => readFile(join(folder, each), 'utf8')),
    );
    expect(withoutTime(a ?? '')).toBe(withoutTime(b ?? ''));
    expect((await readdir(folder)).sort()).toEqual(['a.json', 'b.json']);
  });

  it('records what a diagnosis of the cluster needs', async () => {
    await record('c.json', '-n', 'ml');
    const [live, recorded] = await Promise.all([
      rolloutDoctor(['diagnose', 'ml/inference', '-o', 'json'], { env: { KUBECONFIG: incident.kubeconfig } }),
      rolloutDoctor(['diagnose', 'ml/inference', '--from', join(folder, 'c.json'), '-o', 'json']),
    ]);
    const cause = ({ out }: { readonly out: string }) => {
      const [finding] = JSON.parse(out).findings;
      return [finding.cause, finding.confidence, finding.waitCycle];
    };
    expect(cause(live)[0]).toBe('surge-deadlock');
    expect(cause(recorded)).toEqual(cause(live));
  });

  it('replaces a file only with --force', async () => {
    await writeFile(join(folder, 'kept.json'), 'kept');
    const refused = await record('kept.json', '-A');
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('--force')]);
    expect(await readFile(join(folder, 'kept.json'), 'utf8')).toBe('kept');
    expect((await record('kept.json', '-A', '--force')).status).toBe(0);
    expect((await stat(join(folder, 'kept.json'))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['no namespace', ['x.json'], 'namespace'],
    ['two scopes', ['x.json', '-A', '-n', 'ml'], '--all-namespaces'],
    ['a name of another kind', ['x.txt', '-A'], '.json'],
    ['a folder that does not exist', ['none/x.json', '-A'], 'folder'],
    ['a folder in place of a file', ['folder.json', '-A'], 'regular file'],
    ['a name that is no namespace', ['x.json', '-n', '../x'], 'namespace name'],
  ])('refuses %s and writes nothing', async (_, args, says) => {
    await mkdir(join(folder, 'folder.json'), { recursive: true });
    const { status, out, err } = await record(...args);
    expect([status, out, err]).toEqual([2, '', expect.stringContaining(says)]);
    expect((await readdir(folder)).filter((name) => /^x\.|part$/u.test(name))).toEqual([]);
  });

  it('reports a namespace and a cluster that do not exist in Korean too', async () => {
    const unknown = await record('x.json', '-n', 'nowhere', '--lang', 'ko');
    expect([unknown.status, unknown.err]).toEqual([3, expect.stringContaining('찾을 수 없습니다')]);
    const gone = await record('x.json', '-A', '--context', 'nowhere');
    expect([gone.status, gone.err]).toEqual([3, expect.stringContaining('nowhere')]);
  });

  it('names a kind that it could not read, in the answer and to those who read the file', async () => {
    incident.cluster.faults.add({
      match: { resources: ['nodes'] },
      effect: { type: 'status', code: 403, reason: 'Forbidden', message: 'not allowed' },
    });
    const { status, err } = await record('partial.json', '-A');
    expect([status, err]).toEqual([3, expect.stringContaining('Not recorded: Node')]);
    const { out } = await rolloutDoctor(['diagnose', 'ml/inference', '--from', join(folder, 'partial.json')]);
    expect(out).toMatch(/Could not be read[\s\S]*Node/u);
  });
});
