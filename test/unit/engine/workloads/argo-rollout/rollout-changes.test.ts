import { describe, expect, it } from 'vitest';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import { actArgoRollout, nextArgoRolloutSteps } from '#src/engine/workloads/argo-rollout/forecast.js';
import {
  type ArgoRolloutChange,
  changedArgoRollout,
} from '#src/engine/workloads/argo-rollout/rollout-change.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { ArgoRolloutState } from '#src/engine/workloads/rollout-state.js';
import {
  type ArgoRolloutFields,
  argoStateOf,
  type SetFields,
  sizesByHash,
} from '../../../../support/argo-rollout-builders.js';
import { ago, buildTemplate } from '../../../../support/rollout-builders.js';

const stuck: readonly SetFields[] = [
  { hash: 'new', replicas: 1, available: 0 },
  { hash: 'stable', replicas: 1 },
];
/** A new pod finds the node of one that is gone. */
const replacing: PodSimulator = {
  placementOf: (_, { gone, placed }) =>
    gone.filter(({ spec }) => spec.nodeName)[placed.length]?.spec.nodeName,
  becomesReady: () => true,
};
const everywhere: PodSimulator = { placementOf: () => 'anywhere', becomesReady: () => true };

describe('a change of a Rollout', () => {
  const paused = argoStateOf(
    {
      spec: { paused: true },
      status: { abort: true, pauseConditions: [{ reason: 'x', startTime: ago(9) }] },
    },
    stuck,
  );
  const template = PodTemplate.parse(buildTemplate('web:3'));

  it.each<
    [ArgoRolloutChange, { readonly spec?: object; readonly status?: object; readonly generation: number }]
  >([
    [{ kind: 'none' }, { generation: 2 }],
    [
      { kind: 'template', template },
      { spec: { template }, generation: 3 },
    ],
    [{ kind: 'restart' }, { spec: { restartAt: ago(0) }, generation: 3 }],
    [
      { kind: 'bounds', maxSurge: 0, maxUnavailable: '50%' },
      { spec: { strategy: { canary: { maxSurge: 0, maxUnavailable: '50%' } } }, generation: 3 },
    ],
    [{ kind: 'abort' }, { status: { abort: true }, generation: 2 }],
    [{ kind: 'retry' }, { status: { abort: false }, generation: 2 }],
    [{ kind: 'promote-full' }, { spec: { paused: false }, status: { promoteFull: true }, generation: 3 }],
    [{ kind: 'promote' }, { status: { pauseConditions: [] }, generation: 2 }],
    [{ kind: 'pause' }, { spec: { paused: true }, generation: 2 }],
    [{ kind: 'resume' }, { spec: { paused: false }, generation: 3 }],
  ])('%j writes its own fields and no others', (change, { spec = {}, status = {}, generation }) => {
    const before = paused.rollout;
    const after = changedArgoRollout(paused, change)?.rollout;
    expect(after).toMatchObject({ metadata: { generation }, spec, status });
    expect(without(after?.spec ?? {}, spec)).toEqual(without(before.spec, spec));
    expect(without(after?.status ?? {}, status)).toEqual(without(before.status, status));
  });

  it('makes no new generation where the fields have the wanted values', () => {
    const running = argoStateOf({ status: { pauseConditions: [] } }, stuck);
    expect(changedArgoRollout(running, { kind: 'promote-full' })?.rollout.metadata.generation).toBe(2);
  });

  it('undo takes the template of the named ReplicaSet, without the label of its hash', () => {
    const undone = changedArgoRollout(paused, { kind: 'undo', replicaSet: 'web-stable' });
    expect(undone?.rollout.spec.template).toMatchObject({
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ image: 'web:stable' }] },
    });
    expect(undone?.rollout.spec.template.metadata.labels).toEqual({ app: 'web' });
  });

  it('deletes the named pod and leaves the others', () => {
    const [first, second] = paused.pods;
    const deleted = changedArgoRollout(paused, { kind: 'delete-pod', pod: first?.metadata.name ?? '' });
    expect(deleted?.pods).toEqual([second]);
  });

  it.each<[string, ArgoRolloutState, ArgoRolloutChange]>([
    ['a ReplicaSet that does not exist', paused, { kind: 'undo', replicaSet: 'web-other' }],
    ['a pod that does not exist', paused, { kind: 'delete-pod', pod: 'web-other' }],
    [
      'bounds of a blue-green Rollout',
      argoStateOf({ blueGreen: {} }, stuck),
      { kind: 'bounds', maxSurge: 0, maxUnavailable: 1 },
    ],
    [
      'bounds that a traffic router makes ineffective',
      argoStateOf(
        { canary: { canaryService: 'c', stableService: 's', trafficRouting: { nginx: {} } } },
        stuck,
      ),
      { kind: 'bounds', maxSurge: 0, maxUnavailable: 1 },
    ],
  ])('is impossible with %s', (_, state, change) => {
    expect(changedArgoRollout(state, change)).toBeUndefined();
    expect(nextArgoRolloutSteps(state, change, replacing).ends).toBe('unknown');
  });
});

function without(values: object, names: object): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in names)));
}

