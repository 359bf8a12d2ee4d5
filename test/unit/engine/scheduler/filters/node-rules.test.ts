import { describe, expect, test } from 'vitest';
import { node, pod, reasonsFor, type SpecWire, texts } from '../../../../support/placement-builders.js';

const AFFINITY = "node(s) didn't match Pod's node affinity/selector";
const required = (...nodeSelectorTerms: object[]): SpecWire =>
  ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  }) as SpecWire;
const requirement = (key: string, operator: string, ...values: string[]) => ({ key, operator, values });
const expressions = (...matchExpressions: object[]) => ({ matchExpressions });
const fields = (...matchFields: object[]) => ({ matchFields });

describe('node selector and node affinity', () => {
  const one = node('n1', { labels: { disk: 'ssd', cores: '8', text: 'many', model: 'a8', size: '8Gi' } });
  const matching: readonly (readonly [string, SpecWire])[] = [
    ['no rule at all', {}],
    ['the label it asks for', { nodeSelector: { disk: 'ssd' } }],
    ['In one of several values', required(expressions(requirement('disk', 'In', 'hdd', 'ssd')))],
    ['NotIn another value', required(expressions(requirement('disk', 'NotIn', 'hdd')))],
    ['NotIn on a node without the label', required(expressions(requirement('zone', 'NotIn', 'a')))],
    ['Exists', required(expressions(requirement('disk', 'Exists')))],
    ['DoesNotExist', required(expressions(requirement('zone', 'DoesNotExist')))],
    ['Gt below the value', required(expressions(requirement('cores', 'Gt', '7')))],
    ['Lt above the value', required(expressions(requirement('cores', 'Lt', '9')))],
    [
      'one of two terms',
      required(expressions(requirement('disk', 'In', 'hdd')), expressions(requirement('disk', 'Exists'))),
    ],
    ['an empty term beside one that matches', required({}, expressions(requirement('disk', 'Exists')))],
    ['its own name as a field', required(fields(requirement('metadata.name', 'In', 'n1')))],
    ['another name excluded', required(fields(requirement('metadata.name', 'NotIn', 'n2')))],
  ];
  test.each(matching)('%s is met', (_, spec) => {
    expect(reasonsFor(pod('p', { spec }), { Node: [one] })).toEqual([]);
  });

  const refusing: readonly (readonly [string, SpecWire])[] = [
    ['another value', { nodeSelector: { disk: 'hdd' } }],
    ['a label the node lacks', { nodeSelector: { zone: 'a' } }],
    ['In other values', required(expressions(requirement('disk', 'In', 'hdd')))],
    ['In on a node without the label', required(expressions(requirement('zone', 'In', 'a')))],
    ['NotIn its own value', required(expressions(requirement('disk', 'NotIn', 'ssd')))],
    ['Gt at the value itself', required(expressions(requirement('cores', 'Gt', '8')))],
    ['Lt at the value itself', required(expressions(requirement('cores', 'Lt', '8')))],
    ['Gt on a label that is no number', required(expressions(requirement('text', 'Gt', '1')))],
    ['Gt on a label that ends in a number', required(expressions(requirement('model', 'Gt', '1')))],
    ['Lt on a label that begins with one', required(expressions(requirement('size', 'Lt', '9')))],
    ['Gt on a node without the label', required(expressions(requirement('zone', 'Gt', '1')))],
    ['Gt against something that is no number', required(expressions(requirement('cores', 'Gt', 'x')))],
    ['Gt against two numbers', required(expressions(requirement('cores', 'Gt', '1', '2')))],
    ['In without values', required(expressions(requirement('disk', 'In')))],
    ['NotIn without values', required(expressions(requirement('disk', 'NotIn')))],
    ['Exists with values', required(expressions(requirement('disk', 'Exists', 'ssd')))],
    ['an unknown operator', required(expressions(requirement('disk', 'Near', 'ssd')))],
    [
      'one unmet requirement of two',
      required(expressions(requirement('disk', 'Exists'), requirement('zone', 'Exists'))),
    ],
    ['an empty term alone', required({})],
    ['no term at all', required()],
    ['a field other than the name', required(fields(requirement('metadata.uid', 'In', 'n1')))],
    [
      'nodeSelector although the affinity matches',
      { ...required(expressions(requirement('disk', 'Exists'))), nodeSelector: { zone: 'a' } },
    ],
  ];
  test.each(refusing)('%s is not met', (_, spec) => {
    const reasons = reasonsFor(pod('p', { spec }), { Node: [one] });
    expect(texts(reasons)).toEqual([AFFINITY]);
    expect(reasons[0]).toMatchObject({ id: 'node-affinity', resolvable: false, preemptible: false });
  });

  test('report what is missing in the nearest term, and what the node has instead', () => {
    const far = expressions(requirement('a', 'Exists'), requirement('b', 'Exists'));
    const near = expressions(requirement('disk', 'In', 'nvme'), requirement('cores', 'Exists'));
    const [reason] = reasonsFor(pod('p', { spec: { ...required(far, near), nodeSelector: { zone: 'a' } } }), {
      Node: [one],
    });
    expect(reason).toMatchObject({
      unmet: [
        { requirement: { key: 'zone', operator: 'In', values: ['a'] }, found: undefined },
        { requirement: { key: 'disk', operator: 'In', values: ['nvme'] }, found: 'ssd' },
      ],
    });
  });

  test('reject all other nodes for a pod that names its node', () => {
    const spec = required(fields(requirement('metadata.name', 'In', 'n2')));
    expect(texts(reasonsFor(pod('p', { spec }), { Node: [one] }))).toEqual([
      "node(s) didn't satisfy plugin(s) [NodeAffinity]",
    ]);
  });

  test('report the usual reason for a named node that fails other requirements', () => {
    const spec = required({
      ...fields(requirement('metadata.name', 'In', 'n1')),
      ...expressions(requirement('zone', 'Exists')),
    });
    expect(texts(reasonsFor(pod('p', { spec }), { Node: [one] }))).toEqual([AFFINITY]);
  });
});

