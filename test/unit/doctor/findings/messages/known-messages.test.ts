import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explainPasted, knownMessageIn } from '#src/doctor/findings/messages/explain-pasted.js';
import { knownMessages } from '#src/doctor/findings/messages/known-messages.js';
import { text } from '#src/doctor/findings/messages/text.js';

/** Sentences as their programs format them: of Kubernetes v1.36.3, but where another program is named. */
it.each<[source: string, line: string, cause: string]>([
  ['kubelet images/types.go: ErrImagePull', 'ErrImagePull', 'image-pull-failure'],
  ['kubectl describe of such a container', '      Reason:       CrashLoopBackOff', 'application-crash'],
  [
    'kubelet kuberuntime_manager.go: doBackOff, event',
    'Back-off restarting failed container app in pod web-1_shop(7d)',
    'application-crash',
  ],
  [
    'kubelet kuberuntime_manager.go: doBackOff, state',
    'back-off 5m0s restarting failed container=app pod=web-1_shop(7d)',
    'application-crash',
  ],
  [
    'kubelet images/image_manager.go: pullImage, and containerd resolve',
    'Failed to pull image "web:2": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/web:2": failed to resolve reference "docker.io/library/web:2": docker.io/library/web:2: not found',
    'image-pull-failure',
  ],
  [
    'kubelet images/image_manager.go: EnsureImageExists',
    'Back-off pulling image "web:2"',
    'image-pull-failure',
  ],
  [
    'kubelet images/image_manager.go: imagePullPrecheck',
    'Container image "web:2" is not present with pull policy of Never ErrImageNeverPull',
    'image-pull-failure',
  ],
  [
    'attachdetach/reconciler.go: reportMultiAttachError, one node',
    'Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can\'t be attached to another',
    'volume-attach-deadlock',
  ],
  [
    'attachdetach/reconciler.go: reportMultiAttachError, pods',
    'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) db-0',
    'volume-attach-deadlock',
  ],
  [
    'kubelet kubelet_pods.go: makeEnvironmentVariables',
    "Error: couldn't find key password in Secret shop/db",
    'config-missing',
  ],
  ['volume/secret/secret.go: MakePayload', 'references non-existent secret key: tls.crt', 'config-missing'],
  [
    'volume/configmap/configmap.go: MakePayload',
    'configmap references non-existent config key: app.yaml',
    'config-missing',
  ],
  [
    'volume/util/operationexecutor: GenerateMountVolumeFunc',
    'MountVolume.SetUp failed for volume "config" : configmap "web" not found',
    'config-missing',
  ],
  [
    'volume/util/operationexecutor: GenerateAttachVolumeFunc',
    'AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = the volume is in use',
    'volume-attach-deadlock',
  ],
  [
    'volume/csi/csi_util.go: newCsiDriverClient',
    'driver name csi.example.com not found in the list of registered CSI drivers',
    'mount-failure',
  ],
  [
    'volume/persistentvolume/pv_controller.go: syncUnboundClaim',
    'no persistent volumes available for this claim and no storage class is set',
    'volume-unbound',
  ],
  [
    'sig-storage-lib-external-provisioner: provisionClaimOperation',
    'failed to provision volume with StorageClass "fast": rpc error: code = ResourceExhausted desc = no room',
    'volume-unbound',
  ],
  [
    'containerd docker/resolver.go: Resolve',
    'failed to resolve reference "registry.example/app:1": unexpected status from HEAD request to https://registry.example/v2/app/manifests/1: 403 Forbidden',
    'image-pull-failure',
  ],
  [
    'kubelet kubelet.go: syncLoop, in its log',
    'kubelet.go:2055] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 2h33m ago; threshold is 3m0s"',
    'node-not-ready',
  ],
  [
    'kubelet eviction/helpers.go: evictionMessage, of an old version',
    'The node was low on resource: nodefs.',
    'evicted',
  ],
  [
    'dockershim: RunPodSandbox, of an old version',
    'rpc error: code = 2 desc = failed to start sandbox container for pod "x": operation timeout: context deadline exceeded',
    'sandbox-failure',
  ],
  [
    'kubectl polymorphichelpers/rollout_status.go: Status',
    'error: deployment "web" exceeded its progress deadline',
    'progress-deadline-exceeded',
  ],
  [
    'kubelet kubelet.go: SyncPod',
    'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: timed out waiting for the condition',
    'mount-failure',
  ],
  [
    'volume/util/operationexecutor: GenerateMountVolumeFunc',
    'MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = exit status 32',
    'mount-failure',
  ],
  [
    'kubelet kubelet.go: updateRuntimeUp',
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
    'sandbox-failure',
  ],
  [
    'kubelet prober.go: probe',
    'Liveness probe failed: HTTP probe failed with statuscode: 500',
    'liveness-probe-kill',
  ],
  [
    'kubelet prober.go: probe, without a result',
    'Readiness probe errored and resulted in unknown state: rpc error: code = DeadlineExceeded',
    'readiness-failing',
  ],
  [
    'apiserver resourcequota/controller.go: CheckRequest',
    'pods "web-1" is forbidden: exceeded quota: gpu, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=4, limited: requests.nvidia.com/gpu=4',
    'quota-exceeded',
  ],
  [
    'apiserver webhook/errors/statuserror.go: ToStatusErr',
    'admission webhook "policy.example" denied the request: no latest tag',
    'admission-denied',
  ],
  [
    'apiserver util/webhook/error.go: ErrCallingWebhook',
    'Internal error occurred: failed calling webhook "policy.example": failed to call webhook: Post "https://policy.shop.svc:443/validate?timeout=10s": context deadline exceeded',
    'admission-denied',
  ],
  [
    'pod-security-admission admission.go: EvaluatePod',
    'pods "web-1" is forbidden: violates PodSecurity "restricted:latest": privileged (container "app" must not set securityContext.privileged=true)',
    'admission-denied',
  ],
  [
    'kubelet eviction/helpers.go: evictionMessage',
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 20Mi. ',
    'evicted',
  ],
  [
    'kubelet eviction/helpers.go: nodeConditionMessageFmt',
    'The node had condition: [DiskPressure]. ',
    'evicted',
  ],
  [
    'nodelifecycle/node_lifecycle_controller.go: tryUpdateNodeHealth',
    'Ready Unknown NodeStatusUnknown Kubelet stopped posting node status.',
    'node-not-ready',
  ],
  [
    'persistentvolume/pv_controller.go: syncUnboundClaim',
    'Normal WaitForFirstConsumer waiting for first consumer to be created before binding',
    'volume-unbound',
  ],
  [
    'deployment/progress.go: syncRolloutStatus',
    'Progressing False ProgressDeadlineExceeded ReplicaSet "web-5d8f" has timed out progressing.',
    'progress-deadline-exceeded',
  ],
  [
    'kubelet preemption/preemption.go: evictPodsToFreeRequests',
    'Preempting Preempted in order to admit critical pod',
    'preempted',
  ],
  ['storage.k8s.io not found', 'storageclass.storage.k8s.io "fast" not found', 'volume-unbound'],
  ['runc', 'exec: "serve": executable file not found in $PATH: unknown', 'bad-command'],
  ['kubectl describe', 'Last State: Terminated, Reason: OOMKilled, Exit Code: 137', 'out-of-memory'],
])('the sentence of %s leads to its page', (_, line, cause) => {
  expect(knownMessageIn(line)?.cause).toBe(cause);
});

