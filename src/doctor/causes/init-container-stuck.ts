import * as z from 'zod';
import { compareText } from '../../engine/collections/collections.js';
import { code, say, sentences } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { countedPods, elapsedAtMost, names, particle } from '../../engine/language/words.js';
import type { Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { containersOf } from '../findings/crashes/container-view.js';
import { crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, crashFactsOf, programFacts } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf, verbOf } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { lastLinesOf } from '../findings/crashes/last-lines.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import { selectsPod, waitsForOwnPod } from '../findings/restart/dependency-returned.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { redact } from '../redaction/redact.js';

/** Another workload that waits for this one. */
interface WaitsBack {
  readonly service: string;
  readonly workload: string;
  readonly container: string;
  readonly back: string;
}

const en = {
  'shared-failure': () => say`an init container does not finish`,
  summary: ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: init container ${code(container)} does not finish`,
  standing: ({ longest, ...pods }: FailingPods & { readonly longest: number }) =>
    say`${failingPods('en', pods)} ${verbOf(pods, 'is', 'are')} waiting for this init container, for ${elapsedAtMost('en', longest)}.`,
  running: ({ container, pods }: { container: string; pods: readonly string[] }) =>
    say`${code(container)} is still running in ${names('en', pods)}.`,
  position: ({ number, of, waiting }: { number: number; of: number; waiting: readonly string[] }) =>
    say`The container is number ${number} of ${of}. ${names('en', waiting)} can start only after it exits with code 0.`,
  'waits-for-service': ({ service, ready, wanted }: { service: string; ready: number; wanted: number }) =>
    say`Its command mentions workload ${code(service)}, which has ${countedPods(ready, wanted)} ready.`,
  'waits-for-itself': ({ service }: { service: string }) =>
    sentences(
      say`Its command mentions the Service ${code(service)}, which selects this workload's own pods.`,
      say`The Service has a ready endpoint only after they are ready.`,
    ),
  'waits-back': ({ service, workload, container, back }: WaitsBack) =>
    sentences(
      say`Its command mentions the Service ${code(service)} of the workload ${code(workload)}.`,
      say`The init container ${code(container)} there mentions ${code(back)}, the Service of this workload's own pods.`,
    ),
  'circle-title': () => say`Break the wait cycle`,
  'circle-advice': () =>
    say`Remove the wait of one side. A Service with ${code('publishNotReadyAddresses')} also has the addresses of pods that are not ready.`,
  'because-no-crash': ({ container }: { container: string }) =>
    say`${code(container)} is running and has not failed`,
  'restart-withheld': () => say`New pods would wait in the same way.`,
  'advice-title': () => say`Find out what the init container is waiting for`,
  advice: ({ container }: { container: string }) =>
    say`The log of ${code(container)} usually shows what it is waiting for.`,
};

const ko: typeof en = {
  'shared-failure': () => say`init 컨테이너가 끝나지 않음`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: 초기화 컨테이너 ${code(container)}${particle(container, '이', '가')} 끝나지 않습니다`,
  standing: ({ longest, ...pods }) =>
    say`${failingPods('ko', pods)}가 이 초기화 컨테이너를 ${elapsedAtMost('ko', longest)} 동안 기다리고 있습니다.`,
  running: ({ container, pods }) =>
    say`${names('ko', pods)} 파드에서 ${code(container)} 컨테이너가 아직 실행 중입니다.`,
  position: ({ number, of, waiting }) =>
    say`${of}개 중 ${number}번째 컨테이너입니다. 종료 코드 0으로 끝나야 다음 컨테이너가 시작됩니다: ${names('ko', waiting)}.`,
  'waits-for-service': ({ service, ready, wanted }) =>
    say`명령에 나오는 워크로드 ${code(service)}: Ready ${ready}/${wanted}.`,
  'waits-for-itself': ({ service }) =>
    sentences(
      say`명령에 나오는 Service ${code(service)}${particle(service, '은', '는')} 이 워크로드 자신의 파드를 선택합니다.`,
      say`그 파드가 준비되어야 Service에 준비된 엔드포인트가 생깁니다.`,
    ),
  'waits-back': ({ service, workload, container, back }) =>
    sentences(
      say`명령에 워크로드 ${code(workload)}의 Service ${code(service)}${particle(service, '이', '가')} 나옵니다.`,
      say`그 워크로드의 초기화 컨테이너 ${code(container)}에는 이 워크로드 자신의 Service ${code(back)}${particle(back, '이', '가')} 나옵니다.`,
    ),
  'circle-title': () => say`순환 끊기`,
  'circle-advice': () =>
    say`한쪽의 대기를 없애세요. ${code('publishNotReadyAddresses')}를 설정한 Service에는 준비되지 않은 파드의 주소도 들어갑니다.`,
  'because-no-crash': ({ container }) => say`${code(container)} 컨테이너가 실행 중이며 실패하지 않음`,
  'restart-withheld': () => say`새 파드도 똑같이 기다리게 됩니다.`,
  'advice-title': () => say`초기화 컨테이너가 무엇을 기다리는지 확인하기`,
  advice: ({ container }) => say`무엇을 기다리는지는 보통 ${code(container)} 로그에 나옵니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('init-container-stuck');

const InitContainerStuckFacts = z.strictObject({
  ...crashFacts,
  runningSeconds: fact.seconds('How long the container has been running, in the pod where it runs longest'),
  command: programFacts.command,
  containersWaiting: fact.names('Containers of the pod that start after it'),
  unreadyServices: z
    .array(
      z.strictObject({
        name: fact.text('Name of the workload'),
        ready: fact.count('Its ready pods'),
        wanted: fact.count('Pods that it should have'),
      }),
    )
    .describe('Workloads of the namespace that the command names and that have too few ready pods'),
});

/** An init container runs for minutes on end, so that the containers after it never start. */
export const initContainerStuck: Rule<typeof InitContainerStuckFacts> = {
  id: 'init-container-stuck',
  facts: InitContainerStuckFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('init-container-stuck', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { podFailures, container } = failureGroup;
    const [{ pod, container: view }] = podFailures;
    const words = [...(view?.spec.command ?? []), ...(view?.spec.args ?? [])];
    const facts = {
      runningSeconds: longestOf(snapshot, failureGroup),
      command: words.length === 0 ? undefined : redact(words.join(' ')),
      containersWaiting: positionOf(failureGroup).waiting,
      unreadyServices: dependencies(snapshot, words.join(' ')),
    };
    const { pods } = crashFactsOf(failureGroup);
    const lines = lastLinesOf(snapshot, failureGroup);
    const circle = circleOf(snapshot, pod, words.join(' '));
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      facts,
      standing: state('standing', { ...failingPodsOf(failureGroup), longest: facts.runningSeconds }),
      reasoning: [
        state('running', { container, pods }),
        ...(facts.containersWaiting.length === 0 ? [] : [state('position', positionOf(failureGroup))]),
        ...(facts.command === undefined ? [] : [crash('command', { command: facts.command })]),
        ...facts.unreadyServices.map(({ name, ...counts }) =>
          state('waits-for-service', { service: name, ...counts }),
        ),
        ...circle,
        ...(lines === undefined ? [] : [lines.says]),
      ],
      ruledOut: [{ cause: 'application-crash', because: state('because-no-crash', { container }) }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...(circle.length === 0 ? [] : [{ title: state('circle-title'), text: state('circle-advice') }]),
        {
          title: state('advice-title'),
          text: state('advice', { container }),
          snippet: `kubectl -n ${pod.metadata.namespace} logs ${pod.metadata.name} -c ${container}\n`,
        },
      ],
    });
  }),
};

