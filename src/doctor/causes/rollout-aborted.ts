import * as z from 'zod';
import { code, moment, say, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted } from '../../engine/language/words.js';
import type { Rollout } from '../../engine/objects/argo-rollout.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { hasSteps } from '../../engine/objects/workload.js';
import { failedAnalysisOf } from '../../engine/workloads/argo-rollout/canary-steps.js';
import {
  availableOf,
  hasDeadline,
  isFullyPromoted,
} from '../../engine/workloads/argo-rollout/reconciliation.js';
import { rolesOf } from '../../engine/workloads/argo-rollout/replica-set-roles.js';
import { syncArgoRollout } from '../../engine/workloads/argo-rollout/rollout-sync.js';
import { revisionNumber } from '../../engine/workloads/deployment-writes.js';
import { revisionOf } from '../../engine/workloads/revisions.js';
import { type ArgoRolloutState, rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { type FactsOf, fact } from '../findings/facts.js';
import type { Evidence } from '../findings/finding.js';
import type { Detected, Rule } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const analyses: Readonly<Record<string, { readonly en: string; readonly ko: string }>> = {
  step: { en: 'of its step', ko: '단계' },
  background: { en: 'beside its steps', ko: '백그라운드' },
  'pre-promotion': { en: 'before the promotion', ko: '승격 전' },
  'post-promotion': { en: 'after the promotion', ko: '승격 후' },
};

type Stable = { readonly revision: string; readonly available: number; readonly wanted: number };

const en = {
  'shared-failure': () => say`the update was aborted`,
  summary: ({ workload, revision }: { workload: string; revision: string }) =>
    say`The update of ${code(workload)} to revision ${code(revision)} was aborted`,
  standing: ({ stable }: { stable: Stable | undefined }) =>
    say`${
      stable === undefined
        ? word('The controller keeps the stable revision.')
        : say`${stable.available} of ${stable.wanted} pods of revision ${code(stable.revision)} are available.`
    } The update does not continue until someone retries it or changes the template.`,
  aborted: ({ revision, at }: { revision: string; at: string | undefined }) =>
    at === undefined
      ? say`The update to revision ${code(revision)} was aborted, so the controller keeps the stable revision.`
      : say`The update to revision ${code(revision)} was aborted ${moment(at)}, so the controller keeps the stable revision.`,
  'analysis-failed': ({ analysis }: { analysis: string }) =>
    say`The analysis ${word(analyses[analysis]?.en ?? '')} failed, and the controller then aborted the update.`,
  'no-analysis-failed': () =>
    say`No analysis of this update failed. A person aborted it, or the controller did at the deadline.`,
  'summary-unfinished': (values: { workload: string; revision: string; weight: number }) =>
    say`${code(values.workload)}: revision ${code(values.revision)} was aborted, and keeps a traffic weight of ${values.weight}`,
  unfinished: ({ size, replicas, pods }: { size: number; replicas: number; pods: number }) =>
    say`The stable ReplicaSet has ${size} of ${counted(replicas, 'pod', 'pods')} until the weight falls. The weight falls only when some of the ${counted(pods, 'canary pod', 'canary pods')} stop. They stop only when all stable pods are available.`,
  'versions-unfinished': () =>
    say`Argo Rollouts before 1.10 waits in this way where both ${code('dynamicStableScale')} and ${code('abortScaleDownDelaySeconds')} are set.`,
  'next-attempt-unfinished': () => say`None. The controller waits for its own next step.`,
  'ev-weight': () => say`traffic weight of the aborted revision`,
  'advice-unfinished-title': () => say`Let the controller stop the canary pods`,
  'advice-unfinished': () =>
    say`Remove ${code('abortScaleDownDelaySeconds')}: the canary pods then stop step by step as stable pods become available. Argo Rollouts 1.10 does not need this.`,
  'ev-aborted': () => say`the update was aborted`,
  'ev-message': ({ message }: { message: string }) => say`the controller reports ${code(message)}`,
  'because-aborted': () => say`the controller of an aborted update does not try to start new pods`,
  'next-attempt': () => say`None. The controller acts only after a retry or a change of the template.`,
  'analysis-first': () =>
    say`Its analysis failed, and would measure the same revision again. Find out what it measured first.`,
  'advice-retry-title': () => say`Find out why it was aborted, then retry the update or revert the change`,
  'advice-retry': (values: { workload: string; namespace: string; isReferenced: boolean }) =>
    say`In Slack: ${code(`/rollout-doctor retry ${values.workload} -n ${values.namespace}`)}. If the new revision is bad, revert the template ${word(values.isReferenced ? 'of the referenced Deployment' : '')} in Git, so that Git and the cluster agree again.`,
};

const ko: typeof en = {
  'shared-failure': () => say`업데이트가 중단(abort)됨`,
  summary: ({ workload, revision }) =>
    say`${code(workload)}의 리비전 ${code(revision)} 업데이트가 중단(abort)되었습니다`,
  standing: ({ stable }) =>
    say`${
      stable === undefined
        ? word('컨트롤러가 안정 리비전을 유지합니다.')
        : say`리비전 ${code(stable.revision)} 파드 ${stable.wanted}개 중 ${stable.available}개를 사용할 수 있습니다.`
    } 누군가 다시 시도하거나 템플릿을 바꿀 때까지 업데이트는 진행되지 않습니다.`,
  aborted: ({ revision, at }) =>
    at === undefined
      ? say`리비전 ${code(revision)} 업데이트가 중단되어 컨트롤러가 안정 리비전을 유지합니다.`
      : say`리비전 ${code(revision)} 업데이트가 중단되어(${moment(at)}) 컨트롤러가 안정 리비전을 유지합니다.`,
  'analysis-failed': ({ analysis }) =>
    say`${word(analyses[analysis]?.ko ?? '')} 분석이 실패해 컨트롤러가 업데이트를 중단했습니다.`,
  'no-analysis-failed': () =>
    say`이 업데이트의 분석은 실패하지 않았습니다. 사람이 중단했거나 기한이 지나 컨트롤러가 중단했습니다.`,
  'summary-unfinished': ({ workload, revision, weight }) =>
    say`${code(workload)}: 리비전 ${code(revision)} 업데이트의 중단(abort)이 끝나지 않았습니다(남은 트래픽 가중치: ${weight})`,
  unfinished: ({ size, replicas, pods }) =>
    say`가중치가 내려가야 안정 ReplicaSet이 파드 ${size}개에서 ${replicas}개로 늘어납니다. 가중치는 카나리 파드 ${pods}개 중 일부가 종료되어야 내려가는데, 카나리 파드는 안정 파드가 모두 사용 가능해야 종료됩니다.`,
  'versions-unfinished': () =>
    say`${code('dynamicStableScale')}과 ${code('abortScaleDownDelaySeconds')}가 모두 설정되면 1.10 이전의 Argo Rollouts는 이렇게 계속 기다립니다.`,
  'next-attempt-unfinished': () => say`없음. 컨트롤러가 자신의 다음 단계를 기다립니다.`,
  'ev-weight': () => say`중단된 리비전의 트래픽 가중치`,
  'advice-unfinished-title': () => say`컨트롤러가 카나리 파드를 종료하게 하기`,
  'advice-unfinished': () =>
    say`${code('abortScaleDownDelaySeconds')}를 제거하세요. 그러면 안정 파드가 사용 가능해질 때마다 카나리 파드가 단계적으로 종료됩니다. Argo Rollouts 1.10에서는 필요하지 않습니다.`,
  'ev-aborted': () => say`업데이트가 중단됨`,
  'ev-message': ({ message }) => say`컨트롤러 메시지: ${code(message)}`,
  'because-aborted': () => say`업데이트가 중단되면 컨트롤러는 새 파드를 시작하려 하지 않음`,
  'next-attempt': () => say`없음. 다시 시도하거나 템플릿을 바꿔야 컨트롤러가 동작합니다.`,
  'analysis-first': () =>
    say`분석이 실패했고, 다시 시도해도 같은 리비전을 분석합니다. 먼저 분석 결과를 확인하세요.`,
  'advice-retry-title': () => say`중단된 이유를 확인한 뒤 다시 시도하거나 변경 되돌리기`,
  'advice-retry': ({ workload, namespace, isReferenced }) =>
    say`Slack에서 ${code(`/rollout-doctor retry ${workload} -n ${namespace}`)} 명령을 사용하세요. 새 리비전에 문제가 있다면 Git에서 ${word(isReferenced ? '참조된 Deployment의 ' : '')}템플릿을 되돌려 Git과 클러스터를 일치시키세요.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('rollout-aborted');

const RolloutAbortedFacts = z.strictObject({
  revision: fact.text('The revision whose update was aborted'),
  stable: fact.text('The stable revision, which the controller keeps').optional(),
  abortedAt: fact.time('When it was aborted').optional(),
  abortedSeconds: fact.seconds('Time since the abort').optional(),
  failedAnalysis: fact
    .oneOf(
      ['step', 'background', 'pre-promotion', 'post-promotion'],
      'The analysis of the update that failed; absent where none did',
    )
    .optional(),
  canaryWeight: fact
    .count('Traffic weight that the aborted revision keeps; absent where the abort is complete or continues')
    .optional(),
});

/**
 * The update of a Rollout was aborted by a person, by an analysis that failed, or at its deadline. The
 * controller keeps the stable revision until the template changes or someone retries (argo-rollouts
 * `rollout/pause.go: CalculateAbortStatus`). A note, since nothing is broken: the stable pods have findings
 * of their own. A retry is not offered, since no rule sees why a person aborted. A person who asks for it
 * gets the forecast.
 */
export const rolloutAborted: Rule<typeof RolloutAbortedFacts> = {
  id: 'rollout-aborted',
  facts: RolloutAbortedFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Rollout'],
  needs: ['ReplicaSet'],
  supersedes: [],
  detect({ snapshot }) {
    const rollout = rolloutStateOf(snapshot);
    if (!hasSteps(rollout)) return undefined;
    const { metadata, status } = rollout.rollout;
    const isOver = !status.abort || isFullyPromoted(rollout.rollout);
    return isOver || metadata.deletionTimestamp !== undefined ? undefined : findingOf(snapshot, rollout);
  },
};

function findingOf(snapshot: Snapshot, rollout: ArgoRolloutState): Detected<typeof RolloutAbortedFacts> {
  const { metadata, spec } = rollout.rollout;
  const facts = factsOf(snapshot, rollout);
  const { revision, stable, abortedAt, failedAnalysis, canaryWeight: weight } = facts;
  const { newReplicaSet, stableReplicaSet } = rolesOf(rollout.rollout, rollout.replicaSets);
  const workload = workloadName(snapshot);
  return {
    confidence: 'proven',
    severity: weight === undefined ? 'info' : 'warning',
    facts,
    summary:
      weight === undefined
        ? state('summary', { workload, revision })
        : state('summary-unfinished', { workload, revision, weight }),
    standing: state('standing', {
      stable:
        stableReplicaSet === undefined
          ? undefined
          : { revision: stable ?? '', available: availableOf([stableReplicaSet]), wanted: spec.replicas },
    }),
    reasoning: [
      state('aborted', { revision, at: abortedAt }),
      state(failedAnalysis === undefined ? 'no-analysis-failed' : 'analysis-failed', {
        analysis: failedAnalysis ?? '',
      }),
      ...(weight === undefined
        ? []
        : [
            state('unfinished', {
              size: stableReplicaSet?.spec.replicas ?? 0,
              replicas: spec.replicas,
              pods: newReplicaSet?.spec.replicas ?? 0,
            }),
            state('versions-unfinished'),
          ]),
    ],
    evidence: evidenceOf(rollout.rollout, weight),
    ruledOut: [{ cause: 'surge-deadlock', because: state('because-aborted') }],
    nextAttempt: { what: state(weight === undefined ? 'next-attempt' : 'next-attempt-unfinished') },
    withheld:
      failedAnalysis === undefined ? [] : [{ kind: 'retry-rollout', because: state('analysis-first') }],
    advice: [
      ...(weight === undefined
        ? []
        : [
            {
              title: state('advice-unfinished-title'),
              text: state('advice-unfinished'),
              snippet: `kubectl -n ${metadata.namespace} patch rollout ${metadata.name} --type merge -p '{"spec":{"strategy":{"canary":{"abortScaleDownDelaySeconds":null}}}}'\n`,
            },
          ]),
      {
        title: state('advice-retry-title'),
        text: state('advice-retry', {
          workload: `rollout/${metadata.name}`,
          namespace: metadata.namespace,
          isReferenced: spec.workloadRef !== undefined,
        }),
        snippet: `kubectl argo rollouts retry rollout ${metadata.name} -n ${metadata.namespace}\n`,
      },
    ],
  };
}

type Facts = FactsOf<typeof RolloutAbortedFacts>;

function factsOf(snapshot: Snapshot, state: ArgoRolloutState): Facts {
  const { rollout, replicaSets } = state;
  const { abortedAt } = rollout.status;
  const { stableReplicaSet } = rolesOf(rollout, replicaSets);
  const stable = stableReplicaSet && revisionNumber(stableReplicaSet);
  const since = Date.parse(abortedAt ?? '');
  return {
    revision: revisionOf(snapshot),
    stable: stable === undefined ? undefined : String(stable),
    abortedAt,
    abortedSeconds: Number.isNaN(since) ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000),
    failedAnalysis: failedAnalysisOf(rollout),
    canaryWeight: isAtRestBeforeItsEnd(state) ? rollout.status.canary.weights?.canary.weight : undefined,
  };
}

/** The controller reacts to pods and to its own writes within seconds. */
const patienceMs = 120_000;

/**
 * Whether the controller moves neither pods nor traffic any more, while the aborted revision has traffic and
 * no stable pod is waited for (argo-rollouts issue 4898; 1.10 lowers the weight before it stops pods:
 * `utils/replicaset/canary.go: GetDesiredCanaryWeight`). A controller of 1.10 passes through this state, so
 * it counts only where the abort is older than the reaction of a controller.
 */
function isAtRestBeforeItsEnd(state: ArgoRolloutState): boolean {
  const { rollout, replicaSets, now } = state;
  const { abortedAt, canary } = rollout.status;
  const { stableReplicaSet } = rolesOf(rollout, replicaSets);
  if (stableReplicaSet === undefined || !(canary.weights !== undefined && canary.weights.canary.weight > 0))
    return false;
  const wanted = stableReplicaSet.spec.replicas;
  if (wanted >= rollout.spec.replicas || availableOf([stableReplicaSet]) < wanted) return false;
  if (!(now - Date.parse(abortedAt ?? '') >= patienceMs)) return false;
  const next = syncArgoRollout(state).state;
  const sizes = new Map(replicaSets.map(({ metadata, spec }) => [metadata.uid, spec.replicas]));
  return (
    next.replicaSets.every(
      (each) => each.spec.replicas === sizes.get(each.metadata.uid) && !hasDeadline(each),
    ) && next.rollout.status.canary.weights?.canary.weight === canary.weights.canary.weight
  );
}

function evidenceOf({ metadata, status }: Rollout, weight: number | undefined): readonly Evidence[] {
  const { namespace, name } = metadata;
  const object = { kind: 'Rollout', namespace, name };
  const progressing = conditionOf(status, 'Progressing');
  return [
    { object, field: 'status.abort', value: 'true', at: status.abortedAt, says: state('ev-aborted') },
    ...(weight === undefined
      ? []
      : [
          {
            object,
            field: 'status.canary.weights.canary.weight',
            value: String(weight),
            says: state('ev-weight'),
          },
        ]),
    ...(progressing === undefined
      ? []
      : [
          {
            object,
            field: 'status.conditions[Progressing]',
            value: `${progressing.status} ${progressing.reason}`,
            at: progressing.lastUpdateTime,
            says: state('ev-message', { message: progressing.message }),
          },
        ]),
  ];
}
