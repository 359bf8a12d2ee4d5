import { describe, expect, it } from 'vitest';
import { elsewhereOf } from '#src/doctor/causes/surge-deadlock/reasoning.js';
import { answersAbout, openersOf } from '#src/doctor/findings/escapes/index.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { claim, node, type PodShape, pod, volume } from '../../../../support/placement-builders.js';
import { ago } from '../../../../support/rollout-builders.js';
import { buildExamination, type Fields, foreignPod } from '../../findings/waiting/build.js';

const card = 'example.com/fpga';
const oneCard = { allocatable: { [card]: '1' } };
const ofType = (type: string) => ({ 'node.kubernetes.io/instance-type': type });
const needsCard: PodShape = { requests: { [card]: '1' } };
const onOther: PodShape = { on: 'other', ...needsCard };
const waiting = pod('new', needsCard);
const full = node('full', { ...oneCard, labels: ofType('f1') });

/** What may help `new`, which wants the one card of `full`, beside these nodes and pods, by name. */
function elsewhere(nodes: readonly Node[], pods: readonly Pod[] = [], wanting = waiting, more: Fields = {}) {
  const old = pod('old', { on: 'full', ...needsCard });
  const all = { Node: [full, ...nodes], Pod: [wanting, old, ...pods], ...more };
  const world = buildExamination(all);
  const place = { kind: 'node', holders: [], waiting: [wanting], alsoWaiting: [] } as const;
  const answers = answersAbout(world, place);
  const by = (id: string) => openersOf(answers, { id });
  const podsBy = (id: string) => by(id).map((name) => name.split('/')[1]);
  return {
    ...elsewhereOf(world, wanting, by('nodes-joining')),
    joining: by('nodes-joining'),
    detaching: by('volumes-may-detach'),
    finishing: podsBy('jobs-may-finish'),
    evicted: podsBy('evictions-may-free'),
  };
}

const young = (made: Node, seconds: number): Node => ({
  ...made,
  metadata: { ...made.metadata, creationTimestamp: ago(seconds) },
});
const tainted = (key: string) =>
  node('late', { ...oneCard, taints: [{ key, value: '', effect: 'NoSchedule' }] });
const notReady = tainted('node.kubernetes.io/not-ready');
const nobody = { cordoned: [], notReady: [], joining: [], detaching: [], finishing: [], evicted: [] };

describe('what may help the waiting pod is', () => {
  it.each<[string, readonly Node[], Partial<Record<keyof typeof nobody, readonly string[]>>]>([
    ['a cordoned node', [node('shut', { ...oneCard, unschedulable: true })], { cordoned: ['shut'] }],
    ['a node that is not ready', [tainted('node.kubernetes.io/unreachable')], { notReady: ['late'] }],
    ['no cordoned node that lacks something else too', [node('shut', { unschedulable: true })], {}],
    ['a node that joins and is not ready yet', [young(notReady, 60)], { joining: ['late'] }],
    ['no longer expected after five minutes', [young(notReady, 301)], { notReady: ['late'] }],
    [
      'a node that joins and waits for its network agent',
      [young(tainted('node.cilium.io/agent-not-ready'), 60)],
      { joining: ['late'] },
    ],
    [
      'a node that joins and has not reported the device that its type has',
      [young(node('late', { labels: ofType('f1') }), 60)],
      { joining: ['late'] },
    ],
    ['no node that joins for other pods', [young(tainted('dedicated'), 60)], {}],
    ['no node of a type without the device', [young(node('late', { labels: ofType('m5') }), 60)], {}],
    ['no node of no known type', [young(node('late'), 60)], {}],
  ])('%s', (_, nodes, found) => {
    expect(elsewhere(nodes)).toMatchObject({ ...nobody, ...found });
  });

  it.each<[string, Pod, readonly string[]]>([
    ['a pod of a Job, which may end', foreignPod('job', 'Job', 'nightly', onOther), ['job']],
    [
      'a pod that its owner does not restart',
      foreignPod('once', 'RayJob', 'train', { ...onOther, spec: { restartPolicy: 'Never' } }),
      ['once'],
    ],
    ['no server', foreignPod('server', 'ReplicaSet', 'web', onOther), []],
    ['no Job that would not free enough', foreignPod('job', 'Job', 'nightly', { on: 'other' }), []],
  ])('%s', (_, by, finishing) => {
    expect(elsewhere([node('other', oneCard)], [by]).finishing).toEqual(finishing);
  });

  it.each<[string, number | undefined, string | undefined, readonly string[]]>([
    ['a pod that is evicted after its tolerationSeconds', 600, ago(60), ['batch']],
    ['no pod that tolerates the taint without a limit', undefined, ago(60), []],
    ['no pod under a taint of unknown time', 600, undefined, []],
  ])('%s', (_, seconds, timeAdded, evicted) => {
    const tolerating = (tolerationSeconds?: number): NonNullable<PodShape['spec']> => ({
      tolerations: [{ key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds }],
    });
    const taint = { key: 'maintenance', value: '', effect: 'NoExecute', timeAdded };
    const other = node('other', { ...oneCard, taints: [taint] });
    const batch = pod('batch', { ...onOther, spec: tolerating(seconds) });
    const wanting = pod('new', { ...needsCard, spec: tolerating() });

    expect(elsewhere([other], [batch], wanting).evicted).toEqual(evicted);
  });

  const driver = 'csi.example.com';
  it.each([
    ['a node where a volume that no pod uses is about to be detached', 2, ['old', 'left'], ['full']],
    ['no node where all volumes are used', 1, ['old'], []],
    ['no node where detaching leaves none too few', 1, ['old', 'left'], []],
  ])('%s', (_, count, attached, detaching) => {
    const volumes = ['mine', 'old', 'left'];
    const mine = pod('new', { claim: 'mine' });
    const found = elsewhere([], [], mine, {
      Pod: [mine, pod('old', { on: 'full', claim: 'old' })],
      PersistentVolumeClaim: volumes.map((name) => claim(name, { volumeName: name })),
      PersistentVolume: volumes.map((name) => volume(name, { csi: { driver, volumeHandle: name } })),
      VolumeAttachment: attached.map((persistentVolumeName) =>
        build('VolumeAttachment', `of-${persistentVolumeName}`, {
          spec: { attacher: driver, nodeName: 'full', source: { persistentVolumeName } },
          status: { attached: true },
        }),
      ),
      CSINode: [build('CSINode', 'full', { spec: { drivers: [{ name: driver, allocatable: { count } }] } })],
    });

    expect(found.detaching).toEqual(detaching);
  });
});

it('compares many nodes that join with the offers of their types, and not with each other', () => {
  let reads = 0;
  const counted = (made: Node): Node => ({
    ...made,
    metadata: {
      ...made.metadata,
      get labels() {
        reads += 1;
        return ofType('m5');
      },
    },
  });
  const nodes = Array.from({ length: 300 }, (_, number) => counted(young(node(`late-${number}`), 60)));

  expect(elsewhere(nodes).joining).toEqual([]);
  expect(reads).toBeGreaterThanOrEqual(nodes.length);
  expect(reads).toBeLessThan(10 * nodes.length);
});
