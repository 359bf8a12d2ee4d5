import * as z from 'zod';
import { code, quote, say, sentences } from '../../engine/language/prose.js';
import { inRole, type Statement, statementsOf } from '../../engine/language/statement.js';
import { duration, elapsed, names } from '../../engine/language/words.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import { isTerminating, type Pod, refOf } from '../../engine/objects/pod.js';
import type { Container } from '../../engine/objects/pod-spec.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../engine/objects/unread.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { unreadStatements } from '../findings/crashes/crash-finding.js';
import { podsOf } from '../findings/crashes/failure-group.js';
import { crash } from '../findings/crashes/text.js';
import { type FactsOf, fact } from '../findings/facts.js';
import { readinessOf } from '../findings/readiness-of.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { redact } from '../redaction/redact.js';

const en = {
  'shared-failure': () => say`pods exceed their termination grace period`,
  summary: ({ workload, graceSeconds }: { workload: string; graceSeconds: number }) =>
    say`${code(workload)}: a pod is still terminating after its grace period of ${duration('en', graceSeconds)}`,
  standing: ({ pods }: { pods: readonly string[] }) =>
    say`Pods past their grace period: ${names('en', pods)}.`,
  overdue: ({ pod, node, overdueSeconds }: { pod: string; node: string; overdueSeconds: number }) =>
    say`${code(pod)} on ${code(node)} should have been gone ${elapsed('en', overdueSeconds)} ago.`,
  'grace-event': ({ message }: { message: string }) => say`An event reports: ${quote(message)}`,
  'pre-stop': ({ container, what }: { container: string; what: string }) =>
    say`${code(container)} runs a preStop hook (${code(what)}) before it receives SIGTERM. The hook's time counts towards the grace period.`,
  'no-pre-stop': () =>
    say`The container has no preStop hook. Either the program ignores SIGTERM, or the runtime cannot stop it.`,
  'all-ended': ({ pod, volumes }: { pod: string; volumes: readonly string[] }) =>
    sentences(
      say`All containers of ${code(pod)} have ended. The kubelet removes the pod only after it has unmounted its volumes and removed its cgroup.`,
      volumes.length === 0 ? [] : say`Volumes of a driver or a server: ${names('en', volumes)}.`,
    ),
  'advice-clean-title': ({ node }: { node: string }) =>
    say`Find out what the kubelet of ${code(node)} cannot clean up`,
  'advice-clean': () =>
    say`Its log names the volume or the cgroup. A process of the node that uses a file of a volume keeps it mounted, and so does a server that does not answer.`,
  'holds-up': () =>
    say`The pod keeps its requested resources until it is gone. A rollout that needs them waits.`,
  'ev-deleted': ({ graceSeconds }: { graceSeconds: number }) =>
    say`deleted, with a grace period of ${duration('en', graceSeconds)}`,
  'because-no-finalizer': () => say`the pod has no finalizer that blocks its deletion`,
  'because-node-ready': ({ node }: { node: string }) =>
    say`${code(node)} is Ready, so its kubelet is running`,
  'advice-title': () => say`Make the program exit on SIGTERM`,
  advice: () =>
    say`Handle SIGTERM in the main process, or allow more time. A shell as process 1 does not forward SIGTERM.`,
};

