import * as z from 'zod';
import { code, quote, say, sentences } from '../../engine/language/prose.js';
import { quotingLogs, type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, names, particle } from '../../engine/language/words.js';
import { refOf } from '../../engine/objects/pod.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread } from '../../engine/objects/unread.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import type { Confidence } from '../findings/cause-id.js';
import { courseOf, crashFinding, unreadStatements } from '../findings/crashes/crash-finding.js';
import { crashFacts, programFacts } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { lastLinesOf } from '../findings/crashes/last-lines.js';
import type { PodFailure } from '../findings/crashes/pod-failure.js';
import { causeOfRefusal, isWorkingDirRefused } from '../findings/crashes/runtime-refusal.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import type { Advice } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { waiting } from '../findings/waiting/text.js';
import { redact } from '../redaction/redact.js';

/** Why a command cannot run, as far as the runtime or the exit code states it. */
type Problem = 'not-found' | 'not-executable' | 'other-architecture' | 'other';

const en = {
  'shared-failure': () => say`the command of a container cannot be run`,
  summary: ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: the command of container ${code(container)} cannot run`,
  'summary-directory': ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: the working directory of container ${code(container)} cannot be used`,
  /** The working directory of the pod template; absent where the image sets it. */
  directory: ({ path }: { path: string | undefined }) =>
    path === undefined
      ? say`The image sets the working directory, and the container runtime cannot enter it.`
      : say`The pod template sets the working directory ${code(path)}, and the container runtime cannot enter it.`,
  standing: (pods: FailingPods) => say`The program never starts in ${failingPods('en', pods)}.`,
  says: ({ message }: { message: string }) => say`The container runtime reports: ${quote(message)}`,
  'ends-with': ({ message }: { message: string }) => say`The container's own last message: ${quote(message)}`,
  'not-found': ({ exitCode, command }: { exitCode: number; command: string | undefined }) =>
    sentences(
      say`Exit code ${exitCode} means that the command was not found.`,
      command === undefined
        ? say`The pod template sets no command, so the container runs the image's own command.`
        : say`The pod template sets ${code(command)}.`,
    ),
  'not-executable': ({ exitCode, command }: { exitCode: number; command: string | undefined }) =>
    sentences(
      say`Exit code ${exitCode} means that the command exists but cannot be executed: missing permission, a directory, or a script without a shell.`,
      command === undefined ? [] : say`The pod template sets ${code(command)}.`,
    ),
  /** The container has not run, and what the runtime reports was not read. */
  'runtime-unread': () =>
    say`The container runtime did not create or start the container. Its message is not in what was read, so the command is only the most frequent reason.`,
  /** The exit code alone was read. */
  'log-unread': ({ exitCode }: { exitCode: number }) =>
    exitCode === 127
      ? say`Exit code ${exitCode} also ends a program that lacks a library, and a script that calls a missing program. The log shows which, and it was not read.`
      : say`Exit code ${exitCode} also ends a script that calls such a file. The log shows which, and it was not read.`,
  'start-error': ({ exitCode, command }: { exitCode: number; command: string | undefined }) =>
    sentences(
      say`The container runtime could not start the process (exit code ${exitCode}).`,
      command === undefined
        ? say`The pod template sets no command.`
        : say`The pod template sets ${code(command)}.`,
    ),
  architecture: ({ nodes, architectures }: { nodes: readonly string[]; architectures: readonly string[] }) =>
    sentences(
      say`This error is typical of a program built for another CPU architecture.`,
      architectures.length === 0
        ? []
        : say`Architecture of ${names('en', nodes)}: ${names('en', architectures)}.`,
    ),
  'too-long': ({ services }: { services: number }) =>
    sentences(
      say`The kernel starts no program whose arguments and variables are too large together.`,
      services === 0
        ? []
        : say`The kubelet adds variables for each of the ${counted(services, 'Service', 'Services')} of the namespace.`,
    ),
  'advice-long-title': () => say`Make the arguments and variables smaller`,
  'advice-long': () =>
    say`Without ${code('enableServiceLinks')}, the variables of Services are left out. Mount large values as files.`,
  'ev-command': () => say`the command of the pod template`,
  'because-nothing-ran': ({ container }: { container: string }) =>
    say`the program in ${code(container)} never ran`,
  'restart-withheld': () => say`New pods would run the same command.`,
  'advice-directory-title': () => say`Correct the working directory`,
  'advice-directory': () =>
    say`${code('workingDir')} must name a directory that the user of the container may enter. A file of that name in the image is not one.`,
  'advice-title': () => say`Run the command in the image`,
  advice: ({ image, problem }: { image: string; problem: Problem }) =>
    problem === 'other'
      ? say`Correct ${code('command')} and ${code('args')}, or fix the image ${code(image)}.`
      : problem === 'not-found'
        ? say`The image ${code(image)} needs a program at the path of ${code('command')}, or in its ${code('PATH')}. A script also needs the interpreter of its first line.`
        : problem === 'not-executable'
          ? say`${code('command')} must name a file of ${code(image)} that the user of the container may execute, not a directory. Set the permission in the image: ${code('chmod +x')}.`
          : say`Build ${code(image)} for the architecture of the nodes. A script needs a first line that names its interpreter.`,
};