describe('the forecast of a Rollout under a change', () => {
  const forecast = (state: ArgoRolloutState, change: ArgoRolloutChange, simulator = replacing) => {
    const { ends, victims, placements } = nextArgoRolloutSteps(state, change, simulator);
    return { ends, victims: victims.length, placements: placements.length };
  };
  const stablePod = argoStateOf({}, stuck).pods.find(({ spec }) => spec.nodeName)?.metadata.name ?? '';

  it.each<[string, ArgoRolloutState, ArgoRolloutChange, PodSimulator, object]>([
    [
      'an undo removes the waiting pod and places none',
      argoStateOf({}, stuck),
      { kind: 'undo', replicaSet: 'web-stable' },
      replacing,
      { ends: 'complete', victims: 1, placements: 0 },
    ],
    [
      'the deletion of the old pod gives its place to a new one',
      argoStateOf({}, stuck),
      { kind: 'delete-pod', pod: stablePod },
      replacing,
      { placements: 1 },
    ],
    [
      'a new template gets a ReplicaSet of its own where there is room',
      argoStateOf({}, stuck),
      { kind: 'template', template: PodTemplate.parse(buildTemplate('web:3')) },
      everywhere,
      { ends: 'complete', placements: 1 },
    ],
    [
      'a restart replaces every pod',
      argoStateOf({ replicas: 2, status: { stableRS: 'new', currentPodHash: 'new' } }, [
        { hash: 'new', replicas: 2 },
      ]),
      { kind: 'restart' },
      everywhere,
      { ends: 'complete', victims: 2, placements: 2 },
    ],
  ])('%s', (_, state, change, simulator, expected) => {
    expect(forecast(state, change, simulator)).toMatchObject(expected);
  });
});

describe('the ReplicaSet that the controller makes for a new template', () => {
  const end = actArgoRollout(
    argoStateOf({ image: 'web:3', generation: 3 }, [
      { hash: 'stable', replicas: 1 },
      { hash: 'next-1', replicas: 0, desired: 1, revision: 3 },
    ]),
    () => true,
  ).state;

  it('has a name that no other one has, the template, and its controller', () => {
    const made = end.replicaSets.find(({ metadata }) => metadata.name === 'web-next-2');
    const hash = { 'rollouts-pod-template-hash': 'next-2' };
    expect(made).toMatchObject({
      metadata: {
        namespace: 'shop',
        labels: { app: 'web', ...hash },
        ownerReferences: [{ kind: 'Rollout', name: 'web', uid: 'web-uid', controller: true }],
      },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web', ...hash } },
        template: {
          metadata: { labels: { app: 'web', ...hash } },
          spec: { containers: [{ image: 'web:3' }] },
        },
      },
    });
  });
});

const former: SetFields = { hash: 'former', replicas: 2, revision: 5 };

describe('a revision that an update left behind', () => {
  const twoSteps = [{ setWeight: 50 }, { pause: {} }];
  const reconciled = (fields: ArgoRolloutFields, sets: readonly SetFields[], services = {}) =>
    sizesByHash(actArgoRollout(argoStateOf(fields, sets, services), () => true).state);
  const between = (fields: Partial<SetFields> = {}): SetFields => ({
    hash: 'between',
    replicas: 2,
    revision: 5,
    desired: 4,
    ...fields,
  });
  const beside = (...others: readonly SetFields[]): readonly SetFields[] => [
    { hash: 'new', replicas: 0, desired: 4 },
    ...others,
    { hash: 'stable', replicas: 3, desired: 4 },
  ];
  const routed = {
    canaryService: 'canary',
    stableService: 'stable',
    trafficRouting: { nginx: {} },
    steps: twoSteps,
  };
  const services = (canary: string) => ({
    canary: { hash: canary, isManaged: true },
    stable: { hash: 'stable', isManaged: true },
  });

  it.each<[string, ArgoRolloutFields, readonly SetFields[], object, object]>([
    [
      'shrinks by what maxUnavailable leaves, the newest first',
      { replicas: 4, canary: { steps: twoSteps, maxSurge: 2, maxUnavailable: 0 } },
      beside(between(), { ...between(), hash: 'older', revision: 4 }),
      {},
      { between: 0, older: 1 },
    ],
    [
      'loses its pods that are not available first, of any revision',
      { replicas: 4, canary: { steps: twoSteps, maxSurge: 2, maxUnavailable: 0 } },
      beside(between({ available: 1 }), { ...between({ available: 0 }), hash: 'older', revision: 4 }),
      {},
      { between: 1, older: 0 },
    ],
    [
      'keeps its pods behind a traffic router until its deadline',
      { replicas: 4, canary: routed },
      beside(between({ deadline: ago(-60) })),
      services('new'),
      { between: 2 },
    ],
    [
      'goes behind a traffic router once its deadline is over',
      { replicas: 4, canary: routed },
      beside(between({ deadline: ago(60) })),
      services('new'),
      { between: 0 },
    ],
    [
      'stays while a Service still selects it',
      { replicas: 4, canary: routed },
      beside(between({ deadline: ago(60) })),
      services('between'),
      { between: 2 },
    ],
  ])('%s', (_, fields, sets, targets, expected) => {
    expect(reconciled(fields, sets, targets)).toMatchObject(expected);
  });

  it.each<[string, object, readonly SetFields[], object]>([
    ['goes once its deadline is over', {}, [{ ...former, deadline: ago(60) }], { former: 0 }],
    ['stays until its deadline', {}, [{ ...former, deadline: ago(-60) }], { former: 2 }],
    ['stays for the usual delay where it has no deadline', {}, [former], { former: 2 }],
    [
      'goes at once where newer ones are as many as the limit',
      { scaleDownDelayRevisionLimit: 1 },
      [former, { ...former, hash: 'older', revision: 4 }],
      { former: 2, older: 0 },
    ],
  ])('of a blue-green Rollout %s', (_, blueGreen, others, expected) => {
    const sets = [{ hash: 'new', replicas: 0, desired: 2 }, ...others, { hash: 'stable', replicas: 2 }];
    const status = { blueGreen: { activeSelector: 'stable' } };
    const services = { web: { hash: 'stable', isManaged: true } };
    expect(reconciled({ replicas: 2, blueGreen, status }, sets, services)).toMatchObject(expected);
  });
});
