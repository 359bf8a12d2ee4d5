import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { refOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { formatQuantity, NANO, parseQuantity, value } from '../../../engine/scheduler/quantity.js';
import { courseOf, crashFinding } from '../../findings/crashes/crash-finding.js';
import { crashFacts, memoryFacts } from '../../findings/crashes/facts.js';
import { detectEach, failingPodsOf } from '../../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../../findings/crashes/failure-group.js';
import { type JvmHeap, jvmHeapOf } from '../../findings/crashes/jvm-heap.js';
import { lastLinesOf } from '../../findings/crashes/last-lines.js';
import { addedLimitOf, type LimitCut, limitCutOf, narrower } from '../../findings/crashes/limit-cut.js';
import type { PodFailure } from '../../findings/crashes/pod-failure.js';
import { isLimitTooLow } from '../../findings/crashes/runtime-refusal.js';
import { crash } from '../../findings/crashes/text.js';
import { fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import type { Rule } from '../../findings/rule.js';
import { podNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { state, text } from './text.js';

const OutOfMemoryFacts = z.strictObject({
  ...crashFacts,
  limit: fact.quantity('The memory limit that was met first'),
  isPodLimit: fact.flag('It is the limit of the whole pod'),
  podLimit: fact
    .quantity(
      'Memory limit of the whole pod, where the container has a limit of its own and others share the pod',
    )
    .optional(),
  ...memoryFacts,
  limitCut: z
    .strictObject({
      before: fact.quantity('Memory limit of that revision; absent where it had none').optional(),
      revision: fact.count('Number of the former revision'),
    })
    .describe('The present revision lowered the limit')
    .optional(),
  memoryVolumes: fact
    .names('Volumes of the container that lie in memory and count against the limit')
    .optional(),
  jvmHeap: z
    .strictObject({
      flag: fact.text('The flag that sets the heap'),
      from: fact.text('The variable that holds the flag, or `args`'),
      heap: fact.quantity('The heap that the flag allows'),
    })
    .describe('Heap of a Java program, where its flags show it')
    .optional(),
});

/**
 * The kernel killed a container inside its own memory cgroup: the runtime says OOMKilled, and the container's
 * or the pod's limit is below what the node has (facts: kubernetes `kuberuntime_container_linux.go`,
 * containerd reports OOMKilled when any process of the container was killed).
 */
export const outOfMemory: Rule<typeof OutOfMemoryFacts> = {
  id: 'out-of-memory',
  facts: OutOfMemoryFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['application-crash', 'crash-loop-after-rollout', 'progress-deadline-exceeded'],
  ...detectEach('out-of-memory', (examination, failureGroup) => {
    const { snapshot } = examination;
    const memory = memoryOf(failureGroup);
    if (memory === undefined) return undefined;
    const { container, nodes, ongoing } = failureGroup;
    const pods = failingPodsOf(failureGroup);
    const [node = ''] = nodes;
    const cut = limitCutOf(snapshot, failureGroup, 'memory', memory.limit);
    const added = memory.ofPod ? undefined : addedLimitOf(snapshot, failureGroup, 'memory', memory.limit);
    const volumes = memoryVolumesOf(failureGroup);
    const isPart = isProcessKill(failureGroup.podFailures[0]);
    const workload = workloadName(snapshot);
    return crashFinding(examination, failureGroup, {
      // The limit was reached, and the end of the container may have another reason.
      confidence: isPart ? 'likely' : 'proven',
      resource: 'memory',
      facts: {
        limit: memory.limit,
        isPodLimit: memory.ofPod,
        podLimit: memory.shared,
        request: memory.request,
        qosClass: failureGroup.podFailures[0].pod.status.qosClass,
        limitCut: cut,
        memoryVolumes: volumes.length === 0 ? undefined : [...volumes],
        jvmHeap: memory.heap && {
          flag: memory.heap.flag,
          from: memory.heap.from,
          heap: inBytes(memory.heap.bytes),
        },
      },
      summary: state(isPart ? 'summary-process' : 'summary', { workload, container, limit: memory.limit }),
      standing: isLimitTooLow(failureGroup.podFailures[0].message, memory.limit)
        ? state('standing-before-start', pods)
        : !ongoing
          ? state('standing-recovered', { failing: pods.failing })
          : isPart
            ? crash('standing-process', pods)
            : state('standing', pods),
      reasoning: [
        ...courseOf(failureGroup),
        ...(cut === undefined ? [] : [cutSays(failureGroup, memory, cut)]),
        ...reasonsOf(failureGroup, memory, volumes),
        ...(added === undefined ? [] : [state('limit-added', { container, ...added })]),
        ...(isPart ? logSays(snapshot, failureGroup) : []),
      ],
      evidence: [limitEvidence(failureGroup, memory)],
      ruledOut: [
        {
          cause: 'node-out-of-memory',
          because: state('because-own-limit', { limit: memory.limit, node }),
          restsOn: 'Node' as const,
        },
        ...(nodes.length > 1
          ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
          : []),
        {
          cause: 'liveness-probe-kill',
          because: crash('because-no-probe-kill', { container }),
          restsOn: 'Event' as const,
        },
      ],
      withheld: notRecommendedOf(failureGroup, volumes),
      advice: [...volumeAdvice(volumes, memory), ...adviceOf(failureGroup, memory, cut)],
    });
  }),
};

interface Memory {
  readonly limit: string;
  /** True where the pod's limit is the narrower one. */
  readonly ofPod: boolean;
  /** The pod's limit, where the containers together may reach it before this one reaches its own. */
  readonly shared: string | undefined;
  readonly request: string | undefined;
  readonly heap: JvmHeap | undefined;
}

/** The limit that is met first: the container's own or the whole pod's. */
function memoryOf({ podFailures: [{ pod, container }] }: FailureGroup): Memory | undefined {
  if (container === undefined) return undefined;
  const own = container.spec.resources.limits.memory;
  const ofPod = pod.spec.resources?.limits.memory;
  const limit = narrower(own, ofPod);
  if (limit === undefined) return undefined;
  return {
    limit,
    ofPod: limit !== own,
    shared: limit === own && running(pod) > 1 ? ofPod : undefined,
    request: container.spec.resources.requests.memory,
    heap: jvmHeapOf(container.spec, limit),
  };
}

/** Containers that run at the same time. */
function running({ spec }: Pod): number {
  const sidecars = spec.initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return spec.containers.length + sidecars.length;
}

function cutSays({ container }: FailureGroup, { limit }: Memory, { before, revision }: LimitCut): Statement {
  return state('limit-cut', { container, before, limit, revision });
}

/**
 * The kernel ended one process. Where it ends the main process, the exit code of the container is that of
 * SIGKILL.
 */
function isProcessKill({ run, message, container }: PodFailure): boolean {
  const limit = container?.spec.resources.limits.memory;
  return run !== undefined && run.exitCode !== 137 && !isLimitTooLow(message, limit);
}

function logSays(snapshot: Snapshot, failureGroup: FailureGroup): readonly Statement[] {
  return [lastLinesOf(snapshot, failureGroup)?.says ?? []].flat();
}

/**
 * Volumes of the container that lie in memory. Their pages outlive the container and count against its limit.
 */
function memoryVolumesOf({ podFailures: [{ pod, container }] }: FailureGroup): readonly string[] {
  const mounted = new Set(container?.spec.volumeMounts.map(({ name }) => name));
  return pod.spec.volumes
    .filter(({ name, emptyDir }) => emptyDir?.medium === 'Memory' && mounted.has(name))
    .map(({ name }) => name);
}

function volumeAdvice(volumes: readonly string[], { limit }: Memory): readonly Advice[] {
  const [first] = volumes;
  if (first === undefined) return [];
  return [
    {
      title: state('advice-volume-title', { volumes }),
      text: state('advice-volume', { limit }),
      snippet: `volumes:\n  - name: ${first}\n    emptyDir:\n      medium: Memory\n      sizeLimit: ${(bytesOf(limit) / 2n + mebibyte - 1n) / mebibyte}Mi   # half of the limit, measure what it needs\n`,
    },
  ];
}

function reasonsOf(
  { podFailures: [failure], container }: FailureGroup,
  memory: Memory,
  volumes: readonly string[],
): readonly Statement[] {
  const { pod, run, message } = failure;
  const restarts = failure.container?.status?.restartCount ?? 0;
  const { limit, ofPod, shared, request, heap } = memory;
  const qos = pod.status.qosClass;
  return [
    ...(isLimitTooLow(message, limit)
      ? [
          ...(message === '' ? [] : [crash('kubelet-says', { node: pod.spec.nodeName ?? '', message })]),
          volumes.length > 0 && restarts > 0
            ? state('volume-stays', { container, limit, volumes })
            : state('before-start', { container, limit }),
        ]
      : [
          run !== undefined && isProcessKill(failure)
            ? crash('process-killed', { container, exitCode: run.exitCode })
            : state('killed', { container, limit, request, qos, ofPod }),
          ...(volumes.length > 0 ? [state('volume-counts', { limit, volumes })] : []),
        ]),
    ...(shared === undefined ? [] : [state('or-pod-limit', { shared })]),
    ...(heap === undefined ? [] : [heapSays(heap, limit)]),
  ];
}

const mebibyte = 1_048_576n;

function inBytes(bytes: bigint): string {
  return formatQuantity({ nano: bytes * NANO, format: 'BinarySI' }, 'memory');
}

function heapSays({ flag, from, bytes }: JvmHeap, limit: string): Statement {
  const all = bytesOf(limit);
  const heap = inBytes(bytes);
  return bytes >= all
    ? state('jvm-exceeds', { flag, from, heap, limit })
    : state('jvm-fills', { flag, from, heap, limit, rest: inBytes(all - bytes) });
}

function limitEvidence(
  { podFailures: [{ pod, container }] }: FailureGroup,
  { limit, ofPod }: Memory,
): Evidence {
  const list = container?.role === 'main' ? 'containers' : 'initContainers';
  return {
    object: refOf(pod),
    field: ofPod
      ? 'spec.resources.limits.memory'
      : `spec.${list}[${container?.name}].resources.limits.memory`,
    value: limit,
    says: state('ev-limit', { limit }),
  };
}

function notRecommendedOf({ nodes }: FailureGroup, volumes: readonly string[]): readonly NotRecommended[] {
  return [
    {
      kind: 'restart-rollout',
      because: volumes.length > 0 ? state('restart-withheld-volume', { volumes }) : state('restart-withheld'),
    },
    ...(nodes.length > 1
      ? [{ kind: 'exclude-nodes' as const, because: state('exclude-withheld', { nodes }) }]
      : []),
  ];
}

function adviceOf(
  { container }: FailureGroup,
  { limit, ofPod, shared, heap }: Memory,
  cut: LimitCut | undefined,
): readonly Advice[] {
  const more = cut?.before ?? `${((bytesOf(limit) * 3n) / 2n + mebibyte - 1n) / mebibyte}Mi`;
  const amounts = `  requests:\n    memory: ${more}\n  limits:\n    memory: ${more}\n`;
  const measure =
    cut?.before === undefined
      ? `${more} is 1.5 times the current limit, measure what it needs`
      : `${more} was the limit of revision ${cut.revision}`;
  const ofWholePod = `# the whole pod: ${measure}\nspec:\n  template:\n    spec:\n      resources:\n${amounts.replace(/^/gm, '      ').trimEnd()}\n`;
  return [
    {
      title: state('advice-limit-title'),
      text: ofPod ? state('advice-pod-limit', { limit }) : state('advice-limit', { container, limit }),
      snippet: ofPod ? ofWholePod : `# container ${container}: ${measure}\nresources:\n${amounts}`,
    },
    ...(shared === undefined
      ? []
      : [{ title: state('advice-shared-title'), text: state('advice-shared', { container, shared }) }]),
    ...(heap === undefined
      ? []
      : [
          {
            title: state('advice-jvm-title'),
            text: state('advice-jvm', { flag: heap.flag }),
            snippet: `env:\n  - name: JAVA_TOOL_OPTIONS\n    value: -XX:MaxRAMPercentage=70\n`,
          },
        ]),
  ];
}

/** Bytes; 0 for what is no quantity. */
function bytesOf(quantity: string): bigint {
  const parsed = parseQuantity(quantity);
  return parsed === undefined ? 0n : value(parsed);
}
