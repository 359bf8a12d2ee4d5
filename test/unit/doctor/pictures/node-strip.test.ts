import { describe, expect, it } from 'vitest';
import { maxRows, type NodeStrip, Picture } from '#src/doctor/findings/picture.js';
import { captionOf } from '#src/doctor/pictures/caption.js';
import { pictureLines } from '#src/doctor/pictures/picture-lines.js';
import { nodeStrip } from '#src/doctor/pictures/picture-of.js';
import { shownGroups } from '#src/doctor/pictures/strip-rows.js';
import { plain } from '#src/engine/language/prose.js';
import type { Pod } from '#src/engine/objects/pod.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  readyFor,
} from '../findings/crashes/build.js';

const healthyPod: FailingPodShape = { status: readyFor(7200) };
const crashing: FailingPodShape = {
  containers: [{ state: backingOff, lastState: ended({ exitCode: 139 }), restarts: 51, ready: false }],
};
const waiting: FailingPodShape = { node: '', phase: 'Pending', containers: [] };
const terminating: FailingPodShape = { ...healthyPod, metadata: { deletionTimestamp: ago(5) } };
const pulling: FailingPodShape = {
  phase: 'Pending',
  containers: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'no such tag' } }, ready: false }],
};
const lost: FailingPodShape = {
  containers: [
    { state: backingOff, lastState: ended({ exitCode: 255, reason: 'Unknown' }), restarts: 9, ready: false },
  ],
};
const killed: FailingPodShape = {
  containers: [
    { state: backingOff, lastState: ended({ exitCode: 0, reason: 'Completed' }), restarts: 9, ready: false },
  ],
};
const crashedBefore: FailingPodShape = {
  ...healthyPod,
  containers: [{ lastState: ended({ exitCode: 1, seconds: 60, before: 3600 }), restarts: 2 }],
};
const starting: FailingPodShape = {
  containers: [{ state: { running: { startedAt: ago(10) } }, ready: false }],
  status: { phase: 'Running', startTime: ago(10), conditions: [{ type: 'Ready', status: 'False' }] },
};
const evicted: FailingPodShape = {
  phase: 'Failed',
  containers: [],
  status: { phase: 'Failed', reason: 'Evicted', message: 'low on memory', startTime: ago(600) },
};
const done: FailingPodShape = { phase: 'Succeeded', status: { phase: 'Succeeded' } };

let made = 0;
function on(node: string, ...shapes: readonly FailingPodShape[]): readonly Pod[] {
  return shapes.map((shape) => {
    made += 1;
    return failingPod({ name: `web-${made}`, node, ...shape });
  });
}

function stripOf(pods: readonly Pod[], byRevision = false): NodeStrip {
  const strip = nodeStrip(crashSnapshot({ pods }), byRevision);
  if (strip === undefined) throw new Error('nothing drawn');
  return strip;
}

function read(strip: NodeStrip): string {
  return pictureLines(strip, 'en')
    .map((line) => line.map(({ text }) => text).join(''))
    .join('\n');
}

describe('a pod is drawn as', () => {
  it.each([
    ['ready', 'ready', healthyPod],
    ['crashing while the kubelet backs off', 'crashing', crashing],
    ['crashing when the runtime lost its exit code', 'crashing', lost],
    ['restarting when it ends without an error', 'restarting', killed],
    ['failing when its image cannot be pulled', 'failing', pulling],
    ['failing when it was evicted', 'failing', evicted],
    ['crashed when it runs again after a crash of the last day', 'crashed', crashedBefore],
    ['not ready while it starts', 'not-ready', starting],
    ['waiting without a node', 'waiting', waiting],
    ['gone while it is deleted, even when it is ready', 'gone', terminating],
    ['gone when it is complete', 'gone', done],
  ] as const)('%s', (_, state, shape) => {
    expect(stripOf(on('n-a', shape)).groups[0]?.rows[0]?.pods).toEqual({ [state]: 1 });
  });
});

