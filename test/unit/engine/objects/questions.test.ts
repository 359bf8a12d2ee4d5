import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import {
  byNamespaceAndName,
  clusterObjects,
  isResourceKind,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import { LabelSelector, matchesSelector, selectorQuery } from '#src/engine/objects/label-selector.js';
import { conditionOf, controllerOf } from '#src/engine/objects/metadata.js';
import { isActive, isAvailable, isReady, isTerminal, isTerminating } from '#src/engine/objects/pod.js';

const now = Date.parse('2026-11-20T09:30:10Z');
const pod = (fields: { metadata?: object; spec?: object; status?: object }) =>
  schemas.Pod.parse({ metadata: {}, spec: {}, ...fields });
const readySince = (lastTransitionTime?: string, status = 'True') =>
  pod({ status: { conditions: [{ type: 'Ready', status, lastTransitionTime }] } });

describe('a pod', () => {
  it.each([
    ['Pending', false],
    ['Running', false],
    ['Succeeded', true],
    ['Failed', true],
    ['Unknown', false],
  ])('in phase %s is terminal: %s, and active when it is not', (phase, terminal) => {
    expect(isTerminal(pod({ status: { phase } }))).toBe(terminal);
    expect(isActive(pod({ status: { phase } }))).toBe(!terminal);
  });

  it('that is deleted is terminating and no longer active', () => {
    const deleted = pod({ metadata: { deletionTimestamp: '2026-11-20T09:30:00Z' } });
    expect([isTerminating(deleted), isActive(deleted)]).toEqual([true, false]);
    expect(isTerminating(pod({}))).toBe(false);
  });

  it.each([
    ['True', true],
    ['False', false],
    ['Unknown', false],
  ])('is ready with the condition %s: %s', (status, ready) => {
    expect(isReady(readySince(undefined, status))).toBe(ready);
    expect(isReady(pod({ status: { conditions: [{ type: 'ContainersReady', status }] } }))).toBe(false);
  });

  it.each([
    ['at once without minReadySeconds', readySince(), 0, true],
    ['never while it is not ready', readySince('2026-11-20T09:00:00Z', 'False'), 0, false],
    [
      'never while it is another condition that holds',
      pod({ status: { conditions: [{ type: 'Initialized', status: 'True' }] } }),
      0,
      false,
    ],
    ['not without a time', readySince(), 1, false],
    ['just in time', readySince('2026-11-20T09:30:00Z'), 10, true],
    ['not a second too early', readySince('2026-11-20T09:30:00Z'), 11, false],
  ])('is available %s', (_, given, minReadySeconds, available) => {
    expect(isAvailable(given, minReadySeconds, now)).toBe(available);
  });
});

describe('a label selector', () => {
  const labels = { app: 'web', tier: 'front' };

  it.each<[string, object | undefined, boolean]>([
    ['that is absent matches no object', undefined, false],
    ['that is empty matches everything', {}, true],
    ['with a label that is there', { matchLabels: { app: 'web' } }, true],
    ['with another value', { matchLabels: { app: 'db' } }, false],
    ['with one of two labels', { matchLabels: { app: 'web', zone: 'a' } }, false],
    [
      'In with the value',
      { matchExpressions: [{ key: 'app', operator: 'In', values: ['db', 'web'] }] },
      true,
    ],
    ['In without the value', { matchExpressions: [{ key: 'app', operator: 'In', values: ['db'] }] }, false],
    ['In without the label', { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }, false],
    [
      'NotIn with the value',
      { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] },
      false,
    ],
    [
      'NotIn without the value',
      { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] },
      true,
    ],
    [
      'NotIn without the label',
      { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] },
      true,
    ],
    ['Exists with the label', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
    ['Exists without the label', { matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, false],
    ['DoesNotExist with the label', { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
    [
      'DoesNotExist without the label',
      { matchExpressions: [{ key: 'zone', operator: 'DoesNotExist' }] },
      true,
    ],
    [
      'with an unknown operator',
      { matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] },
      false,
    ],
    [
      'with two expressions of which one fails',
      {
        matchExpressions: [
          { key: 'app', operator: 'Exists' },
          { key: 'tier', operator: 'DoesNotExist' },
        ],
      },
      false,
    ],
    [
      'with labels that hold and an expression that fails',
      { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
      false,
    ],
  ])('%s: %s', (_, selector, matches) => {
    expect(matchesSelector(selector === undefined ? undefined : LabelSelector.parse(selector), labels)).toBe(
      matches,
    );
  });

  it('is written as an API query parameter', () => {
    const selector = LabelSelector.parse({
      matchLabels: { app: 'web', tier: 'front' },
      matchExpressions: [
        { key: 'zone', operator: 'In', values: ['a', 'b'] },
        { key: 'env', operator: 'NotIn', values: ['dev'] },
        { key: 'team', operator: 'Exists' },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    });
    expect(selectorQuery(selector)).toBe('app=web,tier=front,zone in (a,b),env notin (dev),team,!old');
    expect(selectorQuery(LabelSelector.parse({}))).toBe('');
  });
});

describe('a kind', () => {
  it.each([
    ['Pod', true],
    ['NodeClaim', true],
    ['Secret', true],
    ['ServiceAccount', false],
    ['constructor', false],
    ['toString', false],
    ['__proto__', false],
    ['', false],
  ])('%j is known to the model: %s', (kind, known) => {
    expect(isResourceKind(kind)).toBe(known);
  });
});

describe('objects', () => {
  const named = (namespace: string, name: string) =>
    schemas.Namespace.parse({ metadata: { namespace, name } });

  it('are sorted by namespace and name, by code unit, whatever their first order', () => {
    const expected = [named('a', 'z'), named('b', 'B'), named('b', 'a'), named('b', 'a-1'), named('b', 'ä')];
    const given = [4, 2, 0, 3, 1].flatMap((index) => expected[index] ?? []);
    expect(clusterObjects({ Namespace: given }).Namespace).toEqual(expected);
    expect(clusterObjects({}).Pod).toEqual([]);
    expect(byNamespaceAndName(named('b', 'a'), named('b', 'a'))).toBe(0);
  });

  it('are owned by their controller reference only', () => {
    const reference = (uid: string, controller?: boolean) => ({
      kind: 'ReplicaSet',
      name: 'web',
      uid,
      controller,
    });
    const owned = pod({ metadata: { ownerReferences: [reference('u1'), reference('u2', true)] } });
    expect(controllerOf(owned)?.uid).toBe('u2');
    expect(controllerOf(pod({ metadata: { ownerReferences: [reference('u1', false)] } }))).toBeUndefined();
  });

  it('have the condition of a type, or none', () => {
    const { status } = readySince();
    expect(conditionOf(status, 'Ready')?.status).toBe('True');
    expect(conditionOf(status, 'Initialized')).toBeUndefined();
  });
});

describe('the object index', () => {
  const owner = { ownerReferences: [{ kind: 'Deployment', name: 'web', uid: 'owner', controller: true }] };
  const event = (name: string, uid: string, lastTimestamp?: string) =>
    schemas.Event.parse({ metadata: { name }, involvedObject: { uid }, lastTimestamp });
  const names = (items: readonly { readonly metadata: { readonly name: string } }[] | undefined) =>
    items?.map(({ metadata }) => metadata.name);
  const index = indexObjects(
    clusterObjects({
      Node: [schemas.Node.parse({ metadata: { name: 'node-a' } })],
      Pod: [
        pod({ metadata: { name: 'p1', ...owner }, spec: { nodeName: 'node-a' } }),
        pod({
          metadata: { name: 'p2', ...owner },
          spec: { nodeName: 'node-a' },
          status: { phase: 'Failed' },
        }),
        pod({ metadata: { name: 'p3' } }),
      ],
      ReplicaSet: [
        schemas.ReplicaSet.parse({
          metadata: { name: 'r1', ...owner },
          spec: { selector: {}, template: {} },
        }),
        schemas.ReplicaSet.parse({ metadata: { name: 'r2' }, spec: { selector: {}, template: {} } }),
      ],
      ControllerRevision: [schemas.ControllerRevision.parse({ metadata: { name: 'c1', ...owner } })],
      Event: [
        event('e1', 'u1', '2026-11-20T09:30:02Z'),
        event('e2', 'u1', '2026-11-20T09:30:01Z'),
        event('e3', 'u1'),
        event('e4', 'u2', '2026-11-20T09:30:00Z'),
      ],
    }),
  );

  it('finds nodes by name, and pods by node and by controller, including finished pods', () => {
    expect([...index.nodes.keys()]).toEqual(['node-a']);
    expect([...index.podsByNode.keys()]).toEqual(['node-a']);
    expect(names(index.podsByNode.get('node-a'))).toEqual(['p1', 'p2']);
    expect([...index.podsByOwner.keys()]).toEqual(['owner']);
    expect(names(index.podsByOwner.get('owner'))).toEqual(['p1', 'p2']);
  });

  it('finds pods without a node, terminating pods, and pods that run to completion', () => {
    const terminating = { deletionTimestamp: '2026-11-20T09:30:00Z' };
    const job = { ownerReferences: [{ kind: 'Job', name: 'j', uid: 'j', controller: true }] };
    const { unassignedPods, terminatingPods, finitePods } = indexObjects(
      clusterObjects({
        Pod: [
          pod({ metadata: { name: 'waits' } }),
          pod({ metadata: { name: 'waits-with-empty-name' }, spec: { nodeName: '' } }),
          pod({ metadata: { name: 'waits-and-leaves', ...terminating } }),
          pod({ metadata: { name: 'waits-and-failed' }, status: { phase: 'Failed' } }),
          pod({ metadata: { name: 'runs' }, spec: { nodeName: 'node-a' } }),
          pod({ metadata: { name: 'leaves', ...terminating }, spec: { nodeName: 'node-a' } }),
          pod({ metadata: { name: 'of-a-job', ...job }, spec: { nodeName: 'node-a' } }),
          pod({
            metadata: { name: 'job-that-leaves', ...job, ...terminating },
            spec: { nodeName: 'node-a' },
          }),
          pod({ metadata: { name: 'job-done', ...job }, status: { phase: 'Succeeded' } }),
          pod({ metadata: { name: 'runs-once' }, spec: { nodeName: 'node-a', restartPolicy: 'Never' } }),
          pod({ metadata: { name: 'until-five' }, spec: { nodeName: 'node-a', activeDeadlineSeconds: 300 } }),
        ],
      }),
    );

    expect(names(unassignedPods)).toEqual(['waits', 'waits-with-empty-name']);
    expect(names(terminatingPods)).toEqual(['job-that-leaves', 'leaves', 'waits-and-leaves']);
    expect(names(finitePods)).toEqual(['of-a-job', 'runs-once', 'until-five']);
  });

  it('finds the revisions of a workload', () => {
    expect(names(index.replicaSetsByOwner.get('owner'))).toEqual(['r1']);
    expect(names(index.controllerRevisionsByOwner.get('owner'))).toEqual(['c1']);
  });

  it('finds the events of an object, oldest first, and those without a time before all', () => {
    expect(names(index.eventsByUid.get('u1'))).toEqual(['e3', 'e2', 'e1']);
    expect(names(index.eventsByUid.get('u2'))).toEqual(['e4']);
  });

  it('lists the nodes whose pods were read only where not all were read', () => {
    expect(index).not.toHaveProperty('podsReadOn');
    expect(indexObjects(clusterObjects({}), new Set(['node-a'])).podsReadOn).toEqual(new Set(['node-a']));
  });
});
