import { describe, expect, it } from 'vitest';
import { byOwner, groupPodsOfOthers } from '#src/engine/neighbours/owned-pods.js';
import { controllerOf } from '#src/engine/objects/metadata.js';
import { hasNode, isActive, type Pod, podKey } from '#src/engine/objects/pod.js';
import { buildExamination, foreignPod } from '../../doctor/findings/waiting/build.js';

const changed = (pod: Pod, change: Partial<Pod['spec']>, phase = pod.status.phase): Pod => ({
  ...pod,
  spec: { ...pod.spec, ...change },
  status: { ...pod.status, phase },
});
const pods = [
  ...['a-0', 'a-1', 'a-2'].map((name) => foreignPod(name, 'StatefulSet', 'a')),
  ...['b-0', 'b-1'].map((name) => foreignPod(name, 'StatefulSet', 'b')),
  ...['c-0', 'c-1'].map((name) => foreignPod(name, 'DaemonSet', 'c')),
  ...['d-0', 'd-1'].map((name) => foreignPod(name, 'Job', 'd')),
  changed(foreignPod('e-0', 'StatefulSet', 'e'), { priority: 7 }),
  changed(foreignPod('e-1', 'StatefulSet', 'e'), { nodeName: undefined, priority: 9 }),
  changed(foreignPod('e-2', 'StatefulSet', 'e'), { priority: 11 }, 'Failed'),
];
const { index } = buildExamination({ Pod: pods }).snapshot;
const ofSets = (kind: string): boolean => kind !== 'Job';

/** The slow way: every pod is looked at again. */
function groupedAgain(own: readonly Pod[], withNode: boolean) {
  const left = new Set(own.map(podKey));
  return byOwner(
    index,
    index.objects.Pod.filter(
      (pod) =>
        isActive(pod) &&
        (!withNode || hasNode(pod)) &&
        ofSets(controllerOf(pod)?.kind ?? '') &&
        !left.has(podKey(pod)),
    ),
  );
}

describe('the pods of others', () => {
  const named = (name: string): readonly Pod[] =>
    pods.filter(({ metadata }) => metadata.name.startsWith(name));
  const placedOfOthers = groupPodsOfOthers({ withNode: true, ofController: ofSets });
  const podsOfOthers = groupPodsOfOthers({ withNode: false, ofController: ofSets });

  it.each([
    ['nobody', []],
    ['a whole workload', named('a')],
    ['one pod of a workload, which changes the order', named('a-0').concat(named('a-1'))],
    ['pods of two workloads', [...named('b'), ...named('c-0')]],
    ['everybody', pods],
  ])('are grouped as if each was looked at again, without %s', (_, own) => {
    for (const _again of [1, 2]) {
      expect(podsOfOthers(index, own)).toEqual(groupedAgain(own, false));
      expect(placedOfOthers(index, own)).toEqual(groupedAgain(own, true));
    }
  });

  it('are the same groups for every workload that has none of their pods', () => {
    const [ofA] = podsOfOthers(index, named('b'));
    expect(podsOfOthers(index, named('c'))).toContain(ofA);
  });
});
