import { code, quote, say, sentences, word } from '../../engine/language/prose.js';
import { quotingLogs, type Statement, statementsOf } from '../../engine/language/statement.js';
import { names } from '../../engine/language/words.js';
import { isReady, type Pod, podNames } from '../../engine/objects/pod.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { failedHookOf } from '../findings/crashes/classify-container.js';
import { containersOf } from '../findings/crashes/container-view.js';
import type { CrashRuledOut } from '../findings/crashes/crash-finding.js';
import { courseOf, crashFinding, podsStatement } from '../findings/crashes/crash-finding.js';
import { CrashFacts, crashFactsOf } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf, verbOf } from '../findings/crashes/failing-pods.js';
import { type FailureGroup, healthyPredecessors } from '../findings/crashes/failure-group.js';
import { lastLinesOf } from '../findings/crashes/last-lines.js';
import type { PodFailure } from '../findings/crashes/pod-failure.js';
import { stopOf } from '../findings/crashes/stopped-from-outside.js';
import { crash } from '../findings/crashes/text.js';
import { endingOfGroup } from '../findings/endings/ending.js';
import { mountedOf, mountOfPath } from '../findings/endings/ending-case.js';
import { podSimulatorOf } from '../findings/pod-simulator-of.js';
import type { Examination, Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import type { DeletePod } from '../fixes/kinds/delete-pod.js';
import { proposeDeletePod } from '../fixes/kinds/delete-pod.js';
import { nothingOffered, type Offer } from '../fixes/offered-fields.js';
import type { NotRecommended } from '../fixes/remediation.js';
import { type EndingKind, pathIn } from '../log-lines/ending-kinds.js';

const en = {
  'shared-failure': () => say`containers crash`,
  summary: ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: container ${code(container)} crashes`,
  'standing-crashing': (pods: FailingPods) =>
    say`The kubelet restarts the container, but it exits again. ${failingPods('en', pods)} ${verbOf(pods, 'is', 'are')} affected.`,
  'standing-recovered': ({ failing }: { failing: number }) =>
    say`The container is running again. In the last hour it crashed in ${failing} of its pods.`,
  'hook-failed': ({ container, message }: { container: string; message: string }) =>
    say`A lifecycle hook of ${code(container)} failed: ${quote(message)}`,
  'summary-hook': ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: a lifecycle hook of container ${code(container)} fails`,
  'hook-stops': () => say`The kubelet then stops the container. The exit code is no error of the program.`,
  'because-hook': ({ container }: { container: string }) =>
    say`the kubelet stopped ${code(container)} for its hook`,
  'advice-hook-title': () => say`Correct the hook of the pod template`,
  'advice-hook': () =>
    say`A container runs only where its postStart hook ends with exit code 0. Its command runs in the container, with the files and variables of the program.`,
  'ready-beside': ({ pods }: { pods: readonly string[] }) =>
    say`On the same node, ${names('en', pods)} of the same revision started at the same time or later and ${word(pods.length === 1 ? 'is' : 'are')} ready. New pods can run there.`,
  /** The kubelet empties an `emptyDir` only with its pod. */
  'own-volume-beside': ({ pods, pod, path }: { pods: readonly string[]; pod: string; path: string }) =>
    sentences(
      say`On the same node, ${names('en', pods)} of the same revision ${word(pods.length === 1 ? 'is' : 'are')} ready.`,
      say`${code(path)} is in a volume of ${code(pod)} alone. A new pod starts with an empty one.`,
    ),
  'restart-withheld-beside': () =>
    say`Deleting the failing pods is enough. A restart would replace the ready pods as well.`,
  'restart-withheld': () => say`New pods would start the same program with the same settings.`,
  'exclude-withheld': ({ nodes }: { nodes: readonly string[] }) =>
    say`The container crashes on several nodes: ${names('en', nodes)}.`,
  'advice-log-title': () => say`Read the full log of the crashed container`,
  'advice-log': ({ container }: { container: string }) =>
    say`The program in ${code(container)} exited on its own. Its log usually shows the reason.`,
  'advice-log-stopped': ({ container }: { container: string }) =>
    say`The last lines of ${code(container)} may show what it did when it was stopped.`,
};

const ko: typeof en = {
  'shared-failure': () => say`컨테이너에 크래시 발생`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너에서 크래시가 발생합니다`,
  'standing-crashing': (pods) =>
    say`컨테이너가 재시작 후에도 다시 종료됩니다. ${failingPods('ko', pods)}가 영향을 받고 있습니다.`,
  'standing-recovered': ({ failing }) =>
    say`지금은 실행 중이지만, 지난 1시간 동안 파드 ${failing}개에서 크래시가 발생했습니다.`,
  'hook-failed': ({ container, message }) => say`${code(container)} 라이프사이클 훅 실패: ${quote(message)}`,
  'summary-hook': ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너의 라이프사이클 훅이 실패합니다`,
  'hook-stops': () =>
    say`훅이 실패하면 kubelet이 컨테이너를 중지합니다. 종료 코드는 프로그램의 오류가 아닙니다.`,
  'because-hook': ({ container }) => say`훅 실패 때문에 kubelet이 ${code(container)} 컨테이너를 중지함`,
  'advice-hook-title': () => say`파드 템플릿의 훅 고치기`,
  'advice-hook': () =>
    say`postStart 훅의 종료 코드가 0이어야 컨테이너가 계속 실행됩니다. 훅의 명령은 컨테이너 안에서 프로그램과 같은 파일과 변수로 실행됩니다.`,
  'ready-beside': ({ pods }) =>
    say`같은 노드에서 같은 시각이나 그 뒤에 시작된 같은 리비전의 파드 ${names('ko', pods)} 상태: 준비됨. 새 파드는 이 노드에서 실행될 수 있습니다.`,
  'own-volume-beside': ({ pods, pod, path }) =>
    sentences(
      say`같은 노드에 있는 같은 리비전의 파드 ${names('ko', pods)} 상태: 준비됨.`,
      say`${code(path)} 경로는 ${code(pod)} 파드만 사용하는 볼륨에 있습니다. 새 파드는 빈 볼륨으로 시작합니다.`,
    ),
  'restart-withheld-beside': () =>
    say`실패하는 파드만 삭제하면 됩니다. 재시작하면 준비된 파드까지 교체됩니다.`,
  'restart-withheld': () => say`새 파드도 같은 설정으로 같은 프로그램을 시작합니다.`,
  'exclude-withheld': ({ nodes }) => say`여러 노드에서 크래시가 발생합니다: ${names('ko', nodes)}.`,
  'advice-log-title': () => say`종료된 컨테이너의 로그 전체 확인하기`,
  'advice-log': ({ container }) =>
    say`${code(container)} 컨테이너의 프로그램이 스스로 종료했습니다. 이유는 보통 로그에 있습니다.`,
  'advice-log-stopped': ({ container }) =>
    say`${code(container)} 컨테이너가 중지될 때 무엇을 하고 있었는지 마지막 로그에 남아 있을 수 있습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('application-crash');

/**
 * A container ends itself with an error, and nothing outside it was seen to end it: not the kernel for
 * memory, not the kubelet for a probe, and its command could be run. The most general cause of a crash;
 * whatever is more specific explains it better.
 */
export const applicationCrash: Rule<typeof CrashFacts> = {
  id: 'application-crash',
  facts: CrashFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('application-crash', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { container } = failureGroup;
    const facts = crashFactsOf(failureGroup);
    const pods = failingPodsOf(failureGroup);
    const ending = endingOfGroup(snapshot, failureGroup);
    const hook = failedHookOf(failureGroup.podFailures[0]);
    const stop = hook === undefined ? stopOf(snapshot, failureGroup) : undefined;
    const { pods: ready, ownPath } = readyBeside(snapshot, failureGroup, ending?.kind);
    const deletion = deletionBeside(examination, failureGroup, ready);
    return crashFinding(examination, failureGroup, {
      restsOnSilence: true,
      confidence: facts.exitCode === killed ? 'possible' : 'likely',
      summary: state(hook === undefined ? 'summary' : 'summary-hook', {
        workload: workloadName(snapshot),
        container,
      }),
      facts: { ending: ending?.kind },
      standing: facts.ongoing
        ? state('standing-crashing', pods)
        : state('standing-recovered', { failing: pods.failing }),
      reasoning: [
        podsStatement(failureGroup),
        ...lastWords(examination, failureGroup),
        ...(ending?.reasoning ?? []),
        ...courseOf(failureGroup).slice(1),
        ...(hook === undefined ? [] : hookSays(container, hook)),
        ...endOf(failureGroup),
        ...(stop?.reasoning ?? []),
        ...(ready.length === 0 ? [] : [besideStatement(ready, failureGroup, ownPath)]),
      ],
      ruledOut: ruledOutOf(examination, failureGroup, stop?.byProbe !== undefined),
      remediations: deletion.remediations,
      withheld: [
        ...notRecommendedOf(failureGroup, ready.length > 0).filter(
          ({ kind }) => kind !== 'restart-rollout' || !ending?.endsWithPod,
        ),
        ...deletion.withheld,
      ],
      advice: [
        ...(ending === undefined ? [] : [ending.advice]),
        ...(stop?.advice ?? []),
        hook === undefined
          ? {
              title: state('advice-log-title'),
              text: state(stop === undefined ? 'advice-log' : 'advice-log-stopped', { container }),
              snippet: logCommand(failureGroup),
            }
          : { title: state('advice-hook-title'), text: state('advice-hook') },
      ],
      ...(ending?.origin === undefined ? {} : { origin: ending.origin }),
    });
  }),
};

/** SIGKILL comes from outside; containerd before 2.3 may report an OOM kill as nothing but that. */
const killed = 137;

function endOf({ podFailures: [first], container }: FailureGroup): readonly Statement[] {
  if (first.run === undefined) return [];
  return [crash('exit', { container, exitCode: first.run.exitCode, reason: first.run.reason })];
}

function hookSays(container: string, message: string): readonly Statement[] {
  return [quotingLogs(state('hook-failed', { container, message })), state('hook-stops')];
}

function lastWords({ snapshot }: Examination, failureGroup: FailureGroup): readonly Statement[] {
  const { podFailures, container } = failureGroup;
  const lines = lastLinesOf(snapshot, failureGroup);
  return [lines?.says ?? crash('no-log', { pod: podFailures[0].pod.metadata.name, container })];
}

function ruledOutOf(
  { snapshot }: Examination,
  failureGroup: FailureGroup,
  mayBeProbe: boolean,
): readonly CrashRuledOut[] {
  const { podFailures, container, nodes } = failureGroup;
  const { run } = podFailures[0];
  const well = healthyPredecessors(snapshot, failureGroup);
  return [
    ...(run === undefined
      ? []
      : [
          ...(run.exitCode === killed
            ? []
            : [
                {
                  cause: 'out-of-memory',
                  because: crash('because-not-oom', { container, reason: run.reason }),
                },
              ]),
          ...(mayBeProbe
            ? []
            : [
                {
                  cause: 'liveness-probe-kill',
                  because: crash('because-no-probe-kill', { container }),
                  restsOn: 'Event' as const,
                },
              ]),
          {
            cause: 'process-exits-zero',
            because:
              failedHookOf(podFailures[0]) === undefined
                ? crash('because-exit', { exitCode: run.exitCode, reason: run.reason })
                : state('because-hook', { container }),
          },
          { cause: 'bad-command', because: crash('because-it-ran', { container, seconds: run.seconds }) },
        ]),
    ...(nodes.length > 1
      ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
      : []),
    ...(well.length === 0
      ? [{ cause: 'crash-loop-after-rollout', because: crash('because-no-predecessor') }]
      : []),
  ];
}

function notRecommendedOf({ nodes }: FailureGroup, isBesideReady: boolean): readonly NotRecommended[] {
  return [
    {
      kind: 'restart-rollout',
      because: state(isBesideReady ? 'restart-withheld-beside' : 'restart-withheld'),
    },
    ...(nodes.length > 1
      ? [{ kind: 'exclude-nodes' as const, because: state('exclude-withheld', { nodes }) }]
      : []),
  ];
}

function logCommand({ podFailures: [{ pod }], container }: FailureGroup): string {
  const { namespace, name } = pod.metadata;
  return `kubectl -n ${namespace} logs ${name} -c ${container} --previous\n`;
}

/** A ready pod beside the failing one, which shows that a new pod would do better. */
interface Beside {
  readonly pods: readonly Pod[];
  /** A path in a volume that lives and ends with the failing pod; `undefined` where no line names one. */
  readonly ownPath: string | undefined;
}

/** Pods of one rollout are created within this time. */
const togetherMs = 60_000;

/** What only so many processes can have: a pod that came late goes without, and so does its replacement. */
const shortages: ReadonlySet<EndingKind> = new Set([
  'connections-used-up',
  'held-elsewhere',
  'database-lock',
  'device-memory',
  'address-in-use',
  'process-limit',
  'watch-limit',
  'file-limit',
  'no-space',
]);

/**
 * Ready pods of the same revision on the nodes of the failing ones. Where each failing pod has one that
 * started with it or later, neither the program nor the node as it is now keeps them from running: the pods
 * themselves have a fault, such as a network that was not complete when they started. The start of the ready
 * one does not matter where the log names a file in a volume of the failing pod alone. `pods` is empty
 * otherwise.
 */
function readyBeside(snapshot: Snapshot, failureGroup: FailureGroup, kind: EndingKind | undefined): Beside {
  const { podFailures, siblings, container } = failureGroup;
  const line = lastLinesOf(snapshot, failureGroup)?.decides;
  const isShortage = kind !== undefined && shortages.has(kind);
  const ownPath = line === undefined ? undefined : ownPathIn(podFailures[0], line);
  const isProof = (pod: Pod, each: Pod): boolean =>
    ownPath !== undefined ||
    createdAt(each) > createdAt(pod) ||
    (!isShortage && startedAt(each, container) >= createdAt(pod) - togetherMs);
  const beside = podFailures.map(({ pod }) =>
    siblings.find(
      (each) =>
        isReady(each) &&
        each.spec.nodeName === pod.spec.nodeName &&
        isProof(pod, each) &&
        claimsOf(pod).every((claim) => claimsOf(each).includes(claim)) &&
        podFailures.every((failure) => failure.pod.metadata.uid !== each.metadata.uid),
    ),
  );
  const found = beside.filter((pod) => pod !== undefined);
  return { pods: found.length < podFailures.length ? [] : [...new Set(found)], ownPath };
}

/** A path of the line in an `emptyDir` of the pod: it outlives the container, and not the pod. */
function ownPathIn({ pod, container }: PodFailure, line: string): string | undefined {
  const path = pathIn(line);
  if (path === undefined || container === undefined) return undefined;
  const volume = mountOfPath(mountedOf(pod, container), path)?.volume;
  return pod.spec.volumes.some(({ name, emptyDir }) => name === volume && emptyDir !== undefined)
    ? path
    : undefined;
}

/** Epoch milliseconds; NaN while the container does not run. */
function startedAt(pod: Pod, container: string): number {
  const view = containersOf(pod).find(({ name }) => name === container);
  return Date.parse(view?.status?.state.running?.startedAt ?? '');
}

function besideStatement(
  ready: readonly Pod[],
  { podFailures: [{ pod }] }: FailureGroup,
  path: string | undefined,
): Statement {
  return path === undefined
    ? state('ready-beside', { pods: podNames(ready) })
    : state('own-volume-beside', { pods: podNames(ready), pod: pod.metadata.name, path });
}

/** The deletion of the first failing pod, whose replacement starts as the ready one did. */
function deletionBeside(
  { snapshot, placement }: Examination,
  { podFailures: [{ pod }] }: FailureGroup,
  ready: readonly Pod[],
): Offer<DeletePod> {
  if (ready.length === 0) return nothingOffered;
  return proposeDeletePod({
    snapshot,
    state: rolloutStateOf(snapshot),
    placement,
    simulator: podSimulatorOf({ snapshot, placement }),
    pod,
    purpose: 'unstick',
  });
}

/**
 * A pod of a StatefulSet has claims of its own, which its replacement mounts again: a ready pod without them
 * shows nothing.
 */
function claimsOf({ spec }: Pod): readonly string[] {
  return spec.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}
