import { describe, expect, it } from 'vitest';
import { proposeUndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/propose.js';
import { text } from '#src/doctor/fixes/kinds/undo-rollout/text.js';
import { canonicalPlan } from '#src/doctor/fixes/plan.js';
import { planUndo } from '#src/doctor/fixes/plan-undo.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { plain } from '#src/engine/language/prose.js';
import { Condition } from '#src/engine/objects/metadata.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { PodDisruptionBudget } from '#src/engine/objects/policy.js';
import type { ControllerRevision } from '#src/engine/objects/workload.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { StatefulSetState } from '#src/engine/workloads/rollout-state.js';
import {
  buildSnapshot,
  examined,
  gpuNode,
  gpuPod,
  keysOf,
  planned,
  type RolloutFields,
  stuckOnGpu,
} from '../../../../support/remediation-builders.js';
import { buildDeployment, buildReplicaSet } from '../../../../support/rollout-builders.js';
import {
  buildStateOf as buildStatefulSetState,
  type SetFields,
} from '../../../../support/stateful-set-builders.js';
import { buildStateOf as buildDaemonSetState } from '../../../engine/workloads/daemon-set-builders.js';

const tell = tellFrom({ 'undo-rollout': text });
const readyCondition = Condition.parse({ type: 'Ready', status: 'True' });
const anywhere: PodSimulator = { placementOf: () => 'n-0', becomesReady: () => true };

/** The node that the DaemonSet controller has written into the pod. */
const whereBound: PodSimulator = {
  placementOf: ({ spec }) =>
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]
      ?.matchFields[0]?.values[0],
  becomesReady: () => true,
};

const offer = (fields: RolloutFields = {}) => proposeUndoRollout(examined(stuckOnGpu(fields)));

function offeredOne(fields: RolloutFields = {}) {
  const [remediation] = offer(fields).remediations;
  if (remediation === undefined) throw new Error('must be offered');
  return remediation;
}

type Pods = Parameters<typeof buildStatefulSetState>[1];
const crashed = { ready: false, restarts: 7 };
const proposedFor = (state: StatefulSetState) =>
  proposeUndoRollout({ snapshot: buildSnapshot(state.statefulSet), state, simulator: anywhere });

