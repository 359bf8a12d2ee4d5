import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import { countedPods, elapsedAtMost, names } from '../../../engine/language/words.js';

/** One link of a cycle: the new pod of a workload waits for old pods of the next workload. */
type CycleWait = {
  readonly workload: string;
  readonly waiting: string;
  readonly holder: string;
  readonly holds: readonly string[];
  readonly node: string;
};

/**
 * A change of one member: one old pod at a time, all old pods first, or one replica less of an old
 * ReplicaSet.
 */
export type CycleFixName = 'in-place' | 'recreate' | 'scale-down';

/** How one rollout of a cycle fares after a change. */
export type MemberForecast = {
  readonly workload: string;
  /** `contested`: it completes unless pods of others take what becomes free. */
  readonly ends: 'complete' | 'contested' | 'stuck';
  readonly downtime: 'none' | 'reduced' | 'gap';
  /** The lowest number of ready pods on the way, of `replicas` wanted. */
  readonly readyMin: number;
  readonly replicas: number;
  /** How long fewer pods, or none, are ready; absent where it is not known. */
  readonly seconds?: number;
};

const en = {
  /** A cycle through three or more rollouts. */
  'cycle-through-many': ({ waits }: { waits: readonly CycleWait[] }) =>
    sentences(
      say`This is a wait cycle through ${waits.length} rollouts.`,
      ...waits.map((wait) => waitWords.en(wait)),
      say`Each controller keeps its old pods until its new ones are ready, so none can move first.`,
    ),
  /** A change of this workload after which every rollout of the cycle completes. */
  'fix-here': ({ workload, forecasts }: { workload: string; forecasts: readonly MemberForecast[] }) =>
    sentences(
      say`A change of ${code(workload)} alone breaks the wait cycle.`,
      ...forecastWords('en', forecasts),
    ),
  /** The same of another member; `also` names further members whose change opens the cycle. */
  'fix-elsewhere': ({
    workload,
    command,
    fix,
    isSafer,
    forecasts,
    also,
  }: {
    workload: string;
    command: string;
    fix: CycleFixName;
    /** It costs users less than a change of this workload, or this workload has none. */
    isSafer: boolean;
    forecasts: readonly MemberForecast[];
    also: readonly string[];
  }) =>
    sentences(
      isSafer
        ? say`A change of ${code(workload)} instead (${fixWords.en[fix]}) breaks the wait cycle with less downtime.`
        : say`A change of ${code(workload)} (${fixWords.en[fix]}) also breaks the wait cycle.`,
      ...forecastWords('en', forecasts),
      say`In Slack, ${code(command)} diagnoses that workload and proposes its fix.`,
      ...(also.length === 0 ? [] : [say`A change of ${names('en', also)} breaks the wait cycle as well.`]),
    ),
  'fix-safer': ({ workload, command }: { workload: string; command: string }) =>
    say`A change of ${code(workload)} breaks the wait cycle with less downtime: ${code(command)}.`,
  'fix-nowhere': ({ members }: { members: readonly string[] }) =>
    say`No change of only one of these workloads (${names('en', members, 6)}) completes every rollout of the wait cycle.`,
  'fix-in-vain': ({ stuck, instead }: { stuck: readonly string[]; instead?: string }) =>
    sentences(
      say`The change would stop old pods of this workload, and ${names('en', stuck, 6)} would stay stuck.`,
      ...(instead === undefined ? [] : [say`A change of ${code(instead)} breaks the wait cycle.`]),
    ),
  'fix-unread': ({ unread }: { unread: readonly string[] }) =>
    say`The rollout of ${names('en', unread, 6)} could not be read in full, so the effect of a change is unknown.`,
  'fix-not-simulated': () => say`The rollouts of the wait cycle are too large to simulate together.`,
  /** A rollback ends the wait of this workload alone. */
  'undo-leaves': ({ workload, stuck }: { workload: string; stuck: readonly string[] }) =>
    say`A rollback of ${code(workload)} frees only this workload. ${names('en', stuck, 6)} ${word(stuck.length === 1 ? 'stays' : 'stay')} stuck.`,
  /** What an old pod of this workload frees goes round the cycle. */
  'in-turn': ({ workloads }: { workloads: readonly string[] }) =>
    say`${names('en', workloads, 6)} ${word(workloads.length === 1 ? 'uses' : 'use')} the freed capacity first. Old pods there then stop and make room for this workload.`,
  'member-forecast': ({ forecast }: { forecast: MemberForecast }) => say`${memberWords.en(forecast)}.`,
  'advice-fix-title': ({ workload }: { workload: string }) => say`Change ${code(workload)} instead`,
  'advice-fix': ({ workload, command }: { workload: string; command: string }) =>
    say`With this strategy, ${code(workload)} stops an old pod first, which breaks the wait cycle. In Slack, ${code(command)} proposes the change for review.`,
};

