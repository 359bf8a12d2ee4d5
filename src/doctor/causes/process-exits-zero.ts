import * as z from 'zod';
import { code, say } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { courseOf, crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, programFacts } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf } from '../findings/crashes/failing-pods.js';
import { lastLinesOf } from '../findings/crashes/last-lines.js';
import type { PodFailure } from '../findings/crashes/pod-failure.js';
import { isWrittenAbout } from '../findings/crashes/probe-kill-sign.js';
import { possibleProbeStop } from '../findings/crashes/stopped-from-outside.js';
import { crash } from '../findings/crashes/text.js';
import { endingOfGroup } from '../findings/endings/ending.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { redact } from '../redaction/redact.js';

const en = {
  'shared-failure': () => say`the process exits without an error`,
  summary: ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: container ${code(container)} exits with code 0 and is restarted each time`,
  standing: (pods: FailingPods) =>
    say`The program finishes its work and exits, but it runs as a service: ${failingPods('en', pods)}.`,
  'standing-unclear': (pods: FailingPods) =>
    say`The program ends in good order. Its work may be finished, or the kubelet may stop it for a probe: ${failingPods('en', pods)}.`,
  'backs-off-too': () =>
    say`Containers of this workload must keep running. The kubelet restarts a container that exits, with growing delays, even after exit code 0.`,
  'no-command': ({ image }: { image: string }) =>
    say`The pod template sets no command, so the image ${code(image)} determines what runs.`,
  'because-no-error': () => say`the program exited with code 0`,
  'restart-withheld': () => say`New pods would run the same program and exit too.`,
  'advice-stay-title': () => say`Should it serve requests? Run it in the foreground`,
  'advice-stay': () =>
    say`A container ends when its main process returns, for example after starting a background daemon, or when a shell has no terminal.`,
  'advice-job-title': () => say`Should it finish? Make it a Job or a CronJob`,
  'advice-job': ({ kind }: { kind: string }) => say`A ${code(kind)} is for programs that keep running.`,
};

const ko: typeof en = {
  'shared-failure': () => say`프로세스가 오류 없이 종료됨`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너가 종료 코드 0으로 끝나고 매번 재시작됩니다`,
  standing: (pods) =>
    say`작업을 마치고 종료되는 프로그램이 서비스로 실행되고 있습니다: ${failingPods('ko', pods)}.`,
  'standing-unclear': (pods) =>
    say`프로그램이 오류 없이 끝납니다. 작업을 마쳤거나, 프로브 때문에 kubelet이 종료했을 수 있습니다: ${failingPods('ko', pods)}.`,
  'backs-off-too': () =>
    say`이 워크로드의 컨테이너는 계속 실행되어야 합니다. 종료 코드가 0이어도 kubelet이 점점 긴 간격을 두고 재시작합니다.`,
  'no-command': ({ image }) =>
    say`파드 템플릿에 명령이 없어 ${code(image)} 이미지에 정의된 명령을 실행합니다.`,
  'because-no-error': () => say`프로그램이 종료 코드 0으로 종료됨`,
  'restart-withheld': () => say`새 파드도 같은 프로그램을 실행하고 종료됩니다.`,
  'advice-stay-title': () => say`요청을 처리하는 서비스라면 포그라운드로 실행하기`,
  'advice-stay': () =>
    say`메인 프로세스가 끝나면 컨테이너도 끝납니다. 백그라운드 데몬을 띄우고 끝나는 프로그램이나 터미널 없는 셸이 그 예입니다.`,
  'advice-job-title': () => say`끝나야 하는 작업이라면 Job이나 CronJob으로 만들기`,
  'advice-job': ({ kind }) => say`${code(kind)}: 계속 실행되는 프로그램에 사용합니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('process-exits-zero');

const ProcessExitsZeroFacts = z.strictObject({ ...crashFacts, ...programFacts });

/**
 * A container ends with exit code 0 under restartPolicy Always, which backs off like a crash: the program is
 * finished, or it went into the background. A probe that can have ended the run is named first, unless the
 * kubelet wrote about the run and reported no failed check.
 */
export const processExitsZero: Rule<typeof ProcessExitsZeroFacts> = {
  id: 'process-exits-zero',
  facts: ProcessExitsZeroFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['application-crash', 'progress-deadline-exceeded'],
  ...detectEach('process-exits-zero', (examination, failureGroup) => {
    const { snapshot } = examination;
    const [first] = failureGroup.podFailures;
    if (first.container === undefined) return undefined;
    const { container, nodes } = failureGroup;
    const { command, args, image } = first.container.spec;
    const words = [...command, ...args];
    const facts = { image, command: words.length === 0 ? undefined : redact(words.join(' ')) };
    const lines = lastLinesOf(snapshot, failureGroup);
    const stop = isSilent(snapshot, first) ? possibleProbeStop(failureGroup) : undefined;
    const ending = endingOfGroup(snapshot, failureGroup);
    return crashFinding(examination, failureGroup, {
      restsOnSilence: true,
      confidence: stop === undefined ? 'likely' : 'possible',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      facts,
      standing: state(stop === undefined ? 'standing' : 'standing-unclear', failingPodsOf(failureGroup)),
      reasoning: [
        ...courseOf(failureGroup),
        ...(stop?.reasoning ?? []),
        state('backs-off-too'),
        facts.command === undefined
          ? state('no-command', { image })
          : crash('command', { command: facts.command }),
        ...(lines === undefined ? [] : [lines.says]),
        ...(ending?.reasoning ?? []),
      ],
      ruledOut: [
        { cause: 'application-crash', because: state('because-no-error') },
        ...(stop === undefined
          ? [
              {
                cause: 'liveness-probe-kill' as const,
                because: crash('because-no-probe-kill', { container }),
                restsOn: 'Event' as const,
              },
            ]
          : []),
        ...(nodes.length > 1
          ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
          : []),
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...(stop?.advice ?? []),
        ...(ending === undefined ? [] : [ending.advice]),
        { title: state('advice-stay-title'), text: state('advice-stay') },
        {
          title: state('advice-job-title'),
          text: state('advice-job', { kind: snapshot.workload.kind }),
          snippet: `apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      restartPolicy: OnFailure\n      containers:\n        - name: ${container}\n          image: ${image}\n`,
        },
      ],
    });
  }),
};

/** No event contradicts a kill of the run: the kubelet wrote none about it, or held some back. */
function isSilent({ index }: Snapshot, { pod, run }: PodFailure): boolean {
  return run !== undefined && !isWrittenAbout(run, index.eventsByUid.get(pod.metadata.uid) ?? []);
}
