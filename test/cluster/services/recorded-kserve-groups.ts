import type { Cluster } from '../harness/cluster.js';
import { startKserve } from '../kserve/start-managers.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import { groupsOf, workersOf } from './kserve-scenes.js';
import { first, proven, second, updated } from './kserve-update.js';
import { calm, type RecordedService } from './played-controllers.js';
import { playNewerKserve } from './played-kserve.js';

/** Starts the managers beside the controller of LeaderWorkerSets, which must be there first. */
const withGroups =
  (start: typeof startKserve | typeof playNewerKserve) =>
  async (cluster: Cluster): ReturnType<NonNullable<RecordedService['start']>> => {
    const groups = await startLeaderWorkerSets(cluster);
    const managers = await start(cluster);
    return {
      logs: (lines) => `${groups.logs(lines)}\n${managers.logs(lines)}`,
      stop: async () => {
        await managers.stop();
        await groups.stop();
      },
    };
  };
const surging = { rolloutStrategy: { maxSurge: 1, maxUnavailable: 0 } };

/** LLMInferenceServices on several nodes. Releases up to 0.20 cannot surge there. */
export const recordedKserveGroups: readonly RecordedService[] = [
  {
    id: 'deadlock-of-the-groups',
    start: withGroups(playNewerKserve),
    title: 'workers on two nodes: a surge group of the LeaderWorkerSet needs the GPUs of the old group',
    workload: { kind: 'LeaderWorkerSet', name: 'llm-kserve-mn' },
    asked: 'llmisvc/llm',
    expected: { ...proven, mustMention: ['LLMInferenceService shop/llm', 'spec.rolloutStrategy'] },
    reproduce: updated({
      kind: 'LLMInferenceService',
      nodes: 2,
      before: groupsOf(first, 2, surging),
      after: groupsOf(second, 2),
      parts: ['leaders', 'workers'],
      until: [
        ['leaders', { ready: 1, refused: 1 }],
        ['workers', { ready: 1, refused: 1 }],
      ],
      holding: 'leaders',
    }),
  },
  {
    id: 'deadlock-of-the-prefill-groups',
    start: withGroups(playNewerKserve),
    title:
      'the decode workers are complete, and the surge group that prefills needs the GPU of the old group',
    workload: { kind: 'LeaderWorkerSet', name: 'llm-kserve-mn-prefill' },
    asked: 'llmisvc/llm',
    expected: { ...proven, mustMention: ['spec.prefill.rolloutStrategy'] },
    reproduce: updated({
      kind: 'LLMInferenceService',
      nodes: 2,
      before: { ...workersOf(first), prefill: groupsOf(first, 1, surging) },
      after: { prefill: groupsOf(second, 1) },
      parts: ['decode', 'prefill-leaders'],
      until: [['prefill-leaders', { ready: 1, refused: 1 }]],
      holding: 'prefill-leaders',
    }),
  },
  {
    id: 'groups-in-place',
    start: withGroups(startKserve),
    title: 'no strategy is declared: the old group is gone, and the new one is starting in its place',
    workload: { kind: 'LeaderWorkerSet', name: 'llm-kserve-mn' },
    asked: 'llmisvc/llm',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      kind: 'LLMInferenceService',
      nodes: 2,
      before: groupsOf(first, 2),
      after: groupsOf({ ...second, start: 'not-ready' }, 2),
      parts: ['leaders', 'workers'],
      until: [['leaders', { running: 1 }]],
    }),
  },
];
