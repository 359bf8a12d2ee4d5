import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createEngine } from '#src/service/create-engine.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { demoIncidents, seedDemo } from '../../../demo/cluster/seed/demo-incidents.js';
import { inferenceGpu } from '../../../demo/cluster/seed/inference-gpu.js';
import { deployBadVersion } from '../../../demo/cluster/seed/query-service.js';
import { clearCluster } from '../../../demo/live/clear-cluster.js';
import { drawCluster } from '../../../demo/live/cluster-picture.js';
import { deploymentOf, isRolledOut } from '../../../demo/live/deployments.js';
import { createTour } from '../../../demo/live/tour.js';
import { stormButton } from '../../../demo/storm/storm-button.js';

const startAt = Date.parse('2026-11-20T09:00:00Z');

/** The cluster of the demo with a stopped clock. */
describe('the cluster of the demo', () => {
  let cluster: LocalCluster;

  beforeEach(async () => {
    cluster = await createLocalCluster({ startAt });
    await seedDemo(cluster);
  });
  afterEach(() => cluster.close());

  const podsOf = (workload: string) =>
    drawCluster(cluster).flatMap(({ name: node, pods }) =>
      pods.filter((pod) => pod.workload === workload).map(({ isNew, look }) => ({ node, isNew, look })),
    );
  const replaceInPlace = (): void => {
    const deployment = deploymentOf(cluster, inferenceGpu);
    if (deployment === undefined) throw new Error('ml/inference is missing');
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
    const spec = { ...(deployment.spec as object), strategy };
    const generation = Number(deployment.metadata.generation) + 1;
    cluster.load([{ ...deployment, spec, metadata: { ...deployment.metadata, generation } }]);
    cluster.advanceTo(cluster.clock.now() + 60_000);
  };

  it('is drawn with the old pod on its node and the new pod without one, until the deadlock is resolved', () => {
    expect(podsOf('inference')).toEqual([
      { node: undefined, isNew: true, look: 'pending' },
      { node: 'gpu-a', isNew: false, look: 'ready' },
    ]);

    replaceInPlace();

    expect(podsOf('inference')).toEqual([{ node: 'gpu-a', isNew: true, look: 'ready' }]);
  });

  it('is drawn with crashing pods on the bad node only', () => {
    const crashing = podsOf('api').filter(({ look }) => look === 'crashing');

    expect(crashing).toHaveLength(3);
    expect(crashing.every(({ node }) => node === 'api-c')).toBe(true);
  });

  it('has each incident diagnosed with its cause', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-seeded-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
    const connections = connectClusters({ kubeconfig, contexts: [] });
    const clock = { now: () => new Date(cluster.clock.now()) };
    const limits = { timeoutMs: 10_000, findTimeoutMs: 10_000 };
    const reader = createClusterReader({ connections, clock, ...limits });
    const engine = createEngine();
    const found = demoIncidents.map(async ({ workload: typed }) => {
      const [, name = '', namespace = ''] = /^\w+\/(\S+) -n (\S+)$/.exec(typed) ?? [];
      const workload = { cluster: cluster.name, kind: 'Deployment', namespace, name } as const;
      const read = await reader.snapshot(workload, engine.needs);
      if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
      return [name, engine.diagnose(read.snapshot).findings[0]?.cause];
    });

    expect(Object.fromEntries(await Promise.all(found))).toEqual({
      inference: 'surge-deadlock',
      api: 'crash-loop-on-node',
      checkout: 'crash-loop-after-rollout',
      worker: 'image-pull-failure',
      transcoder: 'surge-deadlock',
    });
  });

  it('has no prepared incident that counts as recovered', () => {
    const recovered = demoIncidents.filter((seed) => {
      const deployment = deploymentOf(cluster, seed);
      return deployment === undefined || isRolledOut(deployment);
    });

    expect(recovered).toEqual([]);
  });

  it('deadlocks the healthy workload when a bad version is deployed, and refuses to deploy it twice', () => {
    expect(podsOf('query')).toEqual([{ node: 'search-a', isNew: true, look: 'ready' }]);

    deployBadVersion(cluster);
    cluster.advanceTo(cluster.clock.now() + 60_000);

    expect(podsOf('query')).toEqual([
      { node: undefined, isNew: true, look: 'pending' },
      { node: 'search-a', isNew: false, look: 'ready' },
    ]);
    expect(() => deployBadVersion(cluster)).toThrow('deployed already');
  });

  it('has the initial state and other pods after it was cleared and seeded again', async () => {
    const names = () => cluster.list('v1', 'Pod').map(({ metadata }) => metadata.uid);
    const before = names();
    replaceInPlace();

    clearCluster(cluster);
    await seedDemo(cluster, 8);

    expect(podsOf('inference').map(({ look }) => look)).toEqual(['pending', 'ready']);
    expect(names()).toHaveLength(before.length);
    expect(names().filter((uid) => before.includes(uid))).toEqual([]);
  });

  describe('with a tour', () => {
    const press = (action_id: string, id: string) => ({
      type: 'block_actions',
      user: { id },
      actions: [{ action_id }],
    });
    const begun = () => {
      const tour = createTour(cluster, demoIncidents, (id) => id === 'U0DANA');
      tour.begin();
      return tour;
    };

    it('notes actions of people and of the app in Slack', () => {
      const tour = begun();
      tour.noteCall({
        method: 'chat.postMessage',
        args: { metadata: { event_payload: { key: 'i.progress' } } },
      });
      tour.noteInteraction(press('remediation.review', 'U0DANA'));
      expect(tour.done()).toEqual([]);

      tour.noteCall({ method: 'chat.postMessage', args: { metadata: { event_payload: { key: 'i.card' } } } });
      tour.noteInteraction(press('incident.proof', 'U0DANA'));
      tour.noteCall({ method: 'views.update', args: { view: { callback_id: 'remediation.review' } } });
      expect(tour.done()).toEqual(['ask', 'proof', 'review']);
    });

    it('ends the tour when a person who may not approve asks for a review after a fix was applied', () => {
      const tour = begun();
      tour.noteInteraction(press('remediation.review', 'U0SAM'));
      expect(tour.done()).toEqual([]);

      replaceInPlace();
      tour.noteCluster();
      tour.noteInteraction(press('remediation.review', 'U0SAM'));
      expect(tour.done()).toEqual(['apply', 'undo']);
    });

    it('notes the recovery and then the former settings, and can begin again', () => {
      const tour = begun();
      const former = deploymentOf(cluster, inferenceGpu);
      tour.noteCluster();
      expect(tour.done()).toEqual([]);

      replaceInPlace();
      tour.noteCluster();
      expect(tour.done()).toEqual(['apply']);

      const changed = deploymentOf(cluster, inferenceGpu);
      if (former === undefined || changed === undefined) throw new Error('ml/inference is missing');
      cluster.load([{ ...changed, spec: former.spec }]);
      tour.noteCluster();
      expect(tour.done()).toEqual(['apply', 'undo']);

      tour.begin();
      expect(tour.done()).toEqual([]);
    });
  });

  it('ends a storm without alerts when a reset removes its workloads', async () => {
    const alerts: unknown[] = [];
    const alert = async (_: string, body: unknown) => {
      alerts.push(body);
      return new Response();
    };
    const storm = stormButton(() => ({ cluster, alert }), { workloads: 2, each: 1 });
    const pressed = storm.run();
    clearCluster(cluster);
    await pressed;

    expect(alerts).toEqual([]);
  });
});
