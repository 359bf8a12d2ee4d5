import { code, exactMoment, type Prose, person, say } from '../../../engine/language/prose.js';
import { joined } from '../../../engine/language/words.js';

type At = { readonly at: string };
type By = At & { readonly title: Prose; readonly by: readonly string[] };
type Linked = At & { readonly name: string };

const en = {
  title: ({ workload, cluster }: { workload: string; cluster: string }) =>
    say`Post-mortem: ${code(workload)} in cluster ${code(cluster)}`,
  timeline: () => say`Timeline`,
  cause: () => say`Cause, as found before the fix`,
  change: () => say`Change`,
  result: () => say`Result`,
  advice: () => say`To prevent it`,
  opened: ({ at, how }: At & { readonly how: Prose }) => say`${exactMoment(at)} – Incident opened (${how}).`,
  found: ({ at, cause, confidence }: At & { readonly cause: string; readonly confidence: Prose }) =>
    say`${exactMoment(at)} – Cause found: ${code(cause)} (${confidence}).`,
  assigned: ({ at, by }: At & { readonly by: string }) => say`${exactMoment(at)} – ${person(by)} is on it.`,
  requested: ({ at, title, by }: At & { readonly title: Prose; readonly by: string }) =>
    say`${exactMoment(at)} – ${person(by)} requested: ${title}.`,
  approved: ({ at, title, by }: By) =>
    say`${exactMoment(at)} – ${joined('en', by.map(person))} approved: ${title}.`,
  applied: ({ at }: At) => say`${exactMoment(at)} – The API server accepted the change.`,
  'opened-in-git': ({ at, name }: Linked) => say`${exactMoment(at)} – Pull request ${code(name)} opened.`,
  merged: ({ at, name }: Linked) => say`${exactMoment(at)} – Pull request ${code(name)} merged.`,
  ended: ({ at, verdict }: At & { readonly verdict: Prose }) => say`${exactMoment(at)} – ${verdict}.`,
  field: ({ path, before, after }: { path: string; before: string; after: string }) =>
    say`${code(path)}: ${code(before)} → ${code(after)}`,
  'before-fix': ({ ready }: { ready: Prose }) => say`Before the fix: ${ready}.`,
  now: ({ ready }: { ready: Prose }) => say`After the fix: ${ready}.`,
  none: ({ workload }: { workload: string }) =>
    say`No fix of ${code(workload)} has ended yet. A post-mortem starts with the result of a fix.`,
};

const ko: typeof en = {
  title: ({ workload, cluster }) => say`사후 분석: ${code(workload)} (클러스터 ${code(cluster)})`,
  timeline: () => say`경과`,
  cause: () => say`원인(조치 전 진단)`,
  change: () => say`조치`,
  result: () => say`결과`,
  advice: () => say`재발 방지`,
  opened: ({ at, how }) => say`${exactMoment(at)} – 인시던트 시작 (${how})`,
  found: ({ at, cause, confidence }) => say`${exactMoment(at)} – 원인 확인: ${code(cause)} (${confidence})`,
  assigned: ({ at, by }) => say`${exactMoment(at)} – ${person(by)} 님이 담당`,
  requested: ({ at, title, by }) => say`${exactMoment(at)} – ${person(by)} 님이 요청: ${title}`,
  approved: ({ at, title, by }) =>
    say`${exactMoment(at)} – ${joined('ko', by.map(person))} 님이 승인: ${title}`,
  applied: ({ at }) => say`${exactMoment(at)} – API 서버가 변경을 받아들임`,
  'opened-in-git': ({ at, name }) => say`${exactMoment(at)} – 풀 리퀘스트 ${code(name)} 열림`,
  merged: ({ at, name }) => say`${exactMoment(at)} – 풀 리퀘스트 ${code(name)} 병합됨`,
  ended: ({ at, verdict }) => say`${exactMoment(at)} – ${verdict}`,
  field: ({ path, before, after }) => say`${code(path)}: ${code(before)} → ${code(after)}`,
  'before-fix': ({ ready }) => say`조치 전: ${ready}`,
  now: ({ ready }) => say`조치 후: ${ready}`,
  none: ({ workload }) =>
    say`${code(workload)}에는 결과가 나온 조치가 아직 없습니다. 사후 분석은 조치 결과가 나온 뒤에 볼 수 있습니다.`,
};

/** The sentences of a post-mortem. */
export const postMortemText = { en, ko };

/** The frame of its modal, its button and its menu entry; plain text. */
export const postMortemFrame = {
  en: { title: 'Post-mortem', close: 'Close' },
  ko: { title: '사후 분석', close: '닫기' },
} as const;
