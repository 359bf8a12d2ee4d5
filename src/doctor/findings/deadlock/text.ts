import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf, withChangedValues } from '../../../engine/language/statement.js';
import { counted, countedPods, elapsed, isAtLeastOneSecond, names } from '../../../engine/language/words.js';
import { type AllowedPods, allowedPods } from '../../forecasts/text.js';
import type { Confidence } from '../cause-id.js';
import type { Finding } from '../finding.js';

/**
 * What a headline or a status line knows of how certain its finding is; absent where the finding is proven.
 */
export type Certainty = { readonly confidence?: Confidence | undefined };

/** A finding of a wait cycle whose sentences state how certain it is, after everything that weakened it. */
export function withCertainty(finding: Finding): Finding {
  const { confidence, waitCycle, summary, standing: statusLine } = finding;
  if (waitCycle === undefined || confidence === 'proven') return finding;
  const certain = (values: object) => ({ ...values, confidence });
  return {
    ...finding,
    summary: withChangedValues(summary, certain),
    ...(statusLine === undefined ? {} : { standing: withChangedValues(statusLine, certain) }),
  };
}

const verdicts: { readonly [Each in Language]: Readonly<Record<Confidence, string>> } = {
  en: { proven: 'is deadlocked', likely: 'is probably deadlocked', possible: 'may be deadlocked' },
  ko: { proven: '롤아웃 교착 상태', likely: '롤아웃 교착 상태 추정', possible: '롤아웃 교착 가능성' },
};

/** The workload and the verdict that begin the headline of a deadlock. */
export function deadlocked(
  language: Language,
  { workload, confidence = 'proven' }: Certainty & { readonly workload: string },
): Prose {
  return say`${code(workload)} ${word(verdicts[language][confidence])}`;
}

type StuckFor = Certainty & { readonly revision: string; readonly stillForSeconds: number | undefined };

/** The revision is '' where no object names it. */
const rollout = {
  en: (revision: string) =>
    revision === '' ? say`The rollout` : say`The rollout to revision ${code(revision)}`,
  ko: (revision: string) => (revision === '' ? say`롤아웃이` : say`리비전 ${code(revision)} 롤아웃이`),
};

/** How long it has been stuck, where more than a moment was seen. */
const stuck = {
  en: ({ revision, stillForSeconds }: Omit<StuckFor, 'confidence'>) =>
    isAtLeastOneSecond(stillForSeconds)
      ? say`${rollout.en(revision)} has been stuck for ${elapsed('en', stillForSeconds)}`
      : say`${rollout.en(revision)} is stuck`,
  ko: ({ revision, stillForSeconds }: Omit<StuckFor, 'confidence'>) =>
    isAtLeastOneSecond(stillForSeconds)
      ? say`${rollout.ko(revision)} ${elapsed('ko', stillForSeconds)}째 멈춰 있으며`
      : say`${rollout.ko(revision)} 멈춰 있으며`,
};

type SpentBudget = Omit<AllowedPods, 'replicas' | 'surge'> & { readonly missing: number };

/** What becomes of a stuck rollout that nobody changes. */
const remains = {
  en: {
    proven: 'will not recover on its own',
    likely: 'will probably not recover',
    possible: 'may not recover',
  },
  ko: {
    proven: '저절로 풀리지 않습니다',
    likely: '풀리지 않을 것으로 보입니다',
    possible: '풀리지 않을 수 있습니다',
  },
} as const;

/** The field of the owner above a workload that declares the workload's strategy. */
interface OwnerField {
  readonly workload: string;
  readonly kind: string;
  readonly owner: string;
  readonly field: string;
}

