import { conditionOf } from '../../../cluster/metadata.js';
import { isTerminating } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import type { PodFailure } from '../../crashes/pod-failure.js';
import { crash } from '../../crashes/text.js';
import { blamedNode } from '../../finding.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { EvictedFacts } from './facts.js';
import { storageCutsOf } from './storage-cuts.js';
import { state, text } from './text.js';

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
          {
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
      severity: 'warning',
      // The limits stand in the pod template.
      ...(facts.isOwnLimit ? { origin: 'template' as const } : {}),
    };
  }),
};

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
  return /exceeds the (?:total )?limit|exceeds its local ephemeral storage limit/.test(
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
  {
    requests,
    qosClass: qos,
  }: { readonly requests: readonly string[]; readonly qosClass: string | undefined },
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

interface Pressure {
  readonly node: string;
  readonly condition: string;
}

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
