import * as z from 'zod';
import { greatestOf } from '../../engine/collections/collections.js';
import { code, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import {
  counted,
  duration,
  elapsed,
  isAtLeastOneSecond,
  names,
  particle,
} from '../../engine/language/words.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import { podNames, refOf } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread, isUnrecorded, kindBetweenPods } from '../../engine/objects/unread.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { revisionOf } from '../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { endsWithoutReason } from '../findings/crashes/classify-container.js';
import { courseOf, crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, endingFact } from '../findings/crashes/facts.js';
import { failingPods, failingPodsOf } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { currentRevision, groupFailures, healthyPredecessors } from '../findings/crashes/failure-group.js';
import { lastLinesOf } from '../findings/crashes/last-lines.js';
import { crashesSinceUpdate } from '../findings/crashes/since-update.js';
import { stopOf } from '../findings/crashes/stopped-from-outside.js';
import { crash } from '../findings/crashes/text.js';
import { endingOfGroup } from '../findings/endings/ending.js';
import { mountedOf, mountTheSame } from '../findings/endings/ending-case.js';
import { type FactsOf, fact } from '../findings/facts.js';
import { fieldWords } from '../findings/field-words.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import type { NotRecommended } from '../fixes/remediation.js';
import { revisionToGoBackTo, templateChanges } from '../fixes/template-changes.js';
import { type EndingKind, pathIn } from '../log-lines/ending-kinds.js';

const en = {
  'shared-failure': () => say`the new revision crashes`,
  summary: ({ workload, revision }: { workload: string; revision: string }) =>
    say`${code(workload)} has been crash-looping since revision ${code(revision)}`,
  standing: ({ failing, of, well }: { failing: number; of: number; well: number }) =>
    well === 0
      ? say`${failingPods('en', { failing, of, areNew: true })} ${word(failing === 1 ? 'crashes' : 'crash')}. No pod of the previous revision is left to serve traffic.`
      : say`${failingPods('en', { failing, of, areNew: true })} ${word(failing === 1 ? 'crashes' : 'crash')}. ${counted(well, 'pod', 'pods')} of the previous revision still ${word(well === 1 ? 'serves' : 'serve')} traffic.`,
  everywhere: ({ failing, of, nodes }: { failing: number; of: number; nodes: readonly string[] }) =>
    failing < of
      ? say`${failingPods('en', { failing, of, areNew: true })} ${word(failing === 1 ? 'crashes' : 'crash')}, on ${names('en', nodes)}. The others started too recently to judge.`
      : say`All new pods crash (${failing} of ${of}), on ${names('en', nodes)}.`,
  'former-well': ({ pods, forSeconds }: { pods: readonly string[]; forSeconds: number | undefined }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`Pods of the previous revision are ready: ${names('en', pods)}.`
      : say`Pods of the previous revision have been ready for ${elapsed('en', forSeconds)}: ${names('en', pods)}.`,
  'since-update': ({ revision, afterSeconds }: { revision: string; afterSeconds: number }) =>
    !isAtLeastOneSecond(afterSeconds)
      ? say`The crashes began as soon as revision ${code(revision)} was made. No pod of an earlier revision is left to compare with.`
      : say`The first crash came about ${duration('en', afterSeconds)} after revision ${code(revision)} was made. No pod of an earlier revision is left to compare with.`,
  changed: (values: { path: string; before: string | undefined; after: string | undefined }) =>
    values.before === undefined
      ? say`Added in this revision: ${fieldWords('en', values.path)} = ${code(values.after ?? '')}.`
      : values.after === undefined
        ? say`Removed in this revision: ${fieldWords('en', values.path)}, previously ${code(values.before)}.`
        : say`Changed in this revision: ${fieldWords('en', values.path)} from ${code(values.before)} to ${code(values.after)}.`,
  'changed-more': ({ count }: { count: number }) =>
    say`${counted(count, 'more field', 'more fields')} changed.`,
  'nothing-changed': () =>
    say`The pod templates are identical. The change must be outside them: a ConfigMap, a Secret, or a new image behind the same tag.`,
  'init-blocks': ({ container }: { container: string }) =>
    say`The failing container is the init container ${code(container)}, so the other containers never start.`,
  'ev-ready': ({ pod }: { pod: string }) => say`${code(pod)} of the previous revision is ready`,
  'because-never-served': ({ pods }: { pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} of the previous revision ${word(pods === 1 ? 'is' : 'are')} healthy, so not every revision fails`,
  'because-since-update': ({ afterSeconds }: { afterSeconds: number }) =>
    !isAtLeastOneSecond(afterSeconds)
      ? say`the crashes began with the update`
      : say`the crashes began within ${duration('en', afterSeconds)} of the update`,
  'restart-withheld': () => say`New pods of the same revision would crash in the same way.`,
  'patch-withheld': () => say`This change would stop healthy pods to make room for pods that crash.`,
  'patch-unproven': () =>
    say`According to the log, another process has what the program needs. This change helps if that process is the old pod. No object shows whether it is.`,
  'patch-unread': () =>
    say`Without the log, it is not known whether the program needs what the old pod has. Both mount the same claim, and this change helps if only one may use it.`,
  'exclude-withheld': ({ nodes }: { nodes: readonly string[] }) =>
    say`The crashes are not limited to one node: ${names('en', nodes)}.`,
  'advice-log-title': () => say`Or fix the new revision`,
  'advice-log': ({ container }: { container: string }) =>
    say`The log of the terminated container ${code(container)} usually shows the reason.`,
};

const ko: typeof en = {
  'shared-failure': () => say`새 리비전에 크래시 발생`,
  summary: ({ workload, revision }) =>
    say`${code(workload)}: 리비전 ${code(revision)}부터 크래시가 반복됩니다`,
  standing: ({ failing, of, well }) =>
    well === 0
      ? say`${failingPods('ko', { failing, of, areNew: true })}에서 크래시가 발생합니다. 트래픽을 처리할 이전 리비전 파드가 남아 있지 않습니다.`
      : say`${failingPods('ko', { failing, of, areNew: true })}에서 크래시가 발생합니다. 이전 리비전 파드 ${well}개는 계속 트래픽을 처리하고 있습니다.`,
  everywhere: ({ failing, of, nodes }) =>
    failing < of
      ? say`${failingPods('ko', { failing, of, areNew: true })}에서 크래시가 발생합니다(노드 ${names('ko', nodes)}). 나머지는 시작된 지 얼마 되지 않아 아직 판단할 수 없습니다.`
      : say`새 파드 ${failing}개 모두에서 크래시가 발생합니다(노드 ${names('ko', nodes)}).`,
  'former-well': ({ pods, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`이전 리비전 파드는 준비 상태입니다: ${names('ko', pods)}.`
      : say`이전 리비전 파드는 ${elapsed('ko', forSeconds)}째 준비 상태입니다: ${names('ko', pods)}.`,
  'since-update': ({ revision, afterSeconds }) =>
    !isAtLeastOneSecond(afterSeconds)
      ? say`리비전 ${code(revision)} 생성 직후부터 크래시가 발생했습니다. 비교할 이전 리비전 파드는 남아 있지 않습니다.`
      : say`리비전 ${code(revision)} 생성 후 ${duration('ko', afterSeconds)} 안에 첫 크래시가 발생했습니다. 비교할 이전 리비전 파드는 남아 있지 않습니다.`,
  changed: ({ path, before, after }) =>
    before === undefined
      ? say`이 리비전에서 추가됨: ${fieldWords('ko', path)} = ${code(after ?? '')}.`
      : after === undefined
        ? say`이 리비전에서 삭제됨: ${fieldWords('ko', path)} (이전 값 ${code(before)}).`
        : say`이 리비전에서 변경됨: ${fieldWords('ko', path)}, ${code(before)} → ${code(after)}.`,
  'changed-more': ({ count }) => say`그 밖에 필드 ${count}개가 변경되었습니다.`,
  'nothing-changed': () =>
    say`파드 템플릿은 같습니다. 템플릿 밖에서 바뀐 것이 있습니다(ConfigMap, Secret, 같은 태그로 다시 올린 이미지).`,
  'init-blocks': ({ container }) =>
    say`실패하는 컨테이너가 초기화 컨테이너 ${code(container)}${particle(container, '이라', '라')} 다른 컨테이너가 시작되지 못합니다.`,
  'ev-ready': ({ pod }) => say`이전 리비전의 ${code(pod)} 파드는 준비 상태`,
  'because-never-served': ({ pods }) =>
    say`이전 리비전 파드 ${pods}개가 정상이므로 모든 리비전의 문제는 아님`,
  'because-since-update': ({ afterSeconds }) =>
    !isAtLeastOneSecond(afterSeconds)
      ? say`업데이트 직후부터 크래시가 발생함`
      : say`업데이트 후 ${duration('ko', afterSeconds)} 안에 크래시가 시작됨`,
  'restart-withheld': () => say`같은 리비전의 새 파드에서도 같은 크래시가 발생합니다.`,
  'patch-withheld': () => say`이 변경은 크래시가 발생하는 파드를 배치하려고 정상 파드를 내리게 됩니다.`,
  'patch-unproven': () =>
    say`로그에 따르면 프로그램에 필요한 것을 다른 프로세스가 사용 중입니다. 그 프로세스가 이전 파드라면 이 변경이 도움이 됩니다. 다만 이를 보여 주는 오브젝트는 없습니다.`,
  'patch-unread': () =>
    say`로그가 없어 이전 파드가 사용 중인 것이 필요한지 알 수 없습니다. 두 파드가 같은 클레임을 마운트하므로, 한 파드만 쓸 수 있는 것이라면 이 변경이 도움이 됩니다.`,
  'exclude-withheld': ({ nodes }) => say`크래시가 노드 하나에 국한되지 않습니다: ${names('ko', nodes)}.`,
  'advice-log-title': () => say`또는 새 리비전 고치기`,
  'advice-log': ({ container }) => say`종료 이유는 보통 ${code(container)} 컨테이너의 이전 로그에 있습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('crash-loop-after-rollout');

const CrashLoopAfterRolloutFacts = z.strictObject({
  ...crashFacts,
  ending: endingFact,
  healthyPods: fact.names('Ready pods of former revisions'),
  healthySeconds: fact.seconds('How long all of these have been ready').optional(),
  crashedAfterSeconds: fact
    .seconds(
      'From the making of the revision to its first crash; only where no pod of a former revision is left',
    )
    .optional(),
  changes: z
    .array(
      z.strictObject({
        path: fact.text('Path in the pod template'),
        before: fact.text('Value in the former revision; absent where the field is new').optional(),
        after: fact.text('Value in the present revision; absent where the field was removed').optional(),
      }),
    )
    .describe('The first fields in which the pod template differs; values are cut to 120 characters'),
  changesInAll: fact
    .count('Number of fields in which it differs; absent where the former template is not kept')
    .optional(),
});

function crashingOf(snapshot: Snapshot): FailureGroup | undefined {
  const current = currentRevision(snapshot);
  return groupFailures(snapshot).find(
    ({ podFailures, ongoing, revision }) =>
      ongoing && revision === current && endsWithoutReason(podFailures[0]),
  );
}

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
  undecidedBy(snapshot) {
    const crashing = crashingOf(snapshot);
    if (crashing === undefined || healthyPredecessors(snapshot, crashing).length > 0) return [];
    // When the revision was made tells whether the crashes began with it.
    if (isUnrecorded(snapshot, 'ReplicaSet', 'metadata.creationTimestamp'))
      return ['ReplicaSet metadata.creationTimestamp'];
    const isKeptApart = kindBetweenPods(snapshot.workload.kind) === undefined;
    return isKeptApart && isUnread(snapshot, 'ControllerRevision') ? ['ControllerRevision'] : [];
  },
  detect(examination) {
    const { snapshot } = examination;
    const failureGroup = crashingOf(snapshot);
    if (failureGroup === undefined) return undefined;
    const well = healthyPredecessors(snapshot, failureGroup);
    if (someAreWell(snapshot, failureGroup)) return undefined;
    const { podFailures, container, nodes } = failureGroup;
    const { failing, of } = failingPodsOf(failureGroup);
    const ending = endingOfGroup(snapshot, failureGroup);
    const stop = stopOf(snapshot, failureGroup);
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
        withheld: notRecommendedOf(
          failureGroup,
          well,
          lines === undefined && mountTheSame(podFailures[0].pod, well)
            ? 'patch-unread'
            : isHeldSomewhere(failureGroup, ending?.kind, lines?.decides)
              ? 'patch-unproven'
              : 'patch-withheld',
        ).filter(({ kind }) => kind !== 'restart-rollout' || !ending?.endsWithPod),
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

/**
 * Whether another process has what the program needs, at a place that no object shows: in a database, or
 * where the line names no path and the container has no claim. Of a path or a claim, the objects show who
 * else has it.
 */
function isHeldSomewhere(
  { podFailures: [{ pod, container }] }: FailureGroup,
  kind: EndingKind | undefined,
  line = '',
): boolean {
  if (kind !== 'held-elsewhere') return kind === 'database-lock';
  const mounted = container === undefined ? [] : mountedOf(pod, container);
  return pathIn(line) === undefined && mounted.every(({ claim }) => claim === undefined);
}

function notRecommendedOf(
  { nodes }: FailureGroup,
  well: readonly Pod[],
  because: 'patch-unread' | 'patch-unproven' | 'patch-withheld',
): readonly NotRecommended[] {
  return [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    ...(well.length === 0 ? [] : [{ kind: 'patch-strategy' as const, because: state(because) }]),
    ...(nodes.length > 1
      ? [{ kind: 'exclude-nodes' as const, because: state('exclude-withheld', { nodes }) }]
      : []),
  ];
}