describe('the recommendation to roll back', () => {
  it('names the revision that serves, the changes, the pending pod that stops nothing, and no downtime', () => {
    const remediation = offeredOne();

    expect(remediation).toMatchObject({
      id: 'undo-rollout-web-1',
      toRevision: 1,
      from: { kind: 'ReplicaSet', name: 'web-1', uid: 'web-1-uid' },
      price: { drift: 'template', downtime: { kind: 'none' }, blastRadius: { pods: 0 } },
      prediction: { victims: [{ name: 'new-0' }], ends: 'complete' },
    });
    expect(keysOf(remediation.effects)).toEqual([
      'back',
      'differs',
      'removes-new',
      'serves-now',
      'update-given-up',
    ]);
    const renderEffects = remediation.effects.map((effect) => plain(tell(effect, 'en'))).join('\n');
    expect(renderEffects).toContain('gets the pod template of revision 1 from web-1');
    expect(renderEffects).toContain('spec.template.spec.containers[app].image');
    expect(plain(tell(remediation.title, 'ko'))).toContain('리비전 1');
  });

  it('states that no pod of the previous revision runs any more', () => {
    const { effects, price } = offeredOne({ old: [], waiting: 1, newNeeds: 0 });

    expect(keysOf(effects)).toEqual([
      'back',
      'differs',
      'removes-new',
      'places-old',
      'only-former',
      'update-given-up',
    ]);
    expect(price.downtime.kind).toBe('none');
  });

  it.each<[string, RolloutFields, string]>([
    ['the Deployment is paused', { deployment: { paused: true } }, 'withheld-paused'],
    [
      'the previous revision does not fit either: it needs a resource that no longer exists',
      { replicas: 2, old: ['gpu-a'], oldNeeds: 1, waiting: 2, nodes: [gpuNode('gpu-a', 1)] },
      'withheld-stuck',
    ],
  ])('is withheld when %s', (_, fields, key) => {
    expect(offer(fields)).toMatchObject({
      remediations: [],
      withheld: [{ kind: 'undo-rollout', because: { key } }],
    });
  });

  it('is withheld when no previous revision is kept, and when the pods could not be read', () => {
    const workload = buildDeployment({ image: 'web:1' });
    const only = buildReplicaSet({ revision: 1, replicas: 1 });
    const first = buildSnapshot(workload, { ReplicaSet: [only], Pod: [gpuPod(only, 'a', 1, 'gpu-a')] });
    expect(proposeUndoRollout(examined(first)).withheld).toMatchObject([
      { because: { key: 'withheld-none-kept' } },
    ]);

    // A description names the former ReplicaSet, and not the number of its revision.
    const former = buildReplicaSet({ revision: 2, replicas: 1 });
    const unnumbered = { ...former, metadata: { ...former.metadata, annotations: {} } };
    const named = buildSnapshot(workload, { ReplicaSet: [only, unnumbered] });
    expect(proposeUndoRollout(examined(named)).withheld).toMatchObject([
      { because: { key: 'withheld-unread' } },
    ]);

    const { workload: stuck, index } = stuckOnGpu();
    const blind = buildSnapshot(stuck, { ReplicaSet: index.objects.ReplicaSet });
    expect(proposeUndoRollout(examined(blind)).withheld).toMatchObject([
      { because: { key: 'withheld-unknown' } },
    ]);
  });

  const starting = { ready: false, phase: 'Pending', node: 'n-a', age: 5 } as const;
  const two = { replicas: 2 };
  it.each<[string, SetFields, Pods, readonly string[] | undefined]>([
    ['a pod that has restarted blocks the rollback until it is deleted', two, [[1], [2, crashed]], ['db-1']],
    ['a pod that has just started and never restarted blocks it too', two, [[1], [2, starting]], ['db-1']],
    ['a pod without a node blocks it too', { replicas: 3 }, [[1], [1], [2, { node: undefined }]], ['db-2']],
    [
      'every broken pod is named',
      two,
      [
        [2, crashed],
        [2, crashed],
      ],
      ['db-0', 'db-1'],
    ],
    ['ready pods of the new revision are replaced by the controller itself', two, [[1], [2]], undefined],
    [
      'a StatefulSet without an order replaces broken pods itself',
      { ...two, parallel: true },
      [[1], [2, crashed]],
      undefined,
    ],
  ])('of a StatefulSet: %s', (_, set, pods, thenDelete) => {
    const [remediation] = proposedFor(buildStatefulSetState(set, pods)).remediations;

    expect(remediation?.prediction.ends).toBe('complete');
    expect(remediation?.thenDelete).toEqual(thenDelete);
    expect(keysOf(remediation?.effects ?? []).includes('then-delete')).toBe(thenDelete !== undefined);
  });

  it('is withheld where a StatefulSet would not complete without its broken pods either', () => {
    const { withheld } = proposedFor(
      buildStatefulSetState(two, [
        [1, crashed],
        [2, crashed],
      ]),
    );

    expect(withheld).toMatchObject([{ because: { key: 'withheld-stuck' } }]);
  });

  it('states both steps before the first click', () => {
    const [remediation] = proposedFor(buildStatefulSetState(two, [[1], [2, crashed]])).remediations;
    const renderEffects = (language: 'en' | 'ko') =>
      (remediation?.effects ?? []).map((effect) => plain(tell(effect, language))).join('\n');

    expect(renderEffects('en')).toContain('Two steps are needed, and one approval covers both.');
    expect(renderEffects('en')).toContain('Step 1 restores the template and stops no pod.');
    expect(renderEffects('en')).toContain(
      'Step 2: delete db-1, as soon as the controller has observed step 1.',
    );
    expect(renderEffects('en')).toContain('Revision 1 is known good: it has available pods.');
    expect(renderEffects('ko')).toContain(
      '2단계: 컨트롤러가 1단계를 반영하면 준비되지 않은 db-1 파드를 삭제합니다',
    );
  });

  it('has the cost of both steps', () => {
    const { state, snapshot } = brokenSet();
    const [remediation] = proposeUndoRollout({ snapshot, state, simulator: anywhere }).remediations;

    expect(remediation).toMatchObject({
      price: { blastRadius: { pods: 1 }, downtime: { readyAtLeast: 1, replicas: 2 } },
      prediction: { victims: [{ name: 'db-1' }], ends: 'complete' },
    });
  });

  it('is withheld where a PodDisruptionBudget protects the broken pod', () => {
    const { state, snapshot } = brokenSet({ PodDisruptionBudget: [budget] });
    const { withheld } = proposeUndoRollout({ snapshot, state, simulator: anywhere });

    expect(withheld).toMatchObject([
      { because: { key: 'withheld-protected', values: { pod: 'db-1', budget: 'db' } } },
    ]);
  });

  it('restores the previous ControllerRevision of a DaemonSet', () => {
    const state = buildDaemonSetState({}, [
      ['n-0', 1],
      ['n-1', 1],
      ['n-2', 2, crashed],
    ]);
    const { remediations } = proposeUndoRollout({
      snapshot: buildSnapshot(state.daemonSet),
      state,
      simulator: whereBound,
    });

    expect(remediations).toMatchObject([
      {
        toRevision: 1,
        from: { kind: 'ControllerRevision', name: 'agent-1' },
        prediction: { ends: 'complete' },
      },
    ]);
  });
});

