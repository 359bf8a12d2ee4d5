import * as z from 'zod';
import type { SameSentences } from '../../engine/language/catalogue.js';
import { code, moment, say, word } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import type { Rollout } from '../../engine/objects/argo-rollout.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { hasSteps } from '../../engine/objects/workload.js';
import { availableOf, isFullyPromoted } from '../../engine/workloads/argo-rollout/reconciliation.js';
import { rolesOf } from '../../engine/workloads/argo-rollout/replica-set-roles.js';
import { failedAnalysisOf } from '../../engine/workloads/argo-rollout/waits.js';
import { revisionNumber } from '../../engine/workloads/deployment-annotations.js';
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

interface Stable {
  readonly revision: string;
  readonly available: number;
  readonly wanted: number;
}

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
  'ev-aborted': () => say`the update was aborted`,
  'ev-message': ({ message }: { message: string }) => say`the controller reports ${code(message)}`,
  'because-aborted': () => say`the controller of an aborted update does not try to start new pods`,
  'next-attempt': () => say`None. The controller acts only after a retry or a change of the template.`,
  'analysis-first': () =>
    say`Its analysis failed, and would measure the same revision again. Find out what it measured first.`,
  'advice-retry-title': () => say`Find out why it was aborted, then retry the update or revert the change`,
  'advice-retry': ({
    workload,
    namespace,
    isReferenced,
  }: {
    workload: string;
    namespace: string;
    isReferenced: boolean;
  }) =>
    say`In Slack: ${code(`/rollout-doctor retry ${workload} -n ${namespace}`)}. If the new revision is bad, revert the template ${word(isReferenced ? 'of the referenced Deployment' : '')} in Git, so that Git and the cluster agree again.`,
};

const ko: SameSentences<typeof en> = {
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
  const { revision, stable, abortedAt, failedAnalysis } = facts;
  const { stableReplicaSet } = rolesOf(rollout.rollout, rollout.replicaSets);
  return {
    confidence: 'proven',
    severity: 'info',
    facts,
    summary: state('summary', { workload: workloadName(snapshot), revision }),
    standing: state('standing', {
      stable:
        stableReplicaSet === undefined
          ? undefined
          : {
              revision: stable ?? '',
              available: availableOf([stableReplicaSet]),
              wanted: spec.replicas,
            },
    }),
    reasoning: [
      state('aborted', { revision, at: abortedAt }),
      state(failedAnalysis === undefined ? 'no-analysis-failed' : 'analysis-failed', {
        analysis: failedAnalysis ?? '',
      }),
    ],
    evidence: evidenceOf(rollout.rollout),
    ruledOut: [{ cause: 'surge-deadlock', because: state('because-aborted') }],
    nextAttempt: { what: state('next-attempt') },
    withheld:
      failedAnalysis === undefined ? [] : [{ kind: 'retry-rollout', because: state('analysis-first') }],
    advice: [
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

function factsOf(snapshot: Snapshot, { rollout, replicaSets }: ArgoRolloutState): Facts {
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
  };
}

function evidenceOf({ metadata, status }: Rollout): readonly Evidence[] {
  const { namespace, name } = metadata;
  const object = { kind: 'Rollout', namespace, name };
  const progressing = conditionOf(status, 'Progressing');
  return [
    { object, field: 'status.abort', value: 'true', at: status.abortedAt, says: state('ev-aborted') },
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