it.each<[state: string, line: string, id: string]>([
  [
    'a probe that could not be run',
    'Liveness probe errored: rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec: "check": executable file not found in $PATH: unknown',
    'exec-failed',
  ],
  [
    'a hook of the runtime',
    'Error: failed to create containerd task: OCI runtime create failed: error running hook #0: nvidia-container-cli: initialization error: no such file or directory: unknown',
    'runtime-hook-failed',
  ],
  [
    'a registry that does not tell',
    'pull access denied, repository does not exist or may require authorization: insufficient_scope',
    'image-hidden',
  ],
  [
    'a quota of what the pod does not state',
    'pods "web-1" is forbidden: failed quota: team: must specify limits.cpu',
    'quota-unstated',
  ],
  [
    'a quota of other objects',
    'services "web" is forbidden: exceeded quota: team, requested: services=1, used: services=5, limited: services=5',
    'quota',
  ],
  [
    'a webhook that may fail',
    'Failed calling webhook, failing open w.example: failed calling webhook "w.example": context deadline exceeded',
    'webhook-passed-over',
  ],
  [
    'a node that evicts nothing yet',
    'Warning  EvictionThresholdMet  4m  kubelet  Attempting to reclaim ephemeral-storage',
    'node-runs-short',
  ],
  [
    'an image of another architecture',
    'Failed to pull image "web:2": no match for platform in manifest: not found',
    'image-other-platform',
  ],
  [
    'a registry without TLS',
    'Failed to pull image "10.0.0.5:5000/web:1": Get "https://10.0.0.5:5000/v2/": http: server gave HTTP response to HTTPS client',
    'registry-unreachable',
  ],
  [
    'a name server',
    'Failed to pull image "nginx": dial tcp: lookup registry-1.docker.io on 10.0.0.2:53: server misbehaving',
    'registry-unreachable',
  ],
  [
    'a registry that wants credentials',
    'Failed to pull image "app:1": Get https://registry.example/v2/app/manifests/1: no basic auth credentials',
    'image-forbidden',
  ],
  [
    'a pull that is tried all the same',
    'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.',
    'pull-secret-missing',
  ],
  [
    'a user',
    'Error: container has runAsNonRoot and image will run as root (pod: "web-1_shop(7d)", container: app)',
    'root-refused',
  ],
  [
    'a sandbox that is made anew',
    'Pod sandbox changed, it will be killed and re-created.',
    'sandbox-replaced',
  ],
  [
    'a network that is taken down',
    'error killing pod: failed to "KillPodSandbox" for "1f" with KillPodSandboxError: "rpc error: code = Unknown desc = networkPlugin cni failed to teardown pod network"',
    'stop-failed',
  ],
  [
    'a range of addresses',
    'plugin type="bridge" failed (add): failed to allocate for range 0: no IP addresses available in range set: 10.244.2.1-10.244.2.254',
    'address-missing',
  ],
  [
    'a mount of the runtime',
    'failed to create containerd task: OCI runtime create failed: runc create failed: error mounting "/var/lib/kubelet/pods/1/volumes/x" to rootfs at "/app/config.yaml": not a directory: unknown',
    'mount-refused',
  ],
  [
    'devices that a kubelet counts',
    'Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected',
    'kubelet-rejected',
  ],
  ['a row of a table', 'web-1   0/1   Init:0/2   0   3m', 'init-awaited'],
  ['a claim whose pod has no node', 'waiting for pod db-0 to be scheduled', 'consumer-awaited'],
  [
    'an account',
    'Error creating: pods "web-" is forbidden: error looking up service account shop/web: serviceaccount "web" not found',
    'account-missing',
  ],
  [
    'a LimitRange',
    'Error creating: pods "web-" is forbidden: maximum memory usage per Container is 512Mi, but limit is 1Gi',
    'limit-range',
  ],
  ['a node that is on its way', 'pod triggered scale-up: [{group-1 3->4 (max: 10)}]', 'node-ordered'],
])('a sentence about %s is not taken for another one', (_, line, id) => {
  expect(knownMessageIn(line)?.id).toBe(id);
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
  'AttachVolume.Attach succeeded for volume "pvc-1"',
  'MountVolume.SetUp succeeded for volume "config"',
  'kubelet.go:1243] Container garbage collection succeeded',
  'relaxing soft constraints for pod since it previously failed to schedule',
  'level=info msg="RunPodSandbox for &PodSandboxMetadata{Name:server,Namespace:default,Attempt:0,}"',
  'deployment "web" successfully rolled out',
  'Init Containers:',
  '[error] connect() failed (111: Connection refused) while connecting to upstream, image: logo',
  'Error from server (Forbidden): secrets is forbidden: User "jane" cannot list resource "secrets"',
  // Names may hold any word and any number.
  '    Image ID:       registry.example/worker@sha256:4d5aa64292422792398b760fca277ee92c38f58ab038d89e9677464f8ae8f9f5',
  '    Image ID:       registry.example/web@sha256:7403724b3fcde86ade86024859e3ec09ce7b50ab4a1cf47e17813718faa26365',
  '    Image:          registry.example/cni-error:1',
  'Name:             liveness-probe-failed-5d8f',
  '      --cni-error-mode=fail',
  'Normal  Pulled  2s  kubelet  Successfully pulled image "web:403" in 4.29s (4.29s including waiting). Image size: 14290354 bytes.',
  'Normal  Pulling  2s  kubelet  Pulling image "registry.example/denied/no-such-image:429"',
  '9s  Normal  Scheduled  pod/mount-timeout-1  Successfully assigned shop/mount-timeout-1 to node-a',
])('%s is no sentence of a fault', (line) => {
  expect(knownMessageIn(line)).toBeUndefined();
});

