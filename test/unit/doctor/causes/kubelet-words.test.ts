import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { configMissing } from '#src/doctor/causes/config-missing.js';
import { crashLoopAfterRollout } from '#src/doctor/causes/crash-loop-after-rollout.js';
import { evicted } from '#src/doctor/causes/evicted.js';
import { imagePullFailure } from '#src/doctor/causes/image-pull-failure/rule.js';
import { kubeletRejected } from '#src/doctor/causes/kubelet-rejected/rule.js';
import { processExitsZero } from '#src/doctor/causes/process-exits-zero.js';
import { node } from '../../../support/placement-builders.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
} from '../findings/crashes/build.js';
import { foundBy, has, lacks, mustFind, told } from './run-rule.js';

const snapshotOf = (shape: FailingPodShape, more: Omit<Parameters<typeof crashSnapshot>[0], 'pods'> = {}) =>
  crashSnapshot({ pods: [failingPod(shape)], ...more });

describe('a postStart hook that fails', () => {
  const stopped = ended({ exitCode: 0, reason: 'Completed', before: 60, seconds: 2 });
  const hook = kubeletEvent('FailedPostStartHook', 'PostStartHook failed', {
    container: 'app',
    first: 600,
    last: 60,
  });
  const message =
    'Exec lifecycle hook ([/bin/prepare]) for Container "app" failed - error: exited with 4: no settings';

  it.each([
    ['while the state names it', { waiting: { reason: 'PostStartHookError', message } }, 'no settings'],
    ['while the container backs off', backingOff, 'PostStartHook failed'],
  ])('is why the kubelet stopped the program, %s', (_, state, quoted) => {
    const snapshot = snapshotOf(
      { containers: [{ state, lastState: stopped, ready: false }] },
      { events: [hook] },
    );
    const finding = told(mustFind(applicationCrash, snapshot));
    expect(finding).toMatchObject({
      summary: 'summary-hook',
      reasoning: has('hook-failed', 'hook-stops'),
      advice: ['advice-hook-title'],
    });
    expect(JSON.stringify(finding.steps)).toContain(quoted);
    expect(foundBy(processExitsZero, snapshot)).toBeUndefined();
  });

  it('is why the pods of a new revision stop, whose former pods are ready', () => {
    const former = failingPod({
      name: 'web-0-a',
      revision: '0',
      status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(7200) }] },
    });
    const failing = failingPod({ containers: [{ state: backingOff, lastState: stopped, ready: false }] });
    const rollout = (events: readonly ReturnType<typeof kubeletEvent>[]) =>
      crashSnapshot({ pods: [failing, former], events });
    expect(foundBy(crashLoopAfterRollout, rollout([hook]))).toBeUndefined();
    expect(mustFind(applicationCrash, rollout([hook])).summary.key).toBe('summary-hook');
    mustFind(crashLoopAfterRollout, rollout([]));
  });

  it('is not why a later run ended', () => {
    const past = kubeletEvent('FailedPostStartHook', 'PostStartHook failed', {
      container: 'app',
      first: 1200,
      last: 1200,
    });
    const snapshot = snapshotOf(
      { containers: [{ state: backingOff, lastState: stopped, ready: false }] },
      { events: [past] },
    );
    expect(foundBy(applicationCrash, snapshot)).toBeUndefined();
    mustFind(processExitsZero, snapshot);
  });
});

describe('a pull Secret that the kubelet does not find', () => {
  const refused = (imagePullSecrets: readonly string[], message = '') =>
    snapshotOf(
      {
        phase: 'Pending',
        spec: { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) },
        containers: [{ state: { waiting: { reason: 'ErrImagePull', message: '401 Unauthorized' } } }],
      },
      { events: message === '' ? [] : [kubeletEvent('FailedToRetrieveImagePullSecret', message)] },
    );

  it.each([
    'Unable to retrieve some image pull secrets (registry); attempting to pull the image may not succeed.',
    'Unable to retrieve some image pull secrets (other, registry); attempting to pull the image may not succeed.',
  ])('is named, and is to be made: %s', (message) => {
    const finding = told(mustFind(imagePullFailure, refused(['registry', 'mirror'], message)));
    expect(finding).toMatchObject({
      reasoning: has('secrets-unread'),
      advice: ['advice-secret-title'],
    });
    expect(finding.blames).toBeUndefined();
    expect(finding.adviceSaid).not.toContain('mirror');
  });

  it.each([
    ['no event', ''],
    ['a Secret that the pod does not name', 'Unable to retrieve some image pull secrets (other);'],
  ])('is none where there is %s', (_, message) => {
    const finding = told(mustFind(imagePullFailure, refused(['registry'], message)));
    expect(finding).toMatchObject({ reasoning: lacks('secrets-unread'), advice: ['advice-title'] });
  });
});

