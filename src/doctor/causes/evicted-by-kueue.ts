import * as z from 'zod';
import { leastOf } from '../../engine/collections/collections.js';
import { code, moment, quote, say } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted, duration, elapsed, isAtLeastOneSecond, names } from '../../engine/language/words.js';
import type { Event } from '../../engine/objects/event.js';
import { isActive, isReady } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isComplete } from '../../engine/objects/unread.js';
import { hasReplicaSets } from '../../engine/objects/workload.js';
import { instantOf } from '../../engine/workloads/creation-events.js';
import {
  newReplicaSetOf,
  podsOfNewRevision,
  presentRevisionMadeAt,
} from '../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import { eventEvidence } from '../findings/finding.js';
import { type PodEvent, recentPodEvents } from '../findings/pod-events.js';
import { readinessOf } from '../findings/readiness-of.js';
import type { Detected, Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`Kueue evicts each new pod again`,
  summary: ({ workload, pods }: { workload: string; pods: number }) =>
    say`${code(workload)}: Kueue evicted ${counted(pods, 'new pod', 'new pods')} one after another, and the rollout is not complete`,
  standing: ({ lastSeconds }: { lastSeconds: number }) =>
    !isAtLeastOneSecond(lastSeconds)
      ? say`Kueue has evicted a pod just now. Its replacement is not ready.`
      : say`The last eviction was ${elapsed('en', lastSeconds)} ago. The replacement is not ready.`,
  evicted: ({ pods, since, reason }: { pods: readonly string[]; since: string; reason: string }) =>
    say`Since ${moment(since)}, Kueue evicted ${names('en', pods, 3)} with the reason ${code(reason)}.`,
  said: ({ message }: { message: string }) => say`Kueue reports: ${quote(message)}`,
  'ran-for': ({ seconds }: { seconds: number }) =>
    say`Each of them was evicted at least ${duration('en', seconds)} after Kueue had admitted it.`,
  'no-back-off': () =>
    say`Each replacement has a Workload of its own. So Kueue admits it without the delay that evicted Workloads get.`,
  'ready-timeout': () =>
    say`Kueue evicts a pod that is not ready within ${code('waitForPodsReady.timeout')} of its configuration.`,
  'may-start': ({ pod }: { pod: string }) =>
    say`Whether ${code(pod)} becomes ready in time was not simulated.`,
  'none-now': () => say`Whether the next pod becomes ready in time was not simulated.`,
  'ev-event': ({ pod }: { pod: string }) => say`Kueue evicted ${code(pod)}`,
  'because-evicted': () => say`the controllers act: each evicted pod was replaced`,
  'because-by-kueue': () => say`Kueue deleted the pods, not the kubelet`,
  'restart-withheld': () => say`Kueue treats the pods of a restart in the same way.`,
  'advice-start-title': () => say`Find out why the pods are not ready in time`,
  'advice-start': () =>
    say`Diagnose the workload shortly before the next eviction, or read the events and logs of the present pod.`,
  'advice-timeout-title': () => say`Or give the pods more time`,
  'advice-timeout': ({ seconds }: { seconds: number | undefined }) =>
    seconds === undefined
      ? say`If the pods only start slowly, raise the timeout in the configuration of Kueue. It applies to every queue.`
      : say`If the pods only start slowly, raise the timeout above ${duration('en', seconds)} in the configuration of Kueue. It applies to every queue.`,
  'advice-reason-title': () => say`Remove the reason of the evictions`,
  'advice-reason': ({ reason }: { reason: string }) =>
    say`The event ${code(`EvictedDueTo${reason}`)} of each Workload states why Kueue evicted it.`,
};