function longestOf(snapshot: Snapshot, { podFailures }: FailureGroup): number {
  const starts = podFailures.map(({ container }) =>
    Date.parse(container?.status?.state.running?.startedAt ?? ''),
  );
  return Math.max(0, ...starts.map((start) => (Number.isNaN(start) ? 0 : (nowOf(snapshot) - start) / 1000)));
}

function positionOf({ podFailures: [{ pod }], container }: FailureGroup) {
  const all = containersOf(pod).filter(({ role }) => role !== 'ephemeral');
  const number = all.findIndex(({ name }) => name === container) + 1;
  return { number, of: all.length, waiting: all.slice(number).map(({ name }) => name) };
}

/** Services that the command names, and that wait for the pod itself. */
function circleOf(snapshot: Snapshot, pod: Pod, command: string): readonly Statement[] {
  const { Deployment, StatefulSet, Service } = snapshot.index.objects;
  const { namespace } = pod.metadata;
  const near = Service.filter(({ metadata }) => metadata.namespace === namespace);
  const named = (text: string) => {
    const words = new Set(text.split(/[^a-z0-9-]+/));
    return near.filter(({ metadata }) => words.has(metadata.name));
  };
  return named(command).flatMap((service) => {
    if (waitsForOwnPod(snapshot, service, pod)) {
      return [state('waits-for-itself', { service: service.metadata.name })];
    }
    const behind = [...Deployment, ...StatefulSet].filter(
      ({ metadata, spec: { template }, status }) =>
        metadata.namespace === namespace &&
        status.readyReplicas === 0 &&
        selectsPod(service, { metadata: { namespace, labels: template.metadata.labels } }),
    );
    return behind.flatMap(({ metadata: { name: workload }, spec: { template } }) =>
      template.spec.initContainers.flatMap(({ name: container, command: words, args }) => {
        const back = named([...words, ...args].join(' ')).find((each) => waitsForOwnPod(snapshot, each, pod));
        const values = { service: service.metadata.name, workload, container };
        return back === undefined ? [] : [state('waits-back', { ...values, back: back.metadata.name })];
      }),
    );
  });
}

/** Workloads of the namespace that the command names and that are not whole: likely what it waits for. */
function dependencies({ index, workload }: Snapshot, command: string) {
  const words = new Set(command.split(/[^a-z0-9-]+/));
  return [...index.objects.Deployment, ...index.objects.StatefulSet]
    .filter(
      ({ metadata, spec, status }) =>
        metadata.namespace === workload.metadata.namespace &&
        metadata.uid !== workload.metadata.uid &&
        words.has(metadata.name) &&
        status.readyReplicas < spec.replicas,
    )
    .sort((a, b) => compareText(a.metadata.name, b.metadata.name))
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      ready: status.readyReplicas,
      wanted: spec.replicas,
    }));
}
