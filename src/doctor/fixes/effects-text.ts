import { code, say, word } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, duration, names } from '../../engine/language/words.js';
import type { Pod } from '../../engine/objects/pod.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import { hasInventedName } from '../../engine/workloads/simulated-pods.js';

/** A time is of each pod only where there are several. */
const each = {
  en: (pods: number) => word(pods === 1 ? '' : ' each'),
  ko: (pods: number) => word(pods === 1 ? '' : '파드당 '),
} as const;

const en = {
  'stops-all': ({ pods, graceSeconds }: { pods: number; graceSeconds: number }) =>
    say`The controller stops all ${pods} old ${word(pods === 1 ? 'pod' : 'pods')} at once (up to ${duration('en', graceSeconds)}) and then starts the new ones.`,
  'then-placed': ({ pod, node }: { pod: string; node: string }) =>
    say`The scheduler places ${code(pod)} on ${code(node)}.`,
  /** Of a pod that does not exist yet, whose name nobody knows. */
  'new-pod-placed': ({ node }: { node: string }) => say`The scheduler places the new pod on ${code(node)}.`,
  'ready-last-time': ({ seconds }: { seconds: number }) =>
    say`Last time, a pod of this workload became ready ${duration('en', seconds)} after its start.`,
  'goes-to-step': ({ step, of }: { step: number; of: number }) =>
    say`The update continues to step ${step} of ${of}, where it waits for a person or an analysis.`,
  'goes-to-before-promotion': () =>
    say`The update continues until the new pods are available, and then waits for a promotion.`,
  'goes-to-promoted': () => say`The update continues until the new revision gets all traffic.`,
  'stays-aborted': () => say`The update stays aborted until someone retries it or changes the template.`,
  'stops-until-then': ({ pods, graceSeconds }: { pods: number; graceSeconds: number }) =>
    say`Until then, the controller stops ${counted(pods, 'pod', 'pods')} (up to ${duration('en', graceSeconds)}${each.en(pods)}).`,
  competitors: ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods)} could use the freed capacity first. The rollout would then stay stuck.`,
  'no-competitors': () => say`No other pending pod can use the freed capacity.`,
  'withheld-unknown': () => say`The result could not be simulated.`,
  'withheld-unrecorded': ({ field }: { field: string }) =>
    say`The text that was read does not state ${code(field)}. This fix would replace what the object has there.`,
  'withheld-undecided': ({ decides }: { decides: string }) =>
    say`${code(decides)} was not read. Whether this fix helps depends on it.`,
  'withheld-groups': ({ workload }: { workload: string }) =>
    say`The pod templates of ${code(workload)} are in ${code('spec.leaderWorkerTemplate')}, which this fix does not change. Change them in the manifest.`,
  'withheld-revisions': ({ workload }: { workload: string }) =>
    say`The controller of ${code(workload)} makes a new revision of every changed template, beside the one that serves. Change the template in the manifest.`,
  'undo-rolls-out': () => say`The controller rolls out the restored pod template.`,
  'undo-pauses': () => say`The rollout pauses, and the controller replaces no more pods.`,
  'undo-stops': ({ pods, graceSeconds }: { pods: number; graceSeconds: number }) =>
    say`The controller stops ${counted(pods, 'pod', 'pods')} (up to ${duration('en', graceSeconds)}${each.en(pods)}).`,
  'undo-starts': ({ pods }: { pods: number }) => say`The controller starts ${counted(pods, 'pod', 'pods')}.`,
  'undo-moves-no-pod': () => say`No pod stops or starts.`,
  'undo-next-update': () =>
    say`The restored settings also apply to the next update, which may get stuck again.`,
  'undo-allows-nodes': ({ nodes }: { nodes: readonly string[] }) =>
    say`The scheduler can place pods on ${names('en', nodes)} again.`,
};

const ko: typeof en = {
  'stops-all': ({ pods, graceSeconds }) =>
    say`컨트롤러가 이전 파드 ${pods}개를 한꺼번에 내리고(최대 ${duration('ko', graceSeconds)}), 모두 사라지면 새 파드를 시작합니다.`,
  'then-placed': ({ pod, node }) => say`스케줄러가 ${code(pod)} 파드를 ${code(node)} 노드에 배치합니다.`,
  'new-pod-placed': ({ node }) => say`스케줄러가 새 파드를 ${code(node)} 노드에 배치합니다.`,
  'ready-last-time': ({ seconds }) =>
    say`지난번에는 이 워크로드의 파드가 시작한 지 ${duration('ko', seconds)} 만에 준비되었습니다.`,
  'goes-to-step': ({ step, of }) =>
    say`업데이트가 ${of}단계 중 ${step}단계까지 진행되고, 거기서 사람이나 분석을 기다립니다.`,
  'goes-to-before-promotion': () =>
    say`새 파드를 모두 사용할 수 있을 때까지 업데이트가 진행되고, 그다음 승격(promote)을 기다립니다.`,
  'goes-to-promoted': () => say`새 리비전이 모든 트래픽을 받을 때까지 업데이트가 진행됩니다.`,
  'stays-aborted': () =>
    say`누군가 다시 시도(retry)하거나 템플릿을 바꿀 때까지 업데이트는 중단된 상태로 남습니다.`,
  'stops-until-then': ({ pods, graceSeconds }) =>
    say`그 과정에서 컨트롤러가 파드 ${pods}개를 내립니다(${each.ko(pods)}최대 ${duration('ko', graceSeconds)}).`,
  competitors: ({ pods }) =>
    say`${names('ko', pods)} 파드가 비게 될 용량을 먼저 사용할 수 있습니다. 그러면 롤아웃은 계속 멈춰 있습니다.`,
  'no-competitors': () => say`비게 될 용량을 먼저 사용할 수 있는 다른 파드는 없습니다.`,
  'withheld-unknown': () => say`결과를 시뮬레이션할 수 없었습니다.`,
  'withheld-unrecorded': ({ field }) =>
    say`읽은 텍스트에 ${code(field)} 값이 없습니다. 이 조치는 오브젝트의 기존 값을 덮어씁니다.`,
  'withheld-undecided': ({ decides }) =>
    say`${code(decides)} 값을 읽지 못해 이 조치가 효과가 있는지 확인할 수 없습니다.`,
  'withheld-groups': ({ workload }) =>
    say`${code(workload)}의 파드 템플릿은 ${code('spec.leaderWorkerTemplate')}에 있고, 이 조치는 이 필드를 변경하지 않습니다. 매니페스트에서 변경하세요.`,
  'withheld-revisions': ({ workload }) =>
    say`${code(workload)}의 컨트롤러는 템플릿이 바뀔 때마다 서비스 중인 리비전 옆에 새 리비전을 만듭니다. 템플릿은 매니페스트에서 변경하세요.`,
  'undo-rolls-out': () => say`복원된 파드 템플릿으로 롤아웃이 시작됩니다.`,
  'undo-pauses': () => say`롤아웃이 일시 중지되고, 컨트롤러가 더 이상 파드를 교체하지 않습니다.`,
  'undo-stops': ({ pods, graceSeconds }) =>
    say`컨트롤러가 파드 ${pods}개를 내립니다(${each.ko(pods)}최대 ${duration('ko', graceSeconds)}).`,
  'undo-starts': ({ pods }) => say`컨트롤러가 파드 ${pods}개를 시작합니다.`,
  'undo-moves-no-pod': () => say`중지되거나 시작되는 파드가 없습니다.`,
  'undo-next-update': () => say`복원된 설정은 다음 업데이트에도 적용되며, 그때 다시 멈출 수 있습니다.`,
  'undo-allows-nodes': ({ nodes }) =>
    say`스케줄러가 ${names('ko', nodes)} 노드에 다시 파드를 배치할 수 있습니다.`,
};

export const effectsText = { en, ko };

export const effect = statementsOf<typeof en>('effects');

/** Where a forecast places a pod, by its name if it has one. */
export function placedEffect({ pod, node }: { readonly pod: Pod; readonly node: string }): Statement {
  return hasInventedName(pod)
    ? effect('new-pod-placed', { node })
    : effect('then-placed', { pod: pod.metadata.name, node });
}

/** What happens between the stop of an old pod and the start of the new one, where a cause knows of it. */
export interface StepBetween {
  readonly step: Statement;
  /** It states who uses what becomes free, or no capacity is short. */
  readonly settlesCapacity: boolean;
}

/** What a fix that stops an old pod first states of the place that becomes free. */
export interface FreedPlace {
  /** Right after the stop: the known step, then the new pod that is placed first, unless another may be. */
  readonly next: readonly Statement[];
  /** Who else may use it. */
  readonly others: readonly Statement[];
}

export function freedPlace(
  { placements: [first], winners = [] }: Forecast,
  between?: StepBetween,
): FreedPlace {
  const isPlaced = first !== undefined && winners.length === 0;
  return {
    next: [...(between === undefined ? [] : [between.step]), ...(isPlaced ? [placedEffect(first)] : [])],
    others:
      winners.length > 0
        ? [effect('competitors', { pods: winners.map(({ namespace, name }) => `${namespace}/${name}`) })]
        : between?.settlesCapacity === true
          ? []
          : [effect('no-competitors')],
  };
}
