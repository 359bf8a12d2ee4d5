import { conditionOf } from '../../../cluster/metadata.js';
import type { Pod } from '../../../cluster/pod.js';
import { podNames } from '../../../cluster/pod-key.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { greatestOf } from '../../../collections/collections.js';
import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import type { NotRecommended } from '../../../remediation/remediation.js';
import { templateChanges } from '../../../remediation/template-changes.js';
import { revisionToGoBackTo } from '../../../remediation/template-source.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { currentRevision } from '../../crashes/current-revision.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import { type FailureGroup, groupFailures, healthyPredecessors } from '../../crashes/failure-group.js';
import { lastLinesOf } from '../../crashes/last-lines.js';
import type { PodCause } from '../../crashes/pod-failure.js';
import { crashesSinceUpdate } from '../../crashes/since-update.js';
import { stopOf } from '../../crashes/stopped-from-outside.js';
import { crash } from '../../crashes/text.js';
import { endingOfGroup } from '../../endings/ending.js';
import type { FactsOf } from '../../facts.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { CrashLoopAfterRolloutFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * Ends that say nothing of their reason by themselves; others, like a missing key, name it better than a
 * revision does.
 */
const unexplained: ReadonlySet<PodCause> = new Set(['application-crash', 'process-exits-zero']);

/**
 * The new revision crashes wherever it runs, while pods of the previous revision are healthy, or where none
 * of these is left, since it was made: the change between the two is the suspect. Not reported when some new
 * pods are healthy: the node may be the cause.
 */
export const crashLoopAfterRollout: Rule<typeof CrashLoopAfterRolloutFacts> = {
  id: 'crash-loop-after-rollout',
  facts: CrashLoopAfterRolloutFacts,
  text,
  origin: 'template',
  shows: 'pods-by-node-and-revision',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['application-crash', 'process-exits-zero', 'progress-deadline-exceeded'],
  detect(examination) {
    const { snapshot } = examination;
    const current = currentRevision(snapshot);
    const failureGroup = groupFailures(snapshot).find(
      (each) => unexplained.has(each.cause) && each.ongoing && each.revision === current,
    );
    if (failureGroup === undefined) return undefined;
    const well = healthyPredecessors(snapshot, failureGroup);
    if (someAreWell(snapshot, failureGroup)) return undefined;
    const { podFailures, container, nodes } = failureGroup;
    const { failing, of } = failingPodsOf(failureGroup);
    const ending = endingOfGroup(snapshot, failureGroup);
    const stop = stopOf(failureGroup);
    const changed = changesIn(snapshot);
    const since =
      well.length > 0 || changed.specChanges === 0 || ending?.origin === 'surroundings'
        ? undefined
        : crashesSinceUpdate(snapshot, failureGroup);
    if (well.length === 0 && since === undefined) return undefined;
    const facts = {
      healthyPods: podNames(well),
      healthySeconds: readyFor(snapshot, well),
      crashedAfterSeconds: since?.afterSeconds,
      ending: ending?.kind,
      ...changed.facts,
    };
    const lines = lastLinesOf(snapshot, failureGroup);
    return {
      ...crashFinding(examination, failureGroup, {
        restsOnSilence: true,
        confidence: 'likely',
        summary: state('summary', { workload: workloadName(snapshot), revision: revisionOf(snapshot) }),
        facts,
        standing: state('standing', { failing, of, well: well.length }),
        reasoning: [
          state('everywhere', { failing, of, nodes }),
          ...(lines === undefined ? [] : [lines.says]),
          ...(ending?.reasoning ?? []),
          ...courseOf(failureGroup).slice(1),
          ...(stop?.reasoning ?? []),
          ...(podFailures[0].container?.role === 'init' ? [state('init-blocks', { container })] : []),
          since === undefined
            ? state('former-well', { pods: facts.healthyPods, forSeconds: facts.healthySeconds })
            : state('since-update', { revision: revisionOf(snapshot), ...since }),
          ...changeStatements(facts),
        ],
        evidence: well.slice(0, 2).map((pod) => ({
          object: refOf(pod),
          field: 'status.conditions[Ready]',
          value: 'True',
          ...readySince(pod),
          says: state('ev-ready', { pod: pod.metadata.name }),
        })),
        ruledOut: [
          {
            cause: 'application-crash',
            because:
              since === undefined
                ? state('because-never-served', { pods: well.length })
                : state('because-since-update', since),
          },
          ...(stop?.byProbe === undefined
            ? [
                {
                  cause: 'liveness-probe-kill',
                  because: crash('because-no-probe-kill', { container }),
                  restsOn: 'Event' as const,
                },
              ]
            : []),
          ...(nodes.length > 1
            ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
            : []),
        ],
        withheld: notRecommendedOf(failureGroup, well),
        advice: [
          ...(ending === undefined ? [] : [ending.advice]),
          ...(stop?.advice ?? []),
          {
            title: state('advice-log-title'),
            text: state('advice-log', { container }),
            snippet: `kubectl -n ${podFailures[0].pod.metadata.namespace} logs ${podFailures[0].pod.metadata.name} -c ${container} --previous\n`,
          },
        ],
      }),
      ...(ending?.origin === undefined ? {} : { origin: ending.origin }),
      cause: 'crash-loop-after-rollout',
    };
  },
};