const ko: typeof en = {
  'shared-failure': () => say`파드가 종료 유예 시간을 초과함`,
  summary: ({ workload, graceSeconds }) =>
    say`${code(workload)}: 종료 유예 시간(${duration('ko', graceSeconds)})이 지나도 파드가 종료되지 않습니다`,
  standing: ({ pods }) => say`종료 유예 시간을 넘긴 파드: ${names('ko', pods)}.`,
  overdue: ({ pod, node, overdueSeconds }) =>
    say`${code(node)} 노드의 ${code(pod)} 파드는 ${elapsed('ko', overdueSeconds)} 전에 종료되었어야 합니다.`,
  'grace-event': ({ message }) => say`이벤트 메시지: ${quote(message)}`,
  'pre-stop': ({ container, what }) =>
    say`${code(container)} 컨테이너는 SIGTERM을 받기 전에 preStop 훅(${code(what)})을 실행합니다. 훅의 실행 시간도 유예 시간에 포함됩니다.`,
  'no-pre-stop': () =>
    say`컨테이너에 preStop 훅이 없습니다. 프로그램이 SIGTERM을 무시하거나, 런타임이 컨테이너를 종료하지 못하는 상태입니다.`,
  'all-ended': ({ pod, volumes }) =>
    sentences(
      say`${code(pod)} 파드의 컨테이너는 모두 종료되었습니다. kubelet은 볼륨을 마운트 해제하고 cgroup을 제거한 뒤에야 파드를 삭제합니다.`,
      volumes.length === 0 ? [] : say`드라이버나 서버의 볼륨: ${names('ko', volumes)}.`,
    ),
  'advice-clean-title': ({ node }) => say`${code(node)} 노드의 kubelet이 정리하지 못하는 것 찾기`,
  'advice-clean': () =>
    say`kubelet 로그에 해당 볼륨이나 cgroup이 나옵니다. 노드의 프로세스가 볼륨의 파일을 사용하고 있거나 서버가 응답하지 않으면 마운트 해제가 끝나지 않습니다.`,
  'holds-up': () =>
    say`파드가 종료될 때까지 요청한 리소스를 계속 점유하므로, 그 리소스가 필요한 롤아웃도 기다립니다.`,
  'ev-deleted': ({ graceSeconds }) => say`삭제됨, 종료 유예 시간 ${duration('ko', graceSeconds)}`,
  'because-no-finalizer': () => say`삭제를 막는 finalizer가 없음`,
  'because-node-ready': ({ node }) => say`${code(node)} 노드가 Ready이므로 kubelet은 실행 중`,
  'advice-title': () => say`프로그램이 SIGTERM을 받으면 종료되게 하기`,
  advice: () =>
    say`메인 프로세스에서 SIGTERM을 처리하거나 시간을 더 주세요. 1번 프로세스가 셸이면 SIGTERM을 전달하지 않습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('termination-grace-exceeded');

const TerminationGraceExceededFacts = z.strictObject({
  pod: fact.text('Name of the pod'),
  graceSeconds: fact.seconds('Its grace period'),
  overdueSeconds: fact.seconds('Time since the end of the grace period'),
  latePods: fact.names('All pods of the workload that are late'),
  preStop: z
    .array(
      z.strictObject({
        container: fact.text('Name of the container'),
        what: fact.text('What its hook does'),
      }),
    )
    .describe('Its preStop hooks'),
  message: fact.text('What the kubelet reports').optional(),
});

/** The kubelet needs a moment beyond the grace period to kill, clean up and report. */
const slackSeconds = 60;

/**
 * A pod has been stopping for longer than it was given, on a node whose kubelet is at work and without a
 * finalizer: its processes do not end. (A dead node and finalizers are `stuck-terminating`.)
 */
export const terminationGraceExceeded: Rule<typeof TerminationGraceExceededFacts> = {
  id: 'termination-grace-exceeded',
  facts: TerminationGraceExceededFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect({ snapshot }) {
    const late = podsOf(snapshot).filter((pod) => overdueSeconds(snapshot, pod) > slackSeconds);
    const [pod] = late.filter(
      (each) => isOnReadyNode(snapshot, each) && each.metadata.finalizers.length === 0,
    );
    if (pod === undefined) return undefined;
    const facts = {
      pod: pod.metadata.name,
      graceSeconds: graceOf(pod),
      overdueSeconds: overdueSeconds(snapshot, pod),
      latePods: late.map((each) => each.metadata.name),
      preStop: hooksOf(pod),
      message: reportOf(snapshot, pod),
    };
    const { graceSeconds, message } = facts;
    const node = pod.spec.nodeName ?? '';
    const ready = readinessOf(snapshot);
    const hasEnded = areAllEnded(pod);
    const areFinalizersKnown = !isUnrecorded(snapshot, 'Pod', 'metadata.finalizers');
    return {
      // A finalizer that was not recorded may keep the pod as well.
      confidence: areFinalizersKnown ? 'likely' : 'possible',
      nodes: [node],
      holders: [refOf(pod)],
      facts,
      summary: state('summary', { workload: workloadName(snapshot), graceSeconds }),
      standing: state('standing', { pods: facts.latePods }),
      reasoning: [
        state('overdue', { pod: facts.pod, node, overdueSeconds: facts.overdueSeconds }),
        ...(message === undefined ? [] : [state('grace-event', { message })]),
        ...(hasEnded
          ? [state('all-ended', { pod: facts.pod, volumes: mountedVolumesOf(pod) })]
          : hookStatements(snapshot, facts.preStop)),
        state('holds-up'),
        inRole('readiness', crash('served', { ready: ready.pods, wanted: ready.wanted })),
      ],
      evidence: [
        {
          object: refOf(pod),
          field: 'metadata.deletionTimestamp',
          value: pod.metadata.deletionTimestamp ?? '',
          at: pod.metadata.deletionTimestamp,
          says: state('ev-deleted', { graceSeconds }),
        },
      ],
      ruledOut: [
        ...(areFinalizersKnown
          ? [{ cause: 'stuck-terminating', because: state('because-no-finalizer') }]
          : []),
        { cause: 'node-not-ready', because: state('because-node-ready', { node }) },
      ],
      advice: [
        hasEnded
          ? {
              title: state('advice-clean-title', { node }),
              text: state('advice-clean'),
              snippet: `# on ${node}\njournalctl -u kubelet | grep ${pod.metadata.uid}\n`,
            }
          : {
              title: state('advice-title'),
              text: state('advice'),
              snippet: `spec:\n  template:\n    spec:\n      terminationGracePeriodSeconds: ${Math.max(60, graceSeconds * 2)}\n`,
            },
      ],
      weakenedBy: unreadStatements(snapshot),
    };
  },
};