const ko: typeof en = {
  'cycle-through-many': ({ waits }) =>
    sentences(
      say`롤아웃 ${waits.length}개가 서로를 기다리는 순환 대기입니다.`,
      ...waits.map((wait) => waitWords.ko(wait)),
      say`각 컨트롤러는 새 파드가 준비될 때까지 이전 파드를 유지하므로 어느 쪽도 먼저 진행할 수 없습니다.`,
    ),
  'fix-here': ({ workload, forecasts }) =>
    sentences(
      say`${code(workload)} 워크로드만 변경해도 순환 대기가 풀립니다.`,
      ...forecastWords('ko', forecasts),
    ),
  'fix-elsewhere': ({ workload, command, fix, isSafer, forecasts, also }) =>
    sentences(
      isSafer
        ? say`대신 ${code(workload)} 워크로드를 변경하면(${fixWords.ko[fix]}) 더 적은 중단으로 순환 대기가 풀립니다.`
        : say`${code(workload)} 워크로드를 변경해도(${fixWords.ko[fix]}) 순환 대기가 풀립니다.`,
      ...forecastWords('ko', forecasts),
      say`Slack에서 ${code(command)} 명령으로 해당 워크로드를 진단하면 조치가 제안됩니다.`,
      ...(also.length === 0 ? [] : [say`${names('ko', also)} 워크로드를 변경해도 순환 대기가 풀립니다.`]),
    ),
  'fix-safer': ({ workload, command }) =>
    say`${code(workload)} 워크로드를 변경하면 더 적은 중단으로 순환 대기가 풀립니다: ${code(command)}.`,
  'fix-nowhere': ({ members }) =>
    say`이 워크로드들(${names('ko', members, 6)}) 중 하나만 변경해서는 순환 대기의 모든 롤아웃이 완료되지 않습니다.`,
  'fix-in-vain': ({ stuck, instead }) =>
    sentences(
      say`이 워크로드의 이전 파드를 내려도 ${names('ko', stuck, 6)} 롤아웃은 계속 멈춰 있습니다.`,
      ...(instead === undefined ? [] : [say`${code(instead)} 워크로드를 변경하면 순환 대기가 풀립니다.`]),
    ),
  'fix-unread': ({ unread }) =>
    say`${names('ko', unread, 6)} 롤아웃을 모두 읽지 못해 변경의 효과를 알 수 없습니다.`,
  'fix-not-simulated': () => say`순환 대기에 속한 롤아웃이 너무 커서 함께 시뮬레이션할 수 없습니다.`,
  'undo-leaves': ({ workload, stuck }) =>
    say`${code(workload)} 워크로드를 롤백하면 이 워크로드만 풀리고 ${names('ko', stuck, 6)} 롤아웃은 계속 멈춰 있습니다.`,
  'in-turn': ({ workloads }) =>
    say`${names('ko', workloads, 6)} 워크로드가 비게 될 용량을 먼저 사용한 뒤 이전 파드를 내립니다. 그 자리에 이 워크로드의 새 파드가 배치됩니다.`,
  'member-forecast': ({ forecast }) => say`${memberWords.ko(forecast)}.`,
  'advice-fix-title': ({ workload }) => say`대신 ${code(workload)} 변경하기`,
  'advice-fix': ({ workload, command }) =>
    say`이 전략을 쓰면 ${code(workload)} 이전 파드가 먼저 내려가 순환 대기가 풀립니다. Slack에서 ${code(command)} 명령으로 변경을 검토할 수 있습니다.`,
};

export const cycleText = { en, ko };

const waitWords: { readonly [Each in Language]: (wait: CycleWait) => Prose } = {
  en: ({ workload, waiting, holder, holds, node }) =>
    say`The new pod ${code(waiting)} of ${code(workload)} fits on ${code(node)} without ${names('en', holds, 3)} of ${code(holder)}.`,
  ko: ({ workload, waiting, holder, holds, node }) =>
    say`${code(workload)}의 새 파드(${code(waiting)})는 ${code(holder)}의 ${names('ko', holds, 3)} 파드가 없으면 ${code(node)} 노드에 배치할 수 있습니다.`,
};

const fixWords: { readonly [Each in Language]: Readonly<Record<CycleFixName, Prose>> } = {
  en: {
    'in-place': say`one old pod at a time stops before its new pod starts`,
    recreate: say`all old pods stop before new ones start`,
    'scale-down': say`one old pod stops`,
  },
  ko: {
    'in-place': say`이전 파드를 하나씩 먼저 내리기`,
    recreate: say`이전 파드를 모두 먼저 내리기`,
    'scale-down': say`이전 파드 하나 내리기`,
  },
};

function forecastWords(language: Language, forecasts: readonly MemberForecast[]): readonly Prose[] {
  return forecasts.map((each) => say`${memberWords[language](each)}.`);
}

const endWords: { readonly [Each in Language]: Readonly<Record<MemberForecast['ends'], string>> } = {
  en: {
    complete: 'completes',
    contested: 'completes unless another pod uses the freed capacity first',
    stuck: 'stays stuck',
  },
  ko: {
    complete: '완료',
    contested: '다른 파드가 비게 될 용량을 먼저 사용하지 않으면 완료',
    stuck: '계속 멈춤',
  },
};

/**
 * What happens to one workload, as a sentence without its end: `shop/cart` completes, with 1 of 1 pod ready.
 */
const memberWords: { readonly [Each in Language]: (forecast: MemberForecast) => Prose } = {
  en: ({ workload, ends, downtime, readyMin, replicas, seconds }) => {
    const time = seconds === undefined ? say`for a time` : say`for ${elapsedAtMost('en', seconds)}`;
    const served = {
      gap: say`no pod ready ${time}`,
      reduced: say`${countedPods(readyMin, replicas)} ready ${time}`,
      none: say`${countedPods(readyMin, replicas)} ready throughout`,
    }[downtime];
    return say`${code(workload)} ${word(endWords.en[ends])}, with ${served}`;
  },
  ko: ({ workload, ends, downtime, readyMin, replicas, seconds }) => {
    const time = seconds === undefined ? say`한동안` : say`${elapsedAtMost('ko', seconds)} 동안`;
    const served = {
      gap: say`${time} 서비스 중단`,
      reduced: say`${time} 파드 일부만 준비됨(Ready ${readyMin}/${replicas})`,
      none: say`준비된 파드 ${readyMin}개 유지(전체 ${replicas}개)`,
    }[downtime];
    return say`${code(workload)} ${word(endWords.ko[ends])}, ${served}`;
  },
};
