import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const en = {
  title: ({ nodes }: { readonly nodes: readonly string[] }) => say`Keep it off ${names('en', nodes)}`,
  excludes: ({ workload, nodes }: { readonly workload: string; readonly nodes: readonly string[] }) =>
    say`The pod template of ${code(workload)} no longer allows ${names('en', nodes)} (${code('NotIn')} on ${code('kubernetes.io/hostname')}).`,
  /** The terms of the required node affinity that get the requirement. */
  'in-every-term': ({ terms }: { readonly terms: number }) =>
    say`It is added to each of the ${counted(terms, 'term', 'terms')} of the node affinity that is there.`,
  'also-excludes': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} ${word(nodes.length === 1 ? 'has' : 'have')} the same hostname label and ${word(nodes.length === 1 ? 'is' : 'are')} excluded as well.`,
  replaces: ({ pods }: { readonly pods: number }) =>
    say`That starts a rollout: ${counted(pods, 'pod', 'pods')} ${word(pods === 1 ? 'is' : 'are')} replaced, as the strategy allows.`,
  'leaves-node': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'runs' : 'run')} there until then.`,
  'placed-on': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`The new pods find room, on ${names('en', nodes)}.`,
  'node-stays': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Other workloads keep using ${names('en', nodes)}; whoever repairs ${word(nodes.length === 1 ? 'it' : 'them')} may want to cordon ${word(nodes.length === 1 ? 'it' : 'them')}.`,
  reminds: ({ hours }: { readonly hours: number }) =>
    say`In ${duration('en', hours * 3600)} I remind this thread if the exclusion still stands.`,
  lift: () => say`Undo lifts it again, which starts another rollout.`,
  'withheld-paused': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} is paused: nothing would move before it is resumed.`,
  'withheld-on-delete': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} replaces pods only when somebody deletes them (OnDelete): its pods would stay where they are.`,
  'withheld-no-node': ({ node }: { readonly node: string }) => say`There is no node ${code(node)}.`,
  'withheld-no-label': ({ node }: { readonly node: string }) =>
    say`${code(node)} has no label ${code('kubernetes.io/hostname')} to exclude it by.`,
  'withheld-already': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes)} ${word(nodes.length === 1 ? 'is' : 'are')} excluded already.`,
  /** Of the wanted `pods`, `room` find a place without the nodes. */
  'withheld-no-room': ({
    nodes,
    room,
    pods,
  }: {
    readonly nodes: readonly string[];
    readonly room: number;
    readonly pods: number;
  }) =>
    say`Without ${names('en', nodes)} there is room for ${room} of ${counted(pods, 'pod', 'pods')}: the other nodes cannot hold the workload.`,
  'withheld-deadlock': ({ pods }: { readonly pods: number }) =>
    say`The rollout it starts would stand still: the pods that stay hold what ${counted(pods, 'new pod', 'new pods')} ${word(pods === 1 ? 'needs' : 'need')}.`,
  'withheld-unready': ({ pods }: { readonly pods: number }) =>
    say`The rollout it starts would stand still: ${counted(pods, 'pod', 'pods')} on other nodes ${word(pods === 1 ? 'is' : 'are')} not expected to become ready.`,
};

const ko: SameSentences<typeof en> = {
  title: ({ nodes }) => say`${names('ko', nodes)} 제외`,
  excludes: ({ workload, nodes }) =>
    say`${code(workload)}의 파드 템플릿이 ${names('ko', nodes)} 노드를 더 이상 허용하지 않습니다(${code('kubernetes.io/hostname')}에 ${code('NotIn')}).`,
  'in-every-term': ({ terms }) => say`이미 있는 노드 어피니티의 ${terms}개 항목 모두에 추가됩니다.`,
  'also-excludes': ({ nodes }) =>
    say`${names('ko', nodes)} 노드도 같은 hostname 레이블을 써서 함께 제외됩니다.`,
  replaces: ({ pods }) => say`롤아웃이 시작되어, 전략이 허용하는 대로 파드 ${pods}개가 교체됩니다.`,
  'leaves-node': ({ pods }) => say`그때까지 ${names('ko', pods)} 파드는 그 노드에서 계속 실행됩니다.`,
  'placed-on': ({ nodes }) => say`새 파드가 들어갈 자리가 있습니다: ${names('ko', nodes)}.`,
  'node-stays': ({ nodes }) =>
    say`다른 워크로드는 ${names('ko', nodes)} 노드를 계속 씁니다. 고치는 사람은 cordon을 고려하세요.`,
  reminds: ({ hours }) => say`${duration('ko', hours * 3600)} 뒤에도 제외되어 있으면 이 스레드에 알립니다.`,
  lift: () => say`되돌리기를 누르면 제외가 풀리고, 롤아웃이 한 번 더 시작됩니다.`,
  'withheld-paused': ({ workload }) =>
    say`${code(workload)}이(가) 일시 중지되어, 재개하기 전에는 아무것도 움직이지 않습니다.`,
  'withheld-on-delete': ({ workload }) =>
    say`${code(workload)}은(는) 누군가 삭제할 때만 파드를 교체하므로(OnDelete) 파드가 그대로 남습니다.`,
  'withheld-no-node': ({ node }) => say`${code(node)} 노드가 없습니다.`,
  'withheld-no-label': ({ node }) =>
    say`${code(node)} 노드에는 제외에 쓸 ${code('kubernetes.io/hostname')} 레이블이 없습니다.`,
  'withheld-already': ({ nodes }) => say`${names('ko', nodes)} 노드는 이미 제외되어 있습니다.`,
  'withheld-no-room': ({ nodes, room, pods }) =>
    say`${names('ko', nodes)} 없이는 파드 ${pods}개 중 ${room}개만 들어갈 수 있습니다. 다른 노드만으로는 워크로드를 감당할 수 없습니다.`,
  'withheld-deadlock': ({ pods }) =>
    say`여기서 시작되는 롤아웃이 멈춥니다. 남아 있는 파드가 새 파드 ${pods}개에 필요한 것을 쥐고 있습니다.`,
  'withheld-unready': ({ pods }) =>
    say`여기서 시작되는 롤아웃이 멈춥니다. 다른 노드의 파드 ${pods}개가 준비될 것으로 보이지 않습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('exclude-nodes');
