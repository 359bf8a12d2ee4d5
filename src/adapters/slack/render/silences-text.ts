import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, person, quote, say, strong } from '../../../core/language/prose.js';
import { counted, duration } from '../../../core/language/words.js';

/** What is said about silences to the one who asked. */
export type SilencesShapes = {
  readonly silenced: { readonly workload: string; readonly cluster: string; readonly until: string };
  readonly 'still-answers': { readonly workload: string };
  readonly 'how-to-end': { readonly command: string };
  readonly instead: { readonly by: string; readonly until: string };
  readonly lifted: { readonly workload: string; readonly cluster: string };
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
    silenced: ({ workload, cluster, until }) =>
      say`${code(workload)} in ${code(cluster)} is silenced until ${moment(until)}: until then I say nothing of it unasked, in any channel.`,
    'still-answers': ({ workload }) => say`Whoever asks about ${code(workload)} is answered all the same.`,
    'how-to-end': ({ command }) => say`To end it earlier: ${code(command)}.`,
    instead: ({ by, until }) => say`This replaces the silence by ${person(by)} until ${moment(until)}.`,
    lifted: ({ workload, cluster }) =>
      say`The silence of ${code(workload)} in ${code(cluster)} is over: I speak of it unasked again.`,
    'not-silenced': ({ name }) => say`${code(name)} is not silenced.`,
    'too-long': ({ seconds }) =>
      say`A silence lasts at most ${duration('en', seconds)} here. Nothing was silenced.`,
    heading: ({ count }) =>
      say`${strong(`${count} silenced`)}: ${counted(count, 'workload', 'workloads')} of which I say nothing unasked`,
    none: ({ command }) => say`No workload is silenced. To silence one: ${code(command)}.`,
    line: ({ workload, cluster, by, until }) =>
      say`${code(workload)} in ${code(cluster)} until ${moment(until)}, by ${person(by)}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    more: ({ count }) => say`… and ${count} more`,
    note: ({ workload, by, until }) =>
      say`${code(workload)} is silenced until ${moment(until)} by ${person(by)}. You asked, so you are answered; unasked I say nothing of it.`,
  },
  ko: {
    silenced: ({ workload, cluster, until }) =>
      say`${code(cluster)}의 ${code(workload)} 음소거: ${moment(until)}까지 어느 채널에서도 묻지 않으면 알리지 않습니다.`,
    'still-answers': ({ workload }) => say`${code(workload)}에 대해 누가 물으면 그대로 답합니다.`,
    'how-to-end': ({ command }) => say`먼저 끝내려면: ${code(command)}.`,
    instead: ({ by, until }) => say`${person(by)} 님의 음소거(${moment(until)}까지)를 대신합니다.`,
    lifted: ({ workload, cluster }) =>
      say`${code(cluster)}의 ${code(workload)} 음소거가 끝났습니다. 이제 묻지 않아도 알립니다.`,
    'not-silenced': ({ name }) => say`${code(name)} 음소거 상태가 아닙니다.`,
    'too-long': ({ seconds }) =>
      say`여기서는 최대 ${duration('ko', seconds)}까지 음소거할 수 있습니다. 음소거하지 않았습니다.`,
    heading: ({ count }) => say`${strong(`음소거된 워크로드 ${count}개`)}: 묻지 않으면 알리지 않습니다`,
    none: ({ command }) => say`음소거된 워크로드가 없습니다. 음소거하려면: ${code(command)}.`,
    line: ({ workload, cluster, by, until }) =>
      say`${code(cluster)}의 ${code(workload)}, ${moment(until)}까지, ${person(by)}`,
    reason: ({ reason }) => say`${quote(reason)}`,
    more: ({ count }) => say`… 외 ${count}개`,
    note: ({ workload, by, until }) =>
      say`${person(by)} 님이 ${code(workload)} 워크로드를 ${moment(until)}까지 음소거했습니다. 물어보셨으니 답하지만, 묻지 않으면 알리지 않습니다.`,
  },
};
