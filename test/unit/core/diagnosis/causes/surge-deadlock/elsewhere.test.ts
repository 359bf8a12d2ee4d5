import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { Node } from '#src/core/cluster/node.js';
import type { Pod } from '#src/core/cluster/pod.js';
import { elsewhereOf } from '#src/core/diagnosis/causes/surge-deadlock/elsewhere.js';
import { claim, node, type PodShape, pod, volume } from '#support/placement-builders.js';
import { buildExamination, foreignPod } from '../../waiting/build.js';

const card = 'example.com/fpga';
const type = { 'node.kubernetes.io/instance-type': 'f1' };
const waiting = pod('new', { requests: { [card]: '1' } });

/** What may help `new`, which wants the one card of `full`, beside these nodes and pods. */
function elsewhere(nodes: readonly Node[], pods: readonly Pod[] = []) {
  const full = node('full', { allocatable: { [card]: '1' }, labels: type });
  const old = pod('old', { on: 'full', requests: { [card]: '1' } });
  return elsewhereOf(buildExamination({ Node: [full, ...nodes], Pod: [waiting, old, ...pods] }), waiting);
}

/** A node with a card, and a pod on it that holds the card. */
function taken(by: Pod): ReturnType<typeof elsewhere> {
  return elsewhere([node('other', { allocatable: { [card]: '1' } })], [by]);
}

const usingCard: PodShape = { on: 'other', requests: { [card]: '1' } };

function young(made: Node, secondsOld: number): Node {
  const created = new Date(Date.parse('2026-11-20T09:30:00Z') - secondsOld * 1000).toISOString();
  return { ...made, metadata: { ...made.metadata, creationTimestamp: created } };
}

const tainted = (key: string) =>
  node('late', { allocatable: { [card]: '1' }, taints: [{ key, value: '', effect: 'NoSchedule' }] });

describe('a node that could run the new pod except for its state', () => {
  it('is cordoned', () => {
    const found = elsewhere([node('shut', { allocatable: { [card]: '1' }, unschedulable: true })]);

    expect(found).toMatchObject({ cordoned: ['shut'], notReady: [], joining: [] });
  });

  it('is not ready', () => {
    expect(elsewhere([tainted('node.kubernetes.io/unreachable')])).toMatchObject({
      cordoned: [],
      notReady: ['late'],
    });
  });

  it('is not considered when it lacks something else too', () => {
    expect(elsewhere([node('shut', { unschedulable: true })])).toMatchObject({ cordoned: [], notReady: [] });
  });
});

describe('volumes at the limit of a node', () => {
  const names = ['mine', 'old', 'left'];
  const driver = 'csi.example.com';
  const claims = names.map((name) => claim(name, { volumeName: name }));
  const volumes = names.map((name) => volume(name, { csi: { driver, volumeHandle: name } }));
  const attached = (name: string) =>
    schemas.VolumeAttachment.parse({
      metadata: { name: `of-${name}` },
      spec: { attacher: driver, nodeName: 'full', source: { persistentVolumeName: name } },
      status: { attached: true },
    });
  const limit = (count: number) =>
    schemas.CSINode.parse({
      metadata: { name: 'full' },
      spec: { drivers: [{ name: driver, allocatable: { count } }] },
    });
  const mine = pod('new', { claim: 'mine' });

  it.each([
    ['one that no pod uses is about to be detached', 2, ['old', 'left'], ['full']],
    ['all are used by pods', 1, ['old'], []],
    ['detaching the unused one leaves none too few', 1, ['old', 'left'], []],
  ])('%s', (_, count, attachments, detaching) => {
    const examination = buildExamination({
      Node: [node('full')],
      Pod: [mine, pod('old', { on: 'full', claim: 'old' })],
      PersistentVolumeClaim: claims,
      PersistentVolume: volumes,
      VolumeAttachment: attachments.map(attached),
      CSINode: [limit(count)],
    });

    expect(elsewhereOf(examination, mine).detaching).toEqual(detaching);
  });
});

