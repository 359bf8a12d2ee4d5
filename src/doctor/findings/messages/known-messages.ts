import type { CauseId } from '../cause-id.js';

/**
 * A kind of sentence that kubelets, runtimes, storage and network plug-ins, controllers and admission print.
 * It is recognised by what it states and not by its wording, which differs from version to version.
 */
export interface KnownMessage {
  readonly id: string;
  /** Whose page explains it further. */
  readonly cause: CauseId;
  /**
   * Reasons of events, states and conditions: one of these words stands in the text as it is, or `words` do.
   */
  readonly reasons?: readonly string[];
  /** All of these stand in the sentence, each in one of its spellings, in any order and in any case. */
  readonly words?: readonly (readonly string[])[];
  /** A state of this form stands between spaces, as the column of a table has it. */
  readonly column?: RegExp;
  /**
   * The STATUS of `kubectl get pods`: the whole text, or behind a READY that counts fewer containers than the
   * pod has. Such a word elsewhere, as in `kubectl describe`, states nothing.
   */
  readonly status?: RegExp;
  /** A kubelet repeats words of the scheduler in it. */
  readonly isOfKubelet?: true;
}

/** More specific kinds first: the first one that matches a line counts. */
export const knownMessages = [
  {
    id: 'multi-attach',
    cause: 'volume-attach-deadlock',
    words: [
      ['multi-attach', 'already exclusively attached', 'already used by pod', 'is already attached to'],
    ],
  },
  { id: 'detach-awaited', cause: 'volume-attach-deadlock', words: [['waiting', 'wait'], ['detach']] },
  {
    id: 'attach-failed',
    cause: 'volume-attach-deadlock',
    reasons: ['FailedAttachVolume'],
    words: [['attachvolume'], ['fail', 'error']],
  },
  {
    id: 'config-key-missing',
    cause: 'config-missing',
    words: [["couldn't find key", 'non-existent config key', 'references non-existent secret key', 'no key']],
  },
  {
    id: 'config-object-missing',
    cause: 'config-missing',
    words: [
      ['configmap', 'secret'],
      ['not found', 'does not exist'],
    ],
  },
  { id: 'root-refused', cause: 'config-missing', words: [['runasnonroot', 'image will run as root']] },
  { id: 'config-error', cause: 'config-missing', reasons: ['CreateContainerConfigError'] },
  { id: 'image-name-invalid', cause: 'image-pull-failure', reasons: ['InvalidImageName'] },
  {
    id: 'image-hidden',
    cause: 'image-pull-failure',
    words: [['does not exist or may require', 'pull access denied']],
  },
  {
    id: 'image-other-platform',
    cause: 'image-pull-failure',
    words: [['no match for platform', 'no matching manifest for']],
  },
  {
    id: 'image-unknown',
    cause: 'image-pull-failure',
    words: [
      ['image', 'manifest', 'repository'],
      ['manifest unknown', 'manifest for', 'not found', 'does not exist', 'no such image'],
      ['pull', 'resolve', 'manifest'],
    ],
  },
  {
    id: 'image-forbidden',
    cause: 'image-pull-failure',
    words: [
      ['pull', 'registry', 'resolve reference'],
      [
        'unauthorized',
        'forbidden',
        'denied',
        'authentication required',
        'authorization failed',
        'no basic auth credentials',
      ],
    ],
  },
  {
    id: 'image-rate-limited',
    cause: 'image-pull-failure',
    words: [
      ['toomanyrequests', 'too many requests', 'rate limit'],
      ['pull', 'registry', 'resolve reference'],
    ],
  },
  {
    id: 'registry-unreachable',
    cause: 'image-pull-failure',
    words: [
      ['pull', 'resolve reference'],
      [
        'no such host',
        'server misbehaving',
        'i/o timeout',
        'deadline exceeded',
        'request canceled',
        'connection refused',
        'connection reset',
        'no route to host',
        'network is unreachable',
        'tls handshake',
        'x509',
        'http response to https client',
      ],
    ],
  },
  { id: 'image-no-space', cause: 'image-pull-failure', words: [['pull'], ['no space left on device']] },
  {
    id: 'pull-secret-missing',
    cause: 'image-pull-failure',
    reasons: ['FailedToRetrieveImagePullSecret'],
    words: [['unable to retrieve'], ['image pull secret']],
  },
  {
    id: 'image-pull-failed',
    cause: 'image-pull-failure',
    reasons: [
      'ErrImagePull',
      'ImagePullBackOff',
      'ImageInspectError',
      'RegistryUnavailable',
      'SignatureValidationFailed',
    ],
  },
  { id: 'image-never-pulled', cause: 'image-pull-failure', reasons: ['ErrImageNeverPull'] },
  {
    id: 'image-pull-retried',
    cause: 'image-pull-failure',
    words: [['pull'], ['image'], ['fail', 'back-off', 'error']],
  },
  { id: 'out-of-memory', cause: 'out-of-memory', reasons: ['OOMKilled', 'OOMKilling', 'SystemOOM'] },
  {
    id: 'exec-failed',
    cause: 'probe-configuration',
    words: [
      ['exec failed', 'failed to exec in container', 'failed to start exec', 'failed to run in container'],
    ],
  },
  { id: 'runtime-hook-failed', cause: 'bad-command', words: [['running hook', 'nvidia-container-cli']] },
  {
    id: 'program-missing',
    cause: 'bad-command',
    words: [
      [
        'executable file not found',
        'exec format error',
        'no such file or directory: unknown',
        'permission denied: unknown',
      ],
    ],
  },
  {
    id: 'start-hook-failed',
    cause: 'application-crash',
    reasons: ['PostStartHookError', 'FailedPostStartHook'],
  },
  {
    id: 'mount-refused',
    cause: 'mount-failure',
    words: [
      ['runc', 'oci runtime', 'containerd task'],
      ['mounting', 'subpath'],
    ],
  },
  {
    id: 'container-not-started',
    cause: 'bad-command',
    reasons: ['RunContainerError', 'CreateContainerError', 'StartError', 'ContainerCannotRun'],
    words: [
      ['oci runtime create failed', 'failed to create containerd task', 'failed to reserve container name'],
    ],
  },
  {
    id: 'liveness-killed',
    cause: 'liveness-probe-kill',
    words: [['liveness probe'], ['failed', 'errored', 'timed out']],
  },
  {
    id: 'startup-failed',
    cause: 'startup-probe-kill',
    words: [['startup probe'], ['failed', 'errored', 'timed out']],
  },
  {
    id: 'readiness-failed',
    cause: 'readiness-failing',
    words: [['readiness probe'], ['failed', 'errored', 'timed out']],
  },
  {
    id: 'stop-failed',
    cause: 'stuck-terminating',
    reasons: [
      'FailedKillPod',
      'ExceededGracePeriod',
      'KillPodSandbox',
      'KillPodSandboxError',
      'KillContainer',
      'KillContainerError',
    ],
    words: [['error killing pod', 'failed to teardown', 'failed to destroy network']],
  },
  {
    id: 'address-missing',
    cause: 'sandbox-failure',
    words: [['no ip addresses available', 'failed to assign an ip address', 'failed to allocate for range']],
  },
  {
    id: 'network-plugin',
    cause: 'sandbox-failure',
    words: [
      ['cni', 'network plugin', 'plugin type=', 'network for sandbox', 'network status for sandbox'],
      ['fail', 'not ready', 'not initialized', 'error'],
    ],
  },
  {
    id: 'sandbox-replaced',
    cause: 'sandbox-failure',
    reasons: ['SandboxChanged'],
    words: [['pod sandbox changed']],
  },
  {
    id: 'sandbox-failed',
    cause: 'sandbox-failure',
    reasons: ['FailedCreatePodSandBox', 'FailedCreatePodSandbox', 'NetworkNotReady'],
    words: [
      ['pod sandbox', 'sandbox container'],
      ['fail', 'error'],
    ],
  },
  {
    id: 'mount-timeout',
    cause: 'mount-failure',
    words: [['mount'], ['timed out', 'timeout', 'deadline exceeded']],
  },
  {
    id: 'mount-failed',
    cause: 'mount-failure',
    reasons: ['FailedMount', 'FailedMapVolume'],
    words: [['registered csi drivers'], ['not found']],
  },
  {
    id: 'mount-set-up-failed',
    cause: 'mount-failure',
    words: [
      ['mountvolume', 'mapvolume', 'nodestage', 'nodepublish', 'mount through'],
      ['fail', 'error'],
    ],
  },
  { id: 'class-missing', cause: 'volume-unbound', words: [['storageclass'], ['not found']] },
  {
    id: 'consumer-awaited',
    cause: 'volume-unbound',
    reasons: ['WaitForFirstConsumer', 'WaitForPodScheduled'],
    words: [['waiting for'], ['first consumer', 'to be scheduled']],
  },
  {
    id: 'provisioning',
    cause: 'volume-unbound',
    reasons: ['ProvisioningFailed', 'ExternalProvisioning', 'FailedBinding'],
    words: [
      ['no persistent volumes available', 'waiting for a volume to be created', 'failed to provision volume'],
    ],
  },
  { id: 'quota-unstated', cause: 'admission-denied', words: [['failed quota'], ['must specify']] },
  { id: 'quota', cause: 'quota-exceeded', words: [['exceeded quota', 'failed quota']] },
  {
    id: 'account-missing',
    cause: 'admission-denied',
    words: [['service account', 'serviceaccount'], ['not found']],
  },
  {
    id: 'limit-range',
    cause: 'admission-denied',
    words: [['is forbidden'], ['usage per container', 'usage per pod', 'limit to request ratio per']],
  },
  { id: 'security-violated', cause: 'admission-denied', words: [['violates podsecurity']] },
  {
    id: 'webhook-denied',
    cause: 'admission-denied',
    words: [['admission'], ['denied the request', 'denied request']],
  },
  {
    id: 'webhook-passed-over',
    cause: 'admission-denied',
    words: [['failed calling webhook', 'failed to call webhook'], ['failing open']],
  },
  {
    id: 'webhook-failed',
    cause: 'admission-denied',
    words: [['failed calling webhook', 'failed to call webhook']],
  },
  {
    id: 'kubelet-rejected',
    cause: 'kubelet-rejected',
    isOfKubelet: true,
    words: [
      [
        'allocate failed due to',
        'predicate nodeaffinity failed',
        'predicate taint',
        'pod was rejected: node didn',
      ],
    ],
    reasons: [
      'UnexpectedAdmissionError',
      'OutOfcpu',
      'OutOfmemory',
      'OutOfpods',
      'Outofephemeral-storage',
      'NodePorts',
      'VolumeAttachmentLimitExceeded',
    ],
  },
  { id: 'evicted', cause: 'evicted', words: [['the node was low on resource', 'the node had condition']] },
  { id: 'evicted-reason', cause: 'evicted', reasons: ['Evicted'] },
  { id: 'node-runs-short', cause: 'evicted', reasons: ['EvictionThresholdMet'] },
  { id: 'preempted', cause: 'preempted', reasons: ['Preempted', 'Preempting'] },
  {
    id: 'node-silent',
    cause: 'node-not-ready',
    words: [
      [
        'stopped posting node status',
        'kubelet is unhealthy',
        'pleg is not healthy',
        'container runtime is down',
      ],
    ],
  },
  {
    id: 'node-not-ready',
    cause: 'node-not-ready',
    reasons: ['NodeNotReady', 'KubeletNotReady', 'NodeStatusUnknown'],
    words: [['node is not ready']],
  },
  {
    id: 'deadline',
    cause: 'progress-deadline-exceeded',
    reasons: ['ProgressDeadlineExceeded'],
    words: [['exceeded its progress deadline', 'has timed out progressing']],
  },
  { id: 'node-ordered', cause: 'waiting-for-autoscaler', words: [['pod triggered scale-up']] },
  { id: 'gated', cause: 'scheduling-gated', reasons: ['SchedulingGated'] },
  { id: 'claim-of-pod-missing', cause: 'volume-unbound', words: [['persistentvolumeclaim'], ['not found']] },
  { id: 'crash-loop', cause: 'application-crash', reasons: ['CrashLoopBackOff'] },
  { id: 'restarted', cause: 'application-crash', words: [['back-off', 'back off'], ['restarting']] },
  {
    id: 'init-awaited',
    cause: 'init-container-stuck',
    reasons: ['PodInitializing'],
    column: /^Init:\d{1,3}\/\d{1,3}$/u,
  },
  { id: 'status-pending', cause: 'scheduler-refusal', status: /^Pending$/u },
  { id: 'status-creating', cause: 'pod-start-stalled', status: /^ContainerCreating$/u },
  { id: 'status-terminating', cause: 'stuck-terminating', status: /^Terminating$/u },
  {
    id: 'status-error',
    cause: 'application-crash',
    status: /^(?:Init:)?(?:Error|Failed|ExitCode:\d{1,3}|Signal:\d{1,3})$/u,
  },
  { id: 'status-completed', cause: 'process-exits-zero', status: /^(?:Completed|Succeeded)$/u },
  { id: 'status-running', cause: 'readiness-failing', status: /^(?:Running|NotReady)$/u },
  {
    id: 'status-lost',
    cause: 'node-not-ready',
    status: /^(?:Unknown|NodeLost|ContainerStatusUnknown|Terminated|NodeShutdown)$/u,
  },
  { id: 'status-deadline', cause: 'application-crash', status: /^DeadlineExceeded$/u },
  { id: 'status-affinity', cause: 'kubelet-rejected', status: /^NodeAffinity$/u },
] as const satisfies readonly KnownMessage[];

export type KnownMessageId = (typeof knownMessages)[number]['id'];
