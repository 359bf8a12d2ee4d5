import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { crashLoopAfterRollout } from '#src/core/diagnosis/causes/crash-loop-after-rollout/rule.js';
import { crashLoopOnNode } from '#src/core/diagnosis/causes/crash-loop-on-node/rule.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  failingPod,
  found,
  readyFor,
  reasons,
} from '../crashes/build.js';
import { foundBy } from './run-rule.js';

const crashing = { containers: [{ state: backingOff, lastState: ended({ exitCode: 139 }), ready: false }] };
const longReady = { status: readyFor(7200) };

/** So many pods of one revision on a node, of which the first ones crash. */
function on(nodeName: string, pods: number, crashed: number, revision = '1'): readonly Pod[] {
  return Array.from({ length: pods }, (_, at) =>
    failingPod({
      name: `web-${revision}-${nodeName}-${at}`,
      node: nodeName,
      revision,
      ...(at < crashed ? crashing : longReady),
    }),
  );
}

const onNode = (pods: readonly Pod[], more: object = {}) =>
  found(crashLoopOnNode, crashSnapshot({ pods, ...more }));

describe('crash-loop-on-node', () => {
  it('is found when all pods of one node crash and none elsewhere, three against six', () => {
    const finding = onNode([...on('n-a', 3, 0), ...on('n-b', 3, 3), ...on('n-c', 3, 0)]);

    expect(finding).toMatchObject({ confidence: 'likely', severity: 'critical', nodes: ['n-b'] });
    expect(finding?.remediations[0]?.kind).toBe('exclude-nodes');
  });

  it('is a warning for pods that crashed and run again', () => {
    const again = on('n-b', 3, 0).map((pod) => ({
      ...pod,
      status: {
        ...pod.status,
        containerStatuses: pod.status.containerStatuses.map((status) => ({
          ...status,
          restartCount: 4,
          lastState: { ...status.lastState, terminated: ranUntil(900) },
        })),
      },
    }));
    const finding = onNode([...on('n-a', 3, 0), ...again, ...on('n-c', 3, 0)]);

    expect(finding).toMatchObject({ severity: 'warning', nodes: ['n-b'] });
  });

  it.each<[string, readonly Pod[]]>([
    ['crashes everywhere', [...on('n-a', 3, 3), ...on('n-b', 3, 3)]],
    ['crashes spread over nodes', [...on('n-a', 3, 1), ...on('n-b', 3, 1), ...on('n-c', 3, 1)]],
    ['no crash at all', [...on('n-a', 3, 0), ...on('n-b', 3, 0)]],
    ['one node only', on('n-a', 4, 4)],
  ])('is not found for %s', (_, pods) => {
    expect(onNode(pods)).toBeUndefined();
  });

  it('is a note with an experiment where one pod per node is too little evidence', () => {
    const finding = onNode([...on('n-a', 1, 0), ...on('n-b', 1, 1), ...on('n-c', 1, 0), ...on('n-d', 1, 0)]);

    expect(finding).toMatchObject({ severity: 'info', confidence: 'possible', nodes: ['n-b'] });
    expect(reasons(finding)).toContain('unsure-one-pod-each');
    expect(finding?.withheld.map(({ kind }) => kind)).toContain('exclude-nodes');
    expect(finding?.remediations.map(({ kind }) => kind)).not.toContain('exclude-nodes');
  });

  it('does not blame the node where the new revision runs on that node only', () => {
    const finding = onNode([...on('n-a', 3, 0, '1'), ...on('n-b', 3, 3, '2'), ...on('n-c', 3, 0, '1')]);

    expect(finding?.severity).not.toBe('critical');
    expect(reasons(finding)).not.toContain('chance');
  });

  it('does not count pods that are younger than a crash takes', () => {
    const slow = { containers: [{ state: backingOff, lastState: ended({ seconds: 3000 }), ready: false }] };
    const ill = [0, 1, 2].map((at) => failingPod({ name: `web-1-n-b-${at}`, node: 'n-b', ...slow }));
    const young = ['n-a', 'n-c'].flatMap((name) =>
      [0, 1, 2].map((at) => failingPod({ name: `web-1-${name}-${at}`, node: name, status: readyFor(60) })),
    );

    expect(onNode([...ill, ...young])?.severity).not.toBe('critical');
  });

  it('ranks the differences of the node, and labels them as leads', () => {
    const other = (name: string, kernel: string) => {
      const made = node(name);
      return {
        ...made,
        status: { ...made.status, nodeInfo: { ...made.status.nodeInfo, kernelVersion: kernel } },
      };
    };
    const finding = onNode([...on('n-a', 3, 0), ...on('n-b', 3, 3), ...on('n-c', 3, 0)], {
      nodes: [other('n-a', '6.1.0'), other('n-b', '6.8.0'), other('n-c', '6.1.0')],
    });

    expect(finding?.reasoning.find(({ key }) => key === 'lead')?.values).toEqual({
      name: 'kernelVersion',
      value: '6.8.0',
      elsewhere: '6.1.0',
    });
    expect(reasons(finding)).toContain('leads-are-leads');
  });

  it('does not depend on the order of objects', () => {
    const pods = [...on('n-a', 3, 0), ...on('n-b', 3, 3), ...on('n-c', 3, 1)];
    const turned = [...pods].reverse();

    expect(onNode(turned)).toEqual(onNode(pods));
  });
});

