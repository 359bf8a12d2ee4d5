import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, isAtLeastOneSecond, names } from '../../../language/words.js';

const en = {
  'shared-failure': () => say`Knative has given the new revision up`,
  summary: ({ workload, revision }: { readonly workload: string; readonly revision: string }) =>
    say`The update of ${code(workload)} was not made: Knative has given revision ${code(revision)} up`,
  standing: ({
    revision,
    forSeconds,
  }: {
    readonly revision: string;
    readonly forSeconds: number | undefined;
  }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`Knative has marked revision ${code(revision)} as failed.`
      : say`Knative marked revision ${code(revision)} as failed ${duration('en', forSeconds)} ago.`,
  'given-up': ({ revision }: { readonly revision: string }) =>
    say`Revision ${code(revision)} did not become ready before its progress deadline. Knative has scaled it to zero, so that no pod of it is left.`,
  serves: ({ revisions }: { readonly revisions: readonly string[] }) =>
    say`${names('en', revisions)} ${word(revisions.length === 1 ? 'goes' : 'go')} on serving.`,
  'none-serves': () => say`No revision has ever been ready, so nothing serves.`,
  'ev-failed': ({ revision }: { readonly revision: string }) => say`${code(revision)} failed`,
  'next-attempt': () => say`None. Knative starts pods only for the next change of the template.`,
  'restart-withheld': () => say`A Knative Service has no field for a restart.`,
  'advice-read-title': () => say`Read why it failed`,
  'advice-read': ({ revision }: { readonly revision: string }) =>
    say`The conditions of Revision ${code(revision)} have Knative's reason. Its pods are gone.`,
  'advice-again-title': () => say`Try the update again`,
  'advice-again': ({ revision }: { readonly revision: string }) =>
    say`Knative does not start ${code(revision)} again. Once the reason is mended, change the template, for example an annotation of it. Diagnose the service while the new pods wait.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`Knative가 새 리비전을 포기함`,
  summary: ({ workload, revision }) =>
    say`${code(workload)} 업데이트가 반영되지 않았습니다. Knative가 리비전 ${code(revision)}을 포기했습니다`,
  standing: ({ revision, forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`Knative가 리비전 ${code(revision)}을 실패로 표시했습니다.`
      : say`Knative가 ${duration('ko', forSeconds)} 전에 리비전 ${code(revision)}을 실패로 표시했습니다.`,
  'given-up': ({ revision }) =>
    say`리비전 ${code(revision)}은 진행 기한 안에 준비되지 않았습니다. Knative가 파드를 0개로 줄여 남은 파드가 없습니다.`,
  serves: ({ revisions }) => say`${names('ko', revisions)} 리비전이 계속 서비스합니다.`,
  'none-serves': () => say`준비된 적이 있는 리비전이 없어 서비스가 중단되어 있습니다.`,
  'ev-failed': ({ revision }) => say`${code(revision)} 실패`,
  'next-attempt': () => say`없음. Knative는 템플릿이 다시 바뀌어야 파드를 시작합니다.`,
  'restart-withheld': () => say`Knative Service에는 재시작 필드가 없습니다.`,
  'advice-read-title': () => say`실패한 이유 확인하기`,
  'advice-read': ({ revision }) =>
    say`리비전 ${code(revision)}의 컨디션에 Knative가 기록한 이유가 있습니다. 파드는 이미 없습니다.`,
  'advice-again-title': () => say`업데이트 다시 시도하기`,
  'advice-again': ({ revision }) =>
    say`Knative는 ${code(revision)} 리비전을 다시 시작하지 않습니다. 원인을 해결한 뒤 템플릿을 바꾸세요(예: 어노테이션 하나). 새 파드가 대기하는 동안 서비스를 진단하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('revision-failed');
