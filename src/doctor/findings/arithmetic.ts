import type { Exceeded, QuotaBlock } from '../../engine/creation/quota-block.js';
import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted, joined } from '../../engine/language/words.js';
import { byOwner } from '../../engine/neighbours/owned-pods.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import type { Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { amountText } from '../../engine/scheduler/amounts.js';
import { podRequests } from '../../engine/scheduler/pod-requests.js';
import { canonicalQuantity, parseQuantity } from '../../engine/scheduler/quantity.js';
import type { Reason, ResourceReason } from '../../engine/scheduler/reason.js';
import { quotaUsage } from '../../engine/workloads/quota-admission.js';
import type { Evidence } from './finding.js';

/** A workload with what its pods use on one node or of one quota; amounts are quantities as text. */
type UseValue = { readonly workload: string; readonly pods: number; readonly amount: string };

const en = {
  'ev-node': ({
    requested,
    overhead,
    used,
    free,
    users,
    more,
  }: {
    requested: string;
    /** What the RuntimeClass of the pod adds; it is part of `requested`. */
    overhead: string | undefined;
    used: string;
    free: string;
    /** The largest first. */
    users: readonly UseValue[];
    /** Workloads that are not among `users`. */
    more: number;
  }) =>
    say`${code(requested)} requested${overhead === undefined ? say`` : say` (with ${code(overhead)} overhead of the RuntimeClass)`}, ${code(used)} in use${users.length === 0 ? say`` : say` by ${usersIn('en', users, more)}`}, ${code(free)} free`,
  'ev-quota': ({
    requested,
    used,
    hard,
    missing,
    users,
    more,
  }: {
    requested: string;
    used: string;
    hard: string;
    /**
     * By how much `used` and `requested` exceed `hard`; `undefined` where that is not known, or they do not.
     */
    missing: string | undefined;
    /** The largest first. */
    users: readonly UseValue[];
    /** Workloads that are not among `users`. */
    more: number;
  }) =>
    say`${code(requested)} requested, ${code(used)} of ${code(hard)} used${users.length === 0 ? say`` : say` by ${usersIn('en', users, more)}`}${missing === undefined ? say`` : say`, ${code(missing)} missing`}`,
};

const ko: typeof en = {
  'ev-node': ({ requested, overhead, used, free, users, more }) =>
    say`요청 ${code(requested)}${overhead === undefined ? say`` : say`(RuntimeClass 오버헤드 ${code(overhead)} 포함)`}, 사용 중 ${code(used)}${users.length === 0 ? say`` : say`: ${usersIn('ko', users, more)}`}, 남음 ${code(free)}`,
  'ev-quota': ({ requested, used, hard, missing, users, more }) =>
    say`요청 ${code(requested)}, 한도 ${code(hard)} 중 ${code(used)} 사용${users.length === 0 ? say`` : say`: ${usersIn('ko', users, more)}`}${missing === undefined ? say`` : say`, 부족 ${code(missing)}`}`,
};

export const arithmeticText = { en, ko };

const userWords: { readonly [Each in Language]: (user: UseValue) => Prose } = {
  en: ({ workload, pods, amount }) =>
    say`${code(workload)} (${counted(pods, 'pod', 'pods')}: ${code(amount)})`,
  ko: ({ workload, pods, amount }) => say`${code(workload)}(파드 ${pods}개: ${code(amount)})`,
};
const restWords: { readonly [Each in Language]: (more: number) => Prose } = {
  en: (more) => say`${more} more`,
  ko: (more) => say`외 ${more}개`,
};
export const arithmeticCatalogueId = 'arithmetic';
const state = statementsOf<typeof en>(arithmeticCatalogueId);

function usersIn(language: Language, users: readonly UseValue[], more: number): Prose {
  const listed = users.map(userWords[language]);
  return joined(language, more === 0 ? listed : [...listed, restWords[language](more)], listed.length + 1);
}

/** Workloads that are named; the others are counted. */
const maxUsers = 5;

/**
 * The scheduler's sum for each resource that the node is short of: requested with the overhead of the
 * RuntimeClass, in use by whom, and free. Only resources that other pods use; a node that is too small has
 * `status.allocatable` alone.
 */
