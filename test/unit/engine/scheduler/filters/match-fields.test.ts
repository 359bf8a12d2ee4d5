import { describe, expect, it } from 'vitest';
import { node, placementOf, pod } from '../../../../support/placement-builders.js';

const nodes = ['a', 'b'].map((name) => node(name));

type Field = readonly [key: string, operator: string, ...values: string[]];

/** The nodes that a pod with these field requirements may run on. */
function allowed(...fields: readonly Field[]) {
  const matchFields = fields.map(([key, operator, ...values]) => ({ key, operator, values }));
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  const evaluated = placementOf({ Node: nodes }).evaluate(pod('new', { spec: { affinity } as never }));
  return evaluated.feasible;
}

describe('the fields of a node that a pod requires', () => {
  it.each<[string, readonly Field[], readonly string[]]>([
    ['its name', [['metadata.name', 'In', 'a']], ['a']],
    ['another name', [['metadata.name', 'NotIn', 'a']], ['b']],
    [
      'a name and not that name',
      [
        ['metadata.name', 'In', 'a'],
        ['metadata.name', 'NotIn', 'a'],
      ],
      [],
    ],
    ['two names, which is invalid', [['metadata.name', 'In', 'a', 'b']], []],
    ['no name, which is invalid', [['metadata.name', 'In']], []],
    ['that it has a name, which is invalid', [['metadata.name', 'Exists', 'z']], []],
    ['another field', [['metadata.uid', 'In', 'a']], []],
    ['another field not to have a value', [['metadata.uid', 'NotIn', 'a']], ['a', 'b']],
  ])('are %s', (_, fields, expected) => {
    expect(allowed(...fields)).toEqual(expected);
  });
});
