import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Pod } from '#src/engine/objects/pod.js';
import {
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
  readyFor,
} from '../findings/crashes/build.js';
import { lacks, step, told } from './run-rule.js';

const healthy: FailingPodShape = { status: readyFor(86_400) };
const names = (place: string) => [0, 1, 2].map((at) => `web-1-${place}-${at}`);
/** Three healthy pods on n-a and n-c, and three of this shape on n-b. */
const onB = (shape: FailingPodShape): readonly Pod[] =>
  Object.entries({ 'n-a': healthy, 'n-b': shape, 'n-c': healthy }).flatMap(([place, each]) =>
    names(place).map((name) => failingPod({ name, node: place, ...each })),
  );
const eventsOnB = (reason: string, message: string) =>
  names('n-b').map((name) => {
    const event = kubeletEvent(reason, message);
    const about = { ...event.involvedObject, name, uid: `${name}-uid` };
    return { ...event, metadata: { ...event.metadata, name: `${name}.${reason}` }, involvedObject: about };
  });

function findingsOf(pods: readonly Pod[], events: ReturnType<typeof eventsOnB> = []) {
  const { findings, defects } = diagnose(crashSnapshot({ pods, events }), [...causes]);
  expect(defects).toEqual([]);
  return findings.map(told);
}

const pending = (reason: string, message?: string): FailingPodShape => ({
  phase: 'Pending',
  containers: [{ state: { waiting: { reason, message } } }],
});
const pulling = (message: string) => onB(pending('ErrImagePull', message));
const creating = onB(pending('ContainerCreating'));

describe('a node that fails before the program starts', () => {
  it.each([
    ['image-pull-failure', pulling('failed to pull image: dial tcp 10.0.0.9:443: i/o timeout'), []],
    [
      'sandbox-failure',
      creating,
      eventsOnB('FailedCreatePodSandBox', 'plugin type="calico" failed (add): Unauthorized'),
    ],
    [
      'mount-failure',
      creating,
      eventsOnB('FailedMount', 'MountVolume.SetUp failed for volume "a" : timed out'),
    ],
  ] as const)('is reported as %s on that node, not as a crash', (cause, pods, events) => {
    const findings = findingsOf(pods, [...events]);

    expect(findings[0]).toMatchObject({
      cause,
      severity: 'critical',
      nodes: ['n-b'],
      steps: expect.arrayContaining([
        step('only-there', { failing: ['n-b'], pods: 6, nodes: ['n-a', 'n-c'] }),
      ]),
      fixes: ['delete-pod'],
    });
    expect(findings.map((each) => each.cause)).not.toContain('crash-loop-on-node');
  });

  it('is in the facts about an image', () => {
    expect(findingsOf(pulling('x509: certificate signed by unknown authority'))[0]).toMatchObject({
      facts: { refusal: 'tls' },
      nodes: ['n-b'],
    });
  });

  it('is none where no node could pull the image again', () => {
    const [finding] = findingsOf(
      pulling('failed to resolve reference "registry.example/web:1.0": not found'),
    );

    expect(finding).toMatchObject({ cause: 'image-pull-failure', reasoning: lacks('only-there'), fixes: [] });
  });

  it('hides no crashes of programs on that node beside a failed pull', () => {
    const crashing = onB({
      containers: [{ state: backingOff, lastState: ended({ exitCode: 139 }), ready: false }],
    });
    const [name] = names('n-b');
    const unpulled = failingPod({
      name: name ?? '',
      node: 'n-b',
      ...pending('ErrImagePull', 'dial tcp: i/o timeout'),
    });
    const pods = crashing.map((pod) => (pod.metadata.name === name ? unpulled : pod));

    expect(findingsOf(pods).map(({ cause }) => cause)).toContain('crash-loop-on-node');
  });
});
