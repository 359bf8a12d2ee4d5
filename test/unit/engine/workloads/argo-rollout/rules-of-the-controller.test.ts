import { describe, expect, it } from 'vitest';
import { Service } from '#src/engine/objects/service.js';
import { ReplicaSet } from '#src/engine/objects/workload.js';
import {
  abortDelayOf,
  isRollbackWithinWindow,
  isThresholdMet,
  scaleDownDelayOf,
} from '#src/engine/workloads/argo-rollout/reconciliation.js';
import {
  declaredTemplate,
  isObserved,
  rolesOf,
} from '#src/engine/workloads/argo-rollout/replica-set-roles.js';
import { serviceTargets } from '#src/engine/workloads/argo-rollout/service-targets.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
} from '../../../../support/argo-rollout-builders.js';

describe('how many pods of a step must be available', () => {
  const set = (replicas: number, available: number) =>
    buildArgoReplicaSet({ hash: 'new', replicas, available });
  it.each<[string, object | undefined, ReplicaSet | undefined, number, boolean]>([
    ['all', undefined, set(4, 4), 4, true],
    ['all: one is missing', undefined, set(4, 3), 4, false],
    ['all: one has to go', undefined, set(5, 5), 4, false],
    ['all, of no ReplicaSet', undefined, undefined, 0, false],
    ['a number', { type: 'Pod', value: 2 }, set(4, 2), 4, true],
    ['a number: one is missing', { type: 'Pod', value: 2 }, set(4, 1), 4, false],
    ['a percentage', { type: 'Percentage', value: 50 }, set(4, 2), 4, true],
    ['a percentage: one is missing', { type: 'Percentage', value: 51 }, set(4, 2), 4, false],
    ['a percentage of none', { type: 'Percentage', value: 50 }, set(0, 0), 0, true],
    ['a percentage that is not exact', { type: 'Percentage', value: 100 }, set(3, 3), 3, true],
    ['a negative number is not used', { type: 'Pod', value: -1 }, set(4, 3), 4, false],
  ])('%s', (_, threshold, replicaSet, desired, expected) => {
    expect(isThresholdMet(threshold as never, replicaSet, desired)).toBe(expected);
  });
});

describe('the delays of a Rollout', () => {
  const router = { trafficRouting: { nginx: {} } };
  it.each<[string, ArgoRolloutFields, number | undefined, boolean, number]>([
    ['a canary', { canary: { abortScaleDownDelaySeconds: 7, scaleDownDelaySeconds: 9 } }, 0, false, 0],
    ['a routed canary', { canary: router }, 30, false, 30],
    [
      'a routed canary with its own delays',
      { canary: { ...router, abortScaleDownDelaySeconds: 7, scaleDownDelaySeconds: 9 } },
      7,
      true,
      9,
    ],
    [
      'a routed canary whose pods stay',
      { canary: { ...router, abortScaleDownDelaySeconds: 0 } },
      undefined,
      true,
      30,
    ],
    ['a blue-green update', { blueGreen: {} }, 30, false, 30],
    [
      'a blue-green update with its own delays',
      { blueGreen: { abortScaleDownDelaySeconds: 7, scaleDownDelaySeconds: 0 } },
      7,
      true,
      0,
    ],
  ])('of %s', (_, fields, seconds, isSet, scaleDown) => {
    const rollout = buildArgoRollout(fields);
    expect(abortDelayOf(rollout)).toEqual({ seconds, isSet });
    expect(scaleDownDelayOf(rollout)).toBe(scaleDown);
  });
});

describe('a roll back within the window', () => {
  const sets = [
    { hash: 'new', age: 9_000 },
    { hash: 'between', age: 8_000 },
    { hash: 'stable', age: 7_000 },
    { hash: 'later', age: 6_000 },
  ].map((fields) => buildArgoReplicaSet({ ...fields, replicas: 1 }));
  const isWithin = (revisions: number | undefined, of = sets): boolean => {
    const spec = revisions === undefined ? {} : { rollbackWindow: { revisions } };
    const rollout = buildArgoRollout({ spec });
    return isRollbackWithinWindow(rollout, rolesOf(rollout, of), of);
  };

  it('counts the revisions between the two', () => {
    expect([undefined, 0, 1, 2, 3].map((revisions) => isWithin(revisions))).toEqual([
      ...[false, false, false, true, true],
    ]);
  });

  it('does not count ReplicaSets of experiments', () => {
    const marked = sets.map((set) =>
      set.metadata.name === 'web-between'
        ? {
            ...set,
            metadata: {
              ...set.metadata,
              annotations: { ...set.metadata.annotations, 'rollout.argoproj.io/experiment-name': 'x' },
            },
          }
        : set,
    );
    expect(isWithin(1, marked)).toBe(true);
  });

  it('is not an update to a younger revision, nor one without a former ReplicaSet', () => {
    const younger = [...sets.slice(1), buildArgoReplicaSet({ hash: 'new', age: 60, replicas: 1 })];
    expect(isWithin(9, younger)).toBe(false);
    expect(
      isWithin(
        9,
        sets.filter(({ metadata }) => metadata.name !== 'web-stable'),
      ),
    ).toBe(false);
  });
});

