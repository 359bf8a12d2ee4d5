import { code, moment, quote, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { duration, elapsed, names } from '../../../engine/language/words.js';
import { type Certainty, deadlocked } from '../../findings/deadlock/text.js';

/** What an old pod holds and its successor needs. */
interface Hold {
  readonly by: 'claim' | 'host-path' | 'device-memory' | 'port' | 'lock';
  readonly claim?: string | undefined;
  readonly resource?: string | undefined;
  readonly node?: string | undefined;
  readonly configMap?: string | undefined;
}

const holdWords = {
  en: {
    claim: 'the data',
    'host-path': 'the data',
    'device-memory': 'the device memory',
    port: 'the port',
    lock: 'the lock',
  },
  ko: {
    claim: '데이터를',
    'host-path': '데이터를',
    'device-memory': '장치 메모리를',
    port: '포트를',
    lock: '잠금을',
  },
} as const;

const en = {
  'shared-failure': () => say`new pods wait for what old pods hold`,
  summary: (values: Certainty & { readonly workload: string }) =>
    values.confidence === 'possible'
      ? say`${deadlocked('en', values)}: its own old pod may hold the lock that its new pod needs`
      : say`${deadlocked('en', values)}: its new pod needs a lock that its own old pod holds`,
  'summary-own': ({ hold, ...rest }: Certainty & { readonly workload: string; readonly hold: Hold }) =>
    say`${deadlocked('en', rest)}: its own old pod has ${word(holdWords.en[hold.by])} that its new pod needs`,
  'keeps-failing': (values: { pod: string; container: string; seconds: number | undefined }) =>
    values.seconds === undefined
      ? say`The new pod ${code(values.pod)} has a node, but its container ${code(values.container)} keeps failing.`
      : say`For ${elapsed('en', values.seconds)}, the container ${code(values.container)} of the new pod ${code(values.pod)} has kept failing.`,
  'own-holds': ({ pods, hold }: { pods: readonly string[]; hold: Hold }) => {
    const who = names('en', pods);
    const verb = word(pods.length === 1 ? 'is' : 'are');
    switch (hold.by) {
      case 'claim':
        return say`The old pod ${who} is ready and uses the same claim ${code(hold.claim ?? '')}. No other ready pod uses it.`;
      case 'host-path':
        return say`The old pod ${who} is ready and uses the same directory of ${code(hold.node ?? '')}.`;
      case 'device-memory':
        return hold.resource === undefined
          ? say`On ${code(hold.node ?? '')}, the old pod ${who} ${verb} ready. Both pods use its device without a limit of their own.`
          : say`On ${code(hold.node ?? '')}, ${code(hold.resource)} is shared between pods. The old pod ${who} ${verb} ready there and uses memory of the same device.`;
      case 'port':
        return say`The old pod ${who} is ready and uses the network of ${code(hold.node ?? '')}, as the new pod does.`;
      case 'lock':
        return hold.configMap === undefined
          ? say`The log names the old pod ${who} as the holder.`
          : say`The old pod ${who} owns the ConfigMap ${code(hold.configMap)}, which is deleted only with this pod.`;
    }
  },
  'counterfactual-own': ({ pods, pod }: { pods: readonly string[]; pod: string }) =>
    say`Once ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} gone, ${code(pod)} can have it at its next restart. The new version itself may be fine.`,
  'delete-withheld-own': () =>
    say`The controller replaces a deleted old pod with another old pod at once, which takes the same again.`,
  runs: ({ pod, container, seconds }: { pod: string; container: string; seconds: number | undefined }) =>
    seconds === undefined
      ? say`The new pod ${code(pod)} is running, but its container ${code(container)} is not ready.`
      : say`The new pod ${code(pod)} has been running for ${elapsed('en', seconds)}, but its container ${code(container)} is not ready.`,
  probe: ({ message }: { message: string }) => say`The kubelet reports: ${quote(message)}`,
  holds: (values: { lease: string; pods: readonly string[]; renewed: string | undefined }) =>
    values.renewed === undefined
      ? say`${names('en', values.pods)}, the old pod of the same workload, holds the lease ${code(values.lease)}.`
      : say`${names('en', values.pods)}, the old pod of the same workload, holds the lease ${code(values.lease)} and renewed it ${moment(values.renewed)}.`,
  says: ({ pod, line }: { pod: string; line: string }) => say`${code(pod)} logs: ${quote(line)}`,
  'answers-itself': ({ line }: { line: string }) => say`The readiness probe returns: ${quote(line)}`,
  silent: ({ pod }: { pod: string }) =>
    say`The part of the log of ${code(pod)} that could be read does not mention the lock.`,
  counterfactual: ({ pods, pod }: { pods: readonly string[]; pod: string }) =>
    say`Once ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} gone, the lock is free and ${code(pod)} can acquire it.`,
  expiry: ({ seconds }: { seconds: number }) =>
    say`If the old pod does not release the lease when it stops, the lease expires after ${duration('en', seconds)}.`,
  /** Between the stop of the old pod and the end of the rollout; `seconds`: of a lease that it may keep. */
  'then-free': ({ pod, seconds }: { pod: string; seconds: number | undefined }) =>
    seconds === undefined
      ? say`The new pod ${code(pod)} can become ready once the old pod is gone.`
      : say`The new pod ${code(pod)} can become ready once it gets the lease. If the old pod does not release it, that takes up to ${duration('en', seconds)} longer than estimated.`,
  'lease-unseen': () => say`No Lease shows which pod holds the lock. An old pod may hold it.`,
  'leases-unread': ({ because }: { because: string }) =>
    say`Leases could not be read (${code(because)}), so the holder of the lock is unknown.`,
  'words-alone': ({ pods }: { pods: readonly string[] }) =>
    say`Any of the old pods may hold the lock: ${names('en', pods)}.`,
  'lease-alone': ({ lease }: { lease: string }) =>
    say`No evidence shows that the new pod waits for ${code(lease)}. Its log does not mention the lease, and it may be unready for another reason.`,
  'not-named': ({ lease }: { lease: string }) =>
    say`No log line names ${code(lease)} or its holder as the reason why the pod is not ready. Many programs log lines about locks while another cause keeps them unready.`,
  inferred: ({ lease }: { lease: string }) =>
    say`No log line names ${code(lease)}. No other pod of this workload holds a lock of its namespace.`,
  stalled: ({ lease }: { lease: string }) =>
    say`No log line gives ${code(lease)} as the reason. The last one tries to get it, and the port of the probe is closed. The old pod is ready with the same probe.`,
  'last-attempt': ({ lease }: { lease: string }) =>
    say`No log line gives ${code(lease)} as the reason. The last one tries to get it or waits for it, and the probe only returns that the pod is not ready. The old pod, which is ready with the same probe, is the only ready one.`,
  'never-renewed': ({ lease }: { lease: string }) =>
    say`${code(lease)} does not record when it was renewed, so its holder may have lost it.`,
  'later-failure': ({ pod }: { pod: string }) =>
    say`After this line, ${code(pod)} logs failures of something else, which may be what keeps it unready now.`,
  'ev-ready': ({ pod }: { pod: string }) => say`${code(pod)} is running and not ready`,
  'ev-lease': ({ pod }: { pod: string }) => say`the old pod ${code(pod)} holds it`,
  'ev-log': ({ pod }: { pod: string }) => say`the log of ${code(pod)} reports it`,
  'ev-probe': ({ pod }: { pod: string }) => say`the readiness probe of ${code(pod)} fails`,
  'because-lock': () =>
    say`an old pod holds what the new pod waits for, so the new version itself is not the cause`,
  'because-runs': ({ pod }: { pod: string }) => say`${code(pod)} is running and was never restarted`,
  'because-waited': ({ pod }: { pod: string }) =>
    say`${code(pod)} has had more time than any pod of this workload needed`,
  'patch-withheld': () => say`The simulation does not show that the rollout completes after this change.`,
  'delete-withheld': () =>
    say`The controller replaces a deleted old pod with another old pod at once, and either of the two new pods may get the lease.`,
  'next-attempt': ({ pod }: { pod: string }) =>
    say`${code(pod)} and the kubelet keep retrying. The result changes only when the old pod releases the lock.`,
  'advice-readiness-title': () => say`Let a standby pod be ready`,
  'advice-readiness': ({ container }: { container: string }) =>
    say`The readiness probe of ${code(container)} should report "I can do my part", not "I am the leader". The old pod then stops and releases its lease, and the new one takes over without downtime.`,
  'advice-lasting-title': () => say`Or always stop the old pod first`,
  'advice-lasting': ({ workload }: { workload: string }) =>
    say`Set this in the manifest of ${code(workload)}. Otherwise every update deadlocks like this one.`,
  'advice-tell-title': () => say`How to confirm`,
  'advice-tell': ({ pod }: { pod: string }) =>
    say`Query the readiness endpoint of ${code(pod)} and read its log. A message about a leader, lease or lock confirms this cause.`,
};

const ko: typeof en = {
  'shared-failure': () => say`이전 파드가 가진 것을 새 파드가 기다림`,
  summary: (values) =>
    values.confidence === 'possible'
      ? say`${deadlocked('ko', values)}: 새 파드에 필요한 잠금을 자신의 이전 파드가 보유한 것으로 보입니다`
      : say`${deadlocked('ko', values)}: 새 파드에 필요한 잠금을 자신의 이전 파드가 보유하고 있습니다`,
  'summary-own': ({ hold, ...rest }) =>
    say`${deadlocked('ko', rest)}: 새 파드에 필요한 ${word(holdWords.ko[hold.by])} 자신의 이전 파드가 사용 중입니다`,
  'keeps-failing': ({ pod, container, seconds }) =>
    seconds === undefined
      ? say`새 파드 ${code(pod)} 상태: 노드에 배치되었지만 ${code(container)} 컨테이너가 계속 실패합니다.`
      : say`새 파드 ${code(pod)} 상태: ${code(container)} 컨테이너가 ${elapsed('ko', seconds)}째 계속 실패합니다.`,
  'own-holds': ({ pods, hold }) => {
    const who = names('ko', pods);
    switch (hold.by) {
      case 'claim':
        return say`이전 파드 ${who} 상태: 준비 상태이며 같은 클레임 ${code(hold.claim ?? '')} 볼륨을 사용합니다. 이 클레임을 사용하는 다른 준비된 파드는 없습니다.`;
      case 'host-path':
        return say`이전 파드 ${who} 상태: 준비 상태이며 ${code(hold.node ?? '')} 노드의 같은 디렉터리를 사용합니다.`;
      case 'device-memory':
        return hold.resource === undefined
          ? say`${code(hold.node ?? '')} 노드에 이전 파드 ${who} 준비됨. 두 파드 모두 자체 제한 없이 이 노드의 장치를 사용합니다.`
          : say`${code(hold.node ?? '')} 노드에서는 여러 파드가 ${code(hold.resource)} 장치를 공유합니다. 준비된 이전 파드 ${who} 역시 같은 장치의 메모리를 사용합니다.`;
      case 'port':
        return say`이전 파드 ${who} 상태: 준비 상태이며 새 파드처럼 ${code(hold.node ?? '')} 노드의 네트워크를 사용합니다.`;
      case 'lock':
        return hold.configMap === undefined
          ? say`로그에 나온 보유자: 이전 파드 ${who}.`
          : say`이전 파드 ${who} 소유의 ConfigMap ${code(hold.configMap)}: 이 파드가 삭제되어야 함께 삭제됩니다.`;
    }
  },
  'counterfactual-own': ({ pods, pod }) =>
    say`${names('ko', pods)} 파드가 사라지면 ${code(pod)} 파드가 다음 재시작 때 이를 얻을 수 있습니다. 새 버전 자체에는 문제가 없을 수 있습니다.`,
  'delete-withheld-own': () =>
    say`이전 파드를 삭제하면 곧바로 다른 이전 파드가 만들어져 같은 것을 다시 차지합니다.`,
  runs: ({ pod, container, seconds }) =>
    seconds === undefined
      ? say`새 파드 ${code(pod)} 상태: 실행 중이지만 ${code(container)} 컨테이너가 준비되지 않았습니다.`
      : say`새 파드 ${code(pod)} 상태: ${elapsed('ko', seconds)}째 실행 중이지만 ${code(container)} 컨테이너가 준비되지 않았습니다.`,
  probe: ({ message }) => say`kubelet 메시지: ${quote(message)}`,
  holds: ({ lease, pods, renewed }) =>
    renewed === undefined
      ? say`리스 ${code(lease)} 보유자는 같은 워크로드의 이전 파드 ${names('ko', pods)}입니다.`
      : say`리스 ${code(lease)} 보유자는 같은 워크로드의 이전 파드 ${names('ko', pods)}이며, ${moment(renewed)}에 갱신했습니다.`,
  says: ({ pod, line }) => say`${code(pod)} 로그: ${quote(line)}`,
  'answers-itself': ({ line }) => say`readiness 프로브 응답: ${quote(line)}`,
  silent: ({ pod }) => say`${code(pod)} 파드의 로그에서 읽은 부분에는 잠금에 대한 내용이 없습니다.`,
  counterfactual: ({ pods, pod }) =>
    say`${names('ko', pods)} 파드가 사라지면 잠금이 풀려 ${code(pod)} 파드가 획득할 수 있습니다.`,
  expiry: ({ seconds }) =>
    say`이전 파드가 종료되면서 리스를 반납하지 않으면 ${duration('ko', seconds)} 뒤에 만료됩니다.`,
  'then-free': ({ pod, seconds }) =>
    seconds === undefined
      ? say`이전 파드가 사라지면 새 파드 ${code(pod)} 상태가 Ready로 바뀔 수 있습니다.`
      : say`새 파드 ${code(pod)} 상태는 리스를 얻은 뒤 Ready로 바뀔 수 있습니다. 이전 파드가 리스를 놓지 않으면 예상보다 최대 ${duration('ko', seconds)} 더 걸립니다.`,
  'lease-unseen': () =>
    say`잠금의 보유자를 보여 주는 Lease가 없습니다. 이전 파드가 보유하고 있을 수 있습니다.`,
  'leases-unread': ({ because }) => say`Lease를 읽지 못해(${code(because)}) 잠금의 보유자를 알 수 없습니다.`,
  'words-alone': ({ pods }) =>
    say`이전 파드 중 어느 것이든 잠금을 보유하고 있을 수 있습니다: ${names('ko', pods)}.`,
  'lease-alone': ({ lease }) =>
    say`새 파드가 ${code(lease)} 리스를 기다린다는 증거는 없습니다. 로그에 리스에 대한 내용이 없으며, 다른 이유로 준비되지 않았을 수 있습니다.`,
  'not-named': ({ lease }) =>
    say`${code(lease)} 리스나 그 보유자를 준비되지 않은 이유로 든 로그는 없습니다. 다른 이유로 준비되지 않은 프로그램도 잠금에 대한 로그를 자주 남깁니다.`,
  inferred: ({ lease }) =>
    say`${code(lease)} 이름이 로그에는 없지만, 이 워크로드의 다른 파드는 네임스페이스의 잠금을 보유하고 있지 않습니다.`,
  stalled: ({ lease }) =>
    say`${code(lease)} 리스를 이유로 든 로그는 없습니다. 마지막 로그는 이 리스를 얻으려는 시도이고, 프로브가 확인하는 포트는 열려 있지 않습니다. 이전 파드는 같은 프로브로 준비 상태입니다.`,
  'last-attempt': ({ lease }) =>
    say`${code(lease)} 리스를 이유로 든 로그는 없습니다. 마지막 로그는 이 리스를 얻으려 하거나 기다린다는 내용이고, 프로브는 준비되지 않았다고만 응답합니다. 준비된 파드는 같은 프로브를 사용하는 이전 파드뿐입니다.`,
  'never-renewed': ({ lease }) =>
    say`${code(lease)} 리스에 갱신 시각이 없어, 보유자가 이미 잃었을 수 있습니다.`,
  'later-failure': ({ pod }) =>
    say`이 로그 이후 ${code(pod)} 파드가 다른 실패를 기록하고 있어, 지금은 그 실패 때문에 준비되지 않은 것일 수 있습니다.`,
  'ev-ready': ({ pod }) => say`${code(pod)} 파드 실행 중, 준비되지 않음`,
  'ev-lease': ({ pod }) => say`이전 파드 ${code(pod)} 보유`,
  'ev-log': ({ pod }) => say`${code(pod)} 파드의 로그에 기록됨`,
  'ev-probe': ({ pod }) => say`${code(pod)} 파드의 readiness 프로브 실패`,
  'because-lock': () => say`새 파드가 기다리는 잠금을 이전 파드가 보유하므로 새 버전 자체의 문제가 아님`,
  'because-runs': ({ pod }) => say`${code(pod)} 파드는 실행 중이며 재시작된 적 없음`,
  'because-waited': ({ pod }) => say`${code(pod)} 파드는 이 워크로드의 어떤 파드보다도 오래 기다림`,
  'patch-withheld': () => say`시뮬레이션에서 이 변경 뒤에 롤아웃이 완료되는지 확인되지 않습니다.`,
  'delete-withheld': () =>
    say`이전 파드를 삭제하면 곧바로 다른 이전 파드로 대체되며, 어느 파드가 리스를 얻을지 알 수 없습니다.`,
  'next-attempt': ({ pod }) =>
    say`${code(pod)} 파드와 kubelet이 계속 재시도하지만, 이전 파드가 잠금을 해제해야 결과가 바뀝니다.`,
  'advice-readiness-title': () => say`대기(standby) 파드도 준비 상태가 되게 하기`,
  'advice-readiness': ({ container }) =>
    say`${code(container)} 컨테이너의 readiness 프로브는 "리더인지"가 아니라 "제 역할을 할 수 있는지"를 응답해야 합니다. 그러면 이전 파드가 종료되면서 리스를 반납하고 새 파드가 중단 없이 이어받습니다.`,
  'advice-lasting-title': () => say`또는 언제나 이전 파드를 먼저 내리기`,
  'advice-lasting': ({ workload }) =>
    say`${code(workload)} 매니페스트에 설정하세요. 그러지 않으면 업데이트할 때마다 같은 교착 상태가 생깁니다.`,
  'advice-tell-title': () => say`원인 확인하기`,
  'advice-tell': ({ pod }) =>
    say`${code(pod)} 파드의 readiness 엔드포인트와 로그를 확인하세요. 리더, 리스, 잠금에 대한 메시지가 있으면 이 원인이 맞습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('readiness-deadlock');
