import { describe, expect, test } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import { type PodIdentity, podFromTemplate } from '#src/engine/scheduler/pod-from-template.js';
import { podRequests } from '#src/engine/scheduler/pod-requests.js';
import { node, placementOf } from '../../../support/placement-builders.js';

const template = (spec: object, metadata: object = {}) => PodTemplate.parse({ metadata, spec });
const who = { namespace: 'shop', name: 'web-1' };
const made = (spec: object, identity: Partial<PodIdentity> = {}) =>
  podFromTemplate(template(spec), { ...who, ...identity });
const container = (resources: object) => ({ containers: [{ name: 'c', resources }] });

describe('the pod that a controller would create', () => {
  test('has the labels of the template and its own, its owner, no uid and no node', () => {
    const ownerRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true };
    const pod = podFromTemplate(
      template({ containers: [] }, { labels: { app: 'web', tier: 'x' }, annotations: { a: 'b' } }),
      { ...who, labels: { 'pod-template-hash': 'h' }, ownerRef },
    );
    expect(pod.metadata).toMatchObject({
      namespace: 'shop',
      name: 'web-1',
      uid: '',
      labels: { app: 'web', tier: 'x', 'pod-template-hash': 'h' },
      annotations: { a: 'b' },
      ownerReferences: [ownerRef],
    });
    expect(pod.spec.nodeName).toBeUndefined();
    expect(pod.status.phase).toBe('Pending');
  });

  test('requests its limits where it has no requests', () => {
    const pod = made(container({ limits: { cpu: '2', 'nvidia.com/gpu': '1' }, requests: { cpu: '1' } }));
    expect(pod.spec.containers[0]?.resources.requests).toEqual({ cpu: '1', 'nvidia.com/gpu': '1' });
  });

  test('uses its container ports on the host when it uses the host’s network', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }];
    const on = (hostNetwork: boolean) =>
      made({ hostNetwork, containers: [{ name: 'c', ports }] }).spec.containers[0]?.ports;
    expect(on(true)?.map(({ hostPort }) => hostPort)).toEqual([80, 8081]);
    expect(on(false)?.map(({ hostPort }) => hostPort)).toEqual([0, 8081]);
  });

  test('gets pod-level requests from its containers or its pod-level limits', () => {
    const spec = {
      ...container({ requests: { cpu: '1' } }),
      resources: { limits: { cpu: '4', memory: '1Gi', 'hugepages-2Mi': '2Mi' } },
    };
    expect(made(spec).spec.resources?.requests).toEqual({ cpu: '1', memory: '1Gi', 'hugepages-2Mi': '2Mi' });
    const given = { ...container({ requests: { cpu: '1' } }), resources: { requests: { cpu: '3' } } };
    expect(made(given).spec.resources?.requests).toEqual({ cpu: '3' });
    expect([...podRequests(made(given), false)]).toEqual([['cpu', 3000n]]);
  });

  test('can be placed on a node to simulate it there', () => {
    const pod = made(container({ requests: { cpu: '4' } }), { nodeName: 'n1' });
    const placement = placementOf({ Node: [node('n1')] }).with({ add: [pod] });
    expect(placement.evaluate(made(container({ requests: { cpu: '1' } }), { name: 'web-2' })).outcome).toBe(
      'refused',
    );
  });

  test('of a StatefulSet has one claim per claim template', () => {
    const pod = made({ containers: [] }, { name: 'db-0', claimTemplates: ['data'] });
    expect(pod.spec.volumes).toMatchObject([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
    ]);
  });
});

describe('the tolerations of a pod', () => {
  const taint = (key: string, effect: string) =>
    placementOf({ Node: [node('n1', { taints: [{ key: `node.kubernetes.io/${key}`, effect }] })] });

  test('include not-ready and unreachable nodes for a while', () => {
    const pod = made({ containers: [] });
    for (const key of ['not-ready', 'unreachable']) {
      expect(taint(key, 'NoExecute').evaluate(pod).outcome).toBe('fits');
      expect(taint(key, 'NoSchedule').evaluate(pod).outcome).toBe('refused');
    }
    expect(pod.spec.tolerations.map(({ tolerationSeconds }) => tolerationSeconds)).toEqual([300, 300]);
  });

  test('keep an own toleration of the same taint only', () => {
    const own = {
      key: 'node.kubernetes.io/not-ready',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 5,
    };
    const tolerations = made({ containers: [], tolerations: [own] }).spec.tolerations;
    expect(tolerations.filter(({ key }) => key === own.key)).toHaveLength(1);
    expect(made({ containers: [], tolerations: [{ operator: 'Exists' }] }).spec.tolerations).toHaveLength(1);
  });

  test.each(['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'])(
    'of a DaemonSet include %s',
    (key) => {
      expect(
        taint(key, 'NoSchedule').evaluate(made({ containers: [] }, { daemonSetNode: 'n1' })).outcome,
      ).toBe('fits');
    },
  );

  test('include an unavailable network only on the host’s network', () => {
    const outcome = (hostNetwork: boolean) =>
      taint('network-unavailable', 'NoSchedule').evaluate(
        made({ containers: [], hostNetwork }, { daemonSetNode: 'n1' }),
      ).outcome;
    expect(outcome(true)).toBe('fits');
    expect(outcome(false)).toBe('refused');
  });
});

describe('the pod of a DaemonSet', () => {
  test('is bound to its node by name, which replaces the node affinity of the template', () => {
    const matchExpressions = [{ key: 'gone', operator: 'Exists' }];
    const affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
      },
    };
    const placement = placementOf({ Node: [node('n1'), node('n2')] });
    expect(placement.evaluate(made({ containers: [], affinity }, { daemonSetNode: 'n2' })).feasible).toEqual([
      'n2',
    ]);
  });

  test('runs on a cordoned node', () => {
    const placement = placementOf({ Node: [node('n1', { unschedulable: true })] });
    expect(placement.evaluate(made({ containers: [] }, { daemonSetNode: 'n1' })).outcome).toBe('fits');
  });
});

describe('the priority of a pod', () => {
  const priorityClasses = [
    schemas.PriorityClass.parse({ metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' }),
    schemas.PriorityClass.parse({ metadata: { name: 'usual' }, value: 10, globalDefault: true }),
  ];
  test.each([
    ['a named class', { priorityClassName: 'high' }, 1000, 'Never'],
    ['the default class', {}, 10, undefined],
    ['a built-in class', { priorityClassName: 'system-node-critical' }, 2_000_001_000, undefined],
    ['an unknown class', { priorityClassName: 'gone' }, 0, undefined],
    ['an existing value', { priority: 7, priorityClassName: 'high' }, 7, undefined],
  ])('comes from %s', (_, spec, priority, preemptionPolicy) => {
    expect(made({ containers: [], ...spec }, { priorityClasses }).spec).toMatchObject({
      priority,
      preemptionPolicy,
    });
  });

  test('is undefined while the classes are not known', () => {
    expect(made({ containers: [], priorityClassName: 'high' }).spec.priority).toBeUndefined();
  });
});
