import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const missing = {
  en: {
    'p-too-large': 'the difference may still be chance',
    'too-few-crashed': 'fewer than three pods and only one workload crashed there',
    'no-healthy-elsewhere': 'no pod of this revision is well elsewhere',
    'healthy-elsewhere-not-long-enough': 'the pods elsewhere have not run for as long as a crash takes',
    'no-room': 'the other nodes cannot hold it',
  },
  ko: {
    'p-too-large': '아직 우연일 수 있음',
    'too-few-crashed': '그 노드에서 실패한 파드가 3개 미만이고 워크로드도 하나뿐',
    'no-healthy-elsewhere': '다른 노드에서 정상인 같은 리비전 파드가 없음',
    'healthy-elsewhere-not-long-enough': '다른 노드의 파드가 실패까지 걸리는 시간만큼 실행되지 않음',
    'no-room': '나머지 노드에 들어갈 자리가 없음',
  },
} as const satisfies Record<string, Record<string, string>>;

function missingWords(language: 'en' | 'ko', because: string): ReturnType<typeof word> {
  return word((missing[language] as Readonly<Record<string, string>>)[because] ?? because);
}

const en = {
  summary: ({ workload, nodes }: { readonly workload: string; readonly nodes: readonly string[] }) =>
    say`${code(workload)} crashes on ${names('en', nodes)} and not elsewhere`,
  'summary-unsure': ({ workload, node }: { readonly workload: string; readonly node: string }) =>
    say`${code(workload)} may be crashing because of ${code(node)}; I cannot tell yet`,
  standing: ({ nodes, ongoing }: { readonly nodes: readonly string[]; readonly ongoing: boolean }) =>
    ongoing
      ? say`Pods that land on ${names('en', nodes)} keep crashing while their siblings run.`
      : say`The pods on ${names('en', nodes)} run at the moment, but they crash now and then; their siblings do not.`,
  'standing-unsure': ({ node }: { readonly node: string }) =>
    say`What was seen on ${code(node)} could still be chance.`,
  there: ({
    nodes,
    crashed,
    total,
  }: {
    readonly nodes: readonly string[];
    readonly crashed: number;
    readonly total: number;
  }) => say`On ${names('en', nodes)} ${crashed} of ${counted(total, 'pod', 'pods')} crashed.`,
  elsewhere: ({
    crashed,
    total,
    nodes,
  }: {
    readonly crashed: number;
    readonly total: number;
    readonly nodes: number;
  }) =>
    say`On the other ${counted(nodes, 'node', 'nodes')} ${crashed} of ${counted(total, 'pod', 'pods')} of the same revision crashed.`,
  chance: ({ p, oneIn }: { readonly p: string; readonly oneIn: number }) =>
    say`If the node made no difference, chance would do this about 1 time in ${oneIn} (p = ${word(p)}, corrected for having looked at every node).`,
  'others-too': ({ workloads }: { readonly workloads: readonly string[] }) =>
    say`Others crash there too, and only there: ${names('en', workloads)}.`,
  lead: ({
    name,
    value,
    elsewhere,
  }: {
    readonly name: string;
    readonly value: string;
    readonly elsewhere: string | undefined;
  }) =>
    elsewhere === undefined
      ? say`What is different there: ${code(name)} is ${code(value)}.`
      : say`What is different there: ${code(name)} is ${code(value)}, elsewhere ${code(elsewhere)}.`,
  'no-lead': () =>
    say`Nothing that the API shows tells it from the others: look at its kernel log and hardware.`,
  'leads-are-leads': () => say`That is a lead, not a proof of the cause.`,
  /** Deleted pods that are counted, there and elsewhere; `since` RFC3339. */
  remembered: ({
    deleted,
    elsewhere,
    since,
  }: {
    readonly deleted: number;
    readonly elsewhere: number;
    readonly since: string;
  }) =>
    say`Counted are also pods that were deleted since, ${deleted} there and ${elsewhere} elsewhere: the crash history sees since ${moment(since)}.`,
  recalled: ({ pods }: { readonly pods: number }) =>
    say`Of ${counted(pods, 'pod that runs there', 'pods that run there')} only the history still knows the crash.`,
  'not-watched': ({ gaps, seconds }: { readonly gaps: number; readonly seconds: number }) =>
    say`Nobody watched for ${duration('en', seconds)} of that time (${counted(gaps, 'gap', 'gaps')}): pods that came and went then are not counted.`,
  dropped: ({ pods }: { readonly pods: number }) =>
    say`The history had to drop ${counted(pods, 'older pod', 'older pods')} of this workload, crashed or not, and does not count them.`,
  exposure: ({
    crashed,
    of,
    percent,
  }: {
    readonly crashed: number;
    readonly of: number;
    readonly percent: number;
  }) =>
    say`${crashed} of the ${of} pods that crashed were there, in ${percent} % of the hours that pods ran; compared are pods of the same age and at the same time.`,
  'ev-deleted': ({
    container,
    node,
    exitCode,
    reason,
  }: {
    readonly container: string;
    readonly node: string;
    readonly exitCode: number;
    readonly reason: string;
  }) =>
    reason === ''
      ? say`from the history: ${code(container)} of a pod deleted since ended with exit code ${exitCode} on ${code(node)}`
      : say`from the history: ${code(container)} of a pod deleted since ended with exit code ${exitCode} (${code(reason)}) on ${code(node)}`,
  'ev-ends': ({
    node,
    runs,
    more,
    exits,
  }: {
    readonly node: string;
    readonly runs: number;
    readonly more: number;
    readonly exits: readonly string[];
  }) =>
    sentences(
      say`from the history: ${counted(runs, 'run', 'runs')} of pods deleted since ended badly on ${code(node)}, with ${names('en', exits)}`,
      more === 0 ? [] : say`(${counted(more, 'earlier end is', 'earlier ends are')} not kept one by one)`,
    ),
  'unsure-exposure': ({ p }: { readonly p: string }) =>
    say`The pods there ran longer, or at other times, than those elsewhere: that may be all the difference (p = ${word(p)}).`,
  'unsure-few': ({ p }: { readonly p: string }) => say`Too few pods to rule out chance (p = ${word(p)}).`,
  'unsure-one-pod-each': () =>
    say`Each node runs one pod, so one crash on one node says nothing about the node.`,
  'unsure-revision': ({ revision, node }: { readonly revision: string; readonly node: string }) =>
    say`Revision ${code(revision)} runs on ${code(node)} only: node and revision cannot be told apart.`,
  'too-young': ({ pods }: { readonly pods: number }) =>
    say`${counted(pods, 'pod is', 'pods are')} too young to count as healthy and ${word(pods === 1 ? 'was' : 'were')} left out.`,
  'ev-crashed': ({
    node,
    crashed,
    total,
  }: {
    readonly node: string;
    readonly crashed: number;
    readonly total: number;
  }) => say`${crashed} of ${total} pods crashed on ${code(node)}`,
  'because-not-everywhere': ({ pods, nodes }: { readonly pods: number; readonly nodes: number }) =>
    say`${counted(pods, 'pod', 'pods')} of the same revision ${word(pods === 1 ? 'runs' : 'run')} without a crash on ${counted(nodes, 'other node', 'other nodes')}`,
  'because-same-revision': ({ pods }: { readonly pods: number }) =>
    say`${counted(pods, 'sibling', 'siblings')} with the same program and settings ${word(pods === 1 ? 'does' : 'do')} not crash`,
  'exclude-withheld': ({ because }: { readonly because: string }) =>
    say`Not yet: ${missingWords('en', because)}.`,
  'undo-withheld': () => say`The same revision runs well on the other nodes.`,
  'restart-withheld': () => say`New pods may land on the same node again.`,
  'advice-node-title': ({ node }: { readonly node: string }) => say`Look at ${code(node)} itself`,
  'advice-node': ({ node }: { readonly node: string }) =>
    say`Until it is known what is wrong, ${code(node)} can be kept free of new pods of every workload.`,
  'advice-experiment-title': () => say`This would decide`,
  'advice-experiment': ({ node, onto }: { readonly node: string; readonly onto: readonly string[] }) =>
    sentences(
      say`Recreate one crashing pod away from ${code(node)}: if it runs there, the node is the suspect.`,
      onto.length === 0 ? [] : say`Nodes that already run it well: ${names('en', onto)}.`,
    ),
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드에서만 비정상 종료됩니다`,
  'summary-unsure': ({ workload, node }) =>
    say`${code(workload)}: ${code(node)} 노드가 원인일 수 있지만 아직 판단할 수 없습니다`,
  standing: ({ nodes, ongoing }) =>
    ongoing
      ? say`${names('ko', nodes)} 노드에 배치된 파드는 계속 비정상 종료되고, 다른 파드는 정상입니다.`
      : say`${names('ko', nodes)} 노드의 파드는 지금은 실행 중이지만 가끔 비정상 종료됩니다. 다른 파드는 그렇지 않습니다.`,
  'standing-unsure': ({ node }) => say`${code(node)} 노드에서 본 것은 아직 우연일 수 있습니다.`,
  there: ({ nodes, crashed, total }) =>
    say`${names('ko', nodes)} 노드에서 파드 ${total}개 중 ${crashed}개가 비정상 종료되었습니다.`,
  elsewhere: ({ crashed, total, nodes }) =>
    say`다른 노드 ${nodes}개에서는 같은 리비전 파드 ${total}개 중 ${crashed}개가 비정상 종료되었습니다.`,
  chance: ({ p, oneIn }) =>
    say`노드와 무관하다면 약 ${oneIn}번에 한 번 일어날 일입니다 (p = ${word(p)}, 모든 노드를 살핀 것을 보정한 값).`,
  'others-too': ({ workloads }) =>
    say`다른 워크로드도 그 노드에서만 비정상 종료됩니다: ${names('ko', workloads)}.`,
  lead: ({ name, value, elsewhere }) =>
    elsewhere === undefined
      ? say`그 노드의 다른 점: ${code(name)} 값이 ${code(value)}.`
      : say`그 노드의 다른 점: ${code(name)} 값이 ${code(value)}, 다른 노드는 ${code(elsewhere)}.`,
  'no-lead': () =>
    say`API에 보이는 것 중 다른 노드와 구별되는 점이 없습니다. 커널 로그와 하드웨어를 확인하세요.`,
  'leads-are-leads': () => say`이는 단서일 뿐, 원인이라는 증거는 아닙니다.`,
  remembered: ({ deleted, elsewhere, since }) =>
    say`이후 삭제된 파드도 포함합니다 (그 노드 ${deleted}개, 다른 노드 ${elsewhere}개). 비정상 종료 기록은 ${moment(since)}부터 있습니다.`,
  recalled: ({ pods }) =>
    say`그 노드에서 실행 중인 파드 ${pods}개의 비정상 종료는 이제 기록에만 남아 있습니다.`,
  'not-watched': ({ gaps, seconds }) =>
    say`그 사이 ${gaps}번, 모두 ${duration('ko', seconds)} 동안은 관찰하지 못했습니다. 그때 생겼다 사라진 파드는 포함하지 않습니다.`,
  dropped: ({ pods }) =>
    say`이 워크로드의 오래된 파드 ${pods}개는 종료 방식과 상관없이 기록에서 빠졌으며 포함하지 않습니다.`,
  exposure: ({ crashed, of, percent }) =>
    say`비정상 종료된 파드 ${of}개 중 ${crashed}개가 그 노드에 있었고, 실행 시간은 전체의 ${percent}%입니다. 같은 나이, 같은 시각의 파드끼리 비교했습니다.`,
  'ev-deleted': ({ container, node, exitCode, reason }) =>
    reason === ''
      ? say`기록: 이후 삭제된 파드의 ${code(container)} 컨테이너가 ${code(node)} 노드에서 종료 코드 ${exitCode}(으)로 종료됨`
      : say`기록: 이후 삭제된 파드의 ${code(container)} 컨테이너가 ${code(node)} 노드에서 종료 코드 ${exitCode}(${code(reason)})(으)로 종료됨`,
  'ev-ends': ({ node, runs, more, exits }) =>
    sentences(
      say`기록: 이후 삭제된 파드의 실행 ${runs}번이 ${code(node)} 노드에서 비정상 종료됨 (${names('ko', exits)})`,
      more === 0 ? [] : say`(그 이전 종료 ${more}번은 하나씩 남아 있지 않음)`,
    ),
  'unsure-exposure': ({ p }) =>
    say`그 노드의 파드는 다른 파드보다 오래, 또는 다른 때에 실행되었습니다. 차이가 그것뿐일 수 있습니다 (p = ${word(p)}).`,
  'unsure-few': ({ p }) => say`파드 수가 적어 우연을 배제할 수 없습니다 (p = ${word(p)}).`,
  'unsure-one-pod-each': () =>
    say`노드마다 파드가 하나뿐이라, 한 노드에서의 비정상 종료만으로는 노드에 대해 알 수 없습니다.`,
  'unsure-revision': ({ revision, node }) =>
    say`리비전 ${code(revision)} 파드가 ${code(node)} 노드에만 있어 노드와 리비전을 구별할 수 없습니다.`,
  'too-young': ({ pods }) => say`파드 ${pods}개는 정상이라고 보기에 너무 최근에 시작되어 제외했습니다.`,
  'ev-crashed': ({ node, crashed, total }) =>
    say`${code(node)} 노드에서 파드 ${total}개 중 ${crashed}개가 비정상 종료됨`,
  'because-not-everywhere': ({ pods, nodes }) =>
    say`같은 리비전 파드 ${pods}개가 다른 노드 ${nodes}개에서 정상 실행 중`,
  'because-same-revision': ({ pods }) => say`같은 프로그램과 설정의 파드 ${pods}개는 정상`,
  'exclude-withheld': ({ because }) => say`아직 아닙니다: ${missingWords('ko', because)}.`,
  'undo-withheld': () => say`같은 리비전이 다른 노드에서는 정상입니다.`,
  'restart-withheld': () => say`새 파드도 같은 노드에 배치될 수 있습니다.`,
  'advice-node-title': ({ node }) => say`${code(node)} 노드를 직접 확인하세요`,
  'advice-node': ({ node }) =>
    say`무엇이 잘못되었는지 알 때까지 ${code(node)} 노드에 새 파드가 배치되지 않게 할 수 있습니다.`,
  'advice-experiment-title': () => say`이렇게 하면 판단할 수 있습니다`,
  'advice-experiment': ({ node, onto }) =>
    sentences(
      say`비정상 종료되는 파드 하나를 ${code(node)} 밖에서 다시 만드세요. 거기서 정상이면 노드가 의심됩니다.`,
      onto.length === 0 ? [] : say`이미 정상 실행 중인 노드: ${names('ko', onto)}.`,
    ),
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('crash-loop-on-node');