type Hooks = FactsOf<typeof TerminationGraceExceededFacts>['preStop'];

/** What runs before SIGTERM, or that nothing does. */
function hookStatements(snapshot: Snapshot, hooks: Hooks): readonly Statement[] {
  if (hooks.length > 0) return hooks.map((hook) => state('pre-stop', hook));
  return isUnrecorded(snapshot, 'Pod', 'spec.containers[].lifecycle') ? [] : [state('no-pre-stop')];
}

/**
 * The kubelet has stopped every container, and the deletion waits for what it cleans up afterwards
 * (kubernetes `kubelet.go: SyncTerminatedPod`).
 */
function areAllEnded({ status }: Pod): boolean {
  const all = [...status.initContainerStatuses, ...status.containerStatuses];
  return (
    status.containerStatuses.length > 0 && all.every(({ state: { terminated } }) => terminated !== undefined)
  );
}

/** Volumes whose unmount depends on a driver or a server. */
function mountedVolumesOf({ spec }: Pod): readonly string[] {
  return spec.volumes
    .filter((volume) =>
      [volume.persistentVolumeClaim, volume.csi, volume.nfs, volume.ephemeral].some(
        (source) => source !== undefined,
      ),
    )
    .map(({ name }) => name);
}

function graceOf({ metadata, spec }: Pod): number {
  return metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds;
}

/** Beyond its time, in seconds; the API server sets `deletionTimestamp` to the end of the grace period. */
function overdueSeconds(snapshot: Snapshot, pod: Pod): number {
  if (!isTerminating(pod) || (pod.spec.nodeName ?? '') === '') return 0;
  const due = Date.parse(pod.metadata.deletionTimestamp ?? '');
  return Number.isNaN(due) ? 0 : (nowOf(snapshot) - due) / 1000;
}

function isOnReadyNode({ index }: Snapshot, pod: Pod): boolean {
  const node = index.nodes.get(pod.spec.nodeName ?? '');
  return node !== undefined && conditionOf(node.status, 'Ready')?.status === 'True';
}

function reportOf({ index }: Snapshot, pod: Pod): string | undefined {
  return (index.eventsByUid.get(pod.metadata.uid) ?? []).findLast(({ reason }) =>
    ['ExceededGracePeriod', 'FailedKillPod', 'FailedPreStopHook'].includes(reason),
  )?.message;
}

function hooksOf({ spec }: Pod) {
  return spec.containers.flatMap((container) => {
    const what = hookOf(container);
    return what === undefined ? [] : [{ container: container.name, what }];
  });
}

function hookOf({ lifecycle }: Container): string | undefined {
  const preStop = lifecycle?.preStop;
  if (preStop === undefined) return undefined;
  if (preStop.sleep !== undefined) return `sleep ${preStop.sleep.seconds}`;
  if (preStop.httpGet !== undefined) return `GET :${preStop.httpGet.port}${preStop.httpGet.path}`;
  return redact((preStop.exec?.command ?? []).join(' '));
}