const en = {
  standing: ({ confidence = 'proven', ...values }: StuckFor) =>
    say`${stuck.en(values)} and ${word(remains.en[confidence])}.`,
  'standing-but-for-jobs': (values: StuckFor) =>
    say`${stuck.en(values)}. Only the end of a Job's pod can free its place.`,
  'standing-but-for-neighbours': (values: StuckFor) =>
    say`${stuck.en(values)}. Only another workload's rollout may still free its place.`,
  'standing-but-for-autoscaler': (values: StuckFor) =>
    say`${stuck.en(values)}. Only an autoscaler may still free a place.`,
  'standing-but-for-leaving': (values: StuckFor) =>
    say`${stuck.en(values)}. Only pods of other workloads that stop may still free a place.`,
  'standing-but-for-evictions': (values: StuckFor) => say`${stuck.en(values)}, until a taint evicts a pod.`,
  'strategy-forbids': (budget: AllowedPods) =>
    say`Kubernetes does not stop the old ${word(budget.replicas === 1 ? 'pod' : 'pods')} before a new pod is ready. ${allowedPods.en(budget)}.`,
  /** The budget allows it, yet the controller has no step left. */
  'strategy-spent': ({ maxSurge, maxUnavailable, unavailable, missing }: SpentBudget) =>
    say`The strategy (maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}) allows ${counted(unavailable, 'unavailable pod', 'unavailable pods')}, and ${missing} ${word(missing === 1 ? 'is' : 'are')} unavailable already. The controller cannot take another step.`,
  served: ({ ready, wanted }: { ready: number; wanted: number }) =>
    ready >= wanted
      ? say`${countedPods(ready, wanted)} ready, serving the previous version.`
      : say`Only ${countedPods(ready, wanted)} ${word(wanted === 1 ? 'is' : 'are')} ready.`,
  'ev-strategy': ({ surge, unavailable }: { surge: number; unavailable: number }) =>
    say`allows ${surge} extra and ${unavailable} unavailable`,
  'ev-progress': ({ reason }: { reason: string }) => say`the controller reports ${code(reason)}`,
  unread: ({ what, because }: { what: string; because: string }) =>
    say`Objects of kind ${code(what)} could not be read (${code(because)}), so another cause may contribute.`,
  'patch-withheld': () =>
    say`The simulation does not show that the rollout completes when old pods stop first.`,
  'because-old-revision': ({ pods }: { pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} of an old revision still ${word(pods === 1 ? 'runs' : 'run')}: this is a rollout, not a scale-up`,
  'because-has-node': ({ pod, node }: { pod: string; node: string }) =>
    say`${code(pod)} is scheduled to ${code(node)}`,
  'because-not-paused': () => say`the rollout is not paused`,
  'because-not-leaving': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} not being deleted`,
  'because-fixed-point': () =>
    say`the next sync of the controller changes nothing, and waiting does not change that`,
  'ev-holder': ({ pod, resource }: { pod: string; resource: string }) =>
    say`${code(pod)} uses ${code(resource)}`,
  'ev-surges': ({ surge, nodes }: { surge: number; nodes: number }) =>
    say`allows ${counted(surge, 'node', 'nodes')} at a time, out of ${nodes}`,
  'advice-lasting-title': () => say`Keep the fix`,
  'advice-lasting': ({ workload }: { workload: string }) =>
    say`Set the same strategy in the manifest of ${code(workload)}. Otherwise the deadlock comes back the next time it is applied.`,
  'advice-lasting-owner': ({ workload, kind, owner, field }: OwnerField) =>
    say`Set the strategy in ${code(field)} of the ${code(kind)} ${code(owner)}. Its controller applies it to ${code(workload)} and reverts changes that are made there.`,
  'advice-lasting-owner-later': ({ workload, kind, owner, field }: OwnerField) =>
    sentences(
      say`Set the strategy in ${code(field)} of the ${code(kind)} ${code(owner)}.`,
      say`Its controller writes it into ${code(workload)} only together with another change, such as a new image. It then replaces the strategy that was set there.`,
    ),
  'advice-lasting-owner-next': ({ workload, kind, owner, field }: OwnerField) =>
    say`Set the strategy in ${code(field)} of the ${code(kind)} ${code(owner)}. Its controller makes the next revision with it, and does not change ${code(workload)}.`,
  'advice-no-owner-field': ({ workload, kind, owner }: Omit<OwnerField, 'field'>) =>
    say`The controller of the ${code(kind)} ${code(owner)} sets the strategy of ${code(workload)}, and no field of it declares another one. The next revision needs free capacity beside the old one.`,
};

const ko: typeof en = {
  standing: ({ confidence = 'proven', ...values }) =>
    say`${stuck.ko(values)} ${word(remains.ko[confidence])}.`,
  'standing-but-for-jobs': (values) => say`${stuck.ko(values)}, 잡의 파드가 끝나야만 자리가 날 수 있습니다.`,
  'standing-but-for-neighbours': (values) =>
    say`${stuck.ko(values)}, 다른 워크로드의 롤아웃이 자리를 비워야만 진행될 수 있습니다.`,
  'standing-but-for-autoscaler': (values) =>
    say`${stuck.ko(values)}, 오토스케일러가 복제본을 줄여야만 진행될 수 있습니다.`,
  'standing-but-for-leaving': (values) =>
    say`${stuck.ko(values)}, 다른 워크로드의 파드가 종료되어야만 진행될 수 있습니다.`,
  'standing-but-for-evictions': (values) =>
    say`${stuck.ko(values)}, taint가 파드를 축출하면 다시 진행될 수 있습니다.`,
  'strategy-forbids': (budget) =>
    say`새 파드가 준비되기 전에는 이전 파드를 내리지 않는 설정입니다. ${allowedPods.ko(budget)}.`,
  'strategy-spent': ({ maxSurge, maxUnavailable, unavailable, missing }) =>
    say`배포 전략(maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)})은 사용 불가 파드를 ${unavailable}개까지 허용하는데 이미 ${missing}개입니다. 컨트롤러가 더 진행할 수 없습니다.`,
  served: ({ ready, wanted }) =>
    ready >= wanted
      ? say`이전 버전이 계속 서비스 중입니다(Ready ${ready}/${wanted}).`
      : say`Ready ${ready}/${wanted}.`,
  'ev-strategy': ({ surge, unavailable }) => say`추가 ${surge}개, 사용 불가 ${unavailable}개 허용`,
  'ev-progress': ({ reason }) => say`컨트롤러 보고: ${code(reason)}`,
  unread: ({ what, because }) =>
    say`${code(what)} 오브젝트를 읽지 못해(${code(because)}) 다른 원인이 함께 있을 수 있습니다.`,
  'patch-withheld': () => say`시뮬레이션에서 이전 파드를 먼저 내려도 롤아웃이 완료되는지 확인되지 않습니다.`,
  'because-old-revision': ({ pods }) =>
    say`이전 리비전 파드 ${pods}개가 아직 실행 중: 스케일업이 아니라 롤아웃`,
  'because-has-node': ({ pod, node }) => say`${code(pod)} 파드는 이미 ${code(node)} 노드에 배치됨`,
  'because-not-paused': () => say`롤아웃이 일시 중지되지 않음`,
  'because-not-leaving': ({ pods }) => say`${names('ko', pods)} 파드는 삭제 중이 아님`,
  'because-fixed-point': () => say`컨트롤러가 다시 동기화해도 바뀌는 것이 없으며, 기다려도 마찬가지`,
  'ev-holder': ({ pod, resource }) => say`${code(pod)} 파드가 ${code(resource)} 사용 중`,
  'ev-surges': ({ surge, nodes }) => say`노드 ${nodes}개 중 한 번에 ${surge}개 허용`,
  'advice-lasting-title': () => say`조치 유지하기`,
  'advice-lasting': ({ workload }) =>
    say`${code(workload)} 매니페스트에도 같은 전략을 설정하세요. 그러지 않으면 다음에 적용할 때 교착 상태가 다시 생깁니다.`,
  'advice-lasting-owner': ({ workload, kind, owner, field }) =>
    say`${code(kind)} ${code(owner)}의 ${code(field)} 필드에 전략을 설정하세요. 컨트롤러가 이 값을 ${code(workload)}에 적용하고, 거기서 직접 바꾼 값은 되돌립니다.`,
  'advice-lasting-owner-later': ({ workload, kind, owner, field }) =>
    sentences(
      say`${code(kind)} ${code(owner)}의 ${code(field)} 필드에 전략을 설정하세요.`,
      say`컨트롤러는 새 이미지처럼 다른 값이 바뀔 때만 이 값을 ${code(workload)}에 쓰며, 그때 거기서 직접 바꾼 전략을 덮어씁니다.`,
    ),
  'advice-lasting-owner-next': ({ workload, kind, owner, field }) =>
    say`${code(kind)} ${code(owner)}의 ${code(field)} 필드에 전략을 설정하세요. 컨트롤러는 다음 리비전을 이 전략으로 만들고, ${code(workload)} 자체는 바꾸지 않습니다.`,
  'advice-no-owner-field': ({ workload, kind, owner }) =>
    say`${code(kind)} ${code(owner)}의 컨트롤러가 ${code(workload)}의 전략을 정하며, 다른 전략을 지정하는 필드가 없습니다. 다음 리비전에는 이전 리비전과 별도로 여유 용량이 필요합니다.`,
};

export const deadlockText = { en, ko };

/** Statements that several causes of this family make; their catalogue is the family's. */
export const deadlock = statementsOf<typeof en>('deadlock');
