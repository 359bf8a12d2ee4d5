import * as z from 'zod';
import {
  type FailedCreation,
  failedCreationsOf,
  longestRetrySeconds,
  undecidedScopes,
} from '../../../engine/creation/failed-creation.js';
import {
  chargedFor,
  chargeOf,
  type Exceeded,
  opensByItself,
  type QuotaBlock,
  quotaBlockOf,
  raisedQuota,
  smallestRelease,
} from '../../../engine/creation/quota-block.js';
import type { Statement } from '../../../engine/language/statement.js';
import { neighboursThatFreeQuota } from '../../../engine/neighbours/neighbours-that-free.js';
import { byOwner } from '../../../engine/neighbours/owned-pods.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { podNames, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread, unreadOf } from '../../../engine/objects/unread.js';
import { hasOrdinals, hasPodPerNode, workloadKinds } from '../../../engine/objects/workload.js';
import { compareQuantities, parseQuantity } from '../../../engine/scheduler/quantity.js';
import { isFixedPoint } from '../../../engine/workloads/fixed-point.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { quotaArithmetic } from '../../findings/arithmetic.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, Fixes, RuledOut } from '../../findings/finding.js';
import { blamedQuota } from '../../findings/finding.js';
import { quotaSimulator } from '../../findings/pod-simulator-of.js';
import { readinessOf } from '../../findings/readiness-of.js';
import {
  creation,
  creationFacts,
  creationFactsOf,
  exceededFact,
  exceededFactsOf,
} from '../../findings/refused-creation.js';
import { rollBackOf } from '../../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { creationNeeds } from '../../findings/rule.js';
import { stuckRolloutOf, workloadName } from '../../findings/stuck-rollout.js';
import { ownPods } from '../../findings/waiting/holding.js';
import { effect } from '../../fixes/effects-text.js';
import { notRecommended } from '../../fixes/offered-fields.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { revisionToGoBackTo } from '../../fixes/template-changes.js';
import { state, text } from './text.js';

const QuotaExceededFacts = z.strictObject({
  ...creationFacts,
  exceeded: exceededFact,
  hasRoomNow: fact.flag('The quota has room again since the refusal'),
  isTooLarge: fact.flag('One object requests more than the whole quota allows'),
  users: z
    .array(
      z.strictObject({
        owner: fact.text('`kind/name` in the namespace'),
        pods: fact.count('Number of its pods'),
        charged: fact.quantity('What they are charged of the first exceeded resource'),
      }),
    )
    .describe('Who uses the quota, most first'),
  areUsersComplete: fact.flag('They account for all that the quota counts'),
  ownPodsInVain: fact.names('Old pods of the workload whose end would not free enough'),
  movingNeighbours: fact.names(
    'Workloads, as `namespace/name`, whose rollout frees enough when it completes',
  ),
});

/**
 * A quota of the namespace is used up, and pods of the workload are not created for it. That its own old pods
 * hold what a surge pod needs is `quota-deadlock`; here nobody in particular is to blame, or others are.
 */
export const quotaExceeded: Rule<typeof QuotaExceededFacts> = {
  id: 'quota-exceeded',
  facts: QuotaExceededFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: creationNeeds,
  supersedes: ['progress-deadline-exceeded'],
  undecidedBy: undecidedScopes,
  detect(examination) {
    const refusal = refusalOf(examination.snapshot);
    return refusal && findingOf(examination, refusal);
  },
};

