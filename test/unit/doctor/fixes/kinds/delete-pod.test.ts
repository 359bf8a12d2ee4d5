import { describe, expect, it } from 'vitest';
import { type DeletePodInput, proposeDeletePod, text } from '#src/doctor/fixes/kinds/delete-pod.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { plain } from '#src/engine/language/prose.js';
import { PodDisruptionBudget } from '#src/engine/objects/policy.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { pod as anyPod, node } from '../../../../support/placement-builders.js';
import { buildSnapshot, examined, keysOf, planned } from '../../../../support/remediation-builders.js';
import {
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { buildStateOf as buildStatefulSetState } from '../../../../support/stateful-set-builders.js';

const tell = tellFrom({ 'delete-pod': text });

interface Fields {
  /** Of the pod on the bad node `n-a`. */
  readonly bad?: Partial<PodFields>;
  readonly nodes?: readonly string[];
  readonly replicas?: number;
  readonly budgets?: readonly object[];
  readonly unseen?: Snapshot['unseen'];
}

/** `shop/web`, of one revision: one pod on `n-b` is healthy, the one on `n-a` crashes. */
function crashing({
  bad = {},
  nodes = ['n-a', 'n-b', 'n-c'],
  replicas = 2,
  budgets = [],
  unseen = [],
}: Fields = {}) {
  const replicaSet = buildReplicaSet({ revision: 2, replicas, exist: 2, available: 1 });
  const owner = { name: 'web-2', uid: 'web-2-uid' };
  const workload = buildDeployment({ replicas });
  return buildSnapshot(
    workload,
    {
      Deployment: [workload],
      ReplicaSet: [replicaSet],
      Pod: [
        buildPod({ name: 'well', node: 'n-b', owner }),
        buildPod({ name: 'bad', node: 'n-a', ready: false, restarts: 5, owner, ...bad }),
      ],
      Node: nodes.map((name) => node(name)),
      PodDisruptionBudget: budgets.map((each, position) =>
        PodDisruptionBudget.parse({ metadata: { name: `budget-${position}`, namespace: 'shop' }, ...each }),
      ),
    },
    { unseen },
  );
}

function offer(fields: Fields = {}, input: Partial<DeletePodInput> = {}) {
  const snapshot = crashing(fields);
  const pod = snapshot.index.objects.Pod.find(({ metadata }) => metadata.name === 'bad');
  if (pod === undefined) throw new Error('must be there');
  return proposeDeletePod({ ...examined(snapshot), pod, purpose: 'experiment', awayFrom: ['n-a'], ...input });
}

function offeredOne(fields: Fields = {}, input: Partial<DeletePodInput> = {}) {
  const [remediation] = offer(fields, input).remediations;
  if (remediation === undefined) throw new Error('must be offered');
  return remediation;
}

const protecting = (fields: object, spec: object = {}) => ({
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, ...fields },
});