/** A new pod that has been ready for as long as the others took to crash. */
function someAreWell(snapshot: Snapshot, { podFailures, siblings }: FailureGroup): boolean {
  const failing = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  const slowest = Math.max(0, ...podFailures.map(({ run }) => run?.seconds ?? 0));
  return siblings.some((pod) => !failing.has(pod.metadata.uid) && (readyFor(snapshot, [pod]) ?? 0) > slowest);
}

/** How long the one that has been ready the shortest has been so. */
function readyFor(snapshot: Snapshot, pods: readonly Pod[]): number | undefined {
  const since = pods.map((pod) => Date.parse(readySince(pod).at ?? ''));
  if (since.length === 0 || since.some(Number.isNaN)) return undefined;
  return Math.max(0, (nowOf(snapshot) - greatestOf(since)) / 1000);
}

function readySince({ status }: Pod): { readonly at?: string } {
  const ready = conditionOf(status, 'Ready');
  const at = ready?.status === 'True' ? ready.lastTransitionTime : undefined;
  return at === undefined ? {} : { at };
}

/** The number of changed fields to name. */
const shownChanges = 4;

type Changes = Pick<FactsOf<typeof CrashLoopAfterRolloutFacts>, 'changes' | 'changesInAll'>;

function changesIn(snapshot: Snapshot): { readonly facts: Changes; readonly specChanges: number } {
  const kept = revisionToGoBackTo(rolloutStateOf(snapshot));
  if (kept === undefined) return { facts: { changes: [] }, specChanges: 0 };
  const changes = templateChanges(kept.template.raw, snapshot.workload.spec.template.raw);
  return {
    facts: {
      changes: changes
        .slice(0, shownChanges)
        .map(({ path, before, after }) => ({ path, before: asText(before), after: asText(after) })),
      changesInAll: changes.length,
    },
    specChanges: changes.filter(({ path }) => path.startsWith('spec.template.spec.')).length,
  };
}

function changeStatements({ changes, changesInAll }: Changes): readonly Statement[] {
  if (changesInAll === undefined) return [];
  if (changesInAll === 0) return [state('nothing-changed')];
  const more = changesInAll - changes.length;
  return [
    ...changes.map(({ path, before, after }) => state('changed', { path, before, after })),
    ...(more > 0 ? [state('changed-more', { count: more })] : []),
  ];
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function notRecommendedOf({ nodes }: FailureGroup, well: readonly Pod[]): readonly NotRecommended[] {
  return [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    ...(well.length === 0 ? [] : [{ kind: 'patch-strategy' as const, because: state('patch-withheld') }]),
    ...(nodes.length > 1
      ? [{ kind: 'exclude-nodes' as const, because: state('exclude-withheld', { nodes }) }]
      : []),
  ];
}
