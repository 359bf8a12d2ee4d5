import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, joined } from '../../../language/words.js';

const en = {
  summary: ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} is paused with an update pending`,
  standing: ({
    revision,
    forSeconds,
    ready,
    wanted,
  }: {
    readonly revision: string;
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    sentences(
      forSeconds === undefined
        ? say`The rollout to revision ${code(revision)} does not go on until somebody resumes it.`
        : say`The rollout to revision ${code(revision)} has been paused for ${duration('en', forSeconds)} and does not go on until somebody resumes it.`,
      say`${ready} of ${wanted} ${word(wanted === 1 ? 'pod is' : 'pods are')} ready.`,
    ),
  paused: ({ by, at }: { readonly by: string | undefined; readonly at: string | undefined }) =>
    by === undefined
      ? say`${code('spec.paused')} is set: the controller neither makes nor replaces revisions.`
      : at === undefined
        ? say`${code('spec.paused')} was set by ${code(by)}: the controller neither makes nor replaces revisions.`
        : say`${code('spec.paused')} was set by ${code(by)}, last seen writing at ${moment(at)}: the controller neither makes nor replaces revisions.`,
  /** The template changed and no ReplicaSet has it yet. */
  'not-begun': ({ revision }: { readonly revision: string }) =>
    say`The template has changed since; revision ${code(revision)} is not even begun.`,
  /** No ReplicaSet exists at all. */
  'never-begun': () => say`It was paused before its first rollout, so it has no pods at all.`,
  'half-way': ({
    revision,
    updated,
    old,
    wanted,
  }: {
    readonly revision: string;
    readonly updated: number;
    readonly old: number;
    readonly wanted: number;
  }) =>
    say`It stands half-way: ${updated} of ${counted(wanted, 'pod', 'pods')} ${word(updated === 1 ? 'is' : 'are')} of revision ${code(revision)}, ${old} of older ones.`,
  differs: ({
    changes,
  }: {
    readonly changes: readonly { readonly path: string; readonly after: string }[];
  }) =>
    say`Pending: ${joined(
      'en',
      changes.map(({ path, after }) => say`${code(path)} becomes ${code(after)}`),
    )}.`,
  'scaling-works': () => say`Scaling still works while paused; only updates wait.`,
  'ev-paused': () => say`the rollout is paused`,
  'ev-old': ({ replicas }: { readonly replicas: number }) => say`an older revision still keeps ${replicas}`,
  'ev-new': ({ replicas }: { readonly replicas: number }) => say`the new revision has ${replicas}`,
  'pods-unread': ({ because }: { readonly because: string }) =>
    say`Pods could not be read (${code(because)}).`,
  'because-no-attempt': () => say`a paused controller waits for nobody but the person who resumes it`,
  'restart-withheld': () =>
    say`A restart is one more change of the template, and waits like the first; kubectl refuses it.`,
  'patch-withheld': () => say`Another strategy takes effect only once it is resumed.`,
  'undo-withheld': () =>
    say`Going back is a change of the template as well, and kubectl refuses it while paused.`,
  'next-attempt': () => say`None: the controller acts only after it is resumed.`,
  'advice-resume-title': () => say`Ask whoever paused it first`,
  'advice-resume': () => say`Somebody may be watching a canary. If nobody is, resume it.`,
  'advice-declared-title': () => say`Look for it in the manifest`,
  'advice-declared': ({ workload }: { readonly workload: string }) =>
    say`If the manifest of ${code(workload)} says ${code('paused: true')}, its next apply pauses it again.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload }) => say`${code(workload)} 롤아웃이 일시 중지되어 변경이 반영되지 않았습니다`,
  standing: ({ revision, forSeconds, ready, wanted }) =>
    sentences(
      forSeconds === undefined
        ? say`누군가 재개할 때까지 리비전 ${code(revision)} 배포는 진행되지 않습니다.`
        : say`리비전 ${code(revision)} 배포가 ${duration('ko', forSeconds)}째 일시 중지되어, 누군가 재개할 때까지 진행되지 않습니다.`,
      say`${wanted}개 중 ${ready}개 준비됨.`,
    ),
  paused: ({ by, at }) =>
    by === undefined
      ? say`${code('spec.paused')}가 설정되어 컨트롤러가 리비전을 만들거나 바꾸지 않습니다.`
      : at === undefined
        ? say`${code(by)}에서 ${code('spec.paused')}를 설정해 컨트롤러가 리비전을 만들거나 바꾸지 않습니다.`
        : say`${code(by)}에서(마지막 기록 ${moment(at)}) ${code('spec.paused')}를 설정해 컨트롤러가 리비전을 만들거나 바꾸지 않습니다.`,
  'not-begun': ({ revision }) =>
    say`그 뒤 템플릿이 바뀌었지만 리비전 ${code(revision)} 배포는 시작되지도 않았습니다.`,
  'never-begun': () => say`첫 롤아웃 전에 일시 중지되어 파드가 하나도 없습니다.`,
  'half-way': ({ revision, updated, old, wanted }) =>
    say`도중에 멈춰 있습니다: ${wanted}개 중 ${updated}개가 리비전 ${code(revision)}, ${old}개가 이전 리비전입니다.`,
  differs: ({ changes }) =>
    say`대기 중인 변경: ${joined(
      'ko',
      changes.map(({ path, after }) => say`${code(path)} → ${code(after)}`),
    )}.`,
  'scaling-works': () => say`일시 중지 중에도 복제본 수 조정은 됩니다. 업데이트만 기다립니다.`,
  'ev-paused': () => say`롤아웃이 일시 중지됨`,
  'ev-old': ({ replicas }) => say`이전 리비전이 아직 ${replicas}개 유지`,
  'ev-new': ({ replicas }) => say`새 리비전 ${replicas}개`,
  'pods-unread': ({ because }) => say`파드를 읽지 못했습니다(${code(because)}).`,
  'because-no-attempt': () => say`일시 중지된 컨트롤러는 재개할 사람만 기다림`,
  'restart-withheld': () => say`재시작도 템플릿 변경이라 똑같이 기다립니다. kubectl도 거부합니다.`,
  'patch-withheld': () => say`전략을 바꿔도 재개한 뒤에야 적용됩니다.`,
  'undo-withheld': () => say`되돌리기도 템플릿 변경이며, 일시 중지 중에는 kubectl이 거부합니다.`,
  'next-attempt': () => say`없음: 재개해야 컨트롤러가 움직입니다.`,
  'advice-resume-title': () => say`먼저 중지한 사람에게 묻기`,
  'advice-resume': () => say`누군가 카나리를 지켜보는 중일 수 있습니다. 아니라면 재개하세요.`,
  'advice-declared-title': () => say`매니페스트 확인하기`,
  'advice-declared': ({ workload }) =>
    say`${code(workload)} 매니페스트에 ${code('paused: true')}가 있으면 다음 적용 때 다시 중지됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('rollout-paused');
