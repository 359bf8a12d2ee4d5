import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { scenario } from '../../support/command-line-run.js';
import { type LocalIncident, startLocalIncident } from '../../support/local-incident.js';
import { rolloutDoctor } from '../../support/run-command-line.js';
import { isDeadlocked } from '../../support/shown-words.js';

describe('diagnose with a pod in place of its workload', () => {
  let incident: LocalIncident;
  beforeAll(async () => {
    incident = await startLocalIncident();
  });
  afterAll(() => incident.close());

  async function nameOf(plural: 'pods' | 'replicasets'): Promise<string> {
    const [connection] = connectClusters({ kubeconfig: incident.kubeconfig, contexts: [] });
    const path = plural === 'pods' ? '/api/v1/namespaces/ml/pods' : '/apis/apps/v1/namespaces/ml/replicasets';
    const answer = await connection?.call({ path });
    const listed = (answer?.body ?? { items: [] }) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    return (
      listed.items.map(({ metadata }) => metadata.name).find((name) => name.startsWith('inference-')) ?? ''
    );
  }

  it.each([
    ['a pod', 'pods', 'pod', ['-n', 'ml']],
    ['a pod without its namespace', 'pods', 'po', []],
    ['a ReplicaSet', 'replicasets', 'rs', ['-n', 'ml']],
  ] as const)('finds the workload in a cluster: %s', async (_, plural, kind, options) => {
    const name = await nameOf(plural);
    const args = ['diagnose', `${kind}/${name}`, ...options, '--kubeconfig', incident.kubeconfig];
    const { status, out } = await rolloutDoctor(args);
    expect(out).toContain(`ml/inference ${isDeadlocked}`);
    expect(status).toBe(1);
  });

  it.each([
    ['pod/inference-7d57cc9c6d-5x4rj', []],
    ['rs/inference-5c964cb969', ['-n', 'shop']],
  ])('finds the workload in a recording: %s', async (named, options) => {
    const { status, out } = await rolloutDoctor([
      'diagnose',
      named,
      ...options,
      '--from',
      scenario('gpu-one-node'),
    ]);
    expect(out).toContain(`shop/inference ${isDeadlocked}`);
    expect(status).toBe(1);
  });

  it('reports a pod that has no owner or does not exist', async () => {
    const live = await rolloutDoctor([
      'diagnose',
      'pod/gone',
      '-n',
      'ml',
      '--kubeconfig',
      incident.kubeconfig,
    ]);
    const recorded = await rolloutDoctor(['diagnose', 'pod/gone', '--from', scenario('gpu-one-node')]);
    for (const { status, out, err } of [live, recorded]) {
      expect([status, out]).toEqual([3, '']);
      expect(err).toContain('No workload owns pod/gone, or it does not exist.');
    }
  });
});

describe('a target that cannot be diagnosed', () => {
  it('is reported with its kind', async () => {
    const { status, err } = await rolloutDoctor(['diagnose', 'cronjob/backup', '-n', 'ml']);
    expect(status).toBe(2);
    expect(err).toContain('CronJobs are not supported yet.');
  });

  it('is reported with the known contexts when the cluster is unknown', async () => {
    const incident = await startLocalIncident();
    try {
      const { status, err } = await rolloutDoctor([
        'diagnose',
        'prod/ml/inference',
        '--kubeconfig',
        incident.kubeconfig,
      ]);
      expect(status).toBe(3);
      expect(err).toContain('The kubeconfig has no cluster prod. Available contexts: local.');
    } finally {
      await incident.close();
    }
  });
});