const ko: typeof en = {
  'shared-failure': () => say`Kueue가 새 파드를 반복해서 축출함`,
  summary: ({ workload, pods }) =>
    say`${code(workload)}: Kueue가 새 파드 ${pods}개를 잇달아 축출해 롤아웃이 끝나지 않았습니다`,
  standing: ({ lastSeconds }) =>
    !isAtLeastOneSecond(lastSeconds)
      ? say`Kueue가 방금 파드를 축출했습니다. 대체 파드는 준비되지 않았습니다.`
      : say`마지막 축출 후 ${elapsed('ko', lastSeconds)} 지났습니다. 대체 파드는 준비되지 않았습니다.`,
  evicted: ({ pods, since, reason }) =>
    say`${moment(since)}부터 Kueue가 ${names('ko', pods, 3)} 파드를 축출했습니다. 이유: ${code(reason)}.`,
  said: ({ message }) => say`Kueue 메시지: ${quote(message)}`,
  'ran-for': ({ seconds }) =>
    say`각 파드는 Kueue가 승인한 뒤 최소 ${duration('ko', seconds)} 지나 축출되었습니다.`,
  'no-back-off': () =>
    say`대체 파드마다 Workload가 새로 만들어집니다. 그래서 Kueue는 축출된 Workload에 적용하는 대기 시간 없이 승인합니다.`,
  'ready-timeout': () =>
    say`Kueue는 설정의 ${code('waitForPodsReady.timeout')} 안에 준비되지 않은 파드를 축출합니다.`,
  'may-start': ({ pod }) => say`${code(pod)} 파드가 제때 준비되는지는 시뮬레이션하지 않았습니다.`,
  'none-now': () => say`다음 파드가 제때 준비되는지는 시뮬레이션하지 않았습니다.`,
  'ev-event': ({ pod }) => say`Kueue가 ${code(pod)} 파드를 축출함`,
  'because-evicted': () => say`컨트롤러는 동작 중이며 축출된 파드마다 대체 파드가 만들어짐`,
  'because-by-kueue': () => say`kubelet이 아니라 Kueue가 파드를 삭제함`,
  'restart-withheld': () => say`재시작해도 Kueue가 새 파드를 똑같이 처리합니다.`,
  'advice-start-title': () => say`파드가 제때 준비되지 않는 이유 찾기`,
  'advice-start': () =>
    say`다음 축출 직전에 워크로드를 진단하거나, 지금 있는 파드의 이벤트와 로그를 확인하세요.`,
  'advice-timeout-title': () => say`또는 파드에 시간을 더 주기`,
  'advice-timeout': ({ seconds }) =>
    seconds === undefined
      ? say`시작이 느릴 뿐이라면 Kueue 설정의 제한 시간을 늘리세요. 모든 큐에 적용됩니다.`
      : say`시작이 느릴 뿐이라면 Kueue 설정의 제한 시간을 ${duration('ko', seconds)}보다 늘리세요. 모든 큐에 적용됩니다.`,
  'advice-reason-title': () => say`축출 이유 없애기`,
  'advice-reason': ({ reason }) =>
    say`Workload의 ${code(`EvictedDueTo${reason}`)} 이벤트에 Kueue가 축출한 이유가 있습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('evicted-by-kueue');

const EvictedByKueueFacts = z.strictObject({
  pods: fact.names('Names of the evicted pods of the present revision, oldest first'),
  reason: fact.text("Kueue's reason for the evictions, such as `PodsReadyTimeout`"),
  since: fact.time('When the first of them was evicted'),
  lastSeconds: fact.seconds('Time since the last of them was evicted'),
  admittedSeconds: fact
    .seconds('Shortest time from admission to eviction; absent where no event shows the admission')
    .optional(),
  presentPods: fact.names('Pods of the present revision that are not ready'),
});

interface Eviction extends PodEvent {
  readonly reason: string;
  /** Epoch milliseconds of its admission. */
  readonly admittedAt: number | undefined;
}

type Evictions = readonly [Eviction, Eviction, ...Eviction[]];

/** Kueue names its reconcilers `pod-kueue-controller` and so on (kueue `cmd/kueue/main.go`). */
const controllerSuffix = '-kueue-controller';
const evictionPrefix = 'EvictedDueTo';
const readyTimeout = 'PodsReadyTimeout';

/**
 * Kueue evicts the pods of the present revision one after another. It deletes a pod to evict it, and the
 * controller creates another one with a Workload of its own, so that the limits and delays of a requeued
 * Workload never count (kueue 0.19 `pkg/controller/core/workload_controller.go: reconcileNotReadyTimeout`,
 * `pkg/controller/jobs/pod/pod_controller.go: Stop`). Only events show it: pods and Workloads are gone.
 */
export const evictedByKueue: Rule<typeof EvictedByKueueFacts> = {
  id: 'evicted-by-kueue',
  facts: EvictedByKueueFacts,
  text,
  origin: 'template',
  appliesTo: ['Deployment', 'StatefulSet', 'Rollout'],
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect({ snapshot }) {
    if (isComplete(snapshot.workload)) return undefined;
    const evictions = repeatedEvictions(evictionsOf(snapshot));
    return evictions === undefined ? undefined : findingOf(snapshot, evictions);
  },
};

/** Of pods of the present revision in the last hour, oldest first. */
function evictionsOf(snapshot: Snapshot): readonly Eviction[] {
  const { index } = snapshot;
  const stopped = recentPodEvents(snapshot, 'Stopped').filter(
    ({ name, event }) =>
      event.component.endsWith(controllerSuffix) && isOfPresentRevision(snapshot, name, event),
  );
  if (stopped.length === 0) return [];
  const reasons = reasonsByMessage(snapshot);
  return stopped.flatMap((each): readonly Eviction[] => {
    const reason = reasons.get(each.event.message);
    const started = (index.eventsByUid.get(each.event.involvedObject.uid) ?? []).find(
      (other) => other.reason === 'Started' && other.component === each.event.component,
    );
    const admittedAt = started === undefined ? undefined : instantOf(started.lastSeen);
    return reason === undefined ? [] : [{ ...each, reason, admittedAt }];
  });
}

/** The event of the pod repeats the message of the eviction of its Workload. */
function reasonsByMessage({ index, workload }: Snapshot): ReadonlyMap<string, string> {
  return new Map(
    index.objects.Event.flatMap(({ reason, message, involvedObject: { namespace } }) =>
      namespace === workload.metadata.namespace && reason.startsWith(evictionPrefix)
        ? [[message, reason.slice(evictionPrefix.length)] as const]
        : [],
    ),
  );
}

function isOfPresentRevision(snapshot: Snapshot, pod: string, { involvedObject, firstSeen }: Event): boolean {
  const rollout = rolloutStateOf(snapshot);
  if (hasReplicaSets(rollout)) {
    const present = newReplicaSetOf(rollout)?.metadata.name;
    return present !== undefined && pod.startsWith(`${present}-`);
  }
  // Pods of a StatefulSet keep their names.
  const madeAt = presentRevisionMadeAt(rollout);
  const [first] = snapshot.index.eventsByUid.get(involvedObject.uid) ?? [];
  return madeAt !== undefined && instantOf(first?.firstSeen ?? firstSeen) >= madeAt;
}

/**
 * The evictions with the reason of the last one, where Kueue had admitted a later pod after it evicted an
 * earlier one: several replicas that are evicted once are not evicted one after another.
 */
function repeatedEvictions(evictions: readonly Eviction[]): Evictions | undefined {
  const last = evictions.at(-1);
  const [first, second, ...rest] = evictions.filter(({ reason }) => reason === last?.reason);
  if (first === undefined || second === undefined) return undefined;
  const isAgain = [second, ...rest].some(
    ({ admittedAt }) => admittedAt !== undefined && admittedAt > Date.parse(first.at),
  );
  return isAgain ? [first, second, ...rest] : undefined;
}

function findingOf(snapshot: Snapshot, evictions: Evictions): Detected<typeof EvictedByKueueFacts> {
  const [{ at: since, reason }] = evictions;
  const last = evictions.at(-1) ?? evictions[1];
  const seconds = evictions.flatMap(({ at, admittedAt }) =>
    admittedAt === undefined ? [] : [Math.max(0, (Date.parse(at) - admittedAt) / 1000)],
  );
  const facts = {
    pods: [...new Set(evictions.map(({ name }) => name))],
    reason,
    since,
    lastSeconds: Math.max(0, (nowOf(snapshot) - Date.parse(last.at)) / 1000),
    admittedSeconds: seconds.length === 0 ? undefined : leastOf(seconds),
    presentPods: podsOfNewRevision(rolloutStateOf(snapshot))
      .filter((pod) => isActive(pod) && !isReady(pod))
      .map(({ metadata }) => metadata.name),
  };
  const ready = readinessOf(snapshot);
  const isTimeout = reason === readyTimeout;
  const [present] = facts.presentPods;
  return {
    confidence: 'likely',
    facts,
    summary: state('summary', { workload: workloadName(snapshot), pods: evictions.length }),
    standing: state('standing', { lastSeconds: facts.lastSeconds }),
    reasoning: [
      state('evicted', { pods: facts.pods, since, reason }),
      ...(isTimeout ? [state('ready-timeout')] : [state('said', { message: last.event.message })]),
      ...(facts.admittedSeconds === undefined ? [] : [state('ran-for', { seconds: facts.admittedSeconds })]),
      state('no-back-off'),
      crash('served', { ready: ready.pods, wanted: ready.wanted }),
    ],
    evidence: evictions
      .slice(-shownEvictions)
      .flatMap(({ event, name, at }) => eventEvidence(event, state('ev-event', { pod: name }), at)),
    ruledOut: [
      { cause: 'evicted', because: state('because-by-kueue') },
      { cause: 'control-plane-not-acting', because: state('because-evicted') },
    ],
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: isTimeout
      ? [
          { title: state('advice-start-title'), text: state('advice-start') },
          {
            title: state('advice-timeout-title'),
            text: state('advice-timeout', { seconds: facts.admittedSeconds }),
            snippet: 'kubectl -n kueue-system get configmap kueue-manager-config -o yaml\n',
          },
        ]
      : [{ title: state('advice-reason-title'), text: state('advice-reason', { reason }) }],
    weakenedBy: [present === undefined ? state('none-now') : state('may-start', { pod: present })],
    ...(isTimeout ? {} : { origin: 'surroundings' as const }),
  };
}

const shownEvictions = 5;
