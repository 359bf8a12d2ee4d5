import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, pod }: { readonly workload: string; readonly pod: string }) =>
    say`${code(workload)} waits for ${code(pod)}, which will never be ready`,
  standing: ({
    forSeconds,
    ready,
    wanted,
  }: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    sentences(
      forSeconds === undefined
        ? say`The corrected template is in place, and no pod gets it.`
        : say`The corrected template is in place, and for ${duration('en', forSeconds)} no pod has got it.`,
      say`${ready} of ${wanted} ${word(wanted === 1 ? 'pod is' : 'pods are')} ready.`,
    ),
  broken: ({
    pod,
    revision,
    reason,
    container,
  }: {
    readonly pod: string;
    readonly revision: string;
    readonly reason: string;
    readonly container: string | undefined;
  }) =>
    container === undefined
      ? say`${code(pod)} runs revision ${code(revision)} and is not ready: ${code(reason)}.`
      : say`${code(pod)} runs revision ${code(revision)} and is not ready: container ${code(container)}, ${code(reason)}.`,
  'not-wanted': ({ revision, wanted }: { readonly revision: string; readonly wanted: string }) =>
    say`${code(revision)} is no longer wanted: the template is now that of ${code(wanted)}.`,
  'waits-first': ({ pod }: { readonly pod: string }) =>
    say`With ${code('podManagementPolicy: OrderedReady')} the controller waits until every pod is ready before it replaces any, and so never comes to replace ${code(pod)}.`,
  'would-become': ({ pod, wanted }: { readonly pod: string; readonly wanted: string }) =>
    say`Once ${code(pod)} is deleted, the controller makes it anew with ${code(wanted)}.`,
  'runs-well': ({ wanted, pods }: { readonly wanted: string; readonly pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'runs' : 'run')} ${code(wanted)} and ${word(pods.length === 1 ? 'is' : 'are')} ready.`,
  untested: ({ wanted }: { readonly wanted: string }) =>
    say`No pod runs ${code(wanted)} yet, so nothing shows that it works.`,
  'more-like-it': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} in the same state and will have to go too.`,
  'ev-revision': ({ wanted }: { readonly wanted: string }) => say`not the wanted ${code(wanted)}`,
  'ev-not-ready': () => say`not ready`,
  'ev-policy': () => say`one pod at a time, each ready before the next`,
  'ev-wanted': () => say`the revision of the present template`,
  'not-to-the-end': () => say`The engines do not see the rollout complete after this one deletion.`,
  'pods-unread': ({ because }: { readonly because: string }) =>
    say`Some pods could not be read (${code(because)}).`,
  'because-past': ({ revision }: { readonly revision: string }) =>
    say`what fails is the former revision ${code(revision)}, which the template has already left`,
  'because-not-leaving': ({ pod }: { readonly pod: string }) => say`${code(pod)} is not being deleted`,
  'restart-withheld': () => say`It changes the template once more, and the controller waits just the same.`,
  'undo-withheld': () => say`The template is not what it waits for.`,
  'next-attempt': ({ pod }: { readonly pod: string }) =>
    say`None: the controller looks at every change of its pods and finds ${code(pod)} not ready.`,
  'advice-delete-title': () => say`Delete the broken pod by hand`,
  'advice-delete': ({ pod }: { readonly pod: string }) =>
    say`That is the documented way out (forced rollback). The volume claims of ${code(pod)} stay.`,
  'advice-parallel-title': () => say`For the next time`,
  'advice-parallel': () =>
    say`A StatefulSet whose pods do not need each other in order can use ${code('podManagementPolicy: Parallel')}; the field cannot be changed in place.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, pod }) =>
    say`${code(workload)} 롤아웃이 준비될 수 없는 파드 ${code(pod)}를 기다립니다`,
  standing: ({ forSeconds, ready, wanted }) =>
    sentences(
      forSeconds === undefined
        ? say`고친 템플릿이 있지만 어느 파드에도 적용되지 않습니다.`
        : say`고친 템플릿이 있지만 ${duration('ko', forSeconds)}째 어느 파드에도 적용되지 않습니다.`,
      say`${wanted}개 중 ${ready}개 준비됨.`,
    ),
  broken: ({ pod, revision, reason, container }) =>
    container === undefined
      ? say`${code(pod)} 파드는 리비전 ${code(revision)}이며 준비되지 않았습니다: ${code(reason)}.`
      : say`${code(pod)} 파드는 리비전 ${code(revision)}이며 준비되지 않았습니다: 컨테이너 ${code(container)}, ${code(reason)}.`,
  'not-wanted': ({ revision, wanted }) =>
    say`${code(revision)} 리비전은 더 이상 필요하지 않습니다. 지금 템플릿은 ${code(wanted)}입니다.`,
  'waits-first': ({ pod }) =>
    say`${code('podManagementPolicy: OrderedReady')}에서는 모든 파드가 준비되어야 교체를 시작하므로 ${code(pod)} 파드를 교체할 차례가 오지 않습니다.`,
  'would-become': ({ pod, wanted }) =>
    say`${code(pod)} 파드를 삭제하면 컨트롤러가 ${code(wanted)} 리비전으로 다시 만듭니다.`,
  'runs-well': ({ wanted, pods }) =>
    say`${names('ko', pods)} 파드가 ${code(wanted)} 리비전으로 준비되어 있습니다.`,
  untested: ({ wanted }) =>
    say`${code(wanted)} 리비전으로 실행 중인 파드가 없어 잘 되는지는 아직 알 수 없습니다.`,
  'more-like-it': ({ pods }) => say`${names('ko', pods)} 파드도 같은 상태라 함께 삭제해야 합니다.`,
  'ev-revision': ({ wanted }) => say`원하는 ${code(wanted)} 리비전이 아님`,
  'ev-not-ready': () => say`준비되지 않음`,
  'ev-policy': () => say`한 번에 하나씩, 준비되어야 다음으로`,
  'ev-wanted': () => say`현재 템플릿의 리비전`,
  'not-to-the-end': () => say`이 파드 하나를 삭제해도 엔진은 롤아웃이 끝난다고 보지 않습니다.`,
  'pods-unread': ({ because }) => say`일부 파드를 읽지 못했습니다(${code(because)}).`,
  'because-past': ({ revision }) => say`실패하는 것은 템플릿이 이미 떠난 이전 리비전 ${code(revision)}`,
  'because-not-leaving': ({ pod }) => say`${code(pod)} 파드는 삭제 중이 아님`,
  'restart-withheld': () => say`템플릿이 한 번 더 바뀔 뿐, 컨트롤러는 똑같이 기다립니다.`,
  'undo-withheld': () => say`기다리는 대상은 템플릿이 아닙니다.`,
  'next-attempt': ({ pod }) =>
    say`없음: 컨트롤러는 파드가 바뀔 때마다 보지만 ${code(pod)} 파드가 준비되지 않았습니다.`,
  'advice-delete-title': () => say`고장 난 파드를 직접 삭제하기`,
  'advice-delete': ({ pod }) =>
    say`문서에 나온 방법입니다(강제 롤백). ${code(pod)} 파드의 볼륨 클레임은 남습니다.`,
  'advice-parallel-title': () => say`다음을 위해`,
  'advice-parallel': () =>
    say`파드끼리 순서가 필요 없다면 ${code('podManagementPolicy: Parallel')}을 쓸 수 있습니다. 이 필드는 나중에 바꿀 수 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('ordered-ready-stuck');
