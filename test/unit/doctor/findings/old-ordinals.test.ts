import { expect, it } from 'vitest';
import { oldOrdinalsOf } from '#src/doctor/findings/waiting/holding.js';
import { buildStateOf } from '../../../support/stateful-set-builders.js';

const nodeless = { node: undefined, ready: false };
const namesOf = (pods: readonly { readonly metadata: { readonly name: string } }[]) =>
  pods.map(({ metadata }) => metadata.name);

it('the list of old ordinals names the lower pods that a StatefulSet replaces after the pending one', () => {
  const { pending, old } = oldOrdinalsOf(buildStateOf({ replicas: 3 }, [[1], [1], [2, nodeless]]));

  expect([namesOf(pending), namesOf(old)]).toEqual([['db-2'], ['db-0', 'db-1']]);
});

it('the list of old ordinals omits pods below the partition, which the rollout does not replace', () => {
  const { old } = oldOrdinalsOf(buildStateOf({ replicas: 3, partition: 1 }, [[1], [1], [2, nodeless]]));

  expect(namesOf(old)).toEqual(['db-1']);
});

it('the list of old ordinals is empty while no pod of the current revision waits for a node', () => {
  expect(oldOrdinalsOf(buildStateOf({ replicas: 2 }, [[1], [2, { ready: false }]])).old).toEqual([]);
});
