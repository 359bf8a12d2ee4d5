import { describe, expect, it } from 'vitest';
import { unsatisfiablePlacement } from '#src/core/diagnosis/causes/unsatisfiable-placement/rule.js';
import { text } from '#src/core/diagnosis/causes/unsatisfiable-placement/text.js';
import { claim, node, volume } from '#support/placement-builders.js';
import { buildDeployment, buildPod, buildReplicaSet } from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const hostname = 'kubernetes.io/hostname';
const named = (name: string) => node(name, { labels: { [hostname]: name } });

function affinity(...terms: readonly object[]) {
  const required = { nodeSelectorTerms: terms };
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } };
}

const byHostname = (...values: string[]) => ({
  matchExpressions: [{ key: hostname, operator: 'In', values }],
});
const byName = (name: string) => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
});

function waiting(spec: object) {
  const second = buildReplicaSet({ revision: 2, replicas: 1 });
  const owner = { name: 'web-2', uid: 'web-2-uid' };
  const containers = [{ name: 'app', image: 'web:2' }];
  const pod = buildPod({ name: 'new-0', owner, node: undefined, spec: { containers, ...spec } });
  return snapshotOf(buildDeployment(), {
    ReplicaSet: [second],
    Pod: [pod],
    Node: [named('n-a'), named('n-b')],
  });
}

describe('a pod that requests a node that does not exist', () => {
  it.each<[string, object, string]>([
    ['by nodeSelector', { nodeSelector: { [hostname]: 'gone' } }, 'spec.nodeSelector'],
    ['by node affinity with the hostname', affinity(byHostname('gone')), 'spec.affinity.nodeAffinity'],
    ['by node affinity with the name', affinity(byName('gone')), 'spec.affinity.nodeAffinity'],
    ['by several terms', affinity(byHostname('gone', 'lost'), byName('gone')), 'spec.affinity.nodeAffinity'],
  ])('has a finding that names the field, %s', (_, spec, field) => {
    const finding = mustFind(unsatisfiablePlacement, waiting(spec));

    expect(finding.summary.key).toBe('summary-missing');
    expect(finding.confidence).toBe('proven');
    expect(finding.evidence.find(({ says }) => says.key === 'ev-node-missing')?.field).toContain(field);
    expect(keysOf(finding.advice.map(({ title }) => title))).toEqual(['advice-pin-title']);
    const { en, ko } = renderFinding(finding, text);
    expect(en[0]).toContain('gone');
    expect(ko).toHaveLength(en.length);
  });

  it.each<[string, object]>([
    ['one of the names exists', affinity(byHostname('gone', 'n-a'), byName('lost'))],
    [
      'another term asks for no name',
      affinity(byName('gone'), { matchExpressions: [{ key: 'x', operator: 'Exists' }] }),
    ],
  ])('has no such finding while %s', (_, spec) => {
    expect(foundBy(unsatisfiablePlacement, waiting(spec))?.summary.key).not.toBe('summary-missing');
  });
});

describe('spec.nodeName of a node that does not exist', () => {
  const bound = (nodeName: string, age: number) => {
    const base = buildDeployment();
    const template = { ...base.spec.template, spec: { ...base.spec.template.spec, nodeName } };
    const owner = { name: 'web-2', uid: 'web-2-uid' };
    const pod = buildPod({ name: 'new-0', owner, node: nodeName, age, phase: 'Pending', ready: false });
    return snapshotOf(
      { ...base, spec: { ...base.spec, template } },
      { ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })], Pod: [pod], Node: [named('n-a')] },
    );
  };

  it('is reported, and neither an existing node nor a new pod is', () => {
    const finding = mustFind(unsatisfiablePlacement, bound('gone', 30));

    expect(keysOf(finding.reasoning)).toEqual(['node-missing', 'collected']);
    expect(renderFinding(finding, text).ko).toHaveLength(renderFinding(finding, text).en.length);
    expect(foundBy(unsatisfiablePlacement, bound('n-a', 30))).toBeUndefined();
    expect(foundBy(unsatisfiablePlacement, bound('gone', 5))).toBeUndefined();
  });
});

describe('a volume on a node that does not exist', () => {
  const onNode = (name: string) => {
    const data = volume('pv-1', { nodeAffinity: { required: { nodeSelectorTerms: [byHostname(name)] } } });
    const bound = claim('data', { volumeName: 'pv-1' });
    const base = waiting({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
    const { Pod, Node, ReplicaSet } = base.index.objects;
    return snapshotOf(base.workload, {
      Pod,
      ReplicaSet,
      Node: [...Node, node('n-c', { labels: { [hostname]: 'n-c' }, unschedulable: true })],
      PersistentVolume: [data],
      PersistentVolumeClaim: [bound],
    });
  };

  it('is reported with the node', () => {
    const finding = mustFind(unsatisfiablePlacement, onNode('gone'));

    expect(keysOf(finding.reasoning)).toContain('volume-node-missing');
    expect(keysOf(finding.advice.map(({ title }) => title))).toEqual(['advice-volume-node-title']);
  });

  it('is not reported for a node that exists', () => {
    const finding = foundBy(unsatisfiablePlacement, onNode('n-c'));

    expect(keysOf(finding?.reasoning ?? [])).not.toContain('volume-node-missing');
  });
});
