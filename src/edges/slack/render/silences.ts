import { commandText } from '../../../doctor/commands/command.js';
import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, person, quote, say, strong } from '../../../engine/language/prose.js';
import { duration, names } from '../../../engine/language/words.js';
import type { Silence } from '../../../service/people/people-ports.js';
import type { Silences } from '../../../service/people/silencing.js';
import { paragraph, renderNotice, steps } from './blocks.js';
import { dotted } from './incidents.js';
import { fitted, type Message, type Size, spoken } from './message.js';

/** One silence has begun, or one for each workload below an object that was named. */
export function renderSilenced(silences: Silences, formers: readonly Silence[], language: Language): Message {
  const text = silencesText[language];
  const [{ workload: ref, owner, until }] = silences;
  const workloads = silences.map(nameOf);
  const { cluster, namespace } = ref;
  const named = owner === undefined ? ref : { owner: owner.kind, name: owner.name, namespace, cluster };
  // One that was begun for several workloads is named once.
  const replaced = new Map(formers.map((former) => [`${former.by} ${former.until}`, former]));
  return renderNotice(
    text.silenced({ workloads, cluster, until }),
    ...[...replaced.values()].map((former) => text.instead(former)),
    text['still-answers']({ workloads }),
    text['how-to-end']({ command: `/rollout-doctor ${commandText('silence', named, 'off')}` }),
  );
}

export function renderLifted(silences: Silences, language: Language): Message {
  const { cluster } = silences[0].workload;
  return renderNotice(silencesText[language].lifted({ workloads: silences.map(nameOf), cluster }));
}

export function renderTooLong(seconds: number, language: Language): Message {
  return renderNotice(silencesText[language]['too-long']({ seconds }));
}

/** The workload that should speak again is not silenced; those that are. */
export function renderNotSilenced(name: string, others: readonly Silence[], language: Language): Message {
  const says = silencesText[language]['not-silenced']({ name });
  return others.length === 0 ? renderNotice(says) : withList([says], others, language);
}

export function renderSilences(silences: readonly Silence[], language: Language): Message {
  const text = silencesText[language];
  if (silences.length === 0) {
    return renderNotice(text.none({ command: '/rollout-doctor silence namespace/name 2h' }));
  }
  return withList([], silences, language);
}

/** To the one who asked about a silenced workload. */
export function renderSilenceNote(silence: Silence, language: Language): Message {
  return renderNotice(silencesText[language].note({ ...silence, workload: nameOf(silence) }));
}

function withList(says: readonly Prose[], silences: readonly Silence[], language: Language): Message {
  const heading = silenceHeading(silences, language);
  return fitted((size) => ({
    text: spoken([...says, heading]),
    blocks: [
      ...[...says, heading].map((each) => paragraph(each, size)),
      ...silenceList(silences, language, size),
    ],
  }));
}

export function silenceHeading(silences: readonly Silence[], language: Language): Prose {
  return silencesText[language].heading({ count: silences.length });
}

/** One line a silence. */
export function silenceList(silences: readonly Silence[], language: Language, size: Size) {
  const text = silencesText[language];
  const lines = silences.map((silence) => {
    const { workload, by, until, reason } = silence;
    const line = text.line({ workload: nameOf(silence), cluster: workload.cluster, by, until });
    return dotted([line, ...(reason === '' ? [] : [text.reason({ reason })])]);
  });
  return steps(lines, size, (count) => text.more({ count }), 'bullet');
}

function nameOf({ workload }: Silence): string {
  return `${workload.namespace}/${workload.name}`;
}

/** `namespace/name` of each. */
type Workloads = { readonly workloads: readonly string[] };

const en = {
  silenced: ({ workloads, cluster, until }: Workloads & { cluster: string; until: string }) =>
    say`Alerts and automatic messages for ${names('en', workloads)} in cluster ${code(cluster)} are muted in all channels until ${moment(until)}.`,
  'still-answers': ({ workloads }: Workloads) => say`Commands about ${names('en', workloads)} still work.`,
  'how-to-end': ({ command }: { command: string }) => say`To end it earlier: ${code(command)}.`,
  instead: ({ by, until }: { by: string; until: string }) =>
    say`This silence replaces the one by ${person(by)} until ${moment(until)}.`,
  lifted: ({ workloads, cluster }: Workloads & { cluster: string }) =>
    say`Alerts and automatic messages for ${names('en', workloads)} in cluster ${code(cluster)} are on again.`,
  'not-silenced': ({ name }: { name: string }) => say`${code(name)} is not silenced.`,
  'too-long': ({ seconds }: { seconds: number }) =>
    say`A silence can last at most ${duration('en', seconds)}. Nothing was silenced.`,
  heading: ({ count }: { count: number }) =>
    say`${strong(count === 1 ? '1 silenced workload' : `${count} silenced workloads`)}`,
  none: ({ command }: { command: string }) =>
    say`No workload is silenced. To silence a workload: ${code(command)}.`,
  line: (values: { workload: string; cluster: string; by: string; until: string }) =>
    say`${code(values.workload)} in cluster ${code(values.cluster)} until ${moment(values.until)}, by ${person(values.by)}`,
  reason: ({ reason }: { reason: string }) => say`${quote(reason)}`,
  more: ({ count }: { count: number }) => say`… and ${count} more`,
  note: ({ workload, by, until }: { workload: string; by: string; until: string }) =>
    say`${code(workload)} is silenced until ${moment(until)} by ${person(by)}. Commands still work, but no automatic messages are posted.`,
};

const ko: typeof en = {
  silenced: ({ workloads, cluster, until }) =>
    say`${moment(until)}까지 모든 채널에서 클러스터 ${code(cluster)}의 ${names('ko', workloads)} 알림과 자동 메시지를 끕니다.`,
  'still-answers': ({ workloads }) => say`${names('ko', workloads)} 명령은 계속 사용할 수 있습니다.`,
  'how-to-end': ({ command }) => say`더 일찍 켜려면: ${code(command)}.`,
  instead: ({ by, until }) => say`${person(by)} 님이 ${moment(until)}까지 끈 설정을 대체합니다.`,
  lifted: ({ workloads, cluster }) =>
    say`클러스터 ${code(cluster)}의 ${names('ko', workloads)} 알림과 자동 메시지를 다시 켰습니다.`,
  'not-silenced': ({ name }) => say`${code(name)} 알림은 꺼져 있지 않습니다.`,
  'too-long': ({ seconds }) =>
    say`알림은 최대 ${duration('ko', seconds)}까지 끌 수 있습니다. 이번 요청은 적용하지 않았습니다.`,
  heading: ({ count }) => say`${strong(`알림이 꺼진 워크로드 ${count}개`)}`,
  none: ({ command }) => say`알림이 꺼진 워크로드가 없습니다. 알림을 끄려면: ${code(command)}.`,
  line: ({ workload, cluster, by, until }) =>
    say`클러스터 ${code(cluster)}의 ${code(workload)}, ${moment(until)}까지, ${person(by)}`,
  reason: ({ reason }) => say`${quote(reason)}`,
  more: ({ count }) => say`… 외 ${count}개`,
  note: ({ workload, by, until }) =>
    say`${person(by)} 님이 ${moment(until)}까지 ${code(workload)} 알림을 껐습니다. 명령은 사용할 수 있지만 자동 메시지는 게시되지 않습니다.`,
};

const silencesText = { en, ko };