describe('the Services of a Rollout', () => {
  const service = (name: string, hash: string | undefined, isManaged: boolean) =>
    Service.parse({
      metadata: {
        name,
        namespace: 'shop',
        annotations: isManaged ? { 'argo-rollouts.argoproj.io/managed-by-rollouts': 'web' } : {},
      },
      spec: {
        selector: hash === undefined ? { app: 'web' } : { app: 'web', 'rollouts-pod-template-hash': hash },
      },
    });
  const canary = buildArgoRollout({
    canary: { canaryService: 'c', stableService: 's', trafficRouting: {} },
    status: {
      canary: {
        weights: {
          canary: { weight: 5, podTemplateHash: 'wc' },
          stable: { weight: 95, podTemplateHash: 'ws' },
        },
      },
    },
  });

  it('select what was read', () => {
    const read = [service('c', 'new', true), service('s', undefined, false), service('other', 'x', true)];
    expect(serviceTargets(canary, read)).toEqual({
      c: { hash: 'new', isManaged: true },
      s: { hash: '', isManaged: false },
    });
  });

  it('select what the status says where they were not read', () => {
    expect(serviceTargets(canary, [])).toEqual({
      c: { hash: 'wc', isManaged: true },
      s: { hash: 'ws', isManaged: true },
    });
    const plain = buildArgoRollout({ canary: { canaryService: 'c', stableService: 's' } });
    expect(serviceTargets(plain, [])).toEqual({
      c: { hash: 'new', isManaged: true },
      s: { hash: 'stable', isManaged: true },
    });
    const blueGreen = buildArgoRollout({
      blueGreen: { activeService: 'a', previewService: 'p' },
      status: { blueGreen: { activeSelector: 'one', previewSelector: 'two' } },
    });
    expect(serviceTargets(blueGreen, [])).toEqual({
      a: { hash: 'one', isManaged: true },
      p: { hash: 'two', isManaged: true },
    });
    expect(serviceTargets(buildArgoRollout(), [])).toEqual({});
  });
});

describe('the template of a ReplicaSet as the Rollout declared it', () => {
  const hash = 'rollouts-pod-template-hash';
  const own = { labelSelector: { matchLabels: { [hash]: 'old' } }, topologyKey: 'kubernetes.io/hostname' };
  const declared = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'zone' };
  const ofTemplate = (template: { metadata?: object; spec?: object }, annotation?: string) => {
    const set = buildArgoReplicaSet({ hash: 'new', replicas: 1 });
    const { raw } = set.spec.template;
    const built = ReplicaSet.parse({
      ...set,
      metadata: {
        ...set.metadata,
        annotations: annotation === undefined ? {} : { 'rollout.argoproj.io/ephemeral-metadata': annotation },
      },
      spec: {
        ...set.spec,
        template: {
          metadata: { labels: { app: 'web', [hash]: 'new' }, ...template.metadata },
          spec: { ...(raw.spec as object), ...template.spec },
        },
      },
    });
    const { metadata, spec } = declaredTemplate(built).raw as {
      metadata: object;
      spec: { affinity?: object };
    };
    return { metadata, affinity: spec.affinity };
  };
  const anti = (required: readonly object[], preferred?: readonly object[]) => ({
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: required,
      ...(preferred === undefined ? {} : { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
    },
  });

  it('has no hash', () => {
    expect(ofTemplate({}).metadata).toEqual({ labels: { app: 'web' } });
  });

  it('has no metadata of canary or stable pods', () => {
    const metadata = {
      labels: { app: 'web', role: 'canary', [hash]: 'new' },
      annotations: { a: '1', b: '2' },
    };
    const injected = JSON.stringify({ labels: { role: 'canary' }, annotations: { a: '1' } });
    expect(ofTemplate({ metadata }, injected).metadata).toEqual({
      labels: { app: 'web' },
      annotations: { b: '2' },
    });
    expect(ofTemplate({ metadata }, '{').metadata).toEqual({
      labels: { app: 'web', role: 'canary' },
      annotations: { a: '1', b: '2' },
    });
  });

  it.each<[string, object, object | undefined]>([
    ['goes as a whole', anti([own]), undefined],
    ['goes, and terms of the template stay', anti([declared, own]), anti([declared])],
    ['goes from preferred terms', anti([], [{ weight: 1, podAffinityTerm: own }]), undefined],
    [
      'goes, and preferred terms of the template stay',
      anti([own], [{ weight: 1, podAffinityTerm: declared }]),
      anti([], [{ weight: 1, podAffinityTerm: declared }]),
    ],
    [
      'goes, and other affinity stays',
      { ...anti([own]), nodeAffinity: { a: 1 } },
      { nodeAffinity: { a: 1 } },
    ],
    ['is absent, and everything stays', anti([declared]), anti([declared])],
  ])('has no anti-affinity between revisions: it %s', (_, affinity, expected) => {
    expect(ofTemplate({ spec: { affinity } }).affinity).toEqual(expected);
  });
});

describe('a spec that the controller has seen', () => {
  it.each<[string, ArgoRolloutFields, boolean]>([
    ['its generation', {}, true],
    ['an older generation', { generation: 3 }, false],
    [
      'the template of the workload that it refers to',
      {
        spec: { workloadRef: { kind: 'Deployment', name: 'web' } },
        status: { workloadObservedGeneration: '' },
      },
      true,
    ],
    [
      'an older template of that workload',
      {
        spec: { workloadRef: { kind: 'Deployment', name: 'web' } },
        status: { workloadObservedGeneration: '4' },
      },
      false,
    ],
  ])('has %s', (_, fields, expected) => {
    expect(isObserved(buildArgoRollout(fields))).toBe(expected);
  });
});