describe('the node that a pod names', () => {
  test.each<[string, string | undefined, boolean]>([
    ['no node', undefined, true],
    ['an empty name', '', true],
    ['this node', 'n1', true],
    ['another node', 'n2', false],
  ])('is %s', (_, nodeName, fits) => {
    const [reason] = reasonsFor(pod('p', { spec: { nodeName } as SpecWire }), { Node: [node('n1')] });
    expect(reason?.text).toBe(fits ? undefined : "node(s) didn't match the requested node name");
    if (!fits) expect(reason).toMatchObject({ plugin: 'NodeName', resolvable: false, wanted: nodeName });
  });
});

describe('taints and tolerations', () => {
  const tainted = (effect: string, value = 'gpu') =>
    node('n1', { taints: [{ key: 'dedicated', value, effect }] });
  const tolerating = (toleration: object) => pod('p', { spec: { tolerations: [toleration] } as SpecWire });
  const key = 'dedicated';

  test.each(['NoSchedule', 'NoExecute'])('an untolerated %s taint refuses and is named', (effect) => {
    const reasons = reasonsFor(pod('p'), { Node: [tainted(effect)] });
    expect(texts(reasons)).toEqual(['node(s) had untolerated taint(s)']);
    expect(reasons[0]).toMatchObject({
      id: 'taint',
      taint: { key, value: 'gpu', effect },
      resolvable: false,
    });
  });

  test('refuse no pod with PreferNoSchedule', () => {
    expect(reasonsFor(pod('p'), { Node: [tainted('PreferNoSchedule')] })).toEqual([]);
  });

  test.each([
    ['the same key, value and effect', { key, value: 'gpu', effect: 'NoSchedule' }],
    ['any effect', { key, value: 'gpu' }],
    ['any value', { key, operator: 'Exists' }],
    ['everything', { operator: 'Exists' }],
    ['an operator left empty, which means Equal', { key, operator: '', value: 'gpu' }],
  ])('a toleration of %s covers it', (_, toleration) => {
    expect(reasonsFor(tolerating(toleration), { Node: [tainted('NoSchedule')] })).toEqual([]);
  });

  test.each([
    ['another value', { key, value: 'cpu' }],
    ['another key', { key: 'other', operator: 'Exists' }],
    ['another effect', { key, operator: 'Exists', effect: 'NoExecute' }],
    ['a comparison, which is off by default', { key, operator: 'Gt', value: '1' }],
  ])('a toleration of %s does not', (_, toleration) => {
    expect(reasonsFor(tolerating(toleration), { Node: [tainted('NoSchedule')] })).toHaveLength(1);
  });

  test('report every untolerated taint as a separate reason', () => {
    const taints = ['a', 'b'].map((name) => ({ key: name, effect: 'NoSchedule' }));
    expect(reasonsFor(pod('p'), { Node: [node('n1', { taints })] })).toHaveLength(2);
  });
});

describe('cordons and named nodes', () => {
  test('refuse a pod on a cordoned node', () => {
    const reasons = reasonsFor(pod('p'), { Node: [node('n1', { unschedulable: true })] });
    expect(texts(reasons)).toEqual(['node(s) were unschedulable']);
    expect(reasons[0]).toMatchObject({ id: 'cordoned', resolvable: false });
  });

  test('accept a pod that tolerates cordons', () => {
    const tolerations = [
      { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
    ];
    const wanted = pod('p', { spec: { tolerations } as SpecWire });
    expect(reasonsFor(wanted, { Node: [node('n1', { unschedulable: true })] })).toEqual([]);
  });

  test('refuse a pod that names another node', () => {
    const reasons = reasonsFor(pod('p', { on: 'n2' }), { Node: [node('n1')] });
    expect(reasons).toMatchObject([
      { id: 'node-name', wanted: 'n2', text: "node(s) didn't match the requested node name" },
    ]);
  });
});
