import * as z from 'zod';
import { code, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, names, particle } from '../../engine/language/words.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { isTerminating } from '../../engine/objects/pod.js';
import type { PodTemplate } from '../../engine/objects/pod-spec.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, memoryFacts } from '../findings/crashes/facts.js';
import { detectEach } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { formerRevision, isLess, type LimitCut } from '../findings/crashes/limit-cut.js';
import type { PodFailure } from '../findings/crashes/pod-failure.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import { blamedNode } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`pods are evicted`,
  summary: (values: { workload: string; nodes: readonly string[]; resource: string | undefined }) =>
    values.resource === undefined
      ? say`${code(values.workload)}: the kubelet evicted pods from ${names('en', values.nodes)}`
      : say`${code(values.workload)}: ${names('en', values.nodes)} ran low on ${code(values.resource)} and evicted pods`,
  /** `isLeast`: the status of an evicted pod does not always show it. */
  standing: ({ pods, isLeast }: { pods: number; isLeast: boolean }) =>
    isLeast
      ? say`The kubelet evicted at least ${counted(pods, 'pod', 'pods')}, which ${word(pods === 1 ? 'is' : 'are')} still listed.`
      : say`The kubelet evicted ${counted(pods, 'pod', 'pods')}. ${word(pods === 1 ? 'The Failed pod is' : 'The Failed pods are')} still listed.`,
  'ended-well': ({ pods }: { pods: number }) =>
    say`${counted(pods, 'evicted pod', 'evicted pods')} ended in good order, so ${word(pods === 1 ? 'its phase is' : 'their phase is')} Succeeded and only an event names the eviction.`,
  'without-reason': ({ pods }: { pods: number }) =>
    say`${counted(pods, 'further pod', 'further pods')} of this revision ended in phase Succeeded, and nothing states the reason. The kubelet may have evicted ${word(pods === 1 ? 'it' : 'them')} too.`,
  'summary-own-limit': ({ workload, nodes }: { workload: string; nodes: readonly string[] }) =>
    say`${code(workload)}: pods on ${names('en', nodes)} exceeded their local storage limit and were evicted`,
  /** The current revision lowered the limit; `before` is absent when there was none. */
  'storage-cut': (values: {
    of: 'container' | 'volume';
    name: string;
    before?: string | undefined;
    limit: string;
    revision: number;
  }) =>
    values.before === undefined
      ? say`The current revision set the storage limit of ${word(values.of)} ${code(values.name)} to ${code(values.limit)}. Revision ${values.revision} had no limit.`
      : say`The current revision lowered the storage limit of ${word(values.of)} ${code(values.name)} from ${code(values.before)} (revision ${values.revision}) to ${code(values.limit)}.`,
  'own-limit': () => say`The pod or its volume reached its own limit. The node itself has free space.`,
  why: ({ request, resource }: { request: string | undefined; resource: string }) =>
    request === undefined
      ? say`The pods request no ${code(resource)}, so all their usage is above their request. The kubelet evicts such pods first.`
      : say`The pods request ${code(request)} of ${code(resource)} and used more.`,
  qos: ({ qos }: { qos: string }) => say`Their QoS class is ${code(qos)}.`,
  pressure: ({ node, condition }: { node: string; condition: string }) =>
    say`${code(node)} currently reports ${code(condition)}.`,
  'no-pressure-now': () => say`The nodes currently report no pressure.`,
  'made-anew': () =>
    say`The controller creates new pods. The evicted pods stay listed until they are deleted.`,
  'because-not-killed': () => say`the kubelet evicted whole pods, and no container reached its own limit`,
  'restart-withheld': () => say`New pods with the same requests could be evicted too.`,
  'advice-request-title': ({ resource }: { resource: string }) =>
    say`Request as much ${code(resource)} as the pods use`,
  'advice-request': () =>
    say`The kubelet evicts pods that stay within their requests last, and the scheduler reserves room for them.`,
  'advice-pressure-title': ({ nodes }: { nodes: readonly string[] }) => say`Relieve ${names('en', nodes)}`,
  'advice-pressure': ({ nodes }: { nodes: readonly string[] }) =>
    say`The kubelet admits no new pod on ${names('en', nodes)} in this state, whatever the pod requests. Free what the message names: a disk holds images, logs and ${code('emptyDir')} volumes. A pod that tolerates the taint of the state is placed there again.`,
  'advice-limit-title': () => say`Raise the limit, or write less to local storage`,
  'advice-limit': () =>
    say`The message names the limit. A request does not prevent this eviction, and another node has the same limit.`,
  'advice-clean-title': () => say`Delete the evicted pods`,
  'advice-clean': () => say`Evicted pods use no resources, but they clutter lists and alerts.`,
};

