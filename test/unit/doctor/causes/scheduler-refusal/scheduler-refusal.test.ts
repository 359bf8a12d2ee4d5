import { describe, expect } from 'vitest';
import { schedulerRefusal } from '#src/doctor/causes/scheduler-refusal.js';
import { unsatisfiablePlacement } from '#src/doctor/causes/unsatisfiable-placement/rule.js';
import { node } from '../../../../support/placement-builders.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '../../../../support/rollout-builders.js';
import { expectFindings, has, type Row, snapshotOf, step } from '../run-rule.js';

interface Refused {
  readonly message: string;
  readonly reason?: string;
  readonly seconds?: number;
  readonly spec?: object;
  readonly on?: string;
}

function refused({ message, reason = 'Unschedulable', seconds = 300, spec = {}, on }: Refused) {
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason,
    message,
    lastTransitionTime: ago(seconds),
  };
  const pod = buildPod({
    name: 'new-0',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    node: on,
    spec: { containers: [{ name: 'app', image: 'web:2' }], ...spec },
    status: { conditions: [condition] },
  });
  return snapshotOf(buildDeployment(), {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    Pod: [pod],
    Node: [node('n-a'), node('n-b')],
  });
}

const sentence = (reason: string) => `0/2 nodes are available: 2 ${reason}.`;
const words = 'node(s) rejected by FairShare';
const onSsd = { nodeSelector: { disk: 'ssd' } };
const quoted: readonly (readonly [string, Refused, string])[] = [
  ['of kube-scheduler', { message: sentence(words) }, words],
  ['of another scheduler', { message: sentence(words), spec: { schedulerName: 'fair' } }, words],
  ['that is no sentence of kube-scheduler', { message: 'queue research has no share left' }, 'no share left'],
  [
    'beside a reason that is known',
    { message: `0/2 nodes are available: 1 Insufficient cpu, 1 ${words}.` },
    words,
  ],
  [
    'that is an error of the scheduler',
    { message: 'binding rejected: timeout', reason: 'SchedulerError' },
    'timeout',
  ],
];

describe('a refusal with the message of a plugin', () => {
  expectFindings<Refused>(schedulerRefusal, refused, [
    ...quoted.map(
      ([what, change, said]): Row<Refused> => [
        `is quoted: ${what}`,
        change,
        {
          confidence: 'possible',
          fixes: [],
          steps: has(step('said', { words: expect.stringContaining(said) })),
        },
      ],
    ),
    [
      'is shortened to a limit',
      { message: sentence(`x${'y'.repeat(5000)}`) },
      { steps: has(step('said', { words: expect.stringMatching(/^.{1,301}$/s) })) },
    ],
    ['is not reported while it is ten seconds old', { message: sentence(words), seconds: 10 }],
    ['is not reported where the words are known', { message: sentence('Insufficient cpu') }],
    ['is not reported where the pod has a node by now', { message: sentence(words), on: 'n-a' }],
    ['is not reported where a gate holds the pod back', { message: 'blocked', reason: 'SchedulingGated' }],
    ['is not reported where a known rule refuses the pod', { message: sentence(words), spec: onSsd }],
  ]);
  expectFindings<Refused>(unsatisfiablePlacement, refused, [
    [
      'is quoted by the finding that explains the pod, and lowers its confidence',
      {
        message: `0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 ${words}.`,
        spec: onSsd,
      },
      { confidence: 'likely', doubts: ['plugin-words'] },
    ],
  ]);
});
