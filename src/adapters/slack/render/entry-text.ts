import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, type Prose, person, quote, say, strong } from '../../../core/language/prose.js';
import { joined, names } from '../../../core/language/words.js';

type None = Record<string, never>;

export type EntryShapes = {
  readonly reasoning: { readonly summary: Prose };
  readonly why: None;
  readonly saw: None;
  readonly 'saw-field': {
    readonly object: string;
    readonly field: string;
    readonly value: string;
    readonly at: string | undefined;
    readonly says: Prose;
  };
  readonly 'ruled-out': None;
  readonly 'not-cause': { readonly cause: string; readonly because: Prose };
  readonly 'tries-again': None;
  readonly unseen: None;
  readonly 'also-helps': None;
  readonly advice: { readonly title: Prose; readonly text: Prose };
  readonly approved: { readonly title: Prose; readonly by: readonly string[] };
  readonly reason: { readonly by: string; readonly reason: string };
  readonly applied: { readonly workload: string; readonly generation: number | undefined };
  readonly field: { readonly path: string; readonly before: string; readonly after: string };
  readonly deleted: { readonly pods: readonly string[] };
  readonly until: { readonly at: string };
  readonly rejected: { readonly title: Prose; readonly by: string | undefined };
  readonly refused: { readonly title: Prose };
  readonly distrusted: Record<never, never>;
  readonly reminder: { readonly title: Prose; readonly workload: string; readonly by: readonly string[] };
  readonly 'reminder-since': { readonly at: string };
  readonly 'reminder-undo': None;
  readonly 'reminder-by-hand': None;
  readonly absent: None;
};

export const entryText: Catalogue<EntryShapes> = {
  en: {
    reasoning: ({ summary }) => say`The reasoning behind: ${summary}`,
    why: () => say`${strong('Why')}`,
    saw: () => say`${strong('What I saw')}`,
    'saw-field': ({ object, field, value, at, says }) =>
      say`${code(object)} ${code(field)} = ${quote(value)}${at === undefined ? [] : say` since ${moment(at)}`}: ${says}`,
    'ruled-out': () => say`${strong('What it is not')}`,
    'not-cause': ({ cause, because }) => say`not ${code(cause)}: ${because}`,
    'tries-again': () => say`${strong('When Kubernetes tries again')}`,
    unseen: () => say`${strong('What I could not read')}`,
    'also-helps': () => say`${strong('What else helps')}`,
    advice: ({ title, text }) => say`${title}: ${text}`,
    approved: ({ title, by }) => say`${joined('en', by.map(person))} approved: ${title}.`,
    reason: ({ by, reason }) => say`Reason given by ${person(by)}: ${quote(reason)}`,
    applied: ({ workload, generation }) =>
      generation === undefined
        ? say`The API server took the change to ${code(workload)}.`
        : say`The API server took the change to ${code(workload)} (generation ${generation}).`,
    field: ({ path, before, after }) => say`${code(path)}: ${code(before)} → ${code(after)}`,
    deleted: ({ pods }) => say`Step 2 deleted ${names('en', pods)}.`,
    until: ({ at }) =>
      say`I look again and again whether the cause is gone, and say so here by ${moment(at)} at the latest.`,
    rejected: ({ title, by }) =>
      by === undefined
        ? say`${title} was rejected. Nothing was changed.`
        : say`${person(by)} rejected: ${title}. Nothing was changed.`,
    refused: ({ title }) => say`Not carried out: ${title}.`,
    distrusted: () => say`Not carried out: a stored approval did not pass verification.`,
    reminder: ({ title, workload, by }) =>
      by.length === 0
        ? say`Still in effect for ${code(workload)}: ${title}.`
        : say`${joined('en', by.map(person))}: still in effect for ${code(workload)}: ${title}.`,
    'reminder-since': ({ at }) => say`It was approved at ${moment(at)}.`,
    'reminder-undo': () =>
      say`If the node is well again, lift it: that starts a rollout, and you see the change before it is made.`,
    'reminder-by-hand': () =>
      say`The card has moved on, so it has to be lifted by hand: take the ${code('NotIn')} on ${code('kubernetes.io/hostname')} out of the pod template's node affinity.`,
    absent: () => say`absent`,
  },
  ko: {
    reasoning: ({ summary }) => say`판단 근거: ${summary}`,
    why: () => say`${strong('이유')}`,
    saw: () => say`${strong('확인한 값')}`,
    'saw-field': ({ object, field, value, at, says }) =>
      say`${code(object)} ${code(field)} = ${quote(value)}${at === undefined ? [] : say` (${moment(at)}부터)`}: ${says}`,
    'ruled-out': () => say`${strong('아닌 것으로 확인된 원인')}`,
    'not-cause': ({ cause, because }) => say`${code(cause)} 아님: ${because}`,
    'tries-again': () => say`${strong('Kubernetes의 다음 시도')}`,
    unseen: () => say`${strong('읽지 못한 것')}`,
    'also-helps': () => say`${strong('그 밖에 도움이 되는 것')}`,
    advice: ({ title, text }) => say`${title}: ${text}`,
    approved: ({ title, by }) => say`${joined('ko', by.map(person))} 님이 승인함: ${title}.`,
    reason: ({ by, reason }) => say`${person(by)} 님이 적은 사유: ${quote(reason)}`,
    applied: ({ workload, generation }) =>
      generation === undefined
        ? say`API 서버가 ${code(workload)} 변경을 받아들였습니다.`
        : say`API 서버가 ${code(workload)} 변경을 받아들였습니다(generation ${generation}).`,
    field: ({ path, before, after }) => say`${code(path)}: ${code(before)} → ${code(after)}`,
    deleted: ({ pods }) => say`2단계에서 ${names('ko', pods)} 파드를 삭제했습니다.`,
    until: ({ at }) => say`원인이 사라졌는지 계속 확인하고, 늦어도 ${moment(at)}까지 여기에 결과를 남깁니다.`,
    rejected: ({ title, by }) =>
      by === undefined
        ? say`거절됨: ${title}. 아무것도 변경하지 않았습니다.`
        : say`${person(by)} 님이 거절함: ${title}. 아무것도 변경하지 않았습니다.`,
    refused: ({ title }) => say`실행되지 않음: ${title}.`,
    distrusted: () => say`실행되지 않음: 저장된 승인이 검증을 통과하지 못했습니다.`,
    reminder: ({ title, workload, by }) =>
      by.length === 0
        ? say`${code(workload)}에 아직 적용 중: ${title}.`
        : say`${joined('ko', by.map(person))} 님, ${code(workload)}에 아직 적용 중입니다: ${title}.`,
    'reminder-since': ({ at }) => say`승인 시각: ${moment(at)}.`,
    'reminder-undo': () =>
      say`노드가 정상이면 제외를 풀 수 있습니다. 롤아웃이 시작되며, 적용 전에 변경 내용을 보여 줍니다.`,
    'reminder-by-hand': () =>
      say`카드가 다른 변경으로 넘어가 직접 풀어야 합니다. 파드 템플릿의 노드 어피니티에서 ${code('kubernetes.io/hostname')}의 ${code('NotIn')}을 지우세요.`,
    absent: () => say`없음`,
  },
};
