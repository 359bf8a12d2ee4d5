import { describe, expect, it } from 'vitest';
import type { Event } from '#src/core/cluster/event.js';
import type { Pod } from '#src/core/cluster/pod.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import {
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
  readyFor,
} from '../crashes/build.js';

const healthy: FailingPodShape = { status: readyFor(86_400) };

function pods(shape: FailingPodShape): readonly Pod[] {
  return Object.entries({ 'n-a': healthy, 'n-b': shape, 'n-c': healthy }).flatMap(([node, each]) =>
    [0, 1, 2].map((at) => failingPod({ name: `web-1-${node}-${at}`, node, ...each })),
  );
}

function onAll(reason: string, message: string): readonly Event[] {
  return [0, 1, 2].map((at) => {
    const event = kubeletEvent(reason, message);
    const name = `web-1-n-b-${at}`;
    return {
      ...event,
      metadata: { ...event.metadata, name: `${name}.${reason}` },
      involvedObject: { ...event.involvedObject, name, uid: `${name}-uid` },
    };
  });
}

function found(made: readonly Pod[], events: readonly Event[] = []): readonly Finding[] {
  const { findings, defects } = diagnose(crashSnapshot({ pods: made, events }), [...causes]);
  expect(defects).toEqual([]);
  return findings;
}

const pulling = (message: string): FailingPodShape => ({
  phase: 'Pending',
  containers: [{ state: { waiting: { reason: 'ErrImagePull', message } } }],
});
const creating: FailingPodShape = {
  phase: 'Pending',
  containers: [{ state: { waiting: { reason: 'ContainerCreating' } } }],
};

describe('a node that fails before the program starts', () => {
  it.each<[string, readonly Pod[], readonly Event[]]>([
    ['image-pull-failure', pods(pulling('failed to pull image: dial tcp 10.0.0.9:443: i/o timeout')), []],
    [
      'sandbox-failure',
      pods(creating),
      onAll('FailedCreatePodSandBox', 'plugin type="calico" failed (add): Unauthorized'),
    ],
    [
      'mount-failure',
      pods(creating),
      onAll('FailedMount', 'MountVolume.SetUp failed for volume "a" : timed out'),
    ],
  ])('is reported as %s on that node, not as a crash', (cause, made, events) => {
    const findings = found(made, events);

    expect(findings[0]).toMatchObject({ cause, severity: 'critical', nodes: ['n-b'] });
    expect(findings.map((each) => each.cause)).not.toContain('crash-loop-on-node');
    expect(findings[0]?.reasoning.find(({ key }) => key === 'only-there')?.values).toEqual({
      failing: ['n-b'],
      pods: 6,
      nodes: ['n-a', 'n-c'],
    });
    expect(findings[0]?.remediations.map(({ kind }) => kind)).toEqual(['delete-pod']);
  });

  it('is in the first sentence about an image', () => {
    const [finding] = found(pods(pulling('x509: certificate signed by unknown authority')));

    expect(finding?.summary.values).toMatchObject({ refusal: 'tls', nodes: ['n-b'] });
  });
});

describe('near misses of a node that fails before the start', () => {
  it('include an image that no node could pull again, which is no evidence against the node', () => {
    const [finding] = found(
      pods(pulling('failed to resolve reference "registry.example/web:1.0": not found')),
    );

    expect(finding).toMatchObject({ cause: 'image-pull-failure' });
    expect(finding?.summary.values).toHaveProperty('nodes', []);
    expect(finding?.reasoning.map(({ key }) => key)).not.toContain('only-there');
    expect(finding?.remediations).toEqual([]);
  });

  it('include crashes of programs beside a failed pull on the node, which stay crashes on the node', () => {
    const crashing: FailingPodShape = {
      containers: [{ state: backingOff, lastState: ended({ exitCode: 139 }), ready: false }],
    };
    const [first, ...rest] = pods(crashing).filter(({ spec }) => spec.nodeName === 'n-b');
    const others = pods(crashing).filter(({ spec }) => spec.nodeName !== 'n-b');
    const name = first?.metadata.name ?? '';
    const unpulled = failingPod({ name, node: 'n-b', ...pulling('dial tcp: i/o timeout') });

    expect(found([...others, unpulled, ...rest]).map(({ cause }) => cause)).toContain('crash-loop-on-node');
  });
});
