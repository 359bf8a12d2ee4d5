import { stringify } from 'yaml';
import { type CrashLoop, crashStages } from './crash-stages.js';
import { exists, missing, oneOf, podStage, type Stage } from './stage.js';

/**
 * Annotations of a pod template with which the simulated kubelet does less. They replace what only a real
 * kubelet does: pull an image, attach a volume, run a probe.
 */
export const kubeletAnnotation = {
  /** `container-creating`: stays Pending after placement. `not-ready`: runs and never becomes Ready. */
  start: 'rollout-doctor.test/start',
  /** `never`: the pod stays Terminating. */
  stop: 'rollout-doctor.test/stop',
} as const;

const annotation = (name: string): string => `.metadata.annotations["${name}"]`;

const readyConditions = `
conditions:
- { type: PodReadyToStartContainers, status: "True", lastTransitionTime: {{ Now | Quote }} }
- { type: Initialized, status: "True", lastTransitionTime: {{ Now | Quote }} }
- { type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }} }
- { type: ContainersReady, status: "True", lastTransitionTime: {{ Now | Quote }} }
{{ range .spec.readinessGates }}
- { type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: {{ Now | Quote }} }
{{ end }}`;

const notReadyConditions = `
conditions:
- { type: PodReadyToStartContainers, status: "True", lastTransitionTime: {{ Now | Quote }} }
- { type: Initialized, status: "True", lastTransitionTime: {{ Now | Quote }} }
{{ range list "Ready" "ContainersReady" }}
- type: {{ . }}
  status: "False"
  reason: ContainersNotReady
  message: containers are not ready
  lastTransitionTime: {{ Now | Quote }}
{{ end }}`;

const running = (ready: boolean): string => `
phase: Running
startTime: {{ Now | Quote }}
{{ with NodeIPsWith .spec.nodeName }}
hostIP: {{ index . 0 | Quote }}
hostIPs: [ { ip: {{ index . 0 | Quote }} } ]
{{ end }}
{{ with PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) .metadata.uid .metadata.name .metadata.namespace }}
podIP: {{ index . 0 | Quote }}
podIPs: [ { ip: {{ index . 0 | Quote }} } ]
{{ end }}
{{ with .spec.initContainers }}
initContainerStatuses:
{{ range . }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  restartCount: 0
  {{ if eq ( or .restartPolicy "" ) "Always" }}
  started: true
  state: { running: { startedAt: {{ Now | Quote }} } }
  {{ else }}
  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ Now | Quote }}, finishedAt: {{ Now | Quote }} } }
  {{ end }}
{{ end }}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: ${ready}
  started: true
  restartCount: 0
  state: { running: { startedAt: {{ Now | Quote }} } }
{{ end }}${ready ? readyConditions : notReadyConditions}
`;

/** Placed, and the sandbox or the image or a volume is not there yet. */
const creating = `
phase: Pending
startTime: {{ Now | Quote }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: false
  started: false
  restartCount: 0
  state: { waiting: { reason: ContainerCreating } }
{{ end }}
conditions:
- { type: PodReadyToStartContainers, status: "False", lastTransitionTime: {{ Now | Quote }} }
- { type: Initialized, status: "True", lastTransitionTime: {{ Now | Quote }} }
{{ range list "Ready" "ContainersReady" }}
- type: {{ . }}
  status: "False"
  reason: ContainersNotReady
  message: containers are not ready
  lastTransitionTime: {{ Now | Quote }}
{{ end }}
`;

const completed = `
phase: Succeeded
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: false
  started: false
  restartCount: 0
  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ Now | Quote }}, finishedAt: {{ Now | Quote }} } }
{{ end }}
`;

const readyStatus = '.status.conditions.[] | select( .type == "Ready" ) | .status';

const nodeCondition = (type: string, status: string, reason: string): string =>
  `- { type: ${type}, status: "${status}", reason: ${reason}, message: ${reason}, ` +
  'lastHeartbeatTime: {{ Now | Quote }}, lastTransitionTime: {{ Now | Quote }} }';

const nodeStages: readonly Stage[] = [
  {
    name: 'node-initialize',
    kind: 'Node',
    when: [{ key: readyStatus, operator: 'NotIn', values: ['True'] }],
    statusTemplate: [
      'conditions:',
      nodeCondition('Ready', 'True', 'KubeletReady'),
      nodeCondition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
      nodeCondition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
      nodeCondition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
    ].join('\n'),
  },
  {
    name: 'node-heartbeat-with-lease',
    kind: 'Node',
    when: [oneOf(readyStatus, 'True')],
    delayMilliseconds: 300_000,
    statusTemplate: 'conditions:\n- { type: Ready, status: "True", lastHeartbeatTime: {{ Now | Quote }} }',
  },
];

const alive = missing('.metadata.deletionTimestamp');
const pending = oneOf('.status.phase', 'Pending');

const podStages: readonly Stage[] = [
  podStage('pod-ready', [alive, pending, missing(annotation(kubeletAnnotation.start))], running(true)),
  podStage(
    'pod-container-creating',
    [
      alive,
      pending,
      oneOf(annotation(kubeletAnnotation.start), 'container-creating'),
      missing('.status.containerStatuses.[].state.waiting.reason'),
    ],
    creating,
  ),
  podStage(
    'pod-not-ready',
    [alive, pending, oneOf(annotation(kubeletAnnotation.start), 'not-ready')],
    running(false),
  ),
  podStage(
    'pod-complete',
    [alive, oneOf('.status.phase', 'Running'), oneOf('.metadata.ownerReferences.[].kind', 'Job')],
    completed,
  ),
  {
    name: 'pod-delete',
    kind: 'Pod',
    when: [exists('.metadata.deletionTimestamp'), missing(annotation(kubeletAnnotation.stop))],
    delete: true,
  },
];

/**
 * The configuration file of kwok: what its kubelets do with nodes and pods, and which pods they let crash.
 */
export function kubeletStages(crashLoops: readonly CrashLoop[]): string {
  const stages = [...nodeStages, ...podStages, ...crashLoops.flatMap(crashStages)];
  return stages
    .map(({ name, kind, when, delayMilliseconds, statusTemplate, event, delete: remove }) =>
      stringify({
        apiVersion: 'kwok.x-k8s.io/v1alpha1',
        kind: 'Stage',
        metadata: { name },
        spec: {
          resourceRef: { apiGroup: 'v1', kind },
          selector: { matchExpressions: when },
          delay: delayMilliseconds === undefined ? undefined : { durationMilliseconds: delayMilliseconds },
          next: { statusTemplate, event, delete: remove },
        },
      }),
    )
    .join('---\n');
}
