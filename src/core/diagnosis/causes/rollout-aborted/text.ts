import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';

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
  summary: ({ workload, revision }: { readonly workload: string; readonly revision: string }) =>
    say`The update of ${code(workload)} to revision ${code(revision)} was aborted`,
  standing: ({ stable }: { readonly stable: Stable | undefined }) =>
    say`${
      stable === undefined
        ? word('The controller keeps the stable revision.')
        : say`${stable.available} of ${stable.wanted} pods of revision ${code(stable.revision)} are available.`
    } The update does not continue until someone retries it or changes the template.`,
  aborted: ({ revision, at }: { readonly revision: string; readonly at: string | undefined }) =>
    at === undefined
      ? say`The update to revision ${code(revision)} was aborted, so the controller keeps the stable revision.`
      : say`The update to revision ${code(revision)} was aborted ${moment(at)}, so the controller keeps the stable revision.`,
  'analysis-failed': ({ analysis }: { readonly analysis: string }) =>
    say`The analysis ${word(analyses[analysis]?.en ?? '')} failed, and the controller then aborted the update.`,
  'no-analysis-failed': () =>
    say`No analysis of this update failed. A person aborted it, or the controller did at the deadline.`,
  'ev-aborted': () => say`the update was aborted`,
  'ev-message': ({ message }: { readonly message: string }) => say`the controller reports ${code(message)}`,
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
    readonly workload: string;
    readonly namespace: string;
    readonly isReferenced: boolean;
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

export const text = { en, ko };

export const state = statementsOf<typeof en>('rollout-aborted');
