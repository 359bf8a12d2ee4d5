import { code, moment, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, duration, names } from '../../../engine/language/words.js';

const missing = {
  en: {
    'p-too-large': 'the difference may still be chance',
    'too-few-crashed': 'fewer than three pods crashed there, and only one workload is affected',
    'no-healthy-elsewhere': 'no pod of this revision is healthy on another node',
    'healthy-elsewhere-not-long-enough': 'the pods on other nodes have not run long enough to crash',
    'no-room': 'the other nodes have no room for its pods',
  },
  ko: {
    'p-too-large': '아직 우연일 수 있음',
    'too-few-crashed': '그 노드에서 크래시가 발생한 파드가 3개 미만이고 워크로드도 하나뿐임',
    'no-healthy-elsewhere': '다른 노드에 정상인 같은 리비전 파드가 없음',
    'healthy-elsewhere-not-long-enough': '다른 노드의 파드가 크래시까지 걸리는 시간만큼 실행되지 않음',
    'no-room': '나머지 노드에 배치할 자리가 없음',
  },
} as const satisfies Record<string, Record<string, string>>;

function missingWords(language: 'en' | 'ko', because: string): ReturnType<typeof word> {
  return word((missing[language] as Readonly<Record<string, string>>)[because] ?? because);
}

const en = {
  'shared-failure': () => say`pods crash on some nodes only`,
  summary: ({ workload, nodes }: { workload: string; nodes: readonly string[] }) =>
    say`${code(workload)} crashes only on ${names('en', nodes)}`,
  'summary-unsure': ({ workload, node }: { workload: string; node: string }) =>
    say`${code(workload)} may be crashing because of ${code(node)}, but the evidence is not sufficient yet`,
  standing: ({ nodes, ongoing }: { nodes: readonly string[]; ongoing: boolean }) =>
    ongoing
      ? say`Pods scheduled to ${names('en', nodes)} keep crashing. Pods of the same workload on other nodes run.`
      : say`The pods on ${names('en', nodes)} are running now, but crash from time to time. Pods of the same workload on other nodes do not.`,
  'standing-unsure': ({ node }: { node: string }) => say`The crashes on ${code(node)} could still be chance.`,
  there: ({ nodes, crashed, total }: { nodes: readonly string[]; crashed: number; total: number }) =>
    say`On ${names('en', nodes)} ${crashed} of ${counted(total, 'pod', 'pods')} crashed.`,
  elsewhere: ({ crashed, total, nodes }: { crashed: number; total: number; nodes: number }) =>
    say`On the other ${nodes === 1 ? word('node') : say`${nodes} nodes`} ${crashed} of ${counted(total, 'pod', 'pods')} of the same revision crashed.`,
  chance: ({ p, oneIn }: { p: string; oneIn: number }) =>
    say`By chance this would happen in about 1 of ${oneIn} cases (p = ${word(p)}, corrected for testing every node).`,
  'others-too': ({ workloads }: { workloads: readonly string[] }) =>
    say`Other workloads also crash only there: ${names('en', workloads)}.`,
  lead: ({ name, value, elsewhere }: { name: string; value: string; elsewhere: string | undefined }) =>
    elsewhere === undefined
      ? say`Different from the other nodes: ${code(name)} is ${code(value)}.`
      : say`Different from the other nodes: ${code(name)} is ${code(value)} instead of ${code(elsewhere)}.`,
  'no-lead': () =>
    say`The API shows no difference from the other nodes. Check the kernel log and hardware there.`,
  'leads-are-leads': () => say`A difference like this is a lead to check, not proof of the cause.`,
  /** Number of deleted pods that are counted; `since` is RFC3339. */
  remembered: ({ deleted, elsewhere, since }: { deleted: number; elsewhere: number; since: string }) =>
    say`The counts include pods that were deleted since: ${deleted} there and ${elsewhere} elsewhere. The crash history begins ${moment(since)}.`,
  recalled: ({ pods }: { pods: number }) =>
    say`Kubernetes no longer shows the crash of ${counted(pods, 'pod that runs there', 'pods that run there')}. Only the crash history has it.`,
  'not-watched': ({ gaps, seconds }: { gaps: number; seconds: number }) =>
    say`The crash history has ${counted(gaps, 'interruption', 'interruptions')} of ${duration('en', seconds)} in total. Pods that started and ended during an interruption are not counted.`,
  dropped: ({ pods }: { pods: number }) =>
    say`The crash history dropped ${counted(pods, 'older pod', 'older pods')} of this workload, crashed or not, and does not count them.`,
  exposure: ({ crashed, of, percent }: { crashed: number; of: number; percent: number }) =>
    say`${crashed} of the ${of} crashed pods ran there, in ${percent} % of all pod hours. The test compares pods of the same age at the same time.`,
  'ev-deleted': (values: { container: string; node: string; exitCode: number; reason: string }) =>
    values.reason === ''
      ? say`from the crash history: ${code(values.container)} of a deleted pod terminated with exit code ${values.exitCode} on ${code(values.node)}`
      : say`from the crash history: ${code(values.container)} of a deleted pod terminated with exit code ${values.exitCode} (${code(values.reason)}) on ${code(values.node)}`,
  'ev-ends': (values: { node: string; runs: number; more: number; exits: readonly string[] }) =>
    sentences(
      say`from the crash history: ${counted(values.runs, 'run', 'runs')} of deleted pods failed on ${code(values.node)}, with ${names('en', values.exits)}`,
      values.more === 0
        ? []
        : say`(${counted(values.more, 'earlier run is', 'earlier runs are')} counted without details)`,
    ),
  'unsure-exposure': ({ p }: { p: string }) =>
    say`The pods there ran longer than the others, or at other times. This alone may explain the difference (p = ${word(p)}).`,
  'unsure-few': ({ p }: { p: string }) =>
    say`The workload has too few pods to rule out chance (p = ${word(p)}).`,
  'unsure-one-pod-each': () =>
    say`Each node runs one pod, so one crash on one node does not show that the node is the cause.`,
  'unsure-revision': ({ revision, node }: { revision: string; node: string }) =>
    say`Revision ${code(revision)} runs only on ${code(node)}, so the node and the revision cannot be distinguished.`,
  'too-young': ({ pods }: { pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} started too recently to count as healthy and ${word(pods === 1 ? 'is' : 'are')} not counted.`,
  'ev-crashed': ({ node, crashed, total }: { node: string; crashed: number; total: number }) =>
    say`${crashed} of ${total} pods crashed on ${code(node)}`,
  'because-not-everywhere': ({ pods, nodes }: { pods: number; nodes: number }) =>
    say`${counted(pods, 'pod', 'pods')} of the same revision ${word(pods === 1 ? 'runs' : 'run')} without a crash on ${counted(nodes, 'other node', 'other nodes')}`,
  'because-same-revision': ({ pods }: { pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} with the same program and settings ${word(pods === 1 ? 'does' : 'do')} not crash`,
  'exclude-withheld': ({ because }: { because: string }) =>
    say`Not recommended yet: ${missingWords('en', because)}.`,
  'undo-withheld': () => say`The same revision runs without crashes on the other nodes.`,
  'restart-withheld': () => say`New pods can land on the same node again.`,
  'advice-node-title': ({ node }: { node: string }) => say`Check ${code(node)} itself`,
  'advice-node': ({ node }: { node: string }) =>
    say`Until the cause is known, cordon ${code(node)} to keep new pods of every workload off it.`,
  'advice-experiment-title': () => say`Run this experiment to find out`,
  'advice-experiment': ({ node, onto }: { node: string; onto: readonly string[] }) =>
    sentences(
      say`Recreate one crashing pod on a node other than ${code(node)}. If the pod runs there, the node is the suspect.`,
      onto.length === 0
        ? []
        : say`Nodes that already run the workload without crashes: ${names('en', onto)}.`,
    ),
};

const ko: typeof en = {
  'shared-failure': () => say`일부 노드에서만 파드에 크래시 발생`,
  summary: ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드에서만 크래시가 발생합니다`,
  'summary-unsure': ({ workload, node }) =>
    say`${code(workload)}: ${code(node)} 노드 때문에 크래시가 발생하는 것일 수 있지만, 아직 증거가 부족합니다`,
  standing: ({ nodes, ongoing }) =>
    ongoing
      ? say`${names('ko', nodes)} 노드에 배치된 파드에서 크래시가 반복됩니다. 다른 노드의 같은 워크로드 파드는 정상입니다.`
      : say`${names('ko', nodes)} 노드의 파드는 지금 실행 중이지만 가끔 크래시가 발생합니다. 다른 노드의 같은 워크로드 파드에서는 발생하지 않습니다.`,
  'standing-unsure': ({ node }) => say`${code(node)} 노드의 크래시는 아직 우연일 수 있습니다.`,
  there: ({ nodes, crashed, total }) =>
    say`${names('ko', nodes)} 노드에서는 파드 ${total}개 중 ${crashed}개에서 크래시가 발생했습니다.`,
  elsewhere: ({ crashed, total, nodes }) =>
    crashed === 0
      ? say`다른 노드 ${nodes}개에서는 같은 리비전 파드 ${total}개 모두 크래시가 없습니다.`
      : say`다른 노드 ${nodes}개에서는 같은 리비전 파드 ${total}개 중 ${crashed}개에서 크래시가 발생했습니다.`,
  chance: ({ p, oneIn }) =>
    say`우연이라면 약 ${oneIn}번 중 1번꼴로 일어날 일입니다(p = ${word(p)}, 노드 수만큼 다중 비교 보정).`,
  'others-too': ({ workloads }) =>
    say`다른 워크로드도 그 노드에서만 크래시가 발생합니다: ${names('ko', workloads)}.`,
  lead: ({ name, value, elsewhere }) =>
    elsewhere === undefined
      ? say`그 노드만 다른 점: ${code(name)} = ${code(value)}.`
      : say`그 노드만 다른 점: ${code(name)} = ${code(value)} (다른 노드는 ${code(elsewhere)}).`,
  'no-lead': () =>
    say`API에 나타난 정보로는 다른 노드와 차이가 없습니다. 노드의 커널 로그와 하드웨어를 확인하세요.`,
  'leads-are-leads': () => say`이런 차이는 확인해 볼 단서이며, 원인의 증거는 아닙니다.`,
  remembered: ({ deleted, elsewhere, since }) =>
    say`이후 삭제된 파드도 포함한 수치입니다(그 노드 ${deleted}개, 다른 노드 ${elsewhere}개). 크래시 기록은 ${moment(since)}부터 있습니다.`,
  recalled: ({ pods }) =>
    say`그 노드에서 실행 중인 파드 ${pods}개의 크래시는 이제 Kubernetes에는 없고 크래시 기록에만 남아 있습니다.`,
  'not-watched': ({ gaps, seconds }) =>
    say`크래시 기록에 빠진 구간이 ${gaps}개(총 ${duration('ko', seconds)}) 있습니다. 그 사이에 생겼다가 사라진 파드는 포함하지 않습니다.`,
  dropped: ({ pods }) =>
    say`이 워크로드의 오래된 파드 ${pods}개는 크래시 여부와 상관없이 기록에서 삭제되어 포함하지 않습니다.`,
  exposure: ({ crashed, of, percent }) =>
    say`크래시가 발생한 파드 ${of}개 중 ${crashed}개가 그 노드에서 실행되었습니다. 그 노드의 실행 시간은 전체의 ${percent}%입니다. 실행 기간과 시각이 같은 파드끼리 비교했습니다.`,
  'ev-deleted': ({ container, node, exitCode, reason }) =>
    reason === ''
      ? say`크래시 기록: 삭제된 파드의 ${code(container)} 컨테이너가 ${code(node)} 노드에서 종료됨(종료 코드 ${exitCode})`
      : say`크래시 기록: 삭제된 파드의 ${code(container)} 컨테이너가 ${code(node)} 노드에서 종료됨(종료 코드 ${exitCode}, ${code(reason)})`,
  'ev-ends': ({ node, runs, more, exits }) =>
    sentences(
      say`크래시 기록: 삭제된 파드의 실행 ${runs}회가 ${code(node)} 노드에서 실패함(${names('ko', exits)})`,
      more === 0 ? [] : say`(이전 실행 ${more}회는 횟수만 기록됨)`,
    ),
  'unsure-exposure': ({ p }) =>
    say`그 노드의 파드는 다른 파드보다 오래 실행되었거나 다른 시간대에 실행되었습니다. 차이의 이유가 이것뿐일 수 있습니다(p = ${word(p)}).`,
  'unsure-few': ({ p }) => say`파드 수가 적어 우연을 배제할 수 없습니다(p = ${word(p)}).`,
  'unsure-one-pod-each': () =>
    say`노드마다 파드가 하나뿐이라, 한 노드의 크래시만으로는 노드가 원인인지 알 수 없습니다.`,
  'unsure-revision': ({ revision, node }) =>
    say`리비전 ${code(revision)} 파드가 ${code(node)} 노드에만 있어 노드와 리비전을 구별할 수 없습니다.`,
  'too-young': ({ pods }) =>
    say`파드 ${pods}개는 시작된 지 얼마 되지 않아 정상 여부를 판단할 수 없으므로 제외했습니다.`,
  'ev-crashed': ({ node, crashed, total }) =>
    say`${code(node)} 노드에서 파드 ${total}개 중 ${crashed}개에서 크래시 발생`,
  'because-not-everywhere': ({ pods, nodes }) =>
    say`같은 리비전 파드 ${pods}개가 다른 노드 ${nodes}개에서 크래시 없이 실행 중`,
  'because-same-revision': ({ pods }) =>
    say`프로그램과 설정이 같은 파드 ${pods}개에서는 크래시가 발생하지 않음`,
  'exclude-withheld': ({ because }) => say`아직 권장하지 않습니다: ${missingWords('ko', because)}.`,
  'undo-withheld': () => say`같은 리비전이 다른 노드에서는 크래시 없이 실행됩니다.`,
  'restart-withheld': () => say`새 파드가 다시 같은 노드에 배치될 수 있습니다.`,
  'advice-node-title': ({ node }) => say`${code(node)} 노드를 직접 확인하기`,
  'advice-node': ({ node }) =>
    say`원인을 찾을 때까지 ${code(node)} 노드를 cordon하면 어떤 워크로드의 새 파드도 배치되지 않습니다.`,
  'advice-experiment-title': () => say`이렇게 확인해 보기`,
  'advice-experiment': ({ node, onto }) =>
    sentences(
      say`크래시가 발생하는 파드 하나를 ${code(node)} 노드가 아닌 곳에 다시 만드세요. 그 파드가 정상이면 노드를 의심할 수 있습니다.`,
      onto.length === 0 ? [] : say`이미 크래시 없이 실행 중인 노드: ${names('ko', onto)}.`,
    ),
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('crash-loop-on-node');
