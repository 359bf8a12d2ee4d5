import { describe } from 'vitest';
import { schedulingGated } from '#src/doctor/causes/scheduling-gated/rule.js';
import {
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import { expectFindings, has, snapshotOf, step } from '../run-rule.js';

const message = 'Scheduling is blocked due to non-empty scheduling gates';
const condition = { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message };
const kueue = 'kueue.x-k8s.io/admission';
const gates = (...names: readonly string[]) => ({
  containers: [{ name: 'app', image: 'web:2' }],
  schedulingGates: names.map((name) => ({ name })),
});

interface Fields extends Partial<PodFields> {
  readonly inTemplate?: boolean;
}

/**
 * A new pod of `shop/web` with a gate; `inTemplate`: of a StatefulSet whose template has it, and no pod is
 * ready.
 */
function gated({ inTemplate = false, ...fields }: Fields) {
  const owner = { name: 'web-2', uid: 'web-2-uid' };
  const base = {
    name: 'new-0',
    owner,
    node: undefined,
    spec: gates(kueue),
    status: { conditions: [condition] },
  };
  if (!inTemplate)
    return snapshotOf(buildDeployment({ status: { readyReplicas: 1 } }), {
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
      Pod: [buildPod({ ...base, ...fields })],
    });
  const set = buildSet({ replicas: 1 });
  const { template } = set.spec;
  const named = { ...template, spec: { ...template.spec, schedulingGates: [{ name: 'hold' }] } };
  return snapshotOf(
    { ...set, spec: { ...set.spec, template: named } },
    {
      Pod: [buildPod({ name: 'db-0', owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' }, ...fields })],
    },
  );
}

describe('a pod with a scheduling gate', () => {
  expectFindings<Fields>(schedulingGated, gated, [
    [
      'is reported with the gate and its owner',
      { labels: { 'kueue.x-k8s.io/queue-name': 'gpu-queue' } },
      {
        confidence: 'proven',
        severity: 'warning',
        standing: { values: { forSeconds: 3600 } },
        fixes: [],
        steps: [
          step('gated', { pods: ['new-0'], gates: [kueue] }),
          step('from-webhook', { gates: [kueue] }),
          step('kueue', { queue: 'gpu-queue' }),
        ],
        withheld: ['restart-rollout', 'patch-strategy', 'undo-rollout'],
      },
    ],
    [
      'may have gates of several owners, one of them unknown',
      { spec: gates('queue.example/admission', 'hold') },
      { reasoning: ['gated', 'from-webhook', 'own-gate', 'removed-by'], advice: ['advice-owner-title'] },
    ],
    [
      'may have it from the template, of a StatefulSet too, which is critical with no pod ready',
      { inTemplate: true, node: undefined, spec: gates('hold') },
      {
        severity: 'critical',
        reasoning: has('from-template'),
        withheld: ['restart-rollout', 'undo-rollout'],
      },
    ],
    ['is not reported for a few seconds, as queues use gates', { age: 20 }],
    ['is not reported without gates, where it finds no node', { spec: gates() }],
    ['is not reported where it has its node', { node: 'n-a' }],
    ['is not reported while it is being deleted', { terminating: true }],
  ]);
});