describe('a device that a node has and does not offer', () => {
  const asks = { requests: { 'node.test/device': '1' }, limits: { 'node.test/device': '1' } };
  const rejected = (capacity: string) => {
    const bare = node('n-a', { allocatable: { 'node.test/device': '0' } });
    return snapshotOf(
      {
        phase: 'Failed',
        metadata: { creationTimestamp: ago(300) },
        containers: [{ spec: { resources: asks } }],
        status: {
          phase: 'Failed',
          reason: 'UnexpectedAdmissionError',
          message: 'Pod was rejected: Allocate failed due to no healthy devices present',
          startTime: ago(300),
        },
      },
      {
        template: { nodeName: 'n-a' },
        nodes: [{ ...bare, status: { ...bare.status, capacity: { 'node.test/device': capacity } } }],
      },
    );
  };

  it('is not more than the node can ever give', () => {
    const finding = told(mustFind(kubeletRejected, rejected('2')));
    expect(finding).toMatchObject({ reasoning: lacks('too-large'), advice: ['advice-node-title'] });
  });

  it('is more than the node can ever give where it has none', () => {
    expect(told(mustFind(kubeletRejected, rejected('0'))).reasoning).toEqual(has('too-large'));
  });
});

describe('advice', () => {
  const failed = (reason: string, message: string): FailingPodShape => ({
    phase: 'Failed',
    metadata: { creationTimestamp: ago(300) },
    status: { phase: 'Failed', reason, message, startTime: ago(300) },
  });

  it.each([
    ['Usage of EmptyDir volume "tmp" exceeds the limit "1Gi". ', 'advice-limit-title'],
    ['Pod ephemeral local storage usage exceeds the total limit of containers 20Mi. ', 'advice-limit-title'],
    ['Container app exceeded its local ephemeral storage limit "1Gi". ', 'advice-limit-title'],
    ['The node was low on resource: ephemeral-storage. ', 'advice-request-title'],
    ['Pod was rejected: The node had condition: [DiskPressure]. ', 'advice-pressure-title'],
    ['The node had condition: [MemoryPressure PIDPressure]. ', 'advice-pressure-title'],
  ])('about an eviction follows who was short: %s', (message, title) => {
    expect(told(mustFind(evicted, snapshotOf(failed('Evicted', message)))).advice).toEqual(has(title));
  });

  it.each([
    ['NodeAffinity', "node(s) didn't match Pod's node affinity/selector", 'advice-selector-title'],
    ['NodePorts', "node(s) didn't have free ports", 'advice-node-name-title'],
    ['OutOfcpu', "Node didn't have enough resource: cpu", 'advice-node-name-title'],
    ['UnexpectedAdmissionError', 'Allocate failed due to no healthy devices present', 'advice-node-title'],
  ])(
    'about a named node asks for no selector that the template contradicts: %s',
    (reason, message, title) => {
      const snapshot = snapshotOf(failed(reason, `Pod was rejected: ${message}`), {
        template: { nodeName: 'n-a' },
      });
      expect(told(mustFind(kubeletRejected, snapshot)).advice).toEqual(has(title));
    },
  );

  const attachLimit =
    'Node has reached its volume attachment limit, rejecting pod. unmounted volumes=[data], unattached volumes=[data], failed to process volumes=[]: context deadline exceeded';
  it.each([
    ['as the status states it', `Pod was rejected: ${attachLimit}`],
    ['where the message is cut off', ''],
  ])('about volumes that a node no longer attaches name the node, %s', (_, message) => {
    const found = told(
      mustFind(kubeletRejected, snapshotOf(failed('VolumeAttachmentLimitExceeded', message))),
    );
    expect(found).toMatchObject({
      blames: { kind: 'Node', name: 'n-a' },
      reasoning: has('attach-limit'),
      advice: ['advice-volumes-title'],
    });
  });

  it.each([
    ['PodFeatureUnsupported', 'advice-asks'],
    ['PodLevelResourcesNotSupported', 'advice-asks'],
    ['SupplementalGroupsPolicyNotSupported', 'advice-asks'],
    ['InitContainerRestartPolicyForbidden', 'advice-asks'],
    ['SysctlForbidden', 'advice-sysctl'],
  ])(
    'about what a kubelet does not support lead to the template, and not to the node: %s',
    (reason, text) => {
      const found = mustFind(kubeletRejected, snapshotOf(failed(reason, 'Pod was rejected: no')));
      expect(told(found).advice).toEqual(['advice-asks-title']);
      expect(found.advice[0]?.text.key).toBe(text);
      expect(found.blames).toBeUndefined();
    },
  );

  it.each([
    ['container has runAsNonRoot and image will run as root', lacks('keeps-asking')],
    ['secret "somebody-elses" not found', has('keeps-asking')],
  ])('waits for an object only where one is missing: %s', (message, reasoning) => {
    const state = { waiting: { reason: 'CreateContainerConfigError', message } };
    const snapshot = snapshotOf({ phase: 'Pending', containers: [{ state }] });
    expect(told(mustFind(configMissing, snapshot))).toMatchObject({ reasoning });
  });
});
