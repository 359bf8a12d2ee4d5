import { describe, expect, it } from 'vitest';
import { proposeScaleDownOld, text } from '#src/doctor/fixes/kinds/scale-down-old.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { plain } from '#src/engine/language/prose.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { pod } from '../../../../support/placement-builders.js';
import {
  buildSnapshot,
  examined,
  gpuNode,
  keysOf,
  planned,
  type RolloutFields,
  stuckOnGpu,
  waitingIn,
} from '../../../../support/remediation-builders.js';
import { buildDeployment } from '../../../../support/rollout-builders.js';

const tell = tellFrom({ 'scale-down-old': text });

function offer(fields: RolloutFields = {}) {
  const snapshot = stuckOnGpu(fields);
  return proposeScaleDownOld({ ...examined<DeploymentState>(snapshot), waiting: waitingIn(snapshot) });
}

function offeredOne(fields: RolloutFields = {}) {
  const [remediation] = offer(fields).remediations;
  if (remediation === undefined) throw new Error('must be offered');
  return remediation;
}

describe('the recommendation to scale the old ReplicaSet down', () => {
  it('is made for one replica: the old pod stops, the new one takes its place, no declared field changes', () => {
    const { withheld, remediations } = offer();

    expect(withheld).toEqual([]);
    expect(remediations).toMatchObject([
      {
        id: 'scale-down-old-web-1',
        replicaSet: 'web-1',
        uid: 'web-1-uid',
        from: 1,
        to: 0,
        price: { drift: 'none', downtime: { kind: 'gap' }, blastRadius: { pods: 1 } },
        prediction: {
          victims: [{ name: 'old-0' }],
          placements: [{ pod: { name: 'new-0' }, node: 'gpu-a' }],
          ends: 'complete',
          competitors: [],
        },
      },
    ]);
  });

  it('states the consequences step by step, and that there is no undo', () => {
    const { effects } = offeredOne();

    expect(keysOf(effects)).toEqual([
      'stops',
      'stays-down',
      'then-placed',
      'no-competitors',
      'no-drift',
      'no-undo',
    ]);
    expect(effects.map((effect) => plain(tell(effect, 'en'))).join('\n')).toContain(
      'The old ReplicaSet web-1 is scaled from 1 to 0, which stops old-0 (up to 30 s).',
    );
    expect(effects.map((effect) => plain(tell(effect, 'ko'))).join('\n')).toContain('되돌릴 수 없습니다');
  });

  it('names the pods that wait for the same resource', () => {
    const rival = pod('rival', { namespace: 'ml', requests: { 'nvidia.com/gpu': '1' }, priority: 10 });
    const { effects, prediction } = offeredOne({ others: [rival] });

    expect(prediction.competitors).toMatchObject([{ namespace: 'ml', name: 'rival' }]);
    expect(effects).toContainEqual(
      expect.objectContaining({ key: 'competitors', values: { pods: ['ml/rival'] } }),
    );
  });

  it.each<[string, RolloutFields, string]>([
    [
      'with two replicas the surge slot is filled again and the next new pod waits',
      { replicas: 2, old: ['gpu-a', 'gpu-b'], nodes: [gpuNode('gpu-a', 1), gpuNode('gpu-b', 1)] },
      'withheld-waits-again',
    ],
    [
      'the stopped pod leaves too little free on its node',
      { replicas: 1, old: ['gpu-a', 'gpu-a'], newNeeds: 2, nodes: [gpuNode('gpu-a', 2)] },
      'withheld-wrong-pod',
    ],
    ['the Deployment is paused', { deployment: { paused: true } }, 'withheld-paused'],
    [
      'the Deployment was scaled up meanwhile: its controller shares the new replicas out again',
      { replicas: 4, desired: 2, old: ['gpu-a', 'gpu-a'], nodes: [gpuNode('gpu-a', 2)] },
      'withheld-scaled-back',
    ],
    ['no old pods are left', { old: [] }, 'withheld-no-old'],
  ])('is withheld when %s', (_, fields, key) => {
    const { remediations, withheld } = offer(fields);

    expect(remediations).toEqual([]);
    expect(withheld).toMatchObject([{ kind: 'scale-down-old', because: { key } }]);
  });

  it('is withheld when the pods could not be read', () => {
    const snapshot = stuckOnGpu();
    const blind = buildSnapshot(snapshot.workload, {
      ReplicaSet: snapshot.index.objects.ReplicaSet,
      Node: snapshot.index.objects.Node,
    });
    const { withheld } = proposeScaleDownOld({ ...examined<DeploymentState>(blind), waiting: [] });

    expect(withheld).toMatchObject([{ because: { key: 'withheld-unknown' } }]);
  });

  it('states that another pod may be stopped where the pods are indistinguishable', () => {
    const { effects } = offeredOne({ replicas: 1, old: ['gpu-a', 'gpu-a'], nodes: [gpuNode('gpu-a', 2)] });

    expect(keysOf(effects)).toContain('or-else');
  });
});

describe('the plan to scale the old ReplicaSet down', () => {
  const snapshot = stuckOnGpu();
  const remediation = offeredOne();

  it('patches only the scale of that ReplicaSet, without an undo', () => {
    expect(planned(planRemediation(remediation, snapshot))).toEqual({
      type: 'plan',
      remediationId: 'scale-down-old-web-1',
      target: {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        namespace: 'shop',
        name: 'web-1',
        uid: 'web-1-uid',
        generation: 1,
      },
      request: { verb: 'patch', patchType: 'merge', subresource: 'scale', body: { spec: { replicas: 0 } } },
      changes: [{ path: 'spec.replicas', before: 1, after: 0 }],
    });
  });

  it.each([
    ['the Deployment is paused now', stuckOnGpu({ deployment: { paused: true } }), 'paused', 'paused'],
    ['the ReplicaSet is gone', buildSnapshot(snapshot.workload), 'gone', 'replica-set-gone'],
    [
      'it has another number of replicas already',
      stuckOnGpu({ old: ['gpu-a', 'gpu-a'] }),
      'already-applied',
      'scaled-already',
    ],
    [
      'its revision is the wanted one again',
      stuckOnGpu({ deployment: { image: 'web:1' } }),
      'not-applicable',
      'revision-current',
    ],
  ])('is refused when %s', (_, now, reason, key) => {
    expect(planRemediation(remediation, now)).toMatchObject({ type: 'refusal', reason, because: { key } });
  });

  it('is refused for other workloads', () => {
    const { template, selector } = buildDeployment().spec;
    const workload = {
      kind: 'DaemonSet',
      metadata: snapshot.workload.metadata,
      spec: {
        template,
        selector,
        minReadySeconds: 0,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: undefined },
      },
      status: {
        observedGeneration: 1,
        currentNumberScheduled: 0,
        desiredNumberScheduled: 0,
        updatedNumberScheduled: 0,
        numberAvailable: 0,
        numberUnavailable: 0,
        numberMisscheduled: 0,
        numberReady: 0,
        conditions: [],
      },
    } as const;

    expect(planRemediation(remediation, buildSnapshot(workload))).toMatchObject({ reason: 'not-applicable' });
  });
});
