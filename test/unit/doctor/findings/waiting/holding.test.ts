import { describe, expect, it } from 'vitest';
import { blocksOf } from '#src/doctor/findings/waiting/block.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { names, node } from '../../../../support/placement-builders.js';
import {
  buildDeployment,
  buildExamination,
  buildReplicaSet,
  type Fields,
  foreignPod,
  type OwnedShape,
  ownedPod,
} from './build.js';

const requests = (amounts: Readonly<Record<string, string>>) => ({ requests: amounts });
const cpu = (count: string) => requests({ cpu: count });
const gpus = (count: number) => requests({ 'nvidia.com/gpu': String(count) });
const gpu = gpus(1);
const both = requests({ cpu: '3', 'nvidia.com/gpu': '1' });
const withGpus = (name: string, count: number) =>
  node(name, { allocatable: { 'nvidia.com/gpu': String(count) } });
const of = (kind: string, owner: string, shape: OwnedShape, name = `${owner}-0`) =>
  foreignPod(name, kind, owner, { on: 'n-a', ...shape });
const set = (owner: string, shape: OwnedShape, name?: string) => of('StatefulSet', owner, shape, name);
const sets = (count: number, shapeOf: (at: number) => OwnedShape) =>
  Array.from({ length: count }, (_, at) => set(`s${at}`, shapeOf(at)));
/** Two replicas of the new revision, of which the first runs. */
const second: Fields = {
  workload: buildDeployment({ replicas: 2 }),
  ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2, available: 1 })],
};
const own = (shape: OwnedShape) => ownedPod('web-first', 2, { on: 'n-a', ...shape });

/** What holds the place of the first pod of revision 2. */
function holdingOf(shape: OwnedShape, pods: readonly Pod[], fields: Fields) {
  const [block] = blocksOf(
    buildExamination({
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
      Node: [node('n-a')],
      ...fields,
      Pod: [ownedPod('web-new', 2, shape), ...pods],
    }),
  );
  if (block?.why.kind !== 'held' || block.why.holding === undefined) throw new Error('it should be held');
  const { holding } = block.why;
  return {
    ...holding,
    culprits: holding.culprits.map(({ owner }) => owner.name),
    culpritPods: holding.culprits.map(({ pods: held }) => names(held)),
    largest: holding.largest.map(({ owner }) => owner.name),
    remove: names(holding.remove).toSorted(),
  };
}
type Expected = Partial<Record<keyof ReturnType<typeof holdingOf>, unknown>>;

describe('the holder of a resource', () => {
  it.each<[string, OwnedShape, readonly Pod[], Expected, Fields?]>([
    [
      'is every workload of which one pod alone would be enough, on whichever node',
      gpu,
      [set('a', gpu), set('b', { ...gpu, on: 'n-b' })],
      {
        resource: 'nvidia.com/gpu',
        node: 'n-a',
        byOwnRevision: false,
        culprits: ['a', 'b'],
        remove: ['a-0'],
      },
      { Node: [withGpus('n-a', 1), withGpus('n-b', 1)] },
    ],
    [
      'is not sought on a node on which more pods would have to stop',
      gpus(2),
      [set('a', gpu), set('b', gpu), set('big', { ...gpus(2), on: 'n-b' })],
      { node: 'n-b', culprits: ['big'] },
      { Node: [withGpus('n-a', 2), withGpus('n-b', 2)] },
    ],
    [
      'is no other workload where only own pods of the revision use it',
      gpu,
      [own(gpu)],
      { byOwnRevision: true, culprits: [], largest: [], remove: ['web-first'] },
      { ...second, Node: [withGpus('n-a', 1)] },
    ],
    [
      'is reported before holders of cpu, where a node lacks both',
      both,
      [set('a', both)],
      { resource: 'nvidia.com/gpu' },
      { Node: [withGpus('n-a', 1)] },
    ],
    [
      'may be a DaemonSet',
      gpu,
      [of('DaemonSet', 'plugin', gpu)],
      { culprits: ['plugin'] },
      { Node: [withGpus('n-a', 1)] },
    ],
    [
      'does not exist where the node lacks the resource, and no set of pods would help',
      both,
      [set('a', gpu)],
      { node: 'n-a', culprits: ['a'] },
      { Node: [withGpus('n-bare', 0), withGpus('n-a', 1)] },
    ],
    [
      'is the workload whose pods on one node together are enough',
      cpu('3'),
      [set('big', cpu('1500m')), set('big', cpu('1500m'), 'big-1'), set('small', cpu('1'))],
      { culprits: ['big'], culpritPods: [['big-0', 'big-1']] },
    ],
    [
      'is each of three, where each would be enough',
      cpu('1'),
      sets(3, () => cpu('1300m')),
      { culprits: ['s0', 's1', 's2'], largest: ['s0', 's1', 's2'] },
    ],
    [
      'is unknown, where each of four would be enough',
      cpu('1'),
      sets(4, () => cpu('1')),
      { culprits: [], largest: ['s0', 's1', 's2', 's3'] },
    ],
    [
      'of cpu is no DaemonSet, which every node has, though all its pods are listed as the largest',
      cpu('3500m'),
      [of('DaemonSet', 'agent', cpu('1'))],
      { culprits: [], largest: ['agent'] },
    ],
    [
      'is no static pod, which is part of its node',
      cpu('3500m'),
      [of('Node', 'n-a', cpu('1'))],
      { culprits: [] },
    ],
    [
      'is a pair, where no workload alone is enough and no other pair would be',
      cpu('3500m'),
      [set('a', cpu('2')), set('b', cpu('2'))],
      { culprits: ['a', 'b'] },
    ],
    [
      'is never a group of three',
      cpu('4'),
      sets(3, () => cpu('1')),
      { culprits: [], remove: ['s0-0', 's1-0', 's2-0'] },
    ],
    [
      'is no pair where another pair would be enough too',
      cpu('2'),
      sets(4, () => cpu('1')),
      { culprits: [], remove: { length: 2 } },
    ],
    [
      'does not exist where own pods of the revision would have to stop too',
      cpu('4'),
      [own(cpu('2')), set('a', cpu('1'))],
      { culprits: [], remove: ['a-0', 'web-first'], largest: ['a'] },
      second,
    ],
    [
      'is reported with five of the largest pods, the most important first',
      cpu('1'),
      sets(8, (priority) => ({ ...cpu('500m'), priority })),
      { largest: ['s7', 's6', 's5', 's4', 's3'] },
    ],
  ])('%s', (_, shape, pods, expected, fields = {}) => {
    expect(holdingOf(shape, pods, fields)).toMatchObject(expected);
  });
});