const ko: typeof en = {
  'shared-failure': () => say`컨테이너 명령을 실행할 수 없음`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너의 명령을 실행할 수 없습니다`,
  'summary-directory': ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너의 작업 디렉터리를 사용할 수 없습니다`,
  directory: ({ path }) =>
    path === undefined
      ? say`이미지가 지정한 작업 디렉터리에 컨테이너 런타임이 들어갈 수 없습니다.`
      : say`파드 템플릿이 지정한 작업 디렉터리 ${code(path)}에 컨테이너 런타임이 들어갈 수 없습니다.`,
  standing: (pods) => say`${failingPods('ko', pods)}에서 프로그램이 시작되지 않습니다.`,
  says: ({ message }) => say`컨테이너 런타임 메시지: ${quote(message)}`,
  'ends-with': ({ message }) => say`컨테이너가 남긴 마지막 메시지: ${quote(message)}`,
  'not-found': ({ exitCode, command }) =>
    sentences(
      say`종료 코드 ${exitCode}${particle(String(exitCode), '은', '는')} 명령을 찾지 못했다는 뜻입니다.`,
      command === undefined
        ? say`파드 템플릿에 명령이 없어 이미지에 정의된 명령을 실행합니다.`
        : say`파드 템플릿의 명령: ${code(command)}.`,
    ),
  'not-executable': ({ exitCode, command }) =>
    sentences(
      say`종료 코드 ${exitCode}${particle(String(exitCode), '은', '는')} 명령은 있지만 실행할 수 없다는 뜻입니다(권한 부족, 디렉터리, 셸 없는 스크립트).`,
      command === undefined ? [] : say`파드 템플릿의 명령: ${code(command)}.`,
    ),
  'runtime-unread': () =>
    say`컨테이너 런타임이 컨테이너를 만들거나 시작하지 못했습니다. 읽은 정보에 런타임 메시지가 없어, 명령은 가장 흔한 원인일 뿐입니다.`,
  'log-unread': ({ exitCode }) =>
    exitCode === 127
      ? say`라이브러리가 없는 프로그램이나 없는 프로그램을 호출한 스크립트도 종료 코드 ${exitCode}${particle(String(exitCode), '으로', '로')} 끝납니다. 로그를 읽지 못해 구분할 수 없습니다.`
      : say`그런 파일을 호출한 스크립트도 종료 코드 ${exitCode}${particle(String(exitCode), '으로', '로')} 끝납니다. 로그를 읽지 못해 구분할 수 없습니다.`,
  'start-error': ({ exitCode, command }) =>
    sentences(
      say`컨테이너 런타임이 프로세스를 시작하지 못했습니다(종료 코드 ${exitCode}).`,
      command === undefined
        ? say`파드 템플릿에 명령이 없습니다.`
        : say`파드 템플릿의 명령: ${code(command)}.`,
    ),
  architecture: ({ nodes, architectures }) =>
    sentences(
      say`다른 CPU 아키텍처용으로 빌드한 프로그램에서 흔한 오류입니다.`,
      architectures.length === 0
        ? []
        : say`${names('ko', nodes)} 노드의 아키텍처: ${names('ko', architectures)}.`,
    ),
  'too-long': ({ services }) =>
    sentences(
      say`인자와 환경 변수를 합한 크기가 너무 크면 커널이 프로그램을 시작하지 않습니다.`,
      services === 0 ? [] : say`kubelet이 네임스페이스의 서비스 ${services}개마다 환경 변수를 추가합니다.`,
    ),
  'advice-long-title': () => say`인자와 환경 변수 줄이기`,
  'advice-long': () =>
    say`${code('enableServiceLinks')}를 끄면 서비스의 환경 변수가 빠집니다. 큰 값은 파일로 마운트하세요.`,
  'ev-command': () => say`파드 템플릿의 명령`,
  'because-nothing-ran': ({ container }) =>
    say`${code(container)} 컨테이너의 프로그램이 한 번도 실행되지 않음`,
  'restart-withheld': () => say`새 파드도 같은 명령을 실행합니다.`,
  'advice-directory-title': () => say`작업 디렉터리 고치기`,
  'advice-directory': () =>
    say`${code('workingDir')}에는 컨테이너의 사용자가 들어갈 수 있는 디렉터리를 지정해야 합니다. 이미지에 같은 이름의 파일이 있으면 안 됩니다.`,
  'advice-title': () => say`이미지 안에서 명령 실행해 보기`,
  advice: ({ image, problem }) =>
    problem === 'other'
      ? say`${code('command')}, ${code('args')} 또는 ${code(image)} 이미지를 고치세요.`
      : problem === 'not-found'
        ? say`${code(image)} 이미지에는 ${code('command')} 경로나 ${code('PATH')}에 프로그램이 있어야 합니다. 스크립트라면 첫 줄에 적힌 인터프리터도 필요합니다.`
        : problem === 'not-executable'
          ? say`${code('command')}에는 ${code(image)} 이미지에서 컨테이너의 사용자가 실행할 수 있는 파일을 지정하세요. 디렉터리는 실행할 수 없습니다. 이미지에서 실행 권한을 주세요: ${code('chmod +x')}.`
          : say`${code(image)} 이미지를 노드의 아키텍처에 맞게 빌드하세요. 스크립트라면 첫 줄에 인터프리터를 적어야 합니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('bad-command');

const BadCommandFacts = z.strictObject({
  ...crashFacts,
  ...programFacts,
  architectures: fact
    .names('Architectures of the nodes, where the image is built for another one')
    .optional(),
});

/**
 * The command of the container cannot run: not found (127), not executable (126), or not even started
 * by the runtime (`StartError`, 128, `RunContainerError`). Identical on every node and at every restart.
 */
export const badCommand: Rule<typeof BadCommandFacts> = {
  id: 'bad-command',
  facts: BadCommandFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['crash-loop-after-rollout', 'application-crash', 'progress-deadline-exceeded'],
  ...detectEach('bad-command', (examination, failureGroup) => {
    const { snapshot } = examination;
    const [first] = failureGroup.podFailures;
    if (first.container === undefined) return undefined;
    const { container, nodes } = failureGroup;
    const { spec } = first.container;
    const command = commandOf(failureGroup);
    const architectures = architecturesOf(snapshot, failureGroup);
    const ofDirectory = isWorkingDirRefused(first.message, spec.workingDir);
    const isTooLong = tooLong.test(`${first.message} ${lastLinesOf(snapshot, failureGroup)?.decides ?? ''}`);
    return crashFinding(examination, failureGroup, {
      confidence: confidenceOf(first),
      summary: state(ofDirectory ? 'summary-directory' : 'summary', {
        workload: workloadName(snapshot),
        container,
      }),
      facts: { image: spec.image, command, architectures },
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        ...courseOf(failureGroup),
        ...(ofDirectory
          ? [state('says', { message: first.message }), state('directory', { path: spec.workingDir })]
          : [...endOf(failureGroup, command, architectures), ...logOf(snapshot, failureGroup)]),
        ...(isTooLong ? [state('too-long', { services: linkedServices(snapshot, first) })] : []),
      ],
      evidence:
        ofDirectory || command === undefined
          ? []
          : [
              {
                object: refOf(first.pod),
                field: `spec.${first.container.role === 'main' ? 'containers' : 'initContainers'}[${container}].command`,
                value: command,
                says: state('ev-command'),
              },
            ],
      ruledOut: [
        { cause: 'application-crash', because: state('because-nothing-ran', { container }) },
        ...(nodes.length > 1
          ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
          : []),
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      weakenedBy: [...unreadStatements(snapshot), ...doubtsOf(snapshot, failureGroup)],
      advice: [
        ...(ofDirectory ? [{ title: state('advice-directory-title'), text: state('advice-directory') }] : []),
        ...(isTooLong ? [shorterArguments] : []),
        {
          title: state('advice-title'),
          text: state('advice', { image: spec.image, problem: isTooLong ? 'other' : problemOf(first) }),
          snippet: `kubectl -n ${first.pod.metadata.namespace} run try-it --rm -it --restart=Never --image=${shellQuoted(spec.image)} --command -- sh\n`,
        },
      ],
    });
  }),
};

/** `E2BIG` in the words of the C library, which runtimes, shells and programs repeat. */
const tooLong = /\bargument list too long\b/i;

const shorterArguments: Advice = {
  title: state('advice-long-title'),
  text: state('advice-long'),
  snippet: 'spec:\n  template:\n    spec:\n      enableServiceLinks: false\n',
};

/** Services of which the kubelet sets variables in the pod. */
function linkedServices({ index }: Snapshot, { pod }: PodFailure): number {
  if (!pod.spec.enableServiceLinks) return 0;
  return index.objects.Service.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace && spec.clusterIP !== '' && spec.clusterIP !== 'None',
  ).length;
}

function problemOf(failure: PodFailure): Problem {
  const { message, run } = failure;
  const said = isOfRuntime(failure) ? message.slice(0, searched) : '';
  if (/\bexec format error\b/i.test(message.slice(0, searched))) return 'other-architecture';
  if (/\bpermission denied\b|\bis a directory\b/i.test(said) || run?.exitCode === 126)
    return 'not-executable';
  return /\bno such file\b|\bnot found\b/i.test(said) || run?.exitCode === 127 ? 'not-found' : 'other';
}

/** Characters of a message. */
const searched = 4096;

/** An exit code of the command convention, where neither a message nor a log says what ended. */
function doubtsOf(snapshot: Snapshot, failureGroup: FailureGroup): readonly Statement[] {
  const [{ run, message }] = failureGroup.podFailures;
  const isCodeOnly = run !== undefined && (run.exitCode === 126 || run.exitCode === 127) && message === '';
  const isLogUnread = isUnread(snapshot, 'PodLog') && lastLinesOf(snapshot, failureGroup) === undefined;
  if (!isCodeOnly || !isLogUnread) return [];
  return [
    state('log-unread', { exitCode: run.exitCode }),
    waiting('better-unread', {
      causes: ['crash-loop-after-rollout', 'application-crash'],
      kinds: ['PodLog'],
    }),
  ];
}

/**
 * Exit codes are a convention that programs may break; what the runtime says of a command is its own word.
 */
function confidenceOf(failure: PodFailure): Confidence {
  const { container, reason, message } = failure;
  if (isOfRuntime(failure) && causeOfRefusal(message, container?.spec) === 'bad-command') return 'proven';
  return reason === 'CreateContainerError' ? 'possible' : 'likely';
}

/**
 * Whether the runtime wrote the message; another one comes from the container, or from the end of its log.
 */
function isOfRuntime({ run, reason }: PodFailure): boolean {
  return run === undefined || run.reason === 'StartError' || reason === 'RunContainerError';
}

/** For pasting into a shell: an image name is somebody else's text. */
function shellQuoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The template's own command line; arguments may hold secrets. */
function commandOf({ podFailures: [{ container }] }: FailureGroup): string | undefined {
  const words = [...(container?.spec.command ?? []), ...(container?.spec.args ?? [])];
  return words.length === 0 ? undefined : redact(words.join(' '));
}

/** Of the nodes, where the runtime cannot execute the program's format. */
function architecturesOf(
  { index }: Snapshot,
  { podFailures, nodes }: FailureGroup,
): readonly string[] | undefined {
  if (!podFailures.some((each) => /exec format error/i.test(each.message))) return undefined;
  const all = nodes.map((node) => index.nodes.get(node)?.status.nodeInfo.architecture ?? '');
  return [...new Set(all)].filter((each) => each !== '');
}

/** A shell that ran logs which of its commands was not found. */
function logOf(snapshot: Snapshot, failureGroup: FailureGroup): readonly Statement[] {
  const { podFailures, container } = failureGroup;
  const [first] = podFailures;
  const log = isOfRuntime(first) || first.message !== '' ? undefined : lastLinesOf(snapshot, failureGroup);
  return log?.decides === undefined
    ? []
    : [quotingLogs(crash('log-failure', { container, lines: log.lines }))];
}

function endOf(
  { podFailures, nodes }: FailureGroup,
  command: string | undefined,
  architectures: readonly string[] | undefined,
): readonly Statement[] {
  const [first] = podFailures;
  const { run, message } = first;
  const says =
    message === ''
      ? []
      : [isOfRuntime(first) ? state('says', { message }) : quotingLogs(state('ends-with', { message }))];
  const exitCode = run?.exitCode ?? 128;
  if (run === undefined && message === '') return [state('runtime-unread')];
  const meaning =
    run?.reason === 'StartError' || exitCode === 128
      ? state('start-error', { exitCode, command })
      : exitCode === 126
        ? state('not-executable', { exitCode, command })
        : state('not-found', { exitCode, command });
  return [
    ...says,
    meaning,
    ...(architectures === undefined ? [] : [state('architecture', { nodes, architectures })]),
  ];
}