describe('the recommendation to delete a pod', () => {
  it('as an experiment states what replaces the pod, where it can run, and what the outcome shows', () => {
    const remediation = offeredOne({}, { mustStayReadySeconds: 90 });

    expect(remediation).toMatchObject({
      id: 'delete-pod-bad',
      pod: 'bad',
      uid: 'bad-uid',
      purpose: 'experiment',
      mustStayReadySeconds: 90,
      price: { drift: 'none', downtime: { kind: 'none' }, blastRadius: { pods: 1 } },
    });
    expect(remediation.prediction.victims).toMatchObject([{ name: 'bad' }]);
    const effectTexts = remediation.effects.map((effect) => plain(tell(effect, 'en')));
    expect(effectTexts).toEqual([
      'bad on n-a is stopped (up to 30 s) and deleted.',
      'ReplicaSet web-2 creates a replacement at once.',
      'The scheduler chooses one of the nodes that can run the replacement: n-a, n-b and n-c.',
      'The scheduler may choose n-a again. The test is then inconclusive and can be repeated.',
      'The pod is not ready, so it serves no traffic now.',
      'If the replacement stays ready for 1 min 30 s on another node, the node was the cause. If it fails there too, the node was not.',
      'This cannot be undone: a deleted pod does not come back, only its replacement starts.',
    ]);
  });

  it('states the cost where the pod serves, and the budget that allows it', () => {
    const { effects, price } = offeredOne({
      bad: { ready: true, restarts: 0 },
      budgets: [protecting({ disruptionsAllowed: 1 })],
    });

    expect(keysOf(effects)).toContain('one-less');
    expect(effects).toContainEqual(
      expect.objectContaining({ key: 'budget-allows', values: { budgets: ['budget-0'] } }),
    );
    expect(price.downtime).toMatchObject({ kind: 'reduced', readyAtLeast: 1, replicas: 2 });
  });

  it('states that the budgets were not read, of a pod that serves nobody', () => {
    const what = 'PodDisruptionBudget';
    const { effects } = offeredOne({
      unseen: [{ what, namespace: 'shop', because: 'forbidden', message: '' }],
    });

    expect(keysOf(effects)).toContain('budget-unread');
  });

  it.each<[string, Fields, Partial<DeletePodInput>, string]>([
    ['no other node can run the replacement', { nodes: ['n-a'] }, {}, 'withheld-same-node'],
    ['no node can run the replacement', { nodes: [] }, {}, 'withheld-nowhere'],
    ['the workload wants fewer pods', { replicas: 1 }, {}, 'withheld-not-replaced'],
    ['it is being deleted already', { bad: { terminating: true } }, {}, 'withheld-leaving'],
    [
      'a budget protects it while it is ready',
      { bad: { ready: true, restarts: 0 }, budgets: [protecting({})] },
      {},
      'pod-protected',
    ],
    [
      'a budget requires more healthy pods than exist',
      { budgets: [protecting({ currentHealthy: 1 })] },
      {},
      'pod-protected',
    ],
    [
      'it is ready and budgets could not be read',
      {
        bad: { ready: true, restarts: 0 },
        unseen: [{ what: 'PodDisruptionBudget', namespace: 'shop', because: 'forbidden', message: '' }],
      },
      {},
      'budgets-unread',
    ],
    ['it has no controller', {}, { pod: anyPod('lonely', { on: 'n-a' }) }, 'withheld-bare'],
    [
      'it belongs to another workload',
      {},
      { pod: buildPod({ name: 'other', owner: { name: 'else', uid: 'else-uid' } }) },
      'withheld-foreign',
    ],
  ])('is withheld when %s', (_, fields, input, key) => {
    expect(offer(fields, input)).toMatchObject({
      remediations: [],
      withheld: [{ kind: 'delete-pod', because: { key } }],
    });
  });

  it.each<[string, Fields]>([
    ['enough others are healthy', { budgets: [protecting({ currentHealthy: 2 })] }],
    [
      'the budget allows evicting unhealthy pods',
      { budgets: [protecting({}, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })] },
    ],
    [
      'the budget is about other pods',
      { budgets: [protecting({}, { selector: { matchLabels: { app: 'x' } } })] },
    ],
    ['the budget selects no pod', { budgets: [protecting({}, { selector: undefined })] }],
    [
      'budgets could not be read: a pod that is not ready is hardly protected',
      { unseen: [{ what: 'PodDisruptionBudget', namespace: 'shop', because: 'forbidden', message: '' }] },
    ],
  ])('is made for a pod that is not ready when %s', (_, fields) => {
    expect(offer(fields).remediations).toHaveLength(1);
  });

  it('unblocks an OrderedReady StatefulSet whose template is correct again and whose broken pod blocks it', () => {
    const broken = { ready: false, restarts: 7, owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' } };
    const state = buildStatefulSetState({ replicas: 2 }, [
      [2, { owner: broken.owner }],
      [1, broken],
    ]);
    const snapshot = buildSnapshot(state.statefulSet, { Pod: state.pods, Node: [node('n-a')] });
    const [, pod] = state.pods;
    if (pod === undefined) throw new Error('must be there');
    const { placement, simulator } = examined(snapshot);
    const [remediation] = proposeDeletePod({
      snapshot,
      state,
      placement,
      simulator,
      pod,
      purpose: 'unstick',
    }).remediations;

    expect(remediation).toMatchObject({ pod: 'db-1', prediction: { ends: 'complete' } });
    const values = { kind: 'StatefulSet', name: 'db', pod: 'db-1' };
    expect(remediation?.effects).toContainEqual(
      expect.objectContaining({ key: 'replaced-same-name', values }),
    );
    // Its governing Service may have the addresses of pods that are not ready.
    expect(keysOf(remediation?.effects ?? [])).toContain('not-ready-member');
    expect(keysOf(remediation?.effects ?? [])).not.toContain('not-ready-anyway');
  });

  it('does not unblock a StatefulSet that another broken pod blocks too', () => {
    const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };
    const state = buildStatefulSetState({ replicas: 2 }, [
      [1, { ready: false, restarts: 7, owner }],
      [1, { ready: false, restarts: 7, owner }],
    ]);
    const snapshot = buildSnapshot(state.statefulSet, { Pod: state.pods, Node: [node('n-a')] });
    const [, pod] = state.pods;
    if (pod === undefined) throw new Error('must be there');
    const { placement, simulator } = examined(snapshot);
    const { withheld } = proposeDeletePod({ snapshot, state, placement, simulator, pod, purpose: 'unstick' });

    expect(withheld).toMatchObject([{ because: { key: expect.stringMatching(/stuck|not-replaced/) } }]);
  });
});

describe('the plan to delete a pod', () => {
  const remediation = offeredOne();

  it('deletes the pod with that uid, without an undo', () => {
    expect(planned(planRemediation(remediation, crashing()))).toEqual({
      type: 'plan',
      remediationId: 'delete-pod-bad',
      target: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'bad', uid: 'bad-uid' },
      request: { verb: 'delete' },
      changes: [],
    });
  });

  it.each<[string, Fields, string]>([
    ['another pod has its name now', { bad: { uid: 'successor-uid' } }, 'pod-gone'],
    ['it is terminating', { bad: { terminating: true } }, 'pod-gone'],
    [
      'it is ready again and protected',
      { bad: { ready: true, restarts: 0 }, budgets: [protecting({})] },
      'pod-protected',
    ],
    [
      'it is ready again and budgets cannot be read',
      {
        bad: { ready: true, restarts: 0 },
        unseen: [{ what: 'PodDisruptionBudget', namespace: 'shop', because: 'forbidden', message: '' }],
      },
      'budgets-unread',
    ],
  ])('is refused when %s', (_, fields, key) => {
    expect(planRemediation(remediation, crashing(fields))).toMatchObject({
      type: 'refusal',
      because: { key },
    });
  });
});
