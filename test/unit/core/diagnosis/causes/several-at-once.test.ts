import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import {
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  failingPod,
  readyFor,
} from '../crashes/build.js';

/** Findings above informational, best first. */
function serious(pods: readonly Pod[]): readonly Finding[] {
  const { findings, defects } = diagnose(crashSnapshot({ pods }), [...causes]);
  expect(defects).toEqual([]);
  return findings.filter(({ severity }) => severity !== 'info');
}

const down = (end: Parameters<typeof ended>[0], more: ContainerShape = {}): ContainerShape => ({
  state: backingOff,
  lastState: ended(end),
  ready: false,
  ...more,
});
const limited = (name: string): ContainerShape => ({
  name,
  spec: { resources: { limits: { memory: '256Mi' } } },
});
const outOfMemory = down({ exitCode: 137, reason: 'OOMKilled' }, limited('app'));
const unpulled: ContainerShape = {
  state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image: not found' } },
};
const on = (node: string, container: ContainerShape, revision = '1', at = 0) =>
  failingPod({ name: `web-${revision}-${node}-${at}`, node, revision, containers: [container] });

describe('different failures at the same time', () => {
  it.each<[string, readonly Pod[], readonly string[]]>([
    [
      'an OOM kill on one node and an exit on another',
      [on('n-a', outOfMemory), on('n-b', down({ exitCode: 1 }))],
      ['out-of-memory', 'application-crash'],
    ],
    [
      'a pull failure on one node and a crash on another',
      [on('n-a', unpulled), on('n-b', down({ exitCode: 1 }))],
      ['image-pull-failure', 'application-crash'],
    ],
    [
      'a crash of the old revision and an image that is missing from the new one',
      [on('n-a', down({ exitCode: 1 })), on('n-b', unpulled, '2')],
      ['image-pull-failure', 'application-crash'],
    ],
    [
      'an OOM kill on one node and a pull failure on another',
      [on('n-a', outOfMemory), on('n-b', unpulled)],
      ['image-pull-failure', 'out-of-memory'],
    ],
  ])('%s are both found', (_, pods, expected) => {
    expect(serious(pods).map(({ cause }) => cause)).toEqual(expected);
  });

  it('of two containers with the same cause are two findings', () => {
    const pods = ['n-a', 'n-b'].map((node) =>
      failingPod({
        name: `web-1-${node}`,
        node,
        containers: [down({ exitCode: 1 }), down({ exitCode: 2 }, { name: 'proxy' })],
      }),
    );

    expect(serious(pods).map(({ cause, container }) => [cause, container])).toEqual([
      ['application-crash', 'app'],
      ['application-crash', 'proxy'],
    ]);
  });

  it('of one container on two nodes are both in the finding', () => {
    const [finding] = serious([
      on('n-a', down({ exitCode: 1 })),
      on('n-b', down({ exitCode: 139 })),
      on('n-b', down({ exitCode: 139 }), '1', 1),
    ]);

    expect(
      finding?.reasoning.filter(({ key }) => key === 'ends-otherwise').map(({ values }) => values),
    ).toEqual([
      {
        container: 'app',
        pods: ['web-1-n-b-0', 'web-1-n-b-1'],
        nodes: ['n-b'],
        exitCode: 139,
        reason: 'Error',
      },
    ]);
  });

  it('of two revisions are both in the finding', () => {
    const [finding] = serious([
      on('n-a', down({ exitCode: 1 })),
      on('n-b', down({ exitCode: 3 }), '2'),
      on('n-c', down({ exitCode: 3 }), '2'),
    ]);

    expect(
      finding?.reasoning.filter(({ key }) => key === 'ends-otherwise').map(({ values }) => values),
    ).toEqual([{ container: 'app', pods: ['web-1-n-a-0'], nodes: ['n-a'], exitCode: 1, reason: 'Error' }]);
  });

  it('on two bad nodes are not hidden by the nodes', () => {
    const healthy = { status: readyFor(86_400) };
    const three = (node: string, shape: Parameters<typeof failingPod>[0]) =>
      [0, 1, 2, 3].map((at) => failingPod({ name: `web-1-${node}-${at}`, node, ...shape }));
    const found = serious([
      ...three('n-a', { containers: [down({ exitCode: 139 })] }),
      ...three('n-b', { containers: [down({ exitCode: 0 })] }),
      ...['n-c', 'n-d', 'n-e', 'n-f'].flatMap((node) => three(node, healthy)),
    ]).map(({ cause }) => cause);

    expect(found).toEqual(['crash-loop-on-node', 'process-exits-zero', 'application-crash']);
  });
});

describe('one failure', () => {
  it('that ends alike in all pods is one finding without a remark', () => {
    const found = serious([on('n-a', down({ exitCode: 1 })), on('n-b', down({ exitCode: 1 }))]);

    expect(found.map(({ cause }) => cause)).toEqual(['application-crash']);
    expect(found[0]?.reasoning.map(({ key }) => key)).not.toContain('ends-otherwise');
  });

  it('that the runtime reports once as OOMKilled and once as a plain SIGKILL is one finding', () => {
    const found = serious([on('n-a', outOfMemory), on('n-b', down({ exitCode: 137 }))]);

    expect(found.map(({ cause }) => cause)).toEqual(['out-of-memory']);
  });

  it('of two containers that lack the same Secret is one finding', () => {
    const lacking = (name: string): ContainerShape => ({
      name,
      spec: { envFrom: [{ secretRef: { name: 'db' } }] },
      state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "db" not found' } },
    });
    const found = serious([failingPod({ phase: 'Pending', containers: [lacking('app'), lacking('proxy')] })]);

    expect(found.map(({ cause }) => cause)).toEqual(['config-missing']);
  });
});