export function nodeArithmetic(
  index: ClusterIndex,
  pod: Pod,
  node: { readonly name: string; readonly reasons: readonly Reason[] },
): readonly Evidence[] {
  return node.reasons.filter(isShortage).map((reason): Evidence => {
    const { resource, requested, free, allocatable, holders } = reason;
    const uses = usesOf(index, holders, resource);
    const used = uses.reduce((sum, { amount }) => sum + amount, 0n);
    const shown = uses.slice(0, maxUsers);
    return {
      object: { kind: 'Node', namespace: '', name: node.name },
      field: `status.allocatable[${resource}]`,
      value: allocatable,
      says: state('ev-node', {
        requested,
        overhead: pod.spec.overhead[resource],
        used: amountText(resource, used),
        free,
        users: shown.map(
          ({ workload, pods, amount }): UseValue => ({
            workload,
            pods,
            amount: amountText(resource, amount),
          }),
        ),
        more: uses.length - shown.length,
      }),
    };
  });
}

function isShortage(reason: Reason): reason is ResourceReason {
  return 'short' in reason;
}

function usesOf(index: ClusterIndex, pods: readonly Pod[], resource: string) {
  const amountOf = (pod: Pod): bigint =>
    resource === 'pods' ? 1n : (podRequests(pod, true).get(resource) ?? 0n);
  return byOwner(index, pods)
    .map(({ owner, pods: own }) => ({
      workload: `${owner.namespace}/${owner.name}`,
      pods: own.length,
      amount: own.reduce((sum, pod) => sum + amountOf(pod), 0n),
    }))
    .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1));
}

/**
 * The API server's sum for each resource that a quota is short of: requested, used and by whom, the hard
 * limit, and what is missing (kubernetes `resourcequota/controller.go: CheckRequest`: used + requested may
 * not exceed hard).
 */
export function quotaArithmetic(
  snapshot: Snapshot,
  { quotas }: QuotaBlock,
  exceeded: readonly Exceeded[],
): readonly Evidence[] {
  const { index, workload } = snapshot;
  const { namespace } = workload.metadata;
  const now = nowOf(snapshot);
  const owners = byOwner(
    index,
    index.objects.Pod.filter(({ metadata }) => metadata.namespace === namespace),
  );
  return exceeded.flatMap(({ quota: name, resources }) => {
    const quota = quotas.find(({ metadata }) => metadata.name === name);
    return resources.map(({ resource, requested, used, limited }): Evidence => {
      const uses = owners
        .map(({ owner, pods }) => {
          const charged = pods.map((pod) => quota && quotaUsage(quota, [pod], now).get(resource));
          const users = charged.filter((each) => each !== undefined && each.nano > 0n);
          const nano = users.reduce((sum, each) => sum + (each?.nano ?? 0n), 0n);
          const format = users[0]?.format ?? 'DecimalSI';
          return { workload: `${namespace}/${owner.name}`, pods: users.length, nano, format };
        })
        .filter(({ nano }) => nano > 0n)
        .sort((a, b) => (a.nano === b.nano ? 0 : a.nano > b.nano ? -1 : 1));
      return {
        object: { kind: 'ResourceQuota', namespace, name },
        field: `status.used[${resource}]`,
        value: `${used} / ${limited}`,
        says: state('ev-quota', {
          requested,
          used,
          hard: limited,
          missing: missingFor(requested, used, limited),
          users: uses.slice(0, maxUsers).map(({ workload: user, pods, ...amount }) => ({
            workload: user,
            pods,
            amount: canonicalQuantity(amount),
          })),
          more: Math.max(0, uses.length - maxUsers),
        }),
      };
    });
  });
}

function missingFor(requested: string, used: string, hard: string): string | undefined {
  const [asked, taken, limit] = [parseQuantity(requested), parseQuantity(used), parseQuantity(hard)];
  if (asked === undefined || taken === undefined || limit === undefined) return undefined;
  const nano = asked.nano + taken.nano - limit.nano;
  return nano > 0n ? canonicalQuantity({ nano, format: limit.format }) : undefined;
}
