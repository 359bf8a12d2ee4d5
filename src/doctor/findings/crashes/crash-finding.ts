import { groupBy } from '../../../engine/collections/collections.js';
import { inRole, quotingLogs, type Statement } from '../../../engine/language/statement.js';
import type { ResourceKind } from '../../../engine/objects/cluster-objects.js';
import { type ContainerStatus, isReady, type Pod, refOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../../engine/objects/unread.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { proposeDeletePod } from '../../fixes/kinds/delete-pod.js';
import type { Offer } from '../../fixes/offered-fields.js';
import type { Remediation } from '../../fixes/remediation.js';
import type { CauseId, Confidence } from '../cause-id.js';
import type { Evidence, Finding, RuledOut } from '../finding.js';
import { podSimulatorOf } from '../pod-simulator-of.js';
import { readinessOf } from '../readiness-of.js';
import type { Compared, DetectedWith, Examination, Failure } from '../rule.js';
import { containersOf, type EndedRun, lastEndedRun, restartsAll } from './container-view.js';
import { type CrashFacts, crashFactsOf } from './facts.js';
import { type FailureGroup, groupFailures } from './failure-group.js';
import { isOfNoNode } from './incarnations-of.js';
import type { PodFailure } from './pod-failure.js';
import { crash } from './text.js';

/** A similar cause that is ruled out only when the objects in `restsOn` could be read. */
export type CrashRuledOut = RuledOut & { readonly restsOn?: ResourceKind };

/** What a rule adds to the parts that all crash findings share. */
export type CrashPart<Own> = Pick<Finding, 'confidence' | 'summary' | 'reasoning'> &
  Partial<
    Pick<
      Finding,
      'standing' | 'resource' | 'blames' | 'holders' | 'remediations' | 'withheld' | 'weakenedBy' | 'advice'
    >
  > &
  Pick<Compared, 'origin'> & {
    /** The cause's own facts, beside those of all crash findings. */
    readonly facts: Own;
    readonly ruledOut: readonly CrashRuledOut[];
    /** The cause rests on the absence of events. */
    readonly restsOnSilence?: boolean;
    /** Evidence to list before that of the pods. */
    readonly evidence?: readonly Evidence[];
  };

/**
 * A finding about one failure group. This function fills in the subject, nodes, evidence of the pods, the
 * kubelet's next restart, owners and the number of ready pods. The rule adds the verdict, reasoning and
 * fixes.
 */
export function crashFinding<Own extends object>(
  examination: Examination,
  failureGroup: FailureGroup,
  part: CrashPart<Own>,
): DetectedWith<CrashFacts & Own> {
  const { snapshot } = examination;
  const { remediations = [], withheld = [], restsOnSilence = false, ruledOut, facts, ...rest } = part;
  const there = aboutOnlyNodes(examination, failureGroup);
  const ready = readinessOf(snapshot);
  // Pods of an earlier revision do all the work: the new revision is not running yet, and nobody misses a
  // pod.
  const isServed = failureGroup.isBesideEarlier && ready.pods >= ready.wanted;
  const next = nextRestart(failureGroup);
  return {
    severity: failureGroup.ongoing && !isServed ? 'critical' : 'warning',
    nodes: [...failureGroup.nodes],
    remediations: [...remediations, ...there.remediations],
    withheld: [...withheld, ...there.withheld],
    weakenedBy: unreadStatements(snapshot),
    ...(failureGroup.container === '' ? {} : { container: failureGroup.container }),
    ...rest,
    facts: { ...crashFactsOf(failureGroup), ...facts },
    confidence: confidenceOf(snapshot, restsOnSilence, part.confidence),
    ruledOut: ruledOut.flatMap(({ restsOn, ...each }) =>
      restsOn !== undefined && isUnreadNearby(snapshot, restsOn) ? [] : [each],
    ),
    failures: failureGroup.podFailures.map(failureOf),
    reasoning: [
      ...part.reasoning,
      ...there.reasoning,
      ...otherwise(snapshot, failureGroup),
      inRole('readiness', crash('served', { ready: ready.pods, wanted: ready.wanted })),
    ],
    evidence: [...(part.evidence ?? []), ...failureGroup.podFailures.slice(0, shownPods).flatMap(evidenceOf)],
    ...(next === undefined ? {} : { nextAttempt: next }),
  };
}

/** The fields that distinguish this pod's failure from others. */
export function failureOf({ cause, pod, run }: PodFailure): Failure {
  return { cause, exitCode: run?.exitCode, pod: pod.metadata.name, node: pod.spec.nodeName ?? '' };
}

/** Missing objects prove nothing, and the absence of events proves nothing when events could not be read. */
function confidenceOf(snapshot: Snapshot, restsOnSilence: boolean, confidence: Confidence): Confidence {
  if (restsOnSilence && isUnreadNearby(snapshot, 'Event')) return 'possible';
  return confidence === 'proven' && unreadStatements(snapshot).length > 0 ? 'likely' : confidence;
}

/** A few pods are enough as evidence. */
const shownPods = 3;

/** The evidence of one pod failure: the pod's status and its events. */
export function evidenceOf({
  pod,
  container,
  run,
  events,
  reason,
  message,
}: PodFailure): readonly Evidence[] {
  const object = refOf(pod);
  const status = container?.status;
  const list =
    container?.role === 'init' || container?.role === 'sidecar'
      ? 'initContainerStatuses'
      : 'containerStatuses';
  const waiting = status?.state.waiting;
  const running = run === undefined ? status?.state.running : undefined;
  const telling = events.at(-1);
  return [
    ...(waiting === undefined
      ? []
      : [
          {
            object,
            field: `status.${list}[${status?.name}].state.waiting`,
            value: joined(waiting.reason, waiting.message),
            says: crash('ev-waiting', { container: status?.name ?? '', reason: waiting.reason }),
          },
        ]),
    ...(run === undefined
      ? []
      : [
          {
            object,
            field: `status.${list}[${status?.name}].${status?.state.terminated === undefined ? 'lastState' : 'state'}.terminated`,
            value: joined(`exitCode ${run.exitCode}, ${run.reason}`, run.message),
            at: run.finishedAt,
            says: endedStatement(status?.name ?? '', run),
          },
        ]),
    ...(running === undefined
      ? []
      : [
          {
            object,
            field: `status.${list}[${status?.name}].state.running`,
            value: running.startedAt ?? '',
            at: running.startedAt,
            says: crash('ev-running', { container: status?.name ?? '' }),
          },
        ]),
    ...(container === undefined && pod.status.phase === 'Failed'
      ? [
          {
            object,
            field: 'status.reason',
            value: joined(reason, message),
            says: crash('ev-pod', { pod: pod.metadata.name, reason }),
          },
        ]
      : []),
    ...(telling === undefined
      ? []
      : [
          {
            object,
            field: `events[${telling.reason}]`,
            value: telling.message,
            at: telling.lastSeen,
            says: crash('ev-event', { reason: telling.reason, count: telling.count }),
          },
        ]),
  ];
}

function joined(first: string, rest: string): string {
  return rest === '' ? first : `${first}: ${rest}`;
}

/** The earliest restart that the kubelet has announced. */
function nextRestart({ podFailures, container }: FailureGroup): Finding['nextAttempt'] {
  const clocks = podFailures.flatMap(({ container: view }) => restartClockOf(view?.status) ?? []);
  const [soonest] = clocks.sort((a, b) => (a.nextAt ?? '').localeCompare(b.nextAt ?? ''));
  if (soonest === undefined) return undefined;
  const { backOffSeconds, nextAt } = soonest;
  return { at: nextAt, what: crash('next-restart', { container, backOffSeconds, at: nextAt }) };
}

/** The failing pods, their restarts and the length of their runs: the first steps of every reasoning. */
export function courseOf(failureGroup: FailureGroup): readonly Statement[] {
  const { container } = failureGroup;
  const { restarts, shortestRunSeconds, longestRunSeconds } = crashFactsOf(failureGroup);
  return [
    podsStatement(failureGroup),
    ...restartedWith(failureGroup),
    ...(restarts === 0
      ? []
      : [crash('runs', { container, restarts, shortest: shortestRunSeconds, longest: longestRunSeconds })]),
  ];
}

/** Other containers that a rule restarts each time this one ends: they look as if they crashed. */
function restartedWith({ podFailures: [{ pod, container, run }] }: FailureGroup): readonly Statement[] {
  if (container === undefined || !restartsAll(container, run?.exitCode)) return [];
  const others = containersOf(pod).flatMap(({ name, role }) =>
    name === container.name || role === 'ephemeral' ? [] : [name],
  );
  return [crash('restarts-all', { container: container.name, others, isEndKept: run !== undefined })];
}

/** The failing pods, of how many of their revision. */
export function podsStatement(failureGroup: FailureGroup): Statement {
  const { pods, podsOfRevision } = crashFactsOf(failureGroup);
  const { container, nodes } = failureGroup;
  return crash('pods', { container, failing: pods, of: podsOfRevision, nodes });
}

/**
 * A termination message comes from the container, or with `FallbackToLogsOnError` from the end of its log.
 */
function endedStatement(container: string, { exitCode, reason, seconds, message }: EndedRun): Statement {
  const says = crash('ev-ended', { container, exitCode, reason, seconds });
  return message === '' ? says : quotingLogs(says);
}

/** The number of other failures to name. */
const shownEnds = 3;

/**
 * Other ends of the same container, and other reasons for which whole pods fail, in other pods and in pods of
 * other revisions. A finding describes one failure group, so it names these here.
 */
function otherwise(snapshot: Snapshot, failureGroup: FailureGroup): readonly Statement[] {
  const [first] = failureGroup.podFailures;
  const alike = groupFailures(snapshot).filter(
    ({ container, cause }) =>
      container === failureGroup.container && (container !== '' || cause === failureGroup.cause),
  );
  const end = endOf(first);
  if (end === undefined) return [];
  const others = alike
    .flatMap(({ podFailures }) => podFailures)
    .filter((each) => ![undefined, end].includes(endOf(each)));
  return [...groupBy(others, endOf).values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, shownEnds)
    .map((group) => statementOf(failureGroup.container, group));
}

/** An exit code, or the reason of a whole pod; `undefined` for a container that has not terminated. */
function endOf({ container, run, reason }: PodFailure): string | undefined {
  return container === undefined ? reason : run === undefined ? undefined : String(run.exitCode);
}

function statementOf(container: string, group: readonly [PodFailure, ...PodFailure[]]): Statement {
  const [{ run, reason }] = group;
  const pods = group.map(({ pod }) => pod.metadata.name).sort();
  const nodes = [...new Set(group.flatMap(({ pod }) => pod.spec.nodeName ?? []))].sort();
  return run === undefined
    ? crash('fails-otherwise', { pods, nodes, reason })
    : crash('ends-otherwise', { container, pods, nodes, exitCode: run.exitCode, reason: run.reason });
}

/**
 * Causes that fail before the program starts. Nothing crashes, and the cause explains more than the node
 * alone.
 */
const beforeStart: ReadonlySet<CauseId> = new Set([
  'image-pull-failure',
  'mount-failure',
  'sandbox-failure',
  'pod-start-stalled',
]);

/** Whether the pod failed before its program started. */
export function isBeforeStart({ cause }: Pick<PodFailure, 'cause'>): boolean {
  return beforeStart.has(cause);
}

/**
 * The nodes of a failure before the start that occurs on these nodes only, while pods of the same revision
 * are ready on other nodes. Empty for a failure that would occur on any node.
 */
export function onlyNodesOf({ nodes, podFailures, siblings }: FailureGroup): readonly string[] {
  if (nodes.length === 0 || !isBeforeStart(podFailures[0])) return [];
  return podFailures.some(isOfNoNode) || readyElsewhere(siblings, nodes).length === 0 ? [] : nodes;
}

/**
 * The other nodes that run the revision, and the recreation of a pod there. Empty unless only some nodes
 * fail.
 */
function aboutOnlyNodes(
  { snapshot, placement }: Examination,
  failureGroup: FailureGroup,
): Offer<Remediation> & { readonly reasoning: readonly Statement[] } {
  const failing = onlyNodesOf(failureGroup);
  if (failing.length === 0) return { reasoning: [], remediations: [], withheld: [] };
  const elsewhere = readyElsewhere(failureGroup.siblings, failing);
  const nodes = [...new Set(elsewhere.map(({ spec }) => spec.nodeName ?? ''))].sort();
  const offer = proposeDeletePod({
    snapshot,
    state: rolloutStateOf(snapshot),
    placement,
    simulator: podSimulatorOf({ snapshot, placement }),
    pod: failureGroup.podFailures[0].pod,
    purpose: 'experiment',
    awayFrom: failing,
  });
  return { reasoning: [crash('only-there', { failing, pods: elsewhere.length, nodes })], ...offer };
}

function readyElsewhere(siblings: readonly Pod[], failing: readonly string[]): readonly Pod[] {
  return siblings.filter((pod) => isReady(pod) && !failing.includes(pod.spec.nodeName ?? ''));
}

/** The back-off of the kubelet before it restarts a container. */
interface RestartClock {
  /** The current back-off in seconds. */
  readonly backOffSeconds: number;
  /** RFC3339; absent when the end of the last run is not known. */
  readonly nextAt: string | undefined;
}

/**
 * The next restart of a container in back-off. The kubelet names the delay in the waiting message
 * (`back-off 5m0s restarting failed container=…`) and counts it from the end of the last run (kubernetes
 * `kuberuntime_manager.go: doBackOff`). `undefined` for a container that is not in back-off: the first
 * restart is immediate, and nodes may have a shorter cap, so the number of restarts does not determine the
 * delay.
 */
export function restartClockOf(status: ContainerStatus | undefined): RestartClock | undefined {
  const waiting = status?.state.waiting;
  if (waiting?.reason !== 'CrashLoopBackOff') return undefined;
  const backOffSeconds = goDurationIn(waiting.message);
  if (backOffSeconds === undefined) return undefined;
  const end = Date.parse(lastEndedRun(status)?.finishedAt ?? '');
  const nextAt = Number.isNaN(end) ? undefined : new Date(end + backOffSeconds * 1000).toISOString();
  return { backOffSeconds, nextAt };
}

/** `back-off 2m40s restarting` → 160. */
function goDurationIn(message: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    message.match(/^back-off (?=\d)(?:(\d{1,4})h)?(?:(\d{1,4})m)?(?:(\d{1,4})s)? restarting /) ?? [];
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > 0 ? total : undefined;
}

/** Kinds without which the end of a container can be misclassified. */
const telling = ['Pod', 'Node', 'Event'] as const satisfies readonly ResourceKind[];

/** The statement that weakens every crash finding; empty when everything was read. */
export function unreadStatements(snapshot: Snapshot): Statement[] {
  const kinds = telling.filter((kind) => isUnreadNearby(snapshot, kind));
  return kinds.length === 0 ? [] : [crash('unread', { kinds })];
}
