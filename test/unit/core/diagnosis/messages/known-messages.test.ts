import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explainPasted } from '#src/core/diagnosis/messages/explain-pasted.js';
import { knownMessageIn, knownMessages } from '#src/core/diagnosis/messages/known-messages.js';
import { text } from '#src/core/diagnosis/messages/text.js';

it.each<[line: string, cause: string]>([
  ['CrashLoopBackOff', 'application-crash'],
  ['      Reason:       CrashLoopBackOff', 'application-crash'],
  ['Back-off restarting failed container app in pod web-1_shop(7d)', 'application-crash'],
  ['ErrImagePull', 'image-pull-failure'],
  [
    'Failed to pull image "web:2": rpc error: code = NotFound desc = failed to resolve reference',
    'image-pull-failure',
  ],
  ['Back-off pulling image "web:2"', 'image-pull-failure'],
  [
    'pull access denied for team/web, repository does not exist or may require authorization',
    'image-pull-failure',
  ],
  ['Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) db-0', 'volume-attach-deadlock'],
  ['Waiting for detach for volume "pvc-1" from node a', 'volume-attach-deadlock'],
  ['MountVolume.SetUp failed for volume "config" : configmap "web" not found', 'config-missing'],
  ['Error: secret "tls" not found', 'config-missing'],
  [
    'Unable to attach or mount volumes: unmounted volumes=[data]: timed out waiting for the condition',
    'mount-failure',
  ],
  [
    'MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = exit status 32',
    'mount-failure',
  ],
  [
    'Failed to create pod sandbox: plugin type="calico" failed (add): error getting ClusterInformation',
    'sandbox-failure',
  ],
  [
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
    'sandbox-failure',
  ],
  ['Liveness probe failed: HTTP probe failed with statuscode: 500', 'liveness-probe-kill'],
  ['Readiness probe errored: rpc error: code = DeadlineExceeded', 'readiness-failing'],
  ['pods "web-1" is forbidden: exceeded quota: gpu, requested: requests.nvidia.com/gpu=1', 'quota-exceeded'],
  ['admission webhook "policy.example" denied the request: no latest tag', 'admission-denied'],
  ['The node was low on resource: memory. Threshold quantity: 100Mi, available: 20Mi.', 'evicted'],
  ['storageclass.storage.k8s.io "fast" not found', 'volume-unbound'],
  ['exec: "serve": executable file not found in $PATH: unknown', 'bad-command'],
  ['Last State: Terminated, Reason: OOMKilled, Exit Code: 137', 'out-of-memory'],
])('%s leads to the page %s', (line, cause) => {
  expect(knownMessageIn(line)?.cause).toBe(cause);
});

it.each([
  'Name:             web-5d8f-abcde',
  'Labels:           app=images-pull',
  'Normal  Pulled     12m   kubelet  Container image "web:1" already present on machine',
  'Normal  Started    12m   kubelet  Started container app',
  '    Liveness:     http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3',
  '  MemoryPressure   False   KubeletHasSufficientMemory   kubelet has sufficient memory available',
  '  Ready            True    KubeletReady                 kubelet is posting ready status',
  'Successfully assigned shop/web-1 to node-a',
  'Successfully attached volume pvc-1',
  'the dog ate it',
])('%s is no sentence of a fault', (line) => {
  expect(knownMessageIn(line)).toBeUndefined();
});

it('every kind of sentence has both languages and a page', () => {
  for (const { id, cause } of knownMessages) {
    expect(Object.keys(text.en)).toContain(id);
    expect(Object.keys(text.ko)).toContain(id);
    expect(existsSync(`docs/causes/${cause}.md`), cause).toBe(true);
  }
});

it('a pasted description is explained by its known sentences, each once, and nothing else is said', () => {
  const pasted = [
    'Name:   web-1',
    'Status: Pending',
    '  Reason: ImagePullBackOff',
    '  Warning  FailedScheduling  2m  default-scheduler  0/3 nodes are available: 3 Insufficient cpu.',
    '  Reason: ImagePullBackOff',
  ].join('\n');
  const statements = explainPasted(pasted);
  expect(statements.filter(({ catalogue }) => catalogue === 'known-message')).toEqual([
    expect.objectContaining({ key: 'image-pull-failed', values: { cause: 'image-pull-failure' } }),
  ]);
  expect(statements.some(({ catalogue }) => catalogue === 'scheduler-message')).toBe(true);
  expect(statements.some(({ key }) => key === 'not-a-sentence')).toBe(false);
});

it('a sentence that nothing knows is said to be unknown', () => {
  expect(explainPasted('the dog ate it')).toEqual([expect.objectContaining({ key: 'not-a-sentence' })]);
});
