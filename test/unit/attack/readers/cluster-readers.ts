import { missingObject } from '#src/doctor/causes/config-missing.js';
import { pullRefusalOf } from '#src/doctor/causes/image-pull-failure/refusal.js';
import { missingSource, volumeNamed } from '#src/doctor/causes/mount-failure/rule.js';
import { restartClockOf } from '#src/doctor/findings/crashes/crash-finding.js';
import { jvmHeapOf } from '#src/doctor/findings/crashes/jvm-heap.js';
import { causeOfRefusal } from '#src/doctor/findings/crashes/runtime-refusal.js';
import { isAboutReadiness, leaseNamedIn, lockWordOf } from '#src/doctor/log-lines/lock-words.js';
import { candidateInEvent, candidateInPod } from '#src/doctor/sentinel/candidate.js';
import { unanswered, unreadable } from '#src/edges/kubernetes/api-call.js';
import { outcomeOf } from '#src/edges/kubernetes/change-body.js';
import { denialOf } from '#src/engine/creation/denial.js';
import { nodePoolOf } from '#src/engine/messages/karpenter.js';
import { Event } from '#src/engine/objects/event.js';
import { Pod } from '#src/engine/objects/pod.js';
import { Container } from '#src/engine/objects/pod-spec.js';
import { matchesDeviceSelector } from '#src/engine/scheduler/device-allocation.js';
import { parseQuantity } from '#src/engine/scheduler/quantity.js';
import { parseQuotaMessage } from '#src/engine/workloads/quota-admission.js';
import type { ForeignTextReader } from './foreign-text-reader.js';

const denialWords = [
  ' is forbidden: ',
  'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
  'failed quota: q: must specify cpu for: web; ',
  'violates PodSecurity "restricted": a (b, c), ',
  'admission webhook "w" denied the request: ',
  "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ",
  'minimum cpu usage per Container is 1., ',
  'a max limit ',
  '" is invalid: [spec.a: b, ',
  'forbidden: ',
];

const podWith = (text: string): object => ({
  metadata: {
    name: text,
    namespace: text,
    labels: { a: text },
    annotations: { a: text },
    ownerReferences: [{ kind: 'ReplicaSet', name: text, uid: text, controller: true }],
  },
  spec: { containers: [{ name: 'a', image: text, command: [text], env: [{ name: text, value: text }] }] },
  status: {
    phase: 'Pending',
    reason: text,
    message: text,
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: text }],
    containerStatuses: [
      {
        name: 'a',
        imageID: text,
        state: { waiting: { reason: 'CrashLoopBackOff', message: text } },
        lastState: {
          terminated: { exitCode: 1, reason: text, message: text, finishedAt: '2026-01-01T00:00:00Z' },
        },
      },
    ],
  },
});

const eventWith = (text: string): object => ({
  metadata: { name: 'e' },
  involvedObject: { kind: 'ReplicaSet', namespace: 'a', name: text, uid: 'u' },
  reason: 'FailedCreate',
  message: text,
  source: { component: text, host: text },
});

const container = (text: string): Container =>
  Container.parse({
    name: 'a',
    image: text,
    command: [text],
    args: text.split(' '),
    env: [
      { name: 'JAVA_OPTS', value: text },
      { name: 'A', valueFrom: { secretKeyRef: { name: 'n', key: 'k' } } },
    ],
  });

const volumes = Pod.parse({
  metadata: { name: 'a' },
  spec: {
    containers: [],
    volumes: [{ name: 'data', configMap: { name: 'c', items: [{ key: 'k', path: 'k' }] } }],
  },
});

export const clusterReaders: readonly ForeignTextReader[] = [
  {
    name: 'a pod',
    words: ['back-off 5m0s restarting ', '2026-01-01T00:00:00Z'],
    run: (text) => {
      const pod = Pod.parse(podWith(text));
      candidateInPod(podWith(text));
      return pod.status.containerStatuses.map(restartClockOf);
    },
  },
  {
    name: 'an event',
    words: ['exceeded quota', 'Readiness probe failed: '],
    run: (text) => [Event.parse(eventWith(text)), candidateInEvent(eventWith(text))],
  },
  { name: 'denialOf', words: denialWords, run: denialOf },
  { name: 'parseQuotaMessage', words: denialWords, run: parseQuotaMessage },
  {
    name: 'pullRefusalOf',
    words: [
      'https://registry/',
      'denied: ',
      'certificate ',
      'rate ',
      'http://a: ',
      'access to the resource is ',
    ],
    run: (text) => [pullRefusalOf('ErrImagePull', [text, text], 'a'), pullRefusalOf('', ['not found'], text)],
  },
  {
    name: 'causeOfRefusal',
    words: ['executable file ', 'name a is reserved', 'name ', 'failed to prepare ', 'exec: '],
    run: causeOfRefusal,
  },
  {
    name: 'missingObject',
    words: [
      "couldn't find key k in Secret a/n",
      "couldn't find key ",
      'secrets "n" not found',
      'secret "',
      'a/',
    ],
    run: (text) => [missingObject(container('a'), text), missingObject(container(text), text)],
  },
  {
    name: 'missingSource',
    words: [
      'volume "data',
      'unmounted volumes=[data], ',
      'unattached volumes=[',
      'references non-existent config key: ',
    ],
    run: (text) => [missingSource(volumes, text), volumeNamed(volumes, text)],
  },
  {
    name: 'words about locks',
    words: [
      'waiting for ',
      'unable to ',
      'another instance ',
      'trying to ',
      'lease: a/',
      'leader ',
      'lock held by ',
    ],
    run: (text) => [lockWordOf(text), isAboutReadiness(text), leaseNamedIn(text)],
  },
  {
    name: 'jvmHeapOf',
    words: ['-Xmx1', '-Xmx', ' -XX:MaxRAMPercentage=90', '-XX:MaxHeapSize=1g '],
    run: (text) => jvmHeapOf(container(text), '1Gi'),
  },
  { name: 'parseQuantity', words: ['1.5Gi', '1e3', '-', '.'], run: parseQuantity },
  {
    name: 'matchesDeviceSelector',
    words: [
      'device.driver == "a" && ',
      'device.attributes["a"].b == ',
      "device.attributes['",
      'device.capacity["a"].b.compareTo(quantity("',
      '!(',
    ],
    run: (text) => matchesDeviceSelector(text, { driver: 'a', attributes: {}, capacity: {} }),
  },
  { name: 'nodePoolOf', words: ['nodepool "a', 'NodePool=a,'], run: nodePoolOf },
  {
    name: 'answers of the API server',
    words: [...denialWords, 'testing value a failed', 'admission webhook'],
    run: (text) =>
      [400, 403, 404, 409, 422, 429, 500].flatMap((status) =>
        [text, { message: text, reason: text }].map((body) => {
          const answer = { status, body, retryAfterMs: undefined };
          return [outcomeOf(answer), unreadable(answer), unanswered(new Error(text))];
        }),
      ),
  },
];
