import { startLeaderWorkerSets } from '../lws/start-controller.js';
import { groupsOf, workersOf } from './kserve-scenes.js';
import { first, proven, second, type Update, updated } from './kserve-update.js';
import { calm, type RecordedService, type Scene } from './played-controllers.js';

/** The same beside the real controller of LeaderWorkerSets. */
const updatedGroups =
  (update: Update) =>
  async (scene: Scene): Promise<readonly string[]> => {
    const controller = await startLeaderWorkerSets(scene.cluster);
    try {
      return await updated(update)(scene);
    } finally {
      await controller.stop();
    }
  };
const surging = { rolloutStrategy: { maxSurge: 1, maxUnavailable: 0 } };

/** LLMInferenceServices on several nodes. */
export const recordedKserveGroups: readonly RecordedService[] = [
  {
    id: 'deadlock-of-the-groups',
    title: 'workers on two nodes: a surge group of the LeaderWorkerSet needs the GPUs of the old group',
    workload: { kind: 'LeaderWorkerSet', name: 'llm-kserve-mn' },
    asked: 'llmisvc/llm',
    expected: { ...proven, mustMention: ['LLMInferenceService shop/llm', 'spec.rolloutStrategy'] },
    reproduce: updatedGroups({
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
    title:
      'the decode workers are complete, and the surge group that prefills needs the GPU of the old group',
    workload: { kind: 'LeaderWorkerSet', name: 'llm-kserve-mn-prefill' },
    asked: 'llmisvc/llm',
    expected: { ...proven, mustMention: ['spec.prefill.rolloutStrategy'] },
    reproduce: updatedGroups({
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
    title: 'no strategy is declared: the old group is gone, and the new one is starting in its place',
    workload: { kind: 'LeaderWorkerSet', name: 'llm-kserve-mn' },
    asked: 'llmisvc/llm',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updatedGroups({
      kind: 'LLMInferenceService',
      nodes: 2,
      before: groupsOf(first, 2),
      after: groupsOf({ ...second, start: 'not-ready' }, 2),
      parts: ['leaders', 'workers'],
      until: [['leaders', { running: 1 }]],
    }),
  },
];
