import type { SameSentences } from '../../engine/language/catalogue.js';
import { code, say, strong, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { duration, names } from '../../engine/language/words.js';
import { isResourceKind } from '../../engine/objects/cluster-objects.js';
import { controllerOf, namesOf } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { createWorkBudget } from '../../engine/objects/work-budget.js';
import {
  hasReplicaSets,
  hasSteps,
  isPaused,
  isRevisioned,
  type RevisionedService,
  type Workload,
} from '../../engine/objects/workload.js';
import { isReplacedByEachChange, namedOwnerOf } from '../../engine/parents/parent-resource.js';
import { createPlacement } from '../../engine/scheduler/placement.js';
import { hasOpaquePart } from '../../engine/workloads/argo-rollout/canary-steps.js';
import { podsAreUnseen } from '../../engine/workloads/forecast.js';
import { limitValues } from '../../engine/workloads/limit-range-defaults.js';
import { newPods, newReplicaSetOf, podsOfNewRevision, revisionOf } from '../../engine/workloads/revisions.js';
import { type RolloutState, rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { failsToStart, startToReady } from '../../engine/workloads/start-to-ready.js';
import type { Diagnosis, RequestedForecast } from '../findings/diagnosis.js';
import { deletionOf, noFix, ownersOf } from '../findings/owners.js';
import { withoutStatedSecrets } from '../findings/without-secrets.js';
import { type Considered, impossible, type Possible } from '../fixes/considered.js';
import { considerAbortRollout } from '../fixes/kinds/abort-rollout.js';
import { considerExcludeNodes } from '../fixes/kinds/exclude-nodes/propose.js';
import { considerPromoteRollout } from '../fixes/kinds/promote-rollout.js';
import { considerRestartRollout } from '../fixes/kinds/restart-rollout/kind.js';
import { considerResumeRollout } from '../fixes/kinds/resume-rollout.js';
import { considerRetryRollout } from '../fixes/kinds/retry-rollout.js';
import { considerUndoRollout } from '../fixes/kinds/undo-rollout/propose.js';
import type { Remediation } from '../fixes/remediation.js';
import { type RequestedChange, requestedId } from '../fixes/requested-change.js';
import { ownerRefusalOf, withDrift } from '../fixes/with-drift.js';
import { checkSimulator } from '../forecasts/check-simulator.js';
import { whyUnknown } from '../forecasts/rollout-check.js';
import { stuckReasonOf } from '../forecasts/stuck-reason.js';
import { state as checkState } from '../forecasts/text.js';

/** The diagnosis with the forecast of the change that a person asked for; as it is where nobody asked. */
export function withRequested(
  diagnosis: Diagnosis,
  snapshot: Snapshot,
  change: RequestedChange | undefined,
): Diagnosis {
  return change === undefined ? diagnosis : { ...diagnosis, requested: forecastRequested(change, snapshot) };
}

interface Run {
  readonly simulator: ReturnType<typeof checkSimulator>;
  readonly considered: Considered<Remediation>;
}

/**
 * Plays a change that a person asked for forward on the cluster as it was read: scheduler, quotas and
 * controllers. Nothing is held back: what would deadlock or interrupt the service is returned with its
 * warnings, and the person decides. Where the scheduler has a choice of nodes, two opposite choices are
 * tried, and the worse one is reported.
 */
export function forecastRequested(change: RequestedChange, snapshot: Snapshot): RequestedForecast {
  if (deletionOf(snapshot) !== undefined) return impossible(noFix());
  const { workload } = snapshot;
  if (isRevisioned(workload)) {
    const { namespace, name } = workload.metadata;
    const { kind } = workload;
    return impossible(state(withoutField[change.kind], { kind, workload: `${namespace}/${name}` }));
  }
  const rollout = rolloutStateOf(snapshot);
  const runs = runsOf(change, snapshot, rollout);
  const [first] = runs;
  if (first.considered.type === 'impossible') return first.considered;
  const stopping = runs.find(({ considered }) => endOf(considered) !== 'complete') ?? first;
  const { considered, simulator } = stopping;
  if (considered.type === 'impossible') return considered;
  const disagree = runs.some((run) => endOf(run.considered) !== endOf(considered));
  const { remediation, against } = considered;
  const refused = ownerRefusalOf(remediation, snapshot);
  if (refused !== undefined) return impossible(refused);
  const stop = stopOf(change, snapshot, rollout, considered, simulator);
  const { downtime } = remediation.price;
  const outage =
    downtime.kind === 'gap' ? state('outage', { change: change.kind, seconds: downtime.seconds }) : undefined;
  const verdict = stop.verdict ?? outage;
  const warnings = [
    ...(disagree ? [state('depends-on-node', { change: change.kind })] : []),
    ...stop.warnings,
    ...failingAlike(change, rollout),
    ...ownerWarnings(change, workload),
    ...(against === undefined ? [] : [against]),
    ...(outage === undefined || outage === verdict ? [] : [outage]),
    ...(downtime.kind === 'gap' ? [state('no-pod-ready', { seconds: downtime.seconds })] : []),
  ];
  return {
    type: 'possible',
    remediation: { ...withDrift(remediation, snapshot), id: requestedId(remediation.id) },
    ...(verdict === undefined ? {} : { verdict }),
    warnings: warnings.map(withoutStatedSecrets),
    ...(stop.stops === undefined ? {} : { stops: stop.stops }),
    owners: ownersOf(snapshot),
  };
}

/** Why the kinds of which every changed template is a new revision have no such change. */
const withoutField = {
  'restart-rollout': 'service-has-no-restart',
  'exclude-nodes': 'service-has-no-exclusion',
  'undo-rollout': 'service-has-no-rollback',
  'resume-rollout': 'service-has-no-pause',
  'abort-rollout': 'needs-argo-rollout',
  'promote-rollout': 'needs-argo-rollout',
  'retry-rollout': 'needs-argo-rollout',
} as const satisfies Record<RequestedChange['kind'], string>;

function runsOf(
  change: RequestedChange,
  snapshot: Snapshot,
  rollout: RolloutState,
): readonly [Run, ...Run[]] {
  const { index, unseen } = snapshot;
  const placement = createPlacement(index, {
    unseen: unseen.flatMap(({ what, because }) =>
      isResourceKind(what) && because !== 'not-served' ? [what] : [],
    ),
    work: createWorkBudget(),
  });
  const run = (choice: 'first' | 'last'): Run => {
    const { workload } = snapshot;
    const simulator = checkSimulator({ index, placement, now: nowOf(snapshot), workload }, choice);
    return { simulator, considered: consider(change, { snapshot, state: rollout, placement, simulator }) };
  };
  const first = run('first');
  return first.simulator.hadChoice() ? [first, run('last')] : [first];
}

function consider(
  change: RequestedChange,
  input: Omit<Parameters<typeof considerExcludeNodes>[0], 'nodes'>,
): Considered<Remediation> {
  const { snapshot, state: rollout, simulator } = input;
  switch (change.kind) {
    case 'restart-rollout':
      return considerRestartRollout(input);
    case 'undo-rollout':
      return considerUndoRollout(input);
    case 'exclude-nodes':
      return considerExcludeNodes({ ...input, nodes: change.nodes });
    case 'resume-rollout': {
      const { namespace, name } = snapshot.workload.metadata;
      const workload = `${namespace}/${name}`;
      if (!hasReplicaSets(rollout)) return impossible(state('resume-needs-deployment', { workload }));
      if (!isPaused(snapshot.workload)) return impossible(state('resume-not-paused', { workload }));
      return considerResumeRollout({ state: rollout, simulator, revision: revisionOf(snapshot) });
    }
    case 'abort-rollout':
    case 'promote-rollout':
    case 'retry-rollout': {
      const { kind, metadata } = snapshot.workload;
      const workload = `${metadata.namespace}/${metadata.name}`;
      if (!hasSteps(rollout)) return impossible(state('needs-argo-rollout', { kind, workload }));
      return considerUpdate[change.kind]({ state: rollout, simulator });
    }
  }
}

/** What people do to an update of Argo Rollouts that is under way. */
const considerUpdate = {
  'abort-rollout': considerAbortRollout,
  'promote-rollout': considerPromoteRollout,
  'retry-rollout': considerRetryRollout,
} as const;

function endOf(considered: Considered<Remediation>): string {
  return considered.type === 'impossible' ? considered.type : considered.forecast.ends;
}

/**
 * Pods that fail with the very template that the change starts once more. The forecast takes for granted that
 * new pods become ready.
 */
function failingAlike(change: RequestedChange, rollout: RolloutState): readonly Statement[] {
  if (change.kind !== 'restart-rollout' && change.kind !== 'exclude-nodes') return [];
  const avoided = change.kind === 'exclude-nodes' ? change.nodes : [];
  const observed = startToReady(rollout);
  const pods = podsOfNewRevision(rollout).filter(
    (pod) => failsToStart(pod, rollout.now, observed) && !avoided.includes(pod.spec.nodeName ?? ''),
  );
  return pods.length === 0 ? [] : [state('alike-fail', { pods: namesOf(pods) })];
}

/** What else a change of the owner replaces. */
function ownerWarnings({ kind: change }: RequestedChange, workload: Workload): readonly Statement[] {
  const owner = namedOwnerOf(workload);
  if (owner === undefined || !isReplacedByEachChange(workload)) return [];
  const { namespace, name } = workload.metadata;
  return [
    state('replaces-head-and-workers', {
      change,
      owner: `${owner.kind} ${owner.namespace}/${owner.name}`,
      workload: `${namespace}/${name}`,
    }),
  ];
}

interface Stop {
  /** That it would not complete. */
  readonly verdict?: Statement;
  readonly stops?: Extract<RequestedForecast, { readonly type: 'possible' }>['stops'];
  /** In the order of an explanation; empty when the rollout would complete. */
  readonly warnings: readonly Statement[];
}

/** Why the rollout would not complete. */
function stopOf(
  { kind: change }: RequestedChange,
  snapshot: Snapshot,
  rollout: RolloutState,
  { forecast, remediation }: Possible<Remediation>,
  simulator: Run['simulator'],
): Stop {
  const { namespace, name } = snapshot.workload.metadata;
  switch (forecast.ends) {
    case 'complete':
      return { warnings: [] };
    case 'contested': {
      const pods = (forecast.winners ?? []).map((pod) => `${pod.namespace}/${pod.name}`);
      return { warnings: [state('place-contested', { change, pods })] };
    }
    case 'unknown':
      return {
        warnings: [
          state('end-unknown', { change }),
          isAnalysed(rollout) ? state('because-analysis') : whyUnknown(forecast),
        ],
      };
    case 'too-large': {
      const why = checkState('because-too-large', limitValues(forecast.limit));
      return { warnings: [state('end-unknown', { change }), why] };
    }
    case 'stuck': {
      const halfway = (because: readonly Statement[]): Stop => ({
        stops: 'halfway',
        verdict: state('would-stop', { change }),
        warnings: because,
      });
      if (forecast.isCounted)
        return halfway([checkState('because-counted', { stops: `${namespace}/${name}` })]);
      const old = oldPods(rollout, remediation);
      const why = stuckReasonOf({ snapshot, forecast, simulator, old });
      if (why.kind === 'unclear') return halfway(why.because);
      if (why.holders.length === 0) return halfway(why.reasoning);
      return {
        stops: 'deadlock',
        verdict: state('would-deadlock', { change }),
        warnings: [state('capacity-in-use'), ...why.reasoning],
      };
    }
  }
}

/** The engine foresees no analysis of an update. */
function isAnalysed(rollout: RolloutState): boolean {
  return hasSteps(rollout) && hasOpaquePart(rollout.rollout) && !podsAreUnseen(rollout);
}

/** Observed pods that the change is to replace. */
function oldPods(rollout: RolloutState, remediation: Remediation): readonly Pod[] {
  if (!hasReplicaSets(rollout)) return rollout.pods;
  switch (remediation.kind) {
    case 'undo-rollout':
      return rollout.pods.filter((pod) => controllerOf(pod)?.uid !== remediation.from.uid);
    case 'resume-rollout':
    case 'promote-rollout':
    case 'retry-rollout': {
      const kept = newReplicaSetOf(rollout)?.metadata.uid;
      return rollout.pods.filter((pod) => controllerOf(pod)?.uid !== kept);
    }
    case 'abort-rollout':
      return newPods(rollout);
    default:
      return rollout.pods;
  }
}

type Words = Readonly<Record<RequestedChange['kind'], string>>;

/** The change as the subject of a sentence. */
const subjects: { readonly en: Words; readonly ko: Words } = {
  en: {
    'restart-rollout': 'A restart',
    'undo-rollout': 'A rollback',
    'resume-rollout': 'Resuming',
    'exclude-nodes': 'The exclusion',
    'abort-rollout': 'An abort',
    'promote-rollout': 'A promotion',
    'retry-rollout': 'A retry',
  },
  ko: {
    'restart-rollout': '재시작',
    'undo-rollout': '롤백',
    'resume-rollout': '재개',
    'exclude-nodes': '노드를 제외',
    'abort-rollout': '중단(abort)',
    'promote-rollout': '승격(promote)',
    'retry-rollout': '다시 시도(retry)',
  },
};
type Kind = { readonly change: RequestedChange['kind'] };
/** `undefined` where no length was observed. */
type Outage = { readonly seconds: number | undefined };

/**
 * A kind whose controller makes a new revision of every changed template, and where its pods are declared.
 */
type Service = { readonly kind: RevisionedService['kind']; readonly workload: string };
const templates: Readonly<Record<Service['kind'], string>> = {
  KnativeService: 'spec.template',
  RayService: 'spec.rayClusterConfig',
  DynamoGraphDeployment: 'spec.components',
};

/** Sentences about changes that a person asked for. */
const en = {
  'would-deadlock': ({ change }: Kind) => say`${strong(`${subjects.en[change]} would deadlock now.`)}`,
  /** Why: old pods keep what the new ones wait for. */
  'capacity-in-use': () => say`The old pods use the capacity that the new pods need.`,
  'would-stop': ({ change }: Kind) => say`${strong(`${subjects.en[change]} would not complete now.`)}`,
  'end-unknown': ({ change }: Kind) =>
    say`${strong(`${subjects.en[change]} might not complete.`)} How the rollout would end could not be determined.`,
  /** Pods of several nodes have the generation of the owner as a label. */
  'replaces-head-and-workers': ({
    change,
    owner,
    workload,
  }: Kind & { readonly owner: string; readonly workload: string }) =>
    say`${strong(`${subjects.en[change]} would replace head and workers.`)} Each change of ${code(owner)} replaces both, and only ${code(workload)} was simulated.`,
  /** Waiting pods of other workloads could take what the change frees, as `namespace/name`. */
  'place-contested': ({ change, pods }: Kind & { readonly pods: readonly string[] }) =>
    say`${strong(`${subjects.en[change]} might not complete.`)} ${names('en', pods)} could use the freed capacity first.`,
  /** With one choice of nodes it completes, with another it does not. */
  'depends-on-node': ({ change }: Kind) =>
    say`${strong(`${subjects.en[change]} might deadlock.`)} The result depends on which of several nodes the scheduler chooses.`,
  outage: ({ change }: Kind & Outage) =>
    say`${strong(`${subjects.en[change]} would interrupt the service.`)}`,
  'no-pod-ready': ({ seconds }: Outage) =>
    say`No pod would be ready ${
      seconds === undefined ? word('for a time of unknown length') : say`for about ${duration('en', seconds)}`
    }.`,
  'service-has-no-restart': ({ kind, workload }: Service) =>
    say`No field of the ${code(kind)} ${code(workload)} restarts its pods. A new annotation of the pods in ${code(templates[kind])} makes a new revision beside the one that serves, and the cluster needs room for both. Add it in the manifest, or delete single pods: the controller replaces them.`,
  'service-has-no-exclusion': ({ kind, workload }: Service) =>
    say`Rollout Doctor does not change the affinity of the ${code(kind)} ${code(workload)}. Set it in ${code(templates[kind])} of the manifest, which makes a new revision beside the one that serves. You can also cordon the nodes.`,
  'service-has-no-rollback': ({ kind, workload }: Service) =>
    kind === 'KnativeService'
      ? say`Rollout Doctor does not roll back the ${code(kind)} ${code(workload)}. Send its traffic to an earlier Revision in ${code('spec.traffic')}, or apply the former manifest.`
      : say`The ${code(kind)} ${code(workload)} keeps no earlier template. Apply the former manifest, or revert the change in Git.`,
  'service-has-no-pause': ({ kind, workload }: Service) =>
    say`No field of the ${code(kind)} ${code(workload)} pauses or resumes a rollout.`,
  'resume-needs-deployment': ({ workload }: { workload: string }) =>
    say`${code(workload)} cannot be paused. Only Deployments and Rollouts of Argo Rollouts can be paused and resumed.`,
  'needs-argo-rollout': ({ kind, workload }: { kind: string; workload: string }) =>
    say`${code(workload)} is a ${code(kind)}. Only updates of Argo Rollouts can be promoted, retried or aborted.`,
  /** Pods of the template that the change starts again. */
  'alike-fail': ({ pods }: { pods: readonly string[] }) =>
    say`${strong('New pods may fail too.')} ${names('en', pods)} ${word(pods.length === 1 ? 'has' : 'have')} the same image and settings, and ${word(pods.length === 1 ? 'does' : 'do')} not become ready.`,
  'because-analysis': () => say`An analysis of the update may abort it at any time.`,
  'resume-not-paused': ({ workload }: { workload: string }) =>
    say`${code(workload)} is not paused, so there is nothing to resume.`,
};

const ko: SameSentences<typeof en> = {
  'would-deadlock': ({ change }) => say`${strong(`지금 ${subjects.ko[change]}하면 교착 상태가 됩니다.`)}`,
  'capacity-in-use': () => say`새 파드에 필요한 용량을 이전 파드가 사용 중입니다.`,
  'would-stop': ({ change }) => say`${strong(`지금 ${subjects.ko[change]}하면 롤아웃이 중간에 멈춥니다.`)}`,
  'end-unknown': ({ change }) =>
    say`${strong(`${subjects.ko[change]}해도 완료되지 않을 수 있습니다.`)} 롤아웃이 어떻게 끝날지 확인할 수 없었습니다.`,
  'replaces-head-and-workers': ({ change, owner, workload }) =>
    say`${strong(`${subjects.ko[change]}하면 헤드와 워커가 모두 교체됩니다.`)} ${code(owner)} 오브젝트는 바뀔 때마다 둘 다 교체하며, ${code(workload)} 워크로드만 시뮬레이션했습니다.`,
  'place-contested': ({ change, pods }) =>
    say`${strong(`${subjects.ko[change]}해도 완료되지 않을 수 있습니다.`)} 비게 될 용량을 ${names('ko', pods)} 파드가 먼저 사용할 수 있습니다.`,
  'depends-on-node': ({ change }) =>
    say`${strong(`${subjects.ko[change]}하면 교착 상태가 될 수 있습니다.`)} 스케줄러가 여러 노드 중 어느 노드를 고르는지에 따라 결과가 달라집니다.`,
  outage: ({ change }) => say`${strong(`${subjects.ko[change]}하면 서비스가 중단됩니다.`)}`,
  'no-pod-ready': ({ seconds }) =>
    say`${
      seconds === undefined ? word('얼마 동안인지는 알 수 없지만') : say`약 ${duration('ko', seconds)} 동안`
    } 준비된 파드가 없습니다.`,
  'service-has-no-restart': ({ kind, workload }) =>
    say`${code(kind)} ${code(workload)}에는 파드를 재시작하는 필드가 없습니다. ${code(templates[kind])}에서 파드의 어노테이션을 추가하면 서비스 중인 리비전 옆에 새 리비전이 만들어지며, 클러스터에 두 리비전의 자리가 모두 있어야 합니다. 매니페스트에서 추가하거나 파드를 하나씩 삭제하세요. 컨트롤러가 파드를 다시 만듭니다.`,
  'service-has-no-exclusion': ({ kind, workload }) =>
    say`Rollout Doctor는 ${code(kind)} ${code(workload)}의 어피니티를 변경하지 않습니다. 매니페스트의 ${code(templates[kind])}에서 설정하면 서비스 중인 리비전 옆에 새 리비전이 만들어집니다. 노드를 cordon할 수도 있습니다.`,
  'service-has-no-rollback': ({ kind, workload }) =>
    kind === 'KnativeService'
      ? say`Rollout Doctor는 ${code(kind)} ${code(workload)} 롤백을 지원하지 않습니다. ${code('spec.traffic')}에서 이전 Revision으로 트래픽을 보내거나 이전 매니페스트를 적용하세요.`
      : say`${code(kind)} ${code(workload)}에는 이전 템플릿이 남아 있지 않습니다. 이전 매니페스트를 적용하거나 Git에서 변경을 되돌리세요.`,
  'service-has-no-pause': ({ kind, workload }) =>
    say`${code(kind)} ${code(workload)}에는 롤아웃을 일시 중지하거나 재개하는 필드가 없습니다.`,
  'resume-needs-deployment': ({ workload }) =>
    say`${code(workload)} 워크로드는 일시 중지할 수 없습니다. Deployment와 Argo Rollouts의 Rollout만 일시 중지하고 재개할 수 있습니다.`,
  'needs-argo-rollout': ({ kind, workload }) =>
    say`${code(workload)} 워크로드는 ${code(kind)}입니다. 승격(promote), 다시 시도(retry), 중단(abort)은 Argo Rollouts의 업데이트에만 할 수 있습니다.`,
  'alike-fail': ({ pods }) =>
    say`${strong('새 파드도 실패할 수 있습니다.')} 이미지와 설정이 같은 ${names('ko', pods)} 파드가 준비되지 않고 있습니다.`,
  'because-analysis': () => say`업데이트의 분석이 언제든 업데이트를 중단(abort)할 수 있습니다.`,
  'resume-not-paused': ({ workload }) =>
    say`${code(workload)} 롤아웃은 일시 중지 상태가 아니므로 재개할 것이 없습니다.`,
};

export const requestedText = { en, ko };
export const requestedCatalogueId = 'requested';
export const state = statementsOf<typeof en>(requestedCatalogueId);