function findingOf(examination: Examination, refusal: Refusal): Detected<typeof QuotaExceededFacts> {
  const { snapshot } = examination;
  const { failed, exceeded, block } = refusal;
  const { metadata } = snapshot.workload;
  const ready = readinessOf(snapshot);
  const users = block === undefined ? { pods: [], users: [], complete: true } : usersOf(snapshot, block);
  const weakenedBy = weakeningOf(snapshot, refusal);
  const back = rollBackFrom(examination, refusal);
  const hasRoom = block !== undefined && block.refusals.length === 0;
  const facts: Facts = {
    ...creationFactsOf(snapshot, failed),
    exceeded: exceededFactsOf(exceeded),
    hasRoomNow: hasRoom,
    isTooLarge: tooLargeFor(exceeded) !== undefined,
    users: users.users,
    areUsersComplete: users.complete,
    ownPodsInVain: podNames(refusal.oldInVain),
    movingNeighbours: refusal.neighbours,
  };
  return {
    confidence: weakenedBy.length > 0 || hasRoom ? 'likely' : 'proven',
    resource: exceeded[0].resources[0]?.resource ?? '',
    holders: users.pods.map(refOf),
    facts,
    ...(!facts.isTooLarge ? blamedQuota(metadata.namespace, exceeded) : {}),
    summary: state('summary', {
      workload: workloadName(snapshot),
      missing: facts.missing,
      quota: exceeded[0].quota,
    }),
    standing: state('standing', {
      forSeconds: facts.failingSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: reasoningOf(refusal, facts),
    evidence: evidenceOf(snapshot, refusal),
    ruledOut: ruledOutOf(snapshot, refusal),
    nextAttempt: {
      what: state('next-attempt', { owner: failed.owner.name, withinSeconds: longestRetrySeconds }),
    },
    remediations: back.remediations,
    withheld: [...notRecommendedOf(refusal), ...back.withheld],
    advice: adviceOf(snapshot, refusal),
    weakenedBy,
  };
}

type Facts = FactsOf<typeof QuotaExceededFacts>;

function weakeningOf(
  snapshot: Snapshot,
  { block, exceeded, failed, neighbours }: Refusal,
): readonly Statement[] {
  const { quota, resources } = exceeded[0];
  const pods = unreadOf(snapshot, 'Pod');
  return [
    ...(neighbours.length === 0 ? [] : [state('neighbour-may-free', { neighbours })]),
    ...(pods === undefined ? [] : [state('pods-unread', { because: pods.because })]),
    ...(block === undefined || block.unread
      ? [state('quota-unread', { quota })]
      : block.differs && failed.what === 'pod'
        ? [creation('request-differs', { resource: resources[0]?.resource ?? '' })]
        : []),
  ];
}

function reasoningOf(
  { failed, exceeded, block }: Refusal,
  { exceeded: short, users, areUsersComplete, ownPodsInVain, hasRoomNow }: Facts,
): readonly Statement[] {
  const [first, ...more] = short;
  if (first === undefined) return [];
  const owner = failed.owner.name;
  const whole = tooLargeFor(exceeded);
  return [
    block === undefined
      ? state('refused-first', { owner, what: whatOf(failed.what), ...first })
      : state('refused', { owner, ...first }),
    ...more.map((one) => creation('refused-too', one)),
    ...(hasRoomNow ? [state('room-now', { quota: first.quota })] : []),
    ...(whole === undefined
      ? []
      : [
          state('never-fits', {
            requested: whole.requested,
            limited: whole.limited,
            resource: whole.resource,
          }),
        ]),
    ...(users.length === 0 ? [] : [state('used-by', { resource: first.resource, users })]),
    ...(areUsersComplete ? [] : [state('used-unseen', { quota: first.quota })]),
    ...(ownPodsInVain.length === 0 ? [] : [state('own-too-small', { pods: ownPodsInVain })]),
  ];
}

function whatOf(what: Refusal['failed']['what']): string {
  return what === 'claim' ? 'PersistentVolumeClaim' : 'ReplicaSet';
}

/** What one pod requests more of than the whole quota allows: the workload itself is to blame. */
function tooLargeFor(exceeded: Refusal['exceeded']) {
  return exceeded
    .flatMap(({ resources }) => resources)
    .find(({ requested, limited }) => isMore(requested, limited));
}

function isMore(a: string, b: string): boolean {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left !== undefined && right !== undefined && compareQuantities(left, right) > 0;
}

function evidenceOf(snapshot: Snapshot, { failed, exceeded, block }: Refusal): readonly Evidence[] {
  return [
    {
      object: failed.saidBy,
      field: failed.field,
      value: failed.message,
      at: failed.lastSeen,
      says: creation('ev-refused', { owner: failed.owner.name }),
    },
    ...(block === undefined || block.unread ? [] : quotaArithmetic(snapshot, block, exceeded)),
  ];
}

function ruledOutOf(
  snapshot: Snapshot,
  { failed, oldInVain, oldEnough, neighbours }: Refusal,
): readonly RuledOut[] {
  const unread = isUnread(snapshot, 'Pod');
  const blocked = stuckRolloutOf(snapshot)?.blocked ?? [];
  const because = oldEnough
    ? neighbours.length > 0
      ? state('because-neighbour-frees', { neighbours })
      : blocked.length > 0
        ? state('because-others-fail', { pods: podNames(blocked) })
        : state('because-not-rolling')
    : oldInVain.length > 0
      ? state('because-old-not-enough', { pods: podNames(oldInVain) })
      : hasOrdinals(snapshot.workload)
        ? state('because-old-first')
        : state('because-no-predecessor');
  return [
    ...(unread ? [] : [{ cause: 'quota-deadlock', because }]),
    { cause: 'admission-denied', because: creation('because-quota-only') },
    { cause: 'insufficient-capacity', because: creation('because-no-pod', { owner: failed.owner.name }) },
  ];
}

/**
 * Where former pods still run, a roll back needs no room in the quota. Not from a refusal that there is room
 * for by now, nor from one of an older revision.
 */
function rollBackFrom(examination: Examination, { failed, block }: Refusal): Fixes {
  const { snapshot, placement } = examination;
  const isKept = revisionToGoBackTo(rolloutStateOf(snapshot)) !== undefined;
  if (isKept && isUnread(snapshot, 'Pod')) return notRecommended('undo-rollout', effect('withheld-unknown'));
  const { predecessors } = ownPods(snapshot);
  const none = { remediations: [], withheld: [] };
  if (block === undefined || block.refusals.length === 0 || !failed.isNewest) return none;
  if (predecessors.length === 0) return none;
  const simulator = quotaSimulator(snapshot, placement, block.quotas, block.pod);
  return rollBackOf(examination, { origin: 'rollout', simulator });
}

function notRecommendedOf({ oldInVain }: Refusal): readonly NotRecommended[] {
  return [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    ...(oldInVain.length === 0
      ? []
      : [{ kind: 'patch-strategy' as const, because: state('patch-withheld') }]),
  ];
}

function adviceOf({ workload }: Snapshot, { exceeded, failed, block }: Refusal): readonly Advice[] {
  const { namespace } = workload.metadata;
  const missing = block === undefined ? 1 : failed.missing;
  return [
    ...exceeded.map(
      (each): Advice => ({
        title: creation('advice-raise-title', { quota: each.quota }),
        text: state('advice-raise', { missing }),
        snippet: raisedQuota(each, namespace, missing),
      }),
    ),
    {
      title: state('advice-less-title'),
      text: state('advice-less', { resource: exceeded[0].resources[0]?.resource ?? '' }),
    },
  ];
}

/** Who is charged for what is short, most first. */
interface QuotaUsers {
  readonly pods: readonly Pod[];
  readonly users: readonly { readonly owner: string; readonly pods: number; readonly charged: string }[];
  /** False: the quota counts more than the pods that were seen. */
  readonly complete: boolean;
}

/** The pods of the namespace that the first short quota charges, by the workload they belong to. */
function usersOf(snapshot: Snapshot, block: QuotaBlock): QuotaUsers {
  const now = nowOf(snapshot);
  const [short] = block.refusals[0]?.resources ?? [];
  if (short === undefined) return { pods: [], users: [], complete: true };
  const { index } = snapshot;
  const pods = chargedFor(block, index.objects.Pod, now);
  const users = byOwner(index, pods).map(({ owner, pods: members }) => ({
    owner: `${owner.kind.toLowerCase()}/${owner.name}`,
    pods: members.length,
    charged: chargeOf(block, members, short.resource, now),
  }));
  return {
    pods,
    users: users.sort((a, b) => compareAmounts(b.charged, a.charged)),
    complete: compareAmounts(chargeOf(block, pods, short.resource, now), short.used) >= 0,
  };
}

function compareAmounts(a: string, b: string): number {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right);
}

/** A creation refused for a quota that will not get room by waiting for this workload. */
interface Refusal {
  readonly failed: FailedCreation;
  /** What is short: as worked out, or as the API server said where that could not be done. */
  readonly exceeded: readonly [Exceeded, ...Exceeded[]];
  /** `undefined` when something else than a pod is refused: then only the API server's words are known. */
  readonly block: QuotaBlock | undefined;
  /** Charged old pods of the workload whose leaving is not enough; empty where there are none. */
  readonly oldInVain: readonly Pod[];
  /** Old pods would be enough, but the rollout waits for new pods that exist. */
  readonly oldEnough: boolean;
  /**
   * `namespace/name` of workloads whose rollout is in progress and frees enough of the quota when it
   * completes.
   */
  readonly neighbours: readonly string[];
}

/** The first refusal of the workload that is a quota's, and stays unless somebody acts. */
function refusalOf(snapshot: Snapshot): Refusal | undefined {
  for (const failed of failedCreationsOf(snapshot)) {
    const { denial } = failed;
    if (denial.kind !== 'quota' || denial.refusal.kind !== 'exceeded') continue;
    const block = quotaBlockOf(snapshot, failed);
    if (block === undefined) {
      return { failed, exceeded: [denial.refusal], block, oldInVain: [], oldEnough: false, neighbours: [] };
    }
    if (opensByItself(snapshot, block)) continue;
    const refusal = ofPod(snapshot, failed, block);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** While the rollout still moves, its own old pods will make room in their turn. */
function ofPod(snapshot: Snapshot, failed: FailedCreation, block: QuotaBlock): Refusal | undefined {
  const state = rolloutStateOf(snapshot);
  const now = nowOf(snapshot);
  const [first, ...more] = block.refusals;
  const exceeded = [first ?? block.said, ...more] as const;
  const old = chargedFor(block, ownPods(snapshot).predecessors, now);
  const oldEnough = smallestRelease(block, old, now) !== undefined;
  const isStepped = !hasOrdinals(state) && !hasPodPerNode(state);
  if (oldEnough && isStepped && !isFixedPoint(state)) return undefined;
  const neighbours = neighboursThatFreeQuota(snapshot, block).map(
    ({ owner }) => `${owner.namespace}/${owner.name}`,
  );
  return { failed, exceeded, block, oldInVain: oldEnough ? [] : old, oldEnough, neighbours };
}
