import { describe, expect, it } from 'vitest';
import { blamedNode, blamedQuota, type Finding } from '#src/doctor/findings/finding.js';
import { isSameRoot, rootKey, type SharedRoot, sharedRootOf } from '#src/doctor/incidents/shared-root.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';

const rootOf = (...findings: readonly Partial<Finding>[]) =>
  sharedRootOf(buildDiagnosis({ findings: findings.map((fields) => buildFinding(fields)) }));
const node = { kind: 'Node', cluster: 'prod', name: 'n-b' } as const;
const quota = { kind: 'ResourceQuota', cluster: 'prod', namespace: 'ml', name: 'compute' } as const;
const deadlock = { kind: 'Cause', cluster: 'prod', cause: 'surge-deadlock' } as const;
const blamesNode: Partial<Finding> = { ...blamedNode(['n-b']) };

describe('the shared root of a diagnosis', () => {
  it.each<[string, readonly Partial<Finding>[], SharedRoot | undefined]>([
    ['is the node that the main finding blames', [blamesNode], node],
    [
      'is the quota that the main finding blames',
      [{ blames: { kind: 'ResourceQuota', namespace: 'ml', name: 'compute' } }],
      quota,
    ],
    ['is that of the gravest finding only', [{}, blamesNode], deadlock],
    [
      'is the cause where the finding is merely possible',
      [{ ...blamesNode, confidence: 'possible' }],
      deadlock,
    ],
    ['is none for a note about the future', [{ ...blamesNode, severity: 'info' }], undefined],
    ['is none where nothing was found', [], undefined],
  ])('%s', (_, findings, root) => {
    expect(rootOf(...findings)).toEqual(root);
  });

  it.each<[string, readonly string[], string | undefined]>([
    ['one node is blamed', ['n-b'], 'n-b'],
    ['of several nodes none is blamed', ['n-a', 'n-b'], undefined],
    ['without a node none is blamed', [], undefined],
  ])('%s', (_, nodes, name) => {
    expect(blamedNode(nodes).blames?.name).toBe(name);
  });

  it.each<[string, readonly string[], string | undefined]>([
    ['one exceeded quota is blamed', ['compute'], 'compute'],
    ['a quota that two resources exceed is blamed once', ['compute', 'compute'], 'compute'],
    ['of several exceeded quotas none is blamed', ['compute', 'objects'], undefined],
  ])('%s', (_, quotas, name) => {
    const exceeded = quotas.map((each) => ({ quota: each }));

    expect(blamedQuota('ml', exceeded).blames?.name).toBe(name);
  });
});

describe('two roots are the same', () => {
  it.each<[string, SharedRoot | undefined, SharedRoot | undefined, boolean]>([
    ['by kind, cluster and name', node, { ...node }, true],
    ['not in another cluster', node, { ...node, cluster: 'staging' }, false],
    ['not by another name', node, { ...node, name: 'n-c' }, false],
    ['a quota also by its namespace', quota, { ...quota }, true],
    ['not in another namespace', quota, { ...quota, namespace: 'shop' }, false],
    ['not of another kind', node, { ...quota, name: 'n-b', namespace: '' }, false],
    ['never where there is none', undefined, undefined, false],
  ])('%s', (_, left, right, same) => {
    expect(isSameRoot(left, right)).toBe(same);
    if (left !== undefined && right !== undefined) expect(rootKey(left) === rootKey(right)).toBe(same);
  });
});