/** As `printPod` of Kubernetes 1.36 (pkg/printers/internalversion/printers.go) writes them. */
it.each<[status: string, cause: string]>([
  ['Pending', 'scheduler-refusal'],
  ['ContainerCreating', 'pod-start-stalled'],
  ['Terminating', 'stuck-terminating'],
  ['Error', 'application-crash'],
  ['Failed', 'application-crash'],
  ['Init:Error', 'application-crash'],
  ['Init:ExitCode:1', 'application-crash'],
  ['ExitCode:1', 'application-crash'],
  ['Signal:9', 'application-crash'],
  ['Completed', 'process-exits-zero'],
  ['Succeeded', 'process-exits-zero'],
  ['Running', 'readiness-failing'],
  ['NotReady', 'readiness-failing'],
  ['Unknown', 'node-not-ready'],
  ['NodeLost', 'node-not-ready'],
  ['ContainerStatusUnknown', 'node-not-ready'],
  ['Terminated', 'node-not-ready'],
  ['DeadlineExceeded', 'application-crash'],
  ['NodeAffinity', 'kubelet-rejected'],
])('explains the status %s, alone and in the row of a pod that is not ready', (status, cause) => {
  expect(knownMessageIn(status)?.cause).toBe(cause);
  expect(knownMessageIn(`web-1   0/1   ${status}   0   3m`)?.cause).toBe(cause);
  expect(knownMessageIn(`shop   web-1   1/2   ${status}   0   3m`)?.cause).toBe(cause);
  expect(knownMessageIn(`web-1   2/2   ${status}   0   3m`)).toBeUndefined();
  expect(knownMessageIn(`Status:           ${status}`)).toBeUndefined();
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

it('a refusal of a kubelet is not explained as one of the scheduler', () => {
  const refusal =
    'Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected';
  expect(explainPasted(refusal)).toEqual([expect.objectContaining({ key: 'kubelet-rejected' })]);
});

it('a sentence that nothing knows is said to be unknown', () => {
  expect(explainPasted('the dog ate it')).toEqual([expect.objectContaining({ key: 'not-a-sentence' })]);
});

it.each([
  ['ImagePullBackof', 'ImagePullBackOff'],
  ['crashloopbackoff', 'CrashLoopBackOff'],
  ['CrashLoopBackOf', 'CrashLoopBackOff'],
])('a misspelt reason is explained as the one that it resembles: %s', (typed, reason) => {
  const [readAs, ...explained] = explainPasted(typed);
  expect(readAs).toMatchObject({ key: 'read-as', values: { reason } });
  expect(explained).toEqual(explainPasted(reason));
});

it.each(['inference', 'Running', 'x'.repeat(5_000), 'Back off!'])('another word is not: %.20s', (typed) => {
  expect(explainPasted(typed)).not.toContainEqual(expect.objectContaining({ key: 'read-as' }));
});
