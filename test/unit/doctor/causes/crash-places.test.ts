import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { crashLoopAfterRollout } from '#src/doctor/causes/crash-loop-after-rollout.js';
import { crashLoopOnNode } from '#src/doctor/causes/crash-loop-on-node/rule.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../support/kubernetes-objects.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  readyFor,
} from '../findings/crashes/build.js';
import { expectFindings, foundBy, has, lacks, mustFind, step } from './run-rule.js';

const loop = (end: Parameters<typeof ended>[0]): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended(end), ready: false }],
});
const crashing = loop({ exitCode: 139 });
const recovered: FailingPodShape = {
  ...{ status: readyFor(7200) },
  containers: [{ restarts: 4, lastState: ended({ exitCode: 139, before: 900, seconds: 300 }) }],
};

/** So many pods of one revision on a node, of which the first ones have another shape. */
const on = (
  place: string,
  pods: number,
  others = 0,
  revision = '1',
  [healthy, other]: readonly [FailingPodShape, FailingPodShape] = [{ status: readyFor(7200) }, crashing],
): readonly Pod[] =>
  Array.from({ length: pods }, (_, at) =>
    failingPod({
      name: `web-${revision}-${place}-${at}`,
      node: place,
      revision,
      ...(at < others ? other : healthy),
    }),
  );
const shapes = (healthy: FailingPodShape, other: FailingPodShape) => [healthy, other] as const;
const young = shapes({ status: readyFor(60) }, loop({ seconds: 3000 }));
const again = shapes({ status: readyFor(7200) }, recovered);
const tornFile = ended({ message: 'FATAL: /data/wal/4: last record is corrupted' });
const tornInImage = shapes(
  { status: readyFor(7200) },
  { containers: [{ state: backingOff, lastState: tornFile, ready: false }] },
);
const torn = shapes(
  { status: readyFor(7200) },
  {
    containers: [
      {
        state: backingOff,
        lastState: tornFile,
        ready: false,
        spec: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      },
    ],
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-1' } }] },
  },
);

interface World {
  readonly pods: readonly Pod[];
  readonly nodes?: readonly ReturnType<typeof node>[];
}
const kernel = (name: string, kernelVersion: string) =>
  node(name, { status: { nodeInfo: { kernelVersion } } });
const badB = [...on('n-a', 3), ...on('n-b', 3, 3), ...on('n-c', 3)];

describe('crash-loop-on-node', () => {
  expectFindings<World>(crashLoopOnNode, crashSnapshot, [
    [
      'is found where all pods of one node crash and none elsewhere, three against six',
      { pods: badB },
      { confidence: 'likely', severity: 'critical', nodes: ['n-b'], fix: { kind: 'exclude-nodes' } },
    ],
    [
      'is a warning for pods that crashed and run again',
      { pods: [...on('n-a', 3), ...on('n-b', 3, 3, '1', again), ...on('n-c', 3)] },
      { severity: 'warning', nodes: ['n-b'] },
    ],
    [
      'is a note with an experiment where one pod per node is too little evidence',
      { pods: [...on('n-a', 1), ...on('n-b', 1, 1), ...on('n-c', 1), ...on('n-d', 1)] },
      {
        severity: 'info',
        confidence: 'possible',
        nodes: ['n-b'],
        reasoning: has('unsure-one-pod-each'),
        withheld: has('exclude-nodes'),
        fixes: lacks('exclude-nodes'),
      },
    ],
    [
      'is none where the reason lies in a claim, which a pod made again finds again',
      { pods: [...on('n-a', 1), ...on('n-b', 1, 1, '1', torn), ...on('n-c', 1), ...on('n-d', 1)] },
    ],
    [
      'is a note where the log names a file that is in no claim',
      { pods: [...on('n-a', 1), ...on('n-b', 1, 1, '1', tornInImage), ...on('n-c', 1), ...on('n-d', 1)] },
      { severity: 'info', fixes: has('delete-pod') },
    ],
    [
      'ranks the differences of the node, and labels them as leads',
      { pods: badB, nodes: [kernel('n-a', '6.1.0'), kernel('n-b', '6.8.0'), kernel('n-c', '6.1.0')] },
      {
        steps: has(step('lead', { name: 'kernelVersion', value: '6.8.0', elsewhere: '6.1.0' })),
        reasoning: has('leads-are-leads'),
      },
    ],
    ['is none where pods crash everywhere', { pods: [...on('n-a', 3, 3), ...on('n-b', 3, 3)] }],
    [
      'is none where crashes are spread over nodes',
      { pods: [...on('n-a', 3, 1), ...on('n-b', 3, 1), ...on('n-c', 3, 1)] },
    ],
    ['is none without a crash', { pods: [...on('n-a', 3), ...on('n-b', 3)] }],
    ['is none with one node', { pods: on('n-a', 4, 4) }],
  ]);

  it.each<readonly [string, readonly Pod[]]>([
    [
      'where the new revision runs on that node only',
      [...on('n-a', 3), ...on('n-b', 3, 3, '2'), ...on('n-c', 3)],
    ],
    [
      'by pods that are younger than a crash takes',
      [...on('n-a', 3, 0, '1', young), ...on('n-b', 3, 3, '1', young), ...on('n-c', 3, 0, '1', young)],
    ],
  ])('does not blame the node %s', (_, pods) => {
    const finding = foundBy(crashLoopOnNode, crashSnapshot({ pods }));

    expect(finding?.severity ?? 'info').not.toBe('critical');
    expect(finding?.reasoning.map(({ key }) => key) ?? []).not.toContain('chance');
  });

  it('does not depend on the order of objects', () => {
    const inOrder = mustFind(crashLoopOnNode, crashSnapshot({ pods: badB }));

    expect(mustFind(crashLoopOnNode, crashSnapshot({ pods: badB.toReversed() }))).toEqual(inOrder);
  });
});