describe('a node that joins the cluster', () => {
  it.each([
    ['is not ready yet', tainted('node.kubernetes.io/not-ready'), ['late']],
    ['waits for its network agent', tainted('node.cilium.io/agent-not-ready'), ['late']],
    ['has not reported the device that its type has', node('late', { labels: type }), ['late']],
    ['is reserved for other pods', tainted('dedicated'), []],
    [
      'is of a type without the device',
      node('late', { labels: { ...type, 'node.kubernetes.io/instance-type': 'm5' } }),
      [],
    ],
    ['is of no known type', node('late'), []],
  ])('%s', (_, made, joining) => {
    expect(elsewhere([young(made, 60)]).joining).toEqual(joining);
  });

  it('is no longer expected after five minutes', () => {
    expect(elsewhere([young(tainted('node.kubernetes.io/not-ready'), 301)])).toMatchObject({
      joining: [],
      notReady: ['late'],
    });
  });
});

describe('many nodes that join the cluster', () => {
  it('are compared with the offers of their types, and not with each other', () => {
    let reads = 0;
    const counted = (made: Node): Node => ({
      ...made,
      metadata: {
        ...made.metadata,
        get labels() {
          reads += 1;
          return { 'node.kubernetes.io/instance-type': 'm5' };
        },
      },
    });
    const nodes = Array.from({ length: 300 }, (_, number) => counted(young(node(`late-${number}`), 60)));

    expect(elsewhere(nodes).joining).toEqual([]);
    expect(reads).toBeGreaterThanOrEqual(nodes.length);
    expect(reads).toBeLessThan(10 * nodes.length);
  });
});

describe('a pod that uses the resource the new one needs', () => {
  it('may end when it belongs to a job', () => {
    const found = taken(foreignPod('job', 'Job', 'nightly', usingCard));

    expect(found.finishing.map(({ metadata }) => metadata.name)).toEqual(['job']);
  });

  it('may end when its owner does not restart it', () => {
    const bare = foreignPod('once', 'RayJob', 'train', usingCard);
    const found = taken({ ...bare, spec: { ...bare.spec, restartPolicy: 'Never' } });

    expect(found.finishing).toHaveLength(1);
  });

  it('stays when it is a server', () => {
    expect(taken(foreignPod('server', 'ReplicaSet', 'web', usingCard)).finishing).toEqual([]);
  });

  it('is not counted when it is a job that would not free enough', () => {
    expect(taken(foreignPod('job', 'Job', 'nightly', { on: 'other' })).finishing).toEqual([]);
  });
});

describe('a pod that a taint evicts', () => {
  const noExecute = (timeAdded?: string) => ({
    key: 'maintenance',
    value: '',
    effect: 'NoExecute' as const,
    timeAdded,
  });
  const tolerating = (tolerationSeconds?: number) => ({
    key: 'maintenance',
    operator: 'Exists',
    value: '',
    effect: 'NoExecute' as const,
    tolerationSeconds,
  });
  const wanting = pod('new', { requests: { [card]: '1' }, spec: { tolerations: [tolerating()] } });

  it.each<readonly [string, number | undefined, string | undefined, readonly string[]]>([
    ['frees its resources after its tolerationSeconds', 600, '2026-11-20T09:29:00Z', ['batch']],
    ['stays where it tolerates the taint without a limit', undefined, '2026-11-20T09:29:00Z', []],
    ['is not counted where the time of the taint is unknown', 600, undefined, []],
  ])('%s', (_, seconds, timeAdded, evicted) => {
    const other = node('other', { allocatable: { [card]: '1' }, taints: [noExecute(timeAdded)] } as never);
    const batch = pod('batch', { ...usingCard, spec: { tolerations: [tolerating(seconds)] } });
    const full = node('full', { allocatable: { [card]: '1' } });
    const old = pod('old', { on: 'full', requests: { [card]: '1' } });
    const examination = buildExamination({ Node: [full, other], Pod: [wanting, old, batch] });

    expect(elsewhereOf(examination, wanting).evicted.map(({ metadata }) => metadata.name)).toEqual(evicted);
  });
});