/** The second of two ordered pods is broken, as a snapshot with what else it holds. */
function brokenSet(more: Parameters<typeof buildSnapshot>[1] = {}) {
  const state = buildStatefulSetState({ replicas: 2 }, [[1], [2, crashed]]);
  const own = { name: 'db', uid: 'db-uid', kind: 'StatefulSet', apiVersion: 'apps/v1', controller: true };
  const owned = <One extends Pod | ControllerRevision>(object: One): One => ({
    ...object,
    metadata: { ...object.metadata, namespace: 'shop', ownerReferences: [own] },
  });
  const snapshot = buildSnapshot(state.statefulSet, {
    Pod: state.pods.map(owned),
    ControllerRevision: state.controllerRevisions.map(owned),
    ...more,
  });
  return { state, snapshot };
}

const budget = PodDisruptionBudget.parse({
  metadata: { name: 'db', namespace: 'shop' },
  spec: { selector: { matchLabels: {} } },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, expectedPods: 2 },
});

describe('the plan to roll back in two steps', () => {
  const { state, snapshot } = brokenSet();
  const [remediation] = proposeUndoRollout({ snapshot, state, simulator: anywhere }).remediations;
  if (remediation === undefined) throw new Error('must be offered');
  const [, broken] = snapshot.index.objects.Pod;
  if (broken === undefined) throw new Error('must be there');

  it('names the pods of the second step by uid, in the signed text', () => {
    const plan = planned(planRemediation(remediation, snapshot));

    expect(plan.afterwards).toEqual({
      verb: 'delete-pods',
      pods: [{ name: 'db-1', uid: broken.metadata.uid }],
    });
    expect(canonicalPlan(plan)).toContain('"afterwards"');
    expect(plan.undo?.request.verb).toBe('restore-template');
  });

  it('does not change the signed text of a plan with one step', () => {
    const { afterwards: _none, ...plan } = planned(planRemediation(remediation, snapshot));

    expect(canonicalPlan(plan)).not.toContain('afterwards');
    expect(canonicalPlan({ ...plan, afterwards: undefined })).toBe(canonicalPlan(plan));
  });

  const ready = { ...broken, status: { ...broken.status, conditions: [readyCondition] } };
  const terminating = {
    ...broken,
    metadata: { ...broken.metadata, deletionTimestamp: '2026-11-20T09:29:00Z' },
  };
  const others = snapshot.index.objects.Pod.slice(0, 1);

  it.each<[string, Parameters<typeof buildSnapshot>[1], string]>([
    ['the broken pod is gone', { Pod: others }, 'pod-gone'],
    ['it is being deleted', { Pod: [...others, terminating] }, 'pod-gone'],
    ['it is ready', { Pod: [...others, ready] }, 'pod-ready'],
    ['a PodDisruptionBudget protects it', { PodDisruptionBudget: [budget] }, 'pod-protected'],
  ])('is refused when %s', (_, more, key) => {
    expect(planRemediation(remediation, brokenSet(more).snapshot)).toMatchObject({
      type: 'refusal',
      because: { key },
    });
  });
});

