import * as z from 'zod';
import { inRole, quotingLogs, type Statement } from '../../../engine/language/statement.js';
import { isLeader } from '../../../engine/objects/leader-worker-set.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { isReady, type Pod, podKey, podNames, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { hasGroups } from '../../../engine/objects/workload.js';
import { revisionOf } from '../../../engine/workloads/revisions.js';
import { deadlockFacts } from '../../findings/deadlock/facts.js';
import { fixesOfKind, oldPodFirstFixes } from '../../findings/deadlock/fixes-of-kind.js';
import { oldPodFirst } from '../../findings/deadlock/lasting-strategy.js';
import type { StableRollout } from '../../findings/deadlock/stable.js';
import { boundedKinds, groupsDoubts, stableRolloutOf } from '../../findings/deadlock/stable-rollout.js';
import { servedStatement } from '../../findings/deadlock/strategy.js';
import { deadlock } from '../../findings/deadlock/text.js';
import { answersAbout, doubtsIn, proofFactsOf, statusLineOf } from '../../findings/escapes/index.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, Fixes, RuledOut } from '../../findings/finding.js';
import { eventEvidence } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import { rollBackOf } from '../../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { keptUntilReady, partyOf, waitForLock, waitForResource } from '../../findings/wait-cycle.js';
import { waiting as waitingStatement } from '../../findings/waiting/text.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { type LockWait, lockWaitOf } from './lock-wait.js';
import { keepsFailing, type OwnHold } from './own-hold.js';
import { state, text } from './text.js';

const ReadinessDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  waitingPod: fact.text('Name of the new pod'),
  container: fact.text('Its container that is not ready'),
  lease: z
    .strictObject({
      name: fact.text('`namespace/name`'),
      holder: fact.text('The old pod that holds it'),
      renewedAt: fact.time('When it was renewed last').optional(),
      durationSeconds: fact.seconds('Time without a renewal after which it is free').optional(),
    })
    .describe('The Lease that an old pod holds; absent where only the new pod reports a lock')
    .optional(),
  hold: z
    .strictObject({
      by: fact.oneOf(
        ['claim', 'host-path', 'device-memory', 'port', 'lock'],
        'What the old pod holds in place of a Lease',
      ),
      claim: fact.text('The claim that both pods mount').optional(),
      resource: fact.text('The resource by which both pods use the device').optional(),
      node: fact.text('The node whose directory, device or port both pods use').optional(),
      configMap: fact.text('`namespace/name` of the ConfigMap that the old pod owns').optional(),
    })
    .describe('What the old pod holds and the new pod keeps failing for; absent where it waits for a Lease')
    .optional(),
  reportedBy: fact.oneOf(['log', 'probe'], 'Where the new pod reports that it waits for a lock').optional(),
  probeMessage: fact.text('What the kubelet reports of the last readiness check').optional(),
});

/** What the end of a container is called where nobody sees that it waits for an old pod. */
const crashes = [
  'crash-loop-after-rollout',
  'application-crash',
  'process-exits-zero',
  'liveness-probe-kill',
  'startup-probe-kill',
] as const;

/**
 * The new pod runs and cannot become ready as long as an old pod of the same workload holds a lease or lock,
 * and the controller keeps the old pod until the new one is ready. The scheduler and the controllers know
 * nothing of it: the lease and the pod's own words are all there is.
 */
export const readinessDeadlock: Rule<typeof ReadinessDeadlockFacts> = {
  id: 'readiness-deadlock',
  facts: ReadinessDeadlockFacts,
  text,
  origin: 'rollout',
  appliesTo: boundedKinds,
  needs: ['ReplicaSet', 'Pod', 'Node', 'Event', 'Lease', 'HorizontalPodAutoscaler', 'PodLog'],
  supersedes: ['readiness-failing', 'progress-deadline-exceeded', 'fragile-strategy', ...crashes],
  explains: ({ container }, other) =>
    !crashes.some((cause) => cause === other.cause) ||
    (container !== undefined && container === other.container),
  detect(examination) {
    const { snapshot } = examination;
    const rollout = stableRolloutOf(snapshot, keepsFailing);
    if (rollout === undefined) return undefined;
    const waits = rollout.blocked.flatMap((pod) => lockWaitOf(snapshot, rollout.holding, pod) ?? []);
    const [wait] = waits;
    if (wait === undefined || waits.length < rollout.blocked.length) return undefined;
    return findingOf(examination, rollout, wait);
  },
};

