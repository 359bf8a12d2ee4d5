import { describe, expect, it } from 'vitest';
import { proposeDeletePod } from '#src/doctor/fixes/kinds/delete-pod.js';
import { proposeExcludeNodes } from '#src/doctor/fixes/kinds/exclude-nodes/propose.js';
import { proposeRestartRollout } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import { proposeScaleDownOld } from '#src/doctor/fixes/kinds/scale-down-old.js';
import { proposeUndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/propose.js';
import { planRemediation, type Remediation } from '#src/doctor/fixes/remediation.js';
import { renderReview } from '#src/edges/slack/render/review.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { createTell } from '#src/service/create-engine.js';
import { aloud } from '../../../../support/read-aloud.js';
import {
  examined,
  gpuNode,
  planned,
  stuckOnGpu,
  waitingIn,
} from '../../../../support/remediation-builders.js';
import { buildApproval, buildReview } from '../../../../support/slack-builders.js';

const tell = createTell();
const place = { channel: 'C0INCIDENTS', threadTs: '1795167004.000100' };
const roomy = [gpuNode('gpu-a', 1), gpuNode('gpu-b', 1), gpuNode('gpu-c', 1)];

interface Case {
  readonly snapshot: ReturnType<typeof stuckOnGpu>;
  readonly remediations: readonly Remediation[];
}

function stuck(): Case {
  const snapshot = stuckOnGpu();
  return { snapshot, remediations: [] };
}

/** A completed rollout on nodes with free capacity. */
function atRest(): Case {
  const snapshot = stuckOnGpu({ old: ['gpu-a'], waiting: 0, deployment: { image: 'web:1' }, nodes: roomy });
  return { snapshot, remediations: [] };
}

const cases: readonly (readonly [string, Case, readonly string[]])[] = [
  [
    'scale-down-old',
    (() => {
      const { snapshot } = stuck();
      const input = { ...examined<DeploymentState>(snapshot), waiting: waitingIn(snapshot) };
      return { snapshot, remediations: proposeScaleDownOld(input).remediations };
    })(),
    [
      'Scale down the old ReplicaSet once',
      '*Change* to `ReplicaSet shop/web-1`',
      '-  replicas: 1',
      '+  replicas: 0',
      'of downtime',
      'no drift from Git',
      'This cannot be undone',
    ],
  ],
  [
    'undo-rollout',
    (() => {
      const { snapshot } = stuck();
      return { snapshot, remediations: proposeUndoRollout(examined(snapshot)).remediations };
    })(),
    [
      'Roll back to revision 1',
      'image: web:2',
      'image: web:1',
      'no downtime',
      'stops no pod',
      'will differ from the manifest',
    ],
  ],
  [
    'delete-pod',
    (() => {
      const { snapshot } = atRest();
      const [pod] = snapshot.index.objects.Pod;
      if (pod === undefined) throw new Error('must be there');
      const input = { ...examined(snapshot), pod, purpose: 'unstick' as const, awayFrom: ['gpu-a'] };
      return { snapshot, remediations: proposeDeletePod(input).remediations };
    })(),
    ['Delete ', '`Pod shop/old-0` is deleted.', 'gpu-b', 'stops 1 pod', 'This cannot be undone'],
  ],
  [
    'exclude-nodes',
    (() => {
      const { snapshot } = atRest();
      const input = { ...examined(snapshot), nodes: ['gpu-a'] };
      return { snapshot, remediations: proposeExcludeNodes(input).remediations };
    })(),
    [
      'Move off ',
      'operator: NotIn',
      '- gpu-a',
      'starts a new revision',
      'A reminder follows in this thread',
      'Undo removes the exclusion',
    ],
  ],
  [
    'restart-rollout',
    (() => {
      const { snapshot } = atRest();
      return { snapshot, remediations: proposeRestartRollout(examined(snapshot)).remediations };
    })(),
    ['Restart the rollout', 'restartedAt', '<now>', 'stops 1 pod', 'This cannot be undone'],
  ],
];

describe('the review shows the changes, consequences and cost of', () => {
  it.each(cases)('%s', (_, { snapshot, remediations: [remediation] }, words) => {
    if (remediation === undefined) throw new Error('must be offered');
    const plan = planned(planRemediation(remediation, snapshot));
    const review = buildReview({ approval: buildApproval({ remediation, plan }) });
    const rendered = aloud(renderReview(review, { language: 'en', tell, place }).blocks);

    for (const word of words) expect(rendered).toContain(word);
    expect(rendered).toContain('What happens');
    expect(rendered).toContain('Impact');
    const korean = aloud(renderReview(review, { language: 'ko', tell, place }).blocks);
    expect(korean).toContain('영향');
    expect(korean).not.toContain('This cannot be undone');
  });
});
