import { describe, expect, it } from 'vitest';
import { byOwner } from '#src/engine/neighbours/pod-owner.js';
import { groupPodsOfOthers } from '#src/engine/neighbours/pods-of-others.js';
import { isActive, type Pod } from '#src/engine/objects/pod.js';
import { podKey } from '#src/engine/objects/pod-key.js';
import { buildExamination, foreignPod } from '../../doctor/findings/waiting/build.js';

const pods = [
  ...['a-0', 'a-1', 'a-2'].map((name) => foreignPod(name, 'StatefulSet', 'a')),
  ...['b-0', 'b-1'].map((name) => foreignPod(name, 'StatefulSet', 'b')),
  ...['c-0', 'c-1'].map((name) => foreignPod(name, 'DaemonSet', 'c')),
];
const { index } = buildExamination({ Pod: pods }).snapshot;
const isOwnedBySet = (pod: Pod): boolean => isActive(pod) && pod.metadata.name < 'd';

/** The slow way: every pod is looked at again. */
function groupedAgain(own: readonly Pod[]) {
  const left = new Set(own.map(podKey));
  return byOwner(
    index,
    index.objects.Pod.filter((pod) => isOwnedBySet(pod) && !left.has(podKey(pod))),
  );
}

describe('the pods of others', () => {
  const named = (name: string): readonly Pod[] =>
    pods.filter(({ metadata }) => metadata.name.startsWith(name));
  const podsOfOthers = groupPodsOfOthers(isOwnedBySet);

  it.each([
    ['nobody', []],
    ['a whole workload', named('a')],
    ['one pod of a workload, which changes the order', named('a-0').concat(named('a-1'))],
    ['pods of two workloads', [...named('b'), ...named('c-0')]],
    ['everybody', pods],
  ])('are grouped as if each was looked at again, without %s', (_, own) => {
    expect(podsOfOthers(index, own)).toEqual(groupedAgain(own));
    expect(podsOfOthers(index, own)).toEqual(groupedAgain(own));
  });

  it('are the same groups for every workload that has none of their pods', () => {
    const [ofA] = podsOfOthers(index, named('b'));
    expect(podsOfOthers(index, named('c'))).toContain(ofA);
  });
});