function findingOf(
  examination: Examination,
  rollout: StableRollout,
  wait: LockWait,
): Detected<typeof ReadinessDeadlockFacts> {
  const { snapshot } = examination;
  const { waiting, doubt, holders } = wait;
  const workload = workloadName(snapshot);
  const answers = answersAbout(examination, { kind: 'lock', holders, isLease: wait.held !== undefined });
  const facts: Facts = {
    revision: revisionOf(snapshot),
    stuckSeconds: runsFor(snapshot, waiting),
    strategy: rollout.strategyFacts,
    ...proofFactsOf('lock', [waiting], answers),
    waitingPod: waiting.metadata.name,
    container: wait.container,
    lease: wait.held && {
      name: leaseName(wait.held.lease),
      holder: wait.held.holder.metadata.name,
      renewedAt: wait.held.lease.spec.renewTime,
      durationSeconds: wait.held.lease.spec.leaseDurationSeconds,
    },
    hold: wait.own && holdFacts(wait.own),
    reportedBy: wait.line?.from,
    probeMessage: wait.probe?.message,
  };
  const { workload: rolled } = rollout;
  const doubts = [...doubtsIn(answers), ...(hasGroups(rolled) ? groupsDoubts(rolled) : [])];
  const isCertain = doubts.length === 0 && wait.own === undefined && wait.basis === 'line';
  const confidence = doubt !== undefined ? 'possible' : isCertain ? 'proven' : 'likely';
  return {
    confidence,
    severity: doubt === undefined ? 'critical' : 'warning',
    ...(wait.isFailing ? { container: wait.container } : {}),
    ...(wait.held === undefined ? {} : { resource: wait.held.lease.kind }),
    ...(facts.hold?.resource === undefined ? {} : { resource: facts.hold.resource }),
    holders: holders.map(refOf),
    facts,
    waitCycle: [
      {
        who: partyOf('new-pod', [waiting.metadata.name]),
        waits:
          wait.own?.by === 'device-memory' && wait.own.resource !== ''
            ? waitForResource(wait.own.resource, '', [wait.own.node])
            : waitForLock(facts.lease?.name),
      },
      keptUntilReady(podNames(holders)),
    ],
    summary:
      wait.own === undefined
        ? state('summary', { workload })
        : state('summary-own', { workload, hold: facts.hold ?? { by: wait.own.by } }),
    standing: statusLineOf(answers, { revision: facts.revision, stillForSeconds: facts.stuckSeconds }),
    reasoning: reasoningOf(snapshot, rollout, wait, facts),
    evidence: [...evidenceOf(wait), ...rollout.strategyEvidence],
    ruledOut: ruledOutOf(wait),
    nextAttempt: { what: state('next-attempt', { pod: waiting.metadata.name }) },
    ...remediesFor(examination, rollout, wait),
    advice: adviceFor(snapshot, wait),
    weakenedBy: [...doubts, ...weakeningOf(snapshot, wait)],
  };
}

/** Since it is not ready, in seconds. */
function runsFor(snapshot: Snapshot, { status }: Pod): number | undefined {
  const since = Date.parse(conditionOf(status, 'Ready')?.lastTransitionTime ?? status.startTime ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000);
}

type Facts = FactsOf<typeof ReadinessDeadlockFacts>;