describe('crash-loop-after-rollout', () => {
  const former = [0, 1].map((at) =>
    failingPod({ name: `web-1-${at}`, revision: '1', node: 'n-a', status: readyFor(86_400) }),
  );
  const latter = [0, 1].map((at) =>
    failingPod({
      name: `web-2-${at}`,
      revision: '2',
      node: at === 0 ? 'n-a' : 'n-b',
      metadata: { creationTimestamp: ago(600) },
      ...crashing,
    }),
  );

  it('is found when every new pod crashes and the old ones serve, with the changes and the rollback', () => {
    const finding = foundBy(crashLoopAfterRollout, crashSnapshot({ pods: [...former, ...latter] }));

    expect(finding).toMatchObject({ cause: 'crash-loop-after-rollout', severity: 'critical' });
    expect(finding?.reasoning.find(({ key }) => key === 'changed')?.values).toEqual({
      path: 'spec.template.spec.containers[app].image',
      before: 'registry.example/web:1.0',
      after: 'registry.example/web:2.0',
    });
    expect(finding?.remediations[0]?.kind).toBe('undo-rollout');
  });

  it.each<[string, readonly Pod[]]>([
    ['no pod of the previous revision runs', latter],
    ['the former revision crashes too', [...former.map((pod) => ({ ...pod, ...broken(pod) })), ...latter]],
    [
      'a new pod has been healthy for longer than the others took to crash',
      [
        ...former,
        ...latter,
        failingPod({
          name: 'web-2-well',
          revision: '2',
          node: 'n-c',
          metadata: { creationTimestamp: ago(600) },
          status: readyFor(500),
        }),
      ],
    ],
    ['the old revision crashes', [...former.map((pod) => ({ ...pod, ...broken(pod) })), ...healthyNew()]],
  ])('is not found when %s', (_, pods) => {
    expect(found(crashLoopAfterRollout, crashSnapshot({ pods }))).toBeUndefined();
  });

  it('hides a secret value among the changes', () => {
    const template = {
      containers: [
        {
          name: 'app',
          image: 'registry.example/web:2.0',
          env: [{ name: 'API_TOKEN', value: 'canary-9f8e7d6c5b4a' }],
        },
      ],
    };
    const finding = found(crashLoopAfterRollout, crashSnapshot({ pods: [...former, ...latter], template }));

    expect(reasons(finding)).toContain('changed');
    expect(JSON.stringify(finding)).not.toContain('canary-9f8e7d6c5b4a');
  });

  it('hides the more general causes', () => {
    const { findings } = diagnose(crashSnapshot({ pods: [...former, ...latter] }), [...causes]);
    const serious = findings.filter(({ severity }) => severity !== 'info').map(({ cause }) => cause);

    expect(serious).toEqual(['crash-loop-after-rollout']);
  });
});

function ranUntil(before: number) {
  return {
    exitCode: 139,
    signal: undefined,
    reason: 'Error',
    message: '',
    startedAt: ago(before + 300),
    finishedAt: ago(before),
    containerID: undefined,
  };
}

function broken(pod: Pod): Pick<Pod, 'status'> {
  return { status: { ...failingPod(crashing).status, startTime: pod.status.startTime } };
}

function healthyNew(): readonly Pod[] {
  return [0, 1].map((at) =>
    failingPod({
      name: `web-2-${at}`,
      revision: '2',
      node: 'n-b',
      metadata: { creationTimestamp: ago(600) },
      status: readyFor(500),
    }),
  );
}