const made = { metadata: { creationTimestamp: ago(600) } };
const served = [0, 1].map((at) => failingPod({ name: `web-1-${at}`, status: readyFor(86_400) }));
const ill = [0, 1].map((at) => failingPod({ name: `web-1-${at}`, ...crashing }));
const fresh = (name: string, shape: FailingPodShape, place = 'n-b') =>
  failingPod({ name: `web-2-${name}`, revision: '2', node: place, ...made, ...shape });
const broken = [fresh('0', crashing, 'n-a'), fresh('1', crashing)];
const well = { status: readyFor(500) };
const token = { name: 'API_TOKEN', value: 'canary-9f8e7d6c5b4a' };
const withToken = { containers: [{ name: 'app', image: 'registry.example/web:2.0', env: [token] }] };

describe('crash-loop-after-rollout', () => {
  expectFindings<readonly Pod[]>(crashLoopAfterRollout, (pods) => crashSnapshot({ pods }), [
    [
      'is found where every new pod crashes and the old ones serve, with the changes and the rollback',
      [...served, ...broken],
      {
        severity: 'critical',
        steps: has(
          step('changed', {
            path: 'spec.template.spec.containers[app].image',
            before: 'registry.example/web:1.0',
            after: 'registry.example/web:2.0',
          }),
        ),
        fix: { kind: 'undo-rollout' },
      },
    ],
    ['is none where no pod of the previous revision runs', broken],
    ['is none where the former revision crashes too', [...ill, ...broken]],
    [
      'is none where a new pod has been healthy for longer than the others took to crash',
      [...served, ...broken, fresh('well', well, 'n-c')],
    ],
    ['is none where only the old revision crashes', [...ill, fresh('0', well), fresh('1', well)]],
  ]);

  it.each([
    ['there is already one instance running', 'patch-unproven'],
    ['Waiting for changelog lock, held by another session', 'patch-unproven'],
    ['cannot acquire lock on /data/flock.lock: another process is running', 'patch-withheld'],
    ['flag provided but not defined: -peers', 'patch-withheld'],
  ])('states why the old pod is not stopped first where the log says: %s', (line, reason) => {
    const log = { namespace: 'shop', pod: broken[0]?.metadata.name ?? '', container: 'app', previous: true };
    const logs = [{ ...log, lines: [`FATAL ${line}`], truncated: false }];
    const { withheld } = mustFind(
      crashLoopAfterRollout,
      crashSnapshot({ pods: [...served, ...broken], logs }),
    );

    expect(withheld.find(({ kind }) => kind === 'patch-strategy')?.because.key).toBe(reason);
  });

  it.each([
    ['where both mount a claim and no log was read', 'data', [], 'patch-unread'],
    ['where they mount different claims', 'other', [], 'patch-withheld'],
    ['where the log was read', 'data', ['FATAL flag provided but not defined: -peers'], 'patch-withheld'],
  ])('states why the old pod is not stopped first %s', (_, claim, lines, reason) => {
    const mounting = (claimName: string) => ({
      spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] },
    });
    const old = failingPod({ name: 'web-1-0', ...mounting('data'), status: readyFor(5000) });
    const crashed = fresh('0', { ...crashing, ...mounting(claim) });
    const log = { namespace: 'shop', pod: crashed.metadata.name, container: 'app', previous: true };
    const logs = lines.length === 0 ? [] : [{ ...log, lines, truncated: false }];
    const { withheld } = mustFind(crashLoopAfterRollout, crashSnapshot({ pods: [old, crashed], logs }));

    expect(withheld.find(({ kind }) => kind === 'patch-strategy')?.because.key).toBe(reason);
  });

  it('hides a secret value among the changes, and the more general causes', () => {
    const snapshot = crashSnapshot({ pods: [...served, ...broken], template: withToken });
    const finding = mustFind(crashLoopAfterRollout, snapshot);
    const { findings } = diagnose(snapshot, [...causes]);

    expect(finding.reasoning.map(({ key }) => key)).toContain('changed');
    expect(JSON.stringify(finding)).not.toContain(token.value);
    expect(findings.filter(({ severity }) => severity !== 'info')).toMatchObject([
      { cause: 'crash-loop-after-rollout' },
    ]);
  });
});