describe('the plan to roll back', () => {
  const remediation = offeredOne();

  it('names the revision, shows the diff, and carries no template', () => {
    const plan = planned(planRemediation(remediation, stuckOnGpu()));

    expect(plan).toMatchObject({
      target: { kind: 'Deployment', name: 'web', uid: 'web-uid', generation: 2 },
      request: { verb: 'restore-template', from: { kind: 'ReplicaSet', name: 'web-1', uid: 'web-1-uid' } },
      changes: [{ path: 'spec.template.spec.containers[app].image', before: 'web:2', after: 'web:1' }],
      undo: {
        request: { verb: 'restore-template', from: { name: 'web-2', uid: 'web-2-uid' } },
        expects: [],
        expectsTemplateOf: { name: 'web-1', uid: 'web-1-uid' },
      },
    });
  });

  it.each([
    ['it is paused now', stuckOnGpu({ deployment: { paused: true } }), 'paused', 'paused'],
    ['the revision is gone', buildSnapshot(stuckOnGpu().workload), 'gone', 'revision-gone'],
    [
      'it was rolled back already',
      stuckOnGpu({ deployment: { image: 'web:1' } }),
      'already-applied',
      'already-applied',
    ],
  ])('is refused when %s', (_, now, reason, key) => {
    expect(planRemediation(remediation, now)).toMatchObject({ reason, because: { key } });
  });
});

describe('the undo of a rollback', () => {
  const { undo } = planned(planRemediation(offeredOne(), stuckOnGpu()));
  if (undo === undefined) throw new Error('must have an undo');
  const rolledBack = stuckOnGpu({ deployment: { image: 'web:1', generation: 3 } });

  it('restores the revision that was rolled back, with its diff', () => {
    expect(planned(planUndo('undo-rollout-web-1', undo, rolledBack))).toMatchObject({
      remediationId: 'undo-undo-rollout-web-1',
      target: { generation: 3 },
      request: { verb: 'restore-template', from: { name: 'web-2' } },
      changes: [{ path: 'spec.template.spec.containers[app].image', before: 'web:1', after: 'web:2' }],
    });
  });

  it.each([
    [
      'the template was changed since',
      stuckOnGpu({ deployment: { image: 'web:9' } }),
      'drifted',
      'spec.template.spec.containers[app].image',
    ],
    ['it is paused', stuckOnGpu({ deployment: { image: 'web:1', paused: true } }), 'paused', undefined],
  ])('is refused when %s', (_, now, reason, path) => {
    const refused = planUndo('undo-rollout-web-1', undo, now);

    expect(refused).toMatchObject({ type: 'refusal', reason });
    if (path !== undefined)
      expect(refused).toMatchObject({ because: { values: { path, found: '"web:9"' } } });
  });

  it('is refused when the cluster no longer keeps that revision', () => {
    const [kept] = rolledBack.index.objects.ReplicaSet;
    if (kept === undefined) throw new Error('must be there');
    const now = buildSnapshot(rolledBack.workload, { ReplicaSet: [kept] });

    expect(planUndo('undo-rollout-web-1', undo, now)).toMatchObject({ because: { key: 'template-gone' } });
  });
});