function reasoningOf(
  snapshot: Snapshot,
  rollout: StableRollout,
  { line, holders, isFailing }: LockWait,
  { waitingPod: pod, container, stuckSeconds, lease, hold, reportedBy, probeMessage }: Facts,
): readonly Statement[] {
  const seconds = lease?.durationSeconds;
  return [
    isFailing
      ? state('keeps-failing', { pod, container, seconds: stuckSeconds })
      : state('runs', { pod, container, seconds: stuckSeconds }),
    ...(probeMessage === undefined || reportedBy === 'probe'
      ? []
      : [state('probe', { message: probeMessage })]),
    ...(line === undefined
      ? [state('silent', { pod })]
      : [
          line.from === 'probe'
            ? state('answers-itself', { line: line.line })
            : quotingLogs(state('says', { pod, line: line.line })),
        ]),
    ...(lease === undefined
      ? []
      : [state('holds', { lease: lease.name, pods: podNames(holders), renewed: lease.renewedAt })]),
    ...(hold === undefined ? [] : [state('own-holds', { pods: podNames(holders), hold })]),
    rollout.strategy,
    inRole(
      'conclusion',
      state(isFailing ? 'counterfactual-own' : 'counterfactual', { pods: podNames(holders), pod }),
    ),
    ...(seconds === undefined ? [] : [state('expiry', { seconds })]),
    servedStatement(snapshot),
  ];
}

function weakeningOf(
  snapshot: Snapshot,
  { waiting, held, line, holders, basis, doubt }: LockWait,
): readonly Statement[] {
  if (held !== undefined && basis === 'closed-port')
    return [state('stalled', { lease: leaseName(held.lease) })];
  if (held !== undefined && basis === 'last-attempt')
    return [state('last-attempt', { lease: leaseName(held.lease) })];
  if (doubt === undefined)
    return held !== undefined && basis === 'only-lock'
      ? [state('inferred', { lease: leaseName(held.lease) })]
      : [];
  if (held !== undefined && doubt !== 'no-lease') {
    const lease = leaseName(held.lease);
    if (line === undefined) return [state('lease-alone', { lease })];
    if (doubt === 'later-failure') return [state(doubt, { pod: waiting.metadata.name })];
    return [state(doubt, { lease })];
  }
  const unread = unreadOf(snapshot, 'Lease');
  return [
    unread === undefined ? state('lease-unseen') : state('leases-unread', { because: unread.because }),
    ...(holders.length > 1 ? [state('words-alone', { pods: podNames(holders) })] : []),
  ];
}

function evidenceOf({ waiting, held, line, probe }: LockWait): readonly Evidence[] {
  const pod = waiting.metadata.name;
  const ready = conditionOf(waiting.status, 'Ready');
  return [
    {
      object: refOf(waiting),
      field: 'status.conditions[Ready]',
      value: `${ready?.status ?? 'False'} ${ready?.reason ?? ''}`.trim(),
      ...(ready?.lastTransitionTime === undefined ? {} : { at: ready.lastTransitionTime }),
      says: state('ev-ready', { pod }),
    },
    ...(held === undefined
      ? []
      : [
          {
            object: {
              kind: held.lease.kind,
              namespace: held.lease.metadata.namespace,
              name: held.lease.metadata.name,
            },
            field: held.lease.field,
            value: held.lease.spec.holderIdentity ?? '',
            at: held.lease.spec.renewTime,
            says: state('ev-lease', { pod: held.holder.metadata.name }),
          },
        ]),
    ...(line?.from === 'log'
      ? [
          {
            object: refOf(waiting),
            field: `log[${line.container}]`,
            value: line.line,
            says: quotingLogs(state('ev-log', { pod })),
          },
        ]
      : []),
    ...eventEvidence(probe, state('ev-probe', { pod })),
  ];
}