describe('the node strip', () => {
  it('shows clearly that only one node is affected', () => {
    const strip = stripOf([
      ...on('n-a', healthyPod, healthyPod, healthyPod),
      ...on('n-b', crashing, crashing, crashing),
      ...on('n-c', healthyPod, healthyPod, healthyPod),
    ]);
    expect(plain(captionOf(strip, 'en'))).toBe('shop/web: 3 of 9 pods crashing, all on n-b');
    expect(read(strip)).toBe(
      [
        'n-b  ✕ ✕ ✕  3 of 3 crashing, 51 restarts each, exit code 139',
        'n-a  ● ● ●  0 of 3 crashing',
        'n-c  ● ● ●  0 of 3 crashing',
        '✕ crashing, ● ready',
      ].join('\n'),
    );
  });

  it.each([
    ['not started', on('n-b', pulling), 'shop/web: 1 of 1 pod not started, on n-b'],
    ['not started or evicted', [...on('n-b', pulling), ...on('n-b', evicted)], undefined],
  ])('calls failing pods %s where all of them are', (words, pods, caption) => {
    const strip = stripOf(pods);
    expect(read(strip)).toContain(`⊘ ${words}`);
    if (caption !== undefined) expect(plain(captionOf(strip, 'en'))).toBe(caption);
  });

  it('keeps what it reads of a later version that it does not know', () => {
    const { failing, ...known } = stripOf(on('n-b', pulling));
    expect(failing).toBe('not-started');
    expect(Picture.parse({ ...known, failing: 'of-a-later-version' })).toEqual(known);
  });

  it('puts affected nodes first, the worst of them before the others, and n-2 before n-10', () => {
    const strip = stripOf([
      ...on('n-10', healthyPod),
      ...on('n-2', healthyPod),
      ...on('n-3', crashing, healthyPod),
      ...on('n-4', crashing, crashing),
      ...on('', waiting),
    ]);
    expect(strip.groups[0]?.rows.map(({ node }) => node)).toEqual(['n-4', 'n-3', '', 'n-2', 'n-10']);
    expect(plain(captionOf(strip, 'en'))).toBe('shop/web: 3 of 6 pods crashing, all on n-3 and n-4');
  });

  it('counts the remaining nodes, with the states of their pods', () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      on(`n-${at}`, healthyPod, healthyPod, healthyPod),
    ).flat();
    const strip = stripOf([...many, ...on('sick', crashing)]);
    expect(strip.groups[0]?.rows).toHaveLength(maxRows);
    expect(strip.groups[0]?.folded).toEqual({ nodes: 31, pods: { ready: 93 } });
    expect(read(strip)).toContain('and 33 more nodes, 0 of 99 crashing');
  });

  it('states how many pods of the remaining nodes crash too', () => {
    const strip = stripOf(Array.from({ length: 12 }, (_, at) => on(`n-${at}`, crashing, healthyPod)).flat());
    expect(read(strip)).toContain('and 4 more nodes, 4 of 8 crashing');
    expect(plain(captionOf(strip, 'en'))).toBe('shop/web: 12 of 24 pods crashing, on 12 of 12 nodes');
  });

  it('draws the failing pods of a crowded node first and counts the rest', () => {
    const strip = stripOf(on('n-a', ...Array.from({ length: 29 }, () => healthyPod), crashing));
    expect(read(strip)).toContain('n-a  ✕ ● ● ● ● ● ● ● +22  1 of 30 crashing');
  });

  it('counts not-ready, pending and terminating pods beside the crashing ones', () => {
    const strip = stripOf([...on('n-a', crashing, starting, terminating), ...on('', waiting, waiting)]);
    expect(read(strip)).toContain('1 of 2 crashing, 1 not ready, 1');
    expect(read(strip)).toContain('not scheduled  ? ?    2 waiting for a node');
  });

  it('summarizes different failures with one common word', () => {
    const strip = stripOf([...on('n-a', crashing), ...on('n-b', pulling)]);
    expect(plain(captionOf(strip, 'en'))).toBe('shop/web: 2 of 2 pods failing, on n-a and n-b');
    expect(read(strip)).toContain('1 of 1 crashing');
    expect(read(strip)).toContain('1 of 1 not started');
  });

  it('shows ready and pending pods of a healthy workload', () => {
    expect(plain(captionOf(stripOf([...on('n-a', healthyPod), ...on('', waiting)]), 'en'))).toBe(
      'shop/web: 1 of 2 pods ready',
    );
  });

  it('omits the domain that all nodes share, since clouds number the part before it', () => {
    const domain = '.eu-central-1.compute.internal';
    const strip = stripOf([
      ...on(`ip-10-0-12-34${domain}`, crashing),
      ...on(`ip-10-0-12-35${domain}`, healthyPod),
    ]);
    expect(read(strip)).toContain('ip-10-0-12-34…  ✕');
    expect(read(strip)).toContain('ip-10-0-12-35…  ●');
  });

  it('separates the new revision from the previous ones where the question is about revisions', () => {
    const strip = stripOf(
      [
        ...on('n-a', { ...crashing, revision: '2' }, healthyPod),
        ...on('n-b', { ...crashing, revision: '2' }, healthyPod),
      ],
      true,
    );
    expect(read(strip)).toBe(
      [
        'New revision 2',
        'n-a  ✕  1 of 1 crashing, 51 restarts, exit code 139',
        'n-b  ✕  1 of 1 crashing, 51 restarts, exit code 139',
        'Previous revision 1',
        'n-a  ●  0 of 1 crashing',
        'n-b  ●  0 of 1 crashing',
        '✕ crashing, ● ready',
      ].join('\n'),
    );
  });

  it('does not name one of several previous revisions', () => {
    const pods = [
      ...on('n-a', { ...crashing, revision: '3' }),
      ...on('n-a', { ...healthyPod, revision: '2' }, healthyPod),
    ];
    expect(read(stripOf(pods, true))).toContain('Previous revisions\n');
  });

  it.each([
    ['one pod that restarted', [51], '1 of 1 crashing, 51 restarts, exit code 139'],
    ['several alike', [51, 51], '2 of 2 crashing, 51 restarts each, exit code 139'],
    ['several that differ', [9, 51, 20], '3 of 3 crashing, 9 to 51 restarts, exit code 139'],
    ['one restart', [1], '1 of 1 crashing, 1 restart, exit code 139'],
    ['none without a status of the kubelet', [0], '1 of 1 crashing, exit code 139'],
  ])('shows how often its failing pods restarted: %s', (_, restarts, words) => {
    const pods = restarts.map((count) => ({
      containers: [{ state: backingOff, lastState: ended({ exitCode: 139 }), restarts: count, ready: false }],
    }));
    expect(read(stripOf(on('n-a', ...pods)))).toContain(words);
  });

  it('counts restarts and exit codes of its failing pods only', () => {
    const often: FailingPodShape = { ...healthyPod, containers: [{ restarts: 90 }] };
    expect(stripOf(on('n-a', crashing, often)).groups[0]?.rows[0]).toMatchObject({
      restarts: { least: 51, most: 51 },
      exitCode: 139,
    });
    expect(stripOf(on('n-a', often)).groups[0]?.rows[0]).toEqual({ node: 'n-a', pods: { ready: 1 } });
  });

  it('names no exit code where its failing pods ended with different ones, or one of them without one', () => {
    const other: FailingPodShape = {
      containers: [{ state: backingOff, lastState: ended({ exitCode: 1 }), restarts: 51, ready: false }],
    };
    expect(stripOf(on('n-a', crashing, other)).groups[0]?.rows[0]).not.toHaveProperty('exitCode');
    expect(stripOf(on('n-a', crashing, pulling)).groups[0]?.rows[0]).not.toHaveProperty('exitCode');
  });

  it('uses the container that restarted most, also an init container', () => {
    const both: FailingPodShape = {
      inits: [
        { name: 'prepare', state: backingOff, lastState: ended({ exitCode: 3 }), restarts: 7, ready: false },
      ],
      containers: [{ state: { waiting: { reason: 'PodInitializing' } }, restarts: 2, ready: false }],
    };
    expect(stripOf(on('n-a', both)).groups[0]?.rows[0]?.restarts).toEqual({ least: 7, most: 7 });
  });

  it('orders nodes by failing pods, then not ready, then pending, with nodes of gone pods last', () => {
    const strip = stripOf([
      ...on('a-gone', terminating),
      ...on('b-well', healthyPod),
      ...on('', waiting),
      ...on('c-starting', starting),
      ...on('d-starting', starting, starting),
      ...on('e-sick', crashing),
    ]);
    expect(strip.groups[0]?.rows.map(({ node }) => node)).toEqual([
      'e-sick',
      'd-starting',
      'c-starting',
      '',
      'b-well',
      'a-gone',
    ]);
  });

  it('counts the nodes that have pods, and the affected ones among them', () => {
    const strip = stripOf([
      ...on('n-a', crashing, crashing),
      ...on('n-b', healthyPod),
      ...on('n-c', starting),
      ...on('', waiting),
    ]);
    expect(strip.nodes).toEqual({ all: 3, troubled: 1 });
  });

  it.each([
    [
      'all on one of several nodes',
      { 'n-a': [crashing, crashing], 'n-b': [healthyPod] },
      '2 of 3 pods crashing, all on n-a',
    ],
    ['one pod is not all', { 'n-a': [crashing], 'n-b': [healthyPod] }, '1 of 2 pods crashing, on n-a'],
    ['everywhere', { 'n-a': [crashing], 'n-b': [crashing] }, '2 of 2 pods crashing, on n-a and n-b'],
    [
      'three nodes by name',
      { 'n-a': [crashing], 'n-b': [crashing], 'n-c': [crashing], 'n-d': [healthyPod] },
      '3 of 4 pods crashing, all on n-a, n-b and n-c',
    ],
    [
      'four by their number',
      { 'n-a': [crashing], 'n-b': [crashing], 'n-c': [crashing], 'n-d': [crashing], 'n-e': [healthyPod] },
      '4 of 5 pods crashing, on 4 of 5 nodes',
    ],
  ] as const)('names the affected nodes in its caption: %s', (_, nodes, caption) => {
    const pods = Object.entries(nodes).flatMap(([node, shapes]) => on(node, ...shapes));
    expect(plain(captionOf(stripOf(pods), 'en'))).toBe(`shop/web: ${caption}`);
  });

  it('names a node once in its caption where old and new pods fail on it', () => {
    const pods = [...on('n-a', crashing, { ...crashing, revision: '2' }), ...on('n-b', healthyPod)];
    expect(plain(captionOf(stripOf(pods, true), 'en'))).toBe('shop/web: 2 of 3 pods crashing, all on n-a');
  });

  it('divides its rows among its groups', () => {
    const many = (revision: string) =>
      Array.from({ length: 9 }, (_, at) => on(`n-${at}`, { ...healthyPod, revision })).flat();
    const groups = shownGroups(stripOf([...many('1'), ...many('2')], true), 'en', {
      rows: 8,
      signs: 8,
      nameColumns: 18,
    });
    expect(groups.map(({ rows, rest }) => [rows.length, rest])).toEqual([
      [4, 'and 5 more nodes, 5 of 5 ready'],
      [4, 'and 5 more nodes, 5 of 5 ready'],
    ]);
  });

  it('colours only the names and words of affected nodes as failing', () => {
    const [affected, healthy] = pictureLines(
      stripOf([...on('n-a', crashing), ...on('n-b', healthyPod)]),
      'en',
    );
    expect(affected?.map(({ tone }) => tone)).toEqual(['bad', undefined, 'bad', undefined, 'bad']);
    expect(healthy?.map(({ tone }) => tone)).toEqual([undefined, undefined, 'good', undefined, undefined]);
  });

  it('shortens long names in the middle, and keeps a short domain', () => {
    const names = (...nodes: readonly string[]) =>
      shownGroups(stripOf(nodes.flatMap((node) => on(node, healthyPod))), 'en', {
        rows: 8,
        signs: 8,
        nameColumns: 18,
      })[0]?.rows.map(({ name }) => name);
    expect(names('gke-cluster-default-pool-1a2b3c4d-x1y2')).toEqual(['gke-cluster-…-x1y2']);
    expect(names('a.zone', 'b.zone')).toEqual(['a.zone', 'b.zone']);
    expect(names('node-1.one.example.internal', 'node-2.two.example.internal')).toEqual([
      'node-1.on…internal',
      'node-2.tw…internal',
    ]);
  });

  it('is not drawn from only part of the pods, nor from none', () => {
    const snapshot = crashSnapshot({ pods: on('n-a', crashing) });
    const unseen = [{ what: 'Pod', namespace: 'shop', because: 'timeout', message: '' }] as const;
    expect(nodeStrip({ ...snapshot, unseen }, false)).toBeUndefined();
    const events = [{ what: 'Event', namespace: 'shop', because: 'timeout', message: '' }] as const;
    expect(nodeStrip({ ...snapshot, unseen: events }, false)).toBeDefined();
    expect(nodeStrip(crashSnapshot({ pods: [] }), false)).toBeUndefined();
  });
});
