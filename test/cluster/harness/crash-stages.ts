import { exists, missing, oneOf, type Stage, type When } from './stage.js';

/**
 * Crashes the first container of the pods on these nodes repeatedly, and leaves it in back-off at the end.
 */
export interface CrashLoop {
  readonly nodes: readonly string[];
  /** Only pods with all of these labels; without it every pod on the nodes. */
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly exitCode?: number;
  /** As the runtime reports it: `Error`, `OOMKilled`. */
  readonly reason?: string;
  /** How many restarts it gets before it stays in CrashLoopBackOff. At least 1. */
  readonly restarts?: number;
  readonly runMilliseconds?: number;
  readonly backOffMilliseconds?: number;
}

type State = 'running' | 'waiting';

/** The first container's new status; the others keep running beside it. */
function containerStatuses(
  state: State,
  crash: { code: number; reason: string } | 'keep',
  restart: boolean,
): string {
  const lastState =
    crash === 'keep'
      ? '{{ toJson $status.lastState }}'
      : `{ terminated: { exitCode: ${crash.code}, reason: ${crash.reason}, ` +
        'startedAt: {{ or $status.state.running.startedAt Now | Quote }}, finishedAt: {{ Now | Quote }} } }';
  const now =
    state === 'running'
      ? '{ running: { startedAt: {{ Now | Quote }} } }'
      : '{ waiting: { reason: CrashLoopBackOff, message: "back-off restarting failed container={{ $status.name }} pod={{ $pod.metadata.name }}_{{ $pod.metadata.namespace }}({{ $pod.metadata.uid }})" } }';
  return `{{ $pod := . }}
containerStatuses:
{{ range $index, $status := .status.containerStatuses }}
{{ if eq $index 0 }}
- name: {{ $status.name | Quote }}
  image: {{ $status.image | Quote }}
  imageID: ""
  ready: ${state === 'running'}
  started: ${state === 'running'}
  restartCount: {{ ${restart ? 'add $status.restartCount 1' : '$status.restartCount'} }}
  lastState: ${lastState}
  state: ${now}
{{ else }}
- {{ toJson $status }}
{{ end }}
{{ end }}
conditions:
{{ range list "Ready" "ContainersReady" }}
- type: {{ . }}
  status: "${state === 'running' ? 'True' : 'False'}"
  reason: "${state === 'running' ? '' : 'ContainersNotReady'}"
  message: "${state === 'running' ? '' : 'containers are not ready'}"
  lastTransitionTime: {{ Now | Quote }}
{{ end }}
`;
}

const first = '.status.containerStatuses.[0]';

/**
 * A kubelet restarts a container at once after its first crash and backs off from the second on
 * (`kuberuntime doBackOff`), so CrashLoopBackOff is never seen with a restart count of zero. Three stages
 * keep that order; the periods are short, or a test would last as long as the back-off.
 */
export function crashStages(loop: CrashLoop, index: number): Stage[] {
  const { exitCode: code = 1, reason = 'Error', restarts = 5 } = loop;
  const where: When[] = [
    missing('.metadata.deletionTimestamp'),
    oneOf('.spec.nodeName', ...loop.nodes),
    ...Object.entries(loop.matchLabels ?? {}).map(([key, value]) =>
      oneOf(`.metadata.labels["${key}"]`, value),
    ),
  ];
  const isRunning = exists(`${first}.state.running.startedAt`);
  const isWaiting = oneOf(`${first}.state.waiting.reason`, 'CrashLoopBackOff');
  const restarted = (comparison: string): When =>
    exists(`${first} | select( .restartCount ${comparison} ) | .name`);
  const stage = (name: string, rest: Omit<Stage, 'name' | 'kind'>): Stage => ({
    name: `${name}-${index}`,
    kind: 'Pod',
    ...rest,
  });
  return [
    stage('pod-first-crash', {
      when: [...where, isRunning, restarted('== 0')],
      delayMilliseconds: loop.runMilliseconds ?? 200,
      statusTemplate: containerStatuses('running', { code, reason }, true),
    }),
    stage('pod-crash', {
      when: [...where, isRunning, restarted('> 0')],
      delayMilliseconds: loop.runMilliseconds ?? 200,
      statusTemplate: containerStatuses('waiting', { code, reason }, false),
      event: { type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container' },
    }),
    stage('pod-restart', {
      when: [...where, isWaiting, restarted(`< ${restarts}`)],
      delayMilliseconds: loop.backOffMilliseconds ?? 200,
      statusTemplate: containerStatuses('running', 'keep', true),
    }),
  ];
}