function ruledOutOf({ waiting, doubt, isFailing }: LockWait): readonly RuledOut[] {
  const pod = waiting.metadata.name;
  if (isFailing) {
    return [
      { cause: 'crash-loop-after-rollout', because: state('because-lock') },
      {
        cause: 'surge-deadlock',
        because: deadlock('because-has-node', { pod, node: waiting.spec.nodeName ?? '' }),
      },
      { cause: 'rollout-paused', because: deadlock('because-not-paused') },
    ];
  }
  return [
    ...(doubt === undefined ? [{ cause: 'readiness-failing', because: state('because-lock') }] : []),
    { cause: 'crash-loop-after-rollout', because: state('because-runs', { pod }) },
    { cause: 'liveness-probe-kill', because: state('because-runs', { pod }) },
    {
      cause: 'surge-deadlock',
      because: deadlock('because-has-node', { pod, node: waiting.spec.nodeName ?? '' }),
    },
    { cause: 'slow start', because: state('because-waited', { pod }) },
    { cause: 'rollout-paused', because: deadlock('because-not-paused') },
  ];
}

/**
 * With all old pods gone the lock is free. Whether a second new pod could be ready beside the first, old ones
 * show.
 */
function remediesFor(
  examination: Examination,
  { workload, state: rollout, holding }: StableRollout,
  { waiting, doubt, own, held }: LockWait,
): Fixes {
  const alike = holding.filter((pod) => isReady(pod) && isLeader(pod) === isLeader(waiting));
  const several = workload.spec.replicas === 1 || alike.length > 1;
  const simulator = podSimulatorOf(examination, (_pod, _node, { gone }) => {
    const left = new Set(gone.map(podKey));
    return several && holding.every((pod) => left.has(podKey(pod)));
  });
  const notOffered: NotRecommended[] = [
    { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
    { kind: 'delete-pod', because: state(own === undefined ? 'delete-withheld' : 'delete-withheld-own') },
  ];
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  if (doubt !== undefined) {
    // A roll back stops the new pod only; every other fix would stop the pod that serves, for a guess.
    return { remediations: undo.remediations, withheld: [...notOffered, ...undo.withheld] };
  }
  const step = state('then-free', {
    pod: waiting.metadata.name,
    seconds: held?.lease.spec.leaseDurationSeconds,
  });
  const { patches, further } = fixesOfKind(examination, rollout, simulator, [waiting], {
    step,
    settlesCapacity: true,
  });
  const fixes = oldPodFirstFixes(patches, further, state('patch-withheld'));
  return {
    remediations: [...fixes.remediations, ...undo.remediations],
    withheld: [...notOffered, ...fixes.withheld, ...undo.withheld],
  };
}

function adviceFor(snapshot: Snapshot, { waiting, container, doubt, own }: LockWait): readonly Advice[] {
  const snippet = oldPodFirst(snapshot.workload);
  return [
    ...(doubt === undefined
      ? []
      : [
          {
            title: state('advice-tell-title'),
            text: state('advice-tell', { pod: waiting.metadata.name }),
            snippet: `kubectl -n ${waiting.metadata.namespace} logs ${waiting.metadata.name} -c ${container}\n`,
          },
        ]),
    ...(own === undefined || own.by === 'lock'
      ? [{ title: state('advice-readiness-title'), text: state('advice-readiness', { container }) }]
      : []),
    ...(snippet === undefined
      ? []
      : [
          {
            title: state('advice-lasting-title'),
            text: state('advice-lasting', { workload: workloadName(snapshot) }),
            snippet,
          },
        ]),
  ];
}

function holdFacts(hold: OwnHold): NonNullable<Facts['hold']> {
  switch (hold.by) {
    case 'claim':
      return { by: hold.by, claim: hold.claim };
    case 'host-path':
    case 'port':
      return { by: hold.by, node: hold.node };
    case 'device-memory':
      return { by: hold.by, node: hold.node, ...(hold.resource === '' ? {} : { resource: hold.resource }) };
    case 'lock':
      return hold.configMap === undefined ? { by: hold.by } : { by: hold.by, configMap: hold.configMap };
  }
}

function leaseName({ metadata }: { metadata: { namespace: string; name: string } }): string {
  return `${metadata.namespace}/${metadata.name}`;
}
