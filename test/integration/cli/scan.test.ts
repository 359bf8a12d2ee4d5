import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenario } from '../../support/command-line-run.js';
import { type LocalIncident, startLocalIncident } from '../../support/local-incident.js';
import { rolloutDoctor } from '../../support/run-command-line.js';
import { isDeadlocked } from '../../support/shown-words.js';

interface List {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly {
    readonly kind: string;
    readonly workload: { readonly namespace: string; readonly name: string };
    readonly findings: readonly { readonly cause: string; readonly severity: string }[];
  }[];
}

/** Workloads with their first cause above informational, in order. */
function listed(out: string): readonly string[] {
  const list = JSON.parse(out) as List;
  expect([list.apiVersion, list.kind]).toEqual(['rollout-doctor/v1', 'DiagnosisList']);
  return list.items.map(
    ({ workload, findings }) =>
      `${workload.namespace}/${workload.name} ${findings.find(({ severity }) => severity !== 'info')?.cause ?? '-'}`,
  );
}

describe('rollout-doctor scan of recorded objects', () => {
  it('lists every workload, the deadlocked one before a healthy one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-scan-'));
    try {
      await cp(scenario('gpu-one-node'), folder, { recursive: true });
      const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a' }] } };
      const healthy = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {
          ...{ name: 'a', namespace: 'another', uid: 'a', generation: 1 },
          creationTimestamp: '2026-11-20T09:00:00Z',
        },
        spec: {
          replicas: 0,
          strategy: { type: 'Recreate' },
          selector: { matchLabels: { app: 'a' } },
          template,
        },
        status: { observedGeneration: 1 },
      };
      await writeFile(join(folder, 'healthy.json'), JSON.stringify(healthy));
      const [json, one, text] = await Promise.all([
        rolloutDoctor(['scan', '--from', folder, '-A', '-o', 'json']),
        rolloutDoctor(['scan', '--from', folder, '-n', 'another', '-o', 'json']),
        rolloutDoctor(['scan', '--from', folder]),
      ]);
      expect(listed(json.out)).toEqual(['shop/inference surge-deadlock', 'another/a -']);
      expect(listed(one.out)).toEqual(['another/a -']);
      expect([json.status, one.status, text.status]).toEqual([1, 0, 1]);
      expect(text.out).toContain(`deployment/inference -n shop\n  critical  shop/inference ${isDeadlocked}`);
      expect(text.out).toMatch(/^1 of 2 workloads has a problem\.\nNo problem found in 1 workload\.\n\n/u);
      expect(text.err).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['no scope', [], 2, 'The namespace is missing'],
    ['two scopes', ['-A', '-n', 'shop'], 2, 'not both'],
    ['an invalid namespace name', ['-n', 'Shop_1'], 2, 'is not a valid namespace name'],
    [
      'a namespace that is not recorded',
      ['-n', 'mall', '--from', scenario('gpu-one-node')],
      3,
      'Namespaces with workloads: shop.',
    ],
    ['a folder that does not exist', ['--from', '/nonexistent/objects'], 3, 'no such file or folder'],
    ['a kubeconfig that does not exist', ['-A', '--kubeconfig', '/nonexistent'], 3, 'kubeconfig'],
  ])('rejects %s with a helpful line', async (_, args, status, says) => {
    const ran = await rolloutDoctor(['scan', ...args]);
    expect(ran).toMatchObject({ status, out: '' });
    expect(ran.err).toContain(says);
    expect(ran.err).not.toContain('    at ');
  });
});

describe('the command that a person is advised to run next', () => {
  const from = scenario('gpu-one-node');

  it.each([
    [
      'a scan',
      ['scan', '--from', from],
      `rollout-doctor diagnose deployment/inference -n shop --from ${from}`,
    ],
    [
      'the name of a namespace',
      ['diagnose', 'shop', '--from', from],
      `rollout-doctor scan -n shop --from ${from}`,
    ],
    [
      'a workload of another kind',
      ['diagnose', 'sts/inference', '-n', 'shop', '--from', from, '--at', '2026-11-20T09:30:00Z'],
      `rollout-doctor diagnose deployment/inference -n shop --from ${from} --at 2026-11-20T09:30:00Z`,
    ],
  ])('reads in the same place after %s', async (_, args, next) => {
    const { out, err } = await rolloutDoctor(args);
    expect(`${out}${err}`).toContain(next);
  });

  it('is quoted for a shell, and works', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollout doctor '));
    try {
      await cp(from, folder, { recursive: true });
      const { out } = await rolloutDoctor(['scan', '--from', folder]);
      expect(out).toContain(`diagnose deployment/inference -n shop --from '${folder}'\n`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('rollout-doctor against a live cluster', () => {
  let incident: LocalIncident;
  beforeAll(async () => {
    incident = await startLocalIncident();
  });
  afterAll(() => incident.close());

  it('scans a namespace and the whole cluster', async () => {
    const live = ['--kubeconfig', incident.kubeconfig, '-o', 'json'];
    const [all, one] = await Promise.all([
      rolloutDoctor(['scan', '-A', ...live]),
      rolloutDoctor(['scan', '-n', 'ml', ...live]),
    ]);
    expect(listed(all.out)[0]).toBe('ml/inference surge-deadlock');
    expect(listed(one.out)[0]).toBe('ml/inference surge-deadlock');
    expect([all.status, one.status]).toEqual([1, 1]);
  });

  it('reports a namespace that does not exist', async () => {
    const ran = await rolloutDoctor(['scan', '-n', 'mall', '--kubeconfig', incident.kubeconfig]);
    expect(ran).toMatchObject({ status: 3, out: '' });
    expect(ran.err).toContain('Namespace mall not found in the cluster.');
  });

  it('diagnoses one workload with the same finding', async () => {
    const ran = await rolloutDoctor([
      'diagnose',
      'ml/inference',
      '--kubeconfig',
      incident.kubeconfig,
      '-o',
      'json',
    ]);
    expect(JSON.parse(ran.out)).toMatchObject({
      kind: 'Diagnosis',
      findings: expect.arrayContaining([
        expect.objectContaining({ cause: 'surge-deadlock', confidence: 'proven' }),
      ]),
    });
    expect(ran.status).toBe(1);
  });
});
