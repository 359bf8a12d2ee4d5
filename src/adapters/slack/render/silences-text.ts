import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, person, quote, say, strong } from '../../../core/language/prose.js';
import { duration, names } from '../../../core/language/words.js';

/** `namespace/name` of each. */
type Workloads = { readonly workloads: readonly string[] };

/** The answers about silences, for the person who requested them. */
export type SilencesShapes = {
  readonly silenced: Workloads & { readonly cluster: string; readonly until: string };
  readonly 'still-answers': Workloads;
  readonly 'how-to-end': { readonly command: string };
  readonly instead: { readonly by: string; readonly until: string };
  readonly lifted: Workloads & { readonly cluster: string };
  readonly 'not-silenced': { readonly name: string };
  readonly 'too-long': { readonly seconds: number };
  readonly heading: { readonly count: number };
  readonly none: { readonly command: string };
  readonly line: {
    readonly workload: string;
    readonly cluster: string;
    readonly by: string;
    readonly until: string;
  };
  readonly reason: { readonly reason: string };
  readonly more: { readonly count: number };
  readonly note: { readonly workload: string; readonly by: string; readonly until: string };
};

export const silencesText: Catalogue<SilencesShapes> = {
  en: {
    silenced: ({ workloads, cluster, until }) =>
      say`Alerts and automatic messages for ${names('en', workloads)} in ${code(cluster)} are muted in all channels until ${moment(until)}.`,
    'still-answers': ({ workloads }) => say`Commands about ${names('en', workloads)} still work.`,
    'how-to-end': ({ command }) => say`To end it earlier: ${code(command)}.`,
    instead: ({ by, until }) => say`This silence replaces the one by ${person(by)} until ${moment(until)}.`,
    lifted: ({ workloads, cluster }) =>
      say`Alerts and automatic messages for ${names('en', workloads)} in ${code(cluster)} are on again.`,
    'not-silenced': ({ name }) => say`${code(name)} is not silenced.`,
    'too-long': ({ seconds }) =>
      say`A silence can last at most ${duration('en', seconds)}. Nothing was silenced.`,
    heading: ({ count }) =>
      say`${strong(count === 1 ? '1 silenced workload' : `${count} silenced workloads`)}`,
    none: ({ command }) => say`No workload is silenced. To silence a workload: ${code(command)}.`,
    line: ({ workload, cluster, by, until }) =>
      say`${code(workload)} in ${code(cluster)} until ${moment(until)}, by ${person(by)}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    more: ({ count }) => say`… and ${count} more`,
    note: ({ workload, by, until }) =>
      say`${code(workload)} is silenced until ${moment(until)} by ${person(by)}. Commands still work, but no automatic messages are posted.`,
  },
  ko: {
    silenced: ({ workloads, cluster, until }) =>
      say`${moment(until)}까지 모든 채널에서 ${code(cluster)}의 ${names('ko', workloads)} 알림과 자동 메시지를 끕니다.`,
    'still-answers': ({ workloads }) => say`${names('ko', workloads)} 명령은 계속 사용할 수 있습니다.`,
    'how-to-end': ({ command }) => say`더 일찍 켜려면: ${code(command)}.`,
    instead: ({ by, until }) => say`${person(by)} 님이 ${moment(until)}까지 끈 설정을 대체합니다.`,
    lifted: ({ workloads, cluster }) =>
      say`${code(cluster)}의 ${names('ko', workloads)} 알림과 자동 메시지를 다시 켰습니다.`,
    'not-silenced': ({ name }) => say`${code(name)} 알림은 꺼져 있지 않습니다.`,
    'too-long': ({ seconds }) =>
      say`최대 ${duration('ko', seconds)}까지 알림을 끌 수 있습니다. 알림을 끄지 않았습니다.`,
    heading: ({ count }) => say`${strong(`알림이 꺼진 워크로드 ${count}개`)}`,
    none: ({ command }) => say`알림이 꺼진 워크로드가 없습니다. 알림을 끄려면: ${code(command)}.`,
    line: ({ workload, cluster, by, until }) =>
      say`${code(cluster)}의 ${code(workload)}, ${moment(until)}까지, ${person(by)}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    more: ({ count }) => say`… 외 ${count}개`,
    note: ({ workload, by, until }) =>
      say`${person(by)} 님이 ${moment(until)}까지 ${code(workload)} 알림을 껐습니다. 명령은 사용할 수 있지만 자동 메시지는 게시되지 않습니다.`,
  },
};
