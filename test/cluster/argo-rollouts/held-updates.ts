import type { Cluster } from '../harness/cluster.js';
import { calm, deadlockCauses } from '../recorded-state.js';
import { analysisName, type Measured, startAnalysisServer } from './analysis-server.js';
import { type RecordedRollout, rolloutName } from './recorded-rollout.js';
import {
  patchRollout,
  rollOutArgo,
  untilPaused,
  untilReadyPods,
  untilRollout,
  updateArgo,
} from './rolling.js';

const name = rolloutName;

/** A canary of two pods with room for all of them, updated up to where it stops. */
async function heldAt(
  cluster: Cluster,
  namespace: string,
  canary: object,
  what: string,
  check: Parameters<typeof untilRollout>[4],
): Promise<void> {
  await cluster.createNodes({ name: 'node-a' }, { name: 'node-b' });
  const strategy = { canary: { maxSurge: 1, maxUnavailable: 0, ...canary } };
  await rollOutArgo(cluster, { namespace, name, replicas: 2, strategy });
  await updateArgo(cluster, namespace, name);
  await untilRollout(cluster, namespace, name, what, check);
}

/** An analysis as the second step measures this. */
const measuring =
  (
    measured: Measured,
    what: string,
    check: Parameters<typeof untilRollout>[4],
  ): RecordedRollout['reproduce'] =>
  async (cluster, namespace) => {
    const server = await startAnalysisServer(cluster, namespace, measured);
    const steps = [
      { setWeight: 50 },
      { analysis: { templates: [{ templateName: analysisName }] } },
      { pause: {} },
    ];
    await heldAt(cluster, namespace, { steps }, what, check);
    await untilReadyPods(cluster, namespace, name, 2);
    await server.stop();
  };

/** Updates that wait for a person, or that were aborted. */
export const heldUpdates: readonly RecordedRollout[] = [
  {
    id: 'paused-before-the-update',
    title: 'a person paused the Rollout, and its template was changed then',
    expected: { cause: 'rollout-paused', minConfidence: 'proven', never: deadlockCauses },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes({ name: 'node-a' });
      await rollOutArgo(cluster, { namespace, name });
      await patchRollout(cluster, namespace, name, { spec: { paused: true } });
      await updateArgo(cluster, namespace, name);
      await untilPaused(cluster, namespace);
    },
  },
  {
    id: 'paused-without-an-update',
    title: 'a person paused the Rollout, and nothing waits for it',
    expected: { ...calm, informational: [] },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes({ name: 'node-a' });
      await rollOutArgo(cluster, { namespace, name });
      await patchRollout(cluster, namespace, name, { spec: { paused: true } });
      await untilPaused(cluster, namespace);
    },
  },
  {
    id: 'pause-with-a-length',
    title: 'a canary at a step that ends after an hour, its pods ready',
    expected: calm,
    reproduce: async (cluster, namespace) => {
      const steps = [{ setWeight: 50 }, { pause: { duration: '1h' } }];
      await heldAt(cluster, namespace, { steps }, 'paused', ({ status }) => status?.phase === 'Paused');
      await untilReadyPods(cluster, namespace, name, 2);
    },
  },
  {
    id: 'analysis-without-a-conclusion',
    title: 'the analysis of a step came to no conclusion, and the controller waits for a person',
    expected: { cause: 'rollout-paused', minConfidence: 'proven', never: deadlockCauses },
    reproduce: measuring('neither', 'paused', ({ status }) => status?.phase === 'Paused'),
  },
  {
    id: 'aborted-by-an-analysis',
    title: 'the analysis of a step failed, and the controller aborted the update',
    expected: { ...calm, informational: ['rollout-aborted'] },
    reproduce: measuring('fail', 'aborted', ({ status }) => status?.abort === true),
  },
];
