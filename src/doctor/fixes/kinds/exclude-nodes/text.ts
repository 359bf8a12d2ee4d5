import { code, say, word } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { counted, duration, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`exclude the node`,
  title: ({ nodes }: { nodes: readonly string[] }) => say`Move off ${names('en', nodes)}`,
  excludes: ({ workload, nodes }: { workload: string; nodes: readonly string[] }) =>
    say`The pod template of ${code(workload)} no longer allows ${names('en', nodes)} (${code('NotIn')} on ${code('kubernetes.io/hostname')}).`,
  /** The terms of the required node affinity that get the requirement. */
  'in-every-term': ({ terms }: { terms: number }) =>
    terms === 1
      ? say`The requirement is added to the existing term of the node affinity.`
      : say`The requirement is added to each of the ${terms} existing terms of the node affinity.`,
  'also-excludes': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes)} ${word(nodes.length === 1 ? 'has' : 'have')} the same hostname label and ${word(nodes.length === 1 ? 'is' : 'are')} excluded as well.`,
  replaces: ({ pods }: { pods: number }) =>
    pods === 0
      ? say`This starts a rollout.`
      : say`This starts a rollout: ${counted(pods, 'pod', 'pods')} ${word(pods === 1 ? 'is' : 'are')} replaced, as the strategy allows.`,
  'leaves-node': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'runs' : 'run')} there until the rollout replaces ${word(pods.length === 1 ? 'it' : 'them')}.`,
  'placed-on': ({ nodes }: { nodes: readonly string[] }) => say`The new pods fit on ${names('en', nodes)}.`,
  'node-stays': ({ nodes }: { nodes: readonly string[] }) =>
    say`Other workloads keep using ${names('en', nodes)}. Consider cordoning ${word(nodes.length === 1 ? 'it' : 'them')} during the repair.`,
  reminds: ({ hours }: { hours: number }) =>
    say`A reminder follows in this thread after ${duration('en', hours * 3600)} if the exclusion is still in place.`,
  lift: () => say`Undo removes the exclusion, which starts another rollout.`,
  'withheld-paused': ({ workload }: { workload: string }) =>
    say`${code(workload)} is paused, so no pod would move before it is resumed.`,
  'withheld-on-delete': ({ workload }: { workload: string }) =>
    say`${code(workload)} replaces pods only when someone deletes them (OnDelete), so its pods would stay on their nodes.`,
  /** Of a Rollout with a `workloadRef`. */
  'withheld-elsewhere': ({ workload }: { workload: string }) =>
    say`${code(workload)} takes its pod template from another workload. Set the node affinity there.`,
  'withheld-no-node': ({ node }: { node: string }) => say`The cluster has no node ${code(node)}.`,
  'withheld-no-label': ({ node }: { node: string }) =>
    say`${code(node)} has no label ${code('kubernetes.io/hostname')}, which the exclusion needs.`,
  'withheld-already': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes)} ${word(nodes.length === 1 ? 'is' : 'are')} already excluded.`,
  /** Of the wanted `pods`, `room` find a place without the nodes. */
  'withheld-no-room': ({ nodes, room, pods }: { nodes: readonly string[]; room: number; pods: number }) =>
    say`Without ${names('en', nodes)}, the other nodes have capacity for only ${room} of ${counted(pods, 'pod', 'pods')}.`,
  'withheld-deadlock': ({ pods }: { pods: number }) =>
    say`The rollout that this starts would deadlock: the remaining pods use the capacity that ${counted(pods, 'new pod needs', 'new pods need')}.`,
  'withheld-unready': ({ pods }: { pods: number }) =>
    say`The rollout that this starts would get stuck: ${counted(pods, 'pod', 'pods')} on other nodes ${word(pods === 1 ? 'is' : 'are')} not expected to become ready.`,
};

const ko: typeof en = {
  name: () => say`해당 노드 제외`,
  title: ({ nodes }) => say`${names('ko', nodes)} 노드에서 파드 옮기기`,
  excludes: ({ workload, nodes }) =>
    say`${code(workload)}의 파드 템플릿이 ${names('ko', nodes)} 노드를 더 이상 허용하지 않습니다(${code('kubernetes.io/hostname')}에 ${code('NotIn')}).`,
  'in-every-term': ({ terms }) =>
    terms === 1
      ? say`기존 노드 어피니티 항목에 조건이 추가됩니다.`
      : say`기존 노드 어피니티의 ${terms}개 항목 모두에 조건이 추가됩니다.`,
  'also-excludes': ({ nodes }) =>
    say`${names('ko', nodes)} 노드도 같은 hostname 레이블을 써서 함께 제외됩니다.`,
  replaces: ({ pods }) =>
    pods === 0
      ? say`롤아웃이 시작됩니다.`
      : say`롤아웃이 시작되어, 배포 전략이 허용하는 대로 파드 ${pods}개가 교체됩니다.`,
  'leaves-node': ({ pods }) => say`교체될 때까지 ${names('ko', pods)} 파드는 그 노드에서 계속 실행됩니다.`,
  'placed-on': ({ nodes }) => say`새 파드를 배치할 수 있는 노드: ${names('ko', nodes)}.`,
  'node-stays': ({ nodes }) =>
    say`다른 워크로드는 ${names('ko', nodes)} 노드를 계속 사용합니다. 수리하는 동안 cordon을 고려하세요.`,
  reminds: ({ hours }) =>
    say`${duration('ko', hours * 3600)} 뒤에도 노드가 제외되어 있으면 이 스레드에 알림을 보냅니다.`,
  lift: () => say`되돌리기를 누르면 제외가 해제되고 롤아웃이 한 번 더 시작됩니다.`,
  'withheld-paused': ({ workload }) =>
    say`${code(workload)} 롤아웃이 일시 중지되어 있어, 재개하기 전에는 파드가 옮겨지지 않습니다.`,
  'withheld-on-delete': ({ workload }) =>
    say`${code(workload)} 워크로드는 누군가 파드를 삭제할 때만 교체하므로(OnDelete) 파드가 현재 노드에 그대로 남습니다.`,
  'withheld-elsewhere': ({ workload }) =>
    say`${code(workload)}의 파드 템플릿은 다른 워크로드에서 가져옵니다. 노드 어피니티는 그 워크로드에서 설정하세요.`,
  'withheld-no-node': ({ node }) => say`클러스터에 ${code(node)} 노드가 없습니다.`,
  'withheld-no-label': ({ node }) =>
    say`${code(node)} 노드에는 제외에 쓸 ${code('kubernetes.io/hostname')} 레이블이 없습니다.`,
  'withheld-already': ({ nodes }) => say`${names('ko', nodes)} 노드는 이미 제외되어 있습니다.`,
  'withheld-no-room': ({ nodes, room, pods }) =>
    say`${names('ko', nodes)} 노드를 빼면 나머지 노드의 용량으로는 파드 ${pods}개 중 ${room}개만 배치할 수 있습니다.`,
  'withheld-deadlock': ({ pods }) =>
    say`이 조치로 시작되는 롤아웃은 교착 상태가 됩니다. 새 파드 ${pods}개에 필요한 용량을 남은 파드가 사용 중입니다.`,
  'withheld-unready': ({ pods }) =>
    say`이 조치로 시작되는 롤아웃은 멈추게 됩니다. 다른 노드의 파드 ${pods}개가 준비될 것으로 예상되지 않습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('exclude-nodes');
