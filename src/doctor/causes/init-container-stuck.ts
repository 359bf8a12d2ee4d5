import * as z from 'zod';
import { compareText } from '../../engine/collections/collections.js';
import type { SameSentences } from '../../engine/language/catalogue.js';
import { code, say } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { elapsedAtMost, names, particle } from '../../engine/language/words.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { containersOf } from '../findings/crashes/container-view.js';
import { crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, crashFactsOf, programFacts } from '../findings/crashes/facts.js';
import {
  detectEach,
  type FailingPods,
  failingPods,
  failingPodsOf,
} from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { lastLinesOf } from '../findings/crashes/last-lines.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { redact } from '../redaction/redact.js';

const en = {
  'shared-failure': () => say`an init container does not finish`,
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: init container ${code(container)} does not finish`,
  standing: ({
    longest,
    ...pods
  }: FailingPods & {
    readonly longest: number;
  }) =>
    say`${failingPods('en', pods)} are waiting for this init container, for ${elapsedAtMost('en', longest)}.`,
  running: ({ container, pods }: { readonly container: string; readonly pods: readonly string[] }) =>
    say`${code(container)} is still running in ${names('en', pods)}.`,
  position: ({
    number,
    of,
    waiting,
  }: {
    readonly number: number;
    readonly of: number;
    readonly waiting: readonly string[];
  }) =>
    say`The container is number ${number} of ${of}. ${names('en', waiting)} can start only after it exits with code 0.`,
  'waits-for-service': ({
    service,
    ready,
    wanted,
  }: {
    readonly service: string;
    readonly ready: number;
    readonly wanted: number;
  }) => say`Its command mentions workload ${code(service)}, which has ${ready} of ${wanted} pods ready.`,
  'because-no-crash': ({ container }: { readonly container: string }) =>
    say`${code(container)} is running and has not failed`,
  'restart-withheld': () => say`New pods would wait in the same way.`,
  'advice-title': () => say`Find out what the init container is waiting for`,
  advice: ({ container }: { readonly container: string }) =>
    say`The log of ${code(container)} usually shows what it is waiting for.`,
};

const ko: SameSentences<typeof en> = {
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
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      facts,
      standing: state('standing', {
        ...failingPodsOf(failureGroup),
        longest: facts.runningSeconds,
      }),
      reasoning: [
        state('running', { container, pods }),
        ...(facts.containersWaiting.length === 0 ? [] : [state('position', positionOf(failureGroup))]),
        ...(facts.command === undefined ? [] : [crash('command', { command: facts.command })]),
        ...facts.unreadyServices.map(({ name, ...counts }) =>
          state('waits-for-service', { service: name, ...counts }),
        ),
        ...(lines === undefined ? [] : [lines.says]),
      ],
      ruledOut: [{ cause: 'application-crash', because: state('because-no-crash', { container }) }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
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