const ko: typeof en = {
  'shared-failure': () => say`파드가 축출됨(eviction)`,
  summary: ({ workload, nodes, resource }) =>
    resource === undefined
      ? say`${code(workload)}: ${names('ko', nodes)} 노드에서 파드가 축출되었습니다`
      : say`${code(workload)}: ${code(resource)} 부족으로 ${names('ko', nodes)} 노드에서 파드가 축출되었습니다`,
  standing: ({ pods, isLeast }) =>
    isLeast
      ? say`kubelet이 파드를 ${pods}개 이상 축출했으며, 그 파드는 아직 목록에 남아 있습니다.`
      : say`kubelet이 파드 ${pods}개를 축출했습니다. Failed 상태의 파드가 아직 목록에 남아 있습니다.`,
  'ended-well': ({ pods }) =>
    say`축출된 파드 중 ${pods}개는 정상적으로 끝나 Succeeded 상태이며, 축출은 이벤트에만 나타납니다.`,
  'without-reason': ({ pods }) =>
    say`이 리비전의 파드 ${pods}개가 이유 없이 Succeeded 상태로 끝났습니다. 이 파드도 kubelet이 축출했을 수 있습니다.`,
  'summary-own-limit': ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드의 파드가 로컬 스토리지 한도를 넘어 축출되었습니다`,
  'storage-cut': ({ of, name, before, limit, revision }) => {
    const owner = say`${code(name)} ${word(of === 'container' ? '컨테이너' : '볼륨')}`;
    return before === undefined
      ? say`현재 리비전에서 ${owner}의 스토리지 한도가 새로 설정되었습니다(${code(limit)}). 리비전 ${revision}에는 한도가 없었습니다.`
      : say`현재 리비전에서 ${owner}의 스토리지 한도가 낮아졌습니다: ${code(before)}(리비전 ${revision}) → ${code(limit)}.`;
  },
  'own-limit': () => say`파드나 볼륨이 자체 한도에 도달했습니다. 노드에는 여유가 있습니다.`,
  why: ({ request, resource }) =>
    request === undefined
      ? say`파드에 ${code(resource)} 요청이 없어 사용량 전체가 요청 초과로 계산됩니다. kubelet은 이런 파드부터 축출합니다.`
      : say`파드의 ${code(resource)} 요청은 ${code(request)}${particle(request, '이며', '며')}, 그보다 많이 사용했습니다.`,
  qos: ({ qos }) => say`QoS 클래스: ${code(qos)}.`,
  pressure: ({ node, condition }) => say`${code(node)} 노드가 지금 ${code(condition)} 상태를 보고합니다.`,
  'no-pressure-now': () => say`현재 압박(pressure) 상태를 보고하는 노드는 없습니다.`,
  'made-anew': () => say`컨트롤러가 새 파드를 만듭니다. 축출된 파드는 삭제할 때까지 목록에 남습니다.`,
  'because-not-killed': () => say`kubelet이 파드 전체를 축출했으며, 자체 한도에 도달한 컨테이너는 없음`,
  'restart-withheld': () => say`요청이 같은 새 파드도 축출될 수 있습니다.`,
  'advice-request-title': ({ resource }) => say`실제 사용량만큼 ${code(resource)} 요청 설정하기`,
  'advice-request': () =>
    say`요청 이내로 사용하는 파드는 마지막에 축출되고, 스케줄러가 그만큼 자리를 확보합니다.`,
  'advice-pressure-title': ({ nodes }) => say`${names('ko', nodes)} 노드의 부족 상태 해소하기`,
  'advice-pressure': ({ nodes }) =>
    say`이 상태에서는 파드의 요청과 관계없이 kubelet이 ${names('ko', nodes)} 노드에 새 파드를 받지 않습니다. 메시지에 나온 것을 확보하세요. 디스크라면 이미지, 로그, ${code('emptyDir')} 볼륨이 차지합니다. 이 상태의 taint를 허용하는 파드는 다시 이 노드에 배치됩니다.`,
  'advice-limit-title': () => say`한도를 높이거나 로컬 스토리지에 덜 쓰기`,
  'advice-limit': () =>
    say`메시지에 한도가 나와 있습니다. 요청을 늘려도 이 축출은 막을 수 없으며, 다른 노드에서도 한도는 같습니다.`,
  'advice-clean-title': () => say`축출된 파드 삭제하기`,
  'advice-clean': () => say`축출된 파드는 리소스를 쓰지 않지만 목록과 알림에 계속 남습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('evicted');

const EvictedFacts = z.strictObject({
  ...crashFacts,
  isOwnLimit: fact.flag('The pods used more than their own limit; the node lacked nothing'),
  requests: fact.list(z.string(), 'Requests of the containers for that resource (Kubernetes quantities)'),
  qosClass: memoryFacts.qosClass,
  pressures: z
    .array(z.strictObject({ node: fact.text('Name of the node'), condition: fact.text('Its condition') }))
    .describe('Pressures that the nodes report now'),
  endedWell: fact.count(
    'Evicted pods that ended in good order: phase Succeeded, the eviction only in an event',
  ),
  endedWithoutReason: fact.count(
    'Further pods of the revision in phase Succeeded, of which neither status nor event gives the reason',
  ),
  storageCuts: z
    .array(
      z.strictObject({
        of: fact.oneOf(['container', 'volume'], 'Whose limit it is'),
        name: fact.text('Name of the container or volume'),
        limit: fact.quantity('The limit now'),
        before: fact.quantity('The limit of the former revision; absent where it had none').optional(),
        revision: fact.count('Number of the former revision'),
      }),
    )
    .describe('Limits of local storage that the present revision lowered'),
});

/** Failed pods are kept for long; an eviction of last week is no news. */
const recentSeconds = 6 * 3600;

/** Pods that the command names; a longer one is of no use. */
const shownPods = 20;

const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/**
 * The kubelet ended whole pods because its node ran low on something (kubernetes `pkg/kubelet/eviction`). The
 * pod's message names it; who uses more than it requests goes first.
 */
export const evicted: Rule<typeof EvictedFacts> = {
  id: 'evicted',
  facts: EvictedFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('evicted', (examination, failureGroup) => {
    const { snapshot } = examination;
    if (!isRecent(snapshot, failureGroup)) return undefined;
    const { podFailures, nodes } = failureGroup;
    const [{ pod, message }] = podFailures;
    const resource = lowOn(message);
    const facts = {
      isOwnLimit: isOwnLimit(message),
      requests: pod.spec.containers.flatMap(({ resources }) =>
        resource === undefined ? [] : (resources.requests[resource] ?? []),
      ),
      qosClass: pod.status.qosClass,
      pressures: pressuresOf(snapshot, nodes),
      endedWell: podFailures.filter(isSucceeded).length,
      endedWithoutReason: withoutReason(failureGroup),
      storageCuts: isOwnLimit(message) ? [...storageCutsOf(snapshot, failureGroup)] : [],
    };
    return {
      ...crashFinding(examination, failureGroup, {
        confidence: 'proven',
        ...(resource === undefined ? {} : { resource }),
        ...(facts.isOwnLimit ? {} : blamedNode(nodes)),
        facts,
        summary: facts.isOwnLimit
          ? state('summary-own-limit', { workload: workloadName(snapshot), nodes })
          : state('summary', { workload: workloadName(snapshot), nodes, resource }),
        standing: state('standing', {
          pods: podFailures.length,
          isLeast: facts.endedWell + facts.endedWithoutReason > 0,
        }),
        reasoning: [
          crash('kubelet-says', { node: pod.spec.nodeName ?? '', message }),
          ...(facts.isOwnLimit
            ? [state('own-limit'), ...facts.storageCuts.map((cut) => state('storage-cut', cut))]
            : [...requestSays(facts, resource), ...pressureSays(snapshot, nodes, facts.pressures)]),
          ...(facts.endedWell > 0 ? [state('ended-well', { pods: facts.endedWell })] : []),
          ...(facts.endedWithoutReason > 0
            ? [state('without-reason', { pods: facts.endedWithoutReason })]
            : []),
          state('made-anew'),
        ],
        ruledOut: [{ cause: 'out-of-memory', because: state('because-not-killed') }],
        withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
        advice: [
          facts.isOwnLimit
            ? { title: state('advice-limit-title'), text: state('advice-limit') }
            : notAdmitted.test(message)
              ? {
                  title: state('advice-pressure-title', { nodes }),
                  text: state('advice-pressure', { nodes }),
                }
              : {
                  title: state('advice-request-title', { resource: resource ?? 'memory' }),
                  text: state('advice-request'),
                },
          {
            title: state('advice-clean-title'),
            text: state('advice-clean'),
            snippet: `kubectl -n ${pod.metadata.namespace} delete pod ${podFailures
              .slice(0, shownPods)
              .map((each) => each.pod.metadata.name)
              .join(' ')}\n`,
          },
        ],
      }),
      // The limits stand in the pod template.
      ...(facts.isOwnLimit ? { origin: 'template' as const } : {}),
    };
  }),
};

/** The kubelet takes no new pod while its node is in such a state (`eviction_manager.go: Admit`). */
const notAdmitted = /\bThe node had condition: \[/;

function isSucceeded({ pod }: PodFailure): boolean {
  return pod.status.phase === 'Succeeded';
}

/**
 * Pods of the revision that ended in good order without a trace of the reason, beside evicted ones. Under
 * `restartPolicy: Always` a pod becomes Succeeded only where the kubelet ends it as a whole.
 */
function withoutReason({ podFailures, siblings }: FailureGroup): number {
  const evictedPods = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  return siblings.filter(
    (pod) =>
      pod.status.phase === 'Succeeded' &&
      pod.spec.restartPolicy === 'Always' &&
      !isTerminating(pod) &&
      !evictedPods.has(pod.metadata.uid),
  ).length;
}

function isRecent(snapshot: Snapshot, { podFailures }: FailureGroup): boolean {
  return podFailures.some(({ pod, events }) => {
    const times = [
      conditionOf(pod.status, 'DisruptionTarget')?.lastTransitionTime,
      ...pod.status.containerStatuses.map(({ state: { terminated } }) => terminated?.finishedAt),
      ...events.map(({ lastSeen }) => lastSeen),
      pod.status.startTime,
    ];
    const latest = Math.max(0, ...times.map((time) => Date.parse(time ?? '') || 0));
    return nowOf(snapshot) - latest <= recentSeconds * 1000;
  });
}

/**
 * The pod used more than it may itself (kubernetes `eviction_manager.go: localStorageEviction`); its node
 * lacked nothing.
 */
export function isOwnLimit(message: string): boolean {
  return /exceeds the (?:total )?limit|exceed(?:s|ed) its local ephemeral storage limit/.test(
    message.slice(0, 4096),
  );
}

/**
 * `The node was low on resource: memory. …`, `Usage of EmptyDir volume … exceeds the limit`,
 * `Pod ephemeral local storage usage …`.
 */
function lowOn(message: string): string | undefined {
  const named = /low on resource: ([a-z-]+)/.exec(message)?.[1];
  if (named !== undefined) return named;
  return /ephemeral.{0,20}storage|EmptyDir volume/i.test(message) ? 'ephemeral-storage' : undefined;
}

function requestSays(
  { requests, qosClass: qos }: { requests: readonly string[]; qosClass: string | undefined },
  resource: string | undefined,
): readonly Statement[] {
  const counted = resource === 'memory' || resource === 'ephemeral-storage';
  return [
    ...(counted
      ? [state('why', { resource, request: requests.length === 0 ? undefined : requests.join(' + ') })]
      : []),
    ...(qos === undefined ? [] : [state('qos', { qos })]),
  ];
}

type Pressure = { readonly node: string; readonly condition: string };

function pressuresOf({ index }: Snapshot, nodes: readonly string[]): readonly Pressure[] {
  return nodes.flatMap((name) => {
    const node = index.nodes.get(name);
    return pressures
      .filter((type) => node !== undefined && conditionOf(node.status, type)?.status === 'True')
      .map((condition) => ({ node: name, condition }));
  });
}

function pressureSays(
  { index }: Snapshot,
  nodes: readonly string[],
  found: readonly Pressure[],
): readonly Statement[] {
  const isSeen = nodes.some((name) => index.nodes.has(name));
  return found.length === 0 && isSeen
    ? [state('no-pressure-now')]
    : found.map((each) => state('pressure', { ...each }));
}

/** A limit of local storage that the present revision lowered, or set where there was none. */
interface StorageCut extends LimitCut {
  readonly of: 'container' | 'volume';
  readonly name: string;
  readonly limit: string;
}

/** Empty when the failing pods are not of the present revision, or no former revision is kept. */
function storageCutsOf(snapshot: Snapshot, { revision }: FailureGroup): readonly StorageCut[] {
  const kept = formerRevision(snapshot, revision);
  if (kept === undefined) return [];
  const former = limitsOf(kept.template);
  return limitsOf(snapshot.workload.spec.template).flatMap(({ of, name, limit }) => {
    if (limit === undefined) return [];
    const same = former.find((each) => each.of === of && each.name === name);
    if (same === undefined) return [];
    const isCut = same.limit === undefined || isLess(limit, same.limit);
    return isCut ? [{ of, name, limit, before: same.limit, revision: kept.revision }] : [];
  });
}

type StorageLimit = Pick<StorageCut, 'of' | 'name'> & { readonly limit: string | undefined };

function limitsOf({ spec }: PodTemplate): readonly StorageLimit[] {
  return [
    ...spec.containers.map(({ name, resources }) => ({
      of: 'container' as const,
      name,
      limit: resources.limits['ephemeral-storage'],
    })),
    ...spec.volumes.flatMap(({ name, emptyDir }) =>
      emptyDir === undefined ? [] : [{ of: 'volume' as const, name, limit: emptyDir.sizeLimit }],
    ),
  ];
}
