import { describe, expect } from 'vitest';
import { admissionDenied } from '#src/doctor/causes/admission-denied/rule.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { build, type Change } from '../../../../support/kubernetes-objects.js';
import {
  creationEvent,
  exceededMessage,
  quota,
  type RefusedFields,
  refused,
} from '../../../engine/creation/build.js';
import { expectFindings, has, type Row } from '../run-rule.js';

interface Denied extends RefusedFields {
  readonly message: string | undefined;
  readonly objects?: Partial<ClusterObjects>;
  readonly priorityClassName?: string;
}

function denied({ objects = {}, priorityClassName, ...fields }: Denied): Snapshot {
  const snapshot = refused({ quotas: [], ...fields });
  const { workload } = snapshot;
  const { template } = workload.spec;
  const named = { ...template, spec: { ...template.spec, priorityClassName } };
  return {
    ...snapshot,
    index: indexObjects({ ...snapshot.index.objects, ...objects }),
    ...(priorityClassName === undefined
      ? {}
      : { workload: { ...workload, spec: { ...workload.spec, template: named } } as Workload }),
  };
}

const forbidden = (rest: string) => `pods "web-2-x7k2p" is forbidden: ${rest}`;
const restricted = forbidden(
  'violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
);
const tooMuch = forbidden('maximum memory usage per Container is 1Gi, but limit is 2Gi');
const untrusted = (reason: string) =>
  `Internal error occurred: failed calling webhook "inject.mesh.io": failed to call webhook: Post "https://mesh.istio.svc:443/inject?timeout=10s": ${reason}`;
const unreachable =
  'Internal error occurred: failed calling webhook "inject.mesh.io": no endpoints available';
const timeout = 'Timeout: request did not complete within requested timeout';
const noClass = forbidden('no PriorityClass with name urgent was found');

const shop = (metadata: Change<'Namespace'>['metadata']) => ({
  Namespace: [build('Namespace', 'shop', { metadata })],
});
const enforces = (level: string) => shop({ labels: { 'pod-security.kubernetes.io/enforce': level } });
const atMost = (amount: string) => ({
  LimitRange: [
    build('LimitRange', 'bounds', { spec: { limits: [{ type: 'Container', max: { memory: amount } }] } }),
  ],
});
const system = { PriorityClass: [build('PriorityClass', 'system-node-critical', { value: 2000001000 })] };
const memory = { 'requests.memory': '1Gi' };

const denials: readonly (readonly [string, string, object])[] = [
  ['Pod Security', restricted, { kind: 'pod-security', level: 'restricted:latest' }],
  [
    'a LimitRange',
    tooMuch,
    { kind: 'limit-range', violations: ['maximum memory usage per Container is 1Gi, but limit is 2Gi'] },
  ],
  [
    'a missing ServiceAccount',
    forbidden('error looking up service account shop/builder: serviceaccount "builder" not found'),
    { kind: 'service-account', name: 'builder', namespace: 'shop' },
  ],
  [
    'a webhook',
    'admission webhook "validate.kyverno.svc-fail" denied the request: image must be signed',
    { kind: 'webhook-denied', webhook: 'validate.kyverno.svc-fail', said: 'image must be signed' },
  ],
  [
    'a webhook that is down',
    unreachable,
    { kind: 'webhook-unreachable', webhook: 'inject.mesh.io', said: 'no endpoints available' },
  ],
  [
    'a policy',
    forbidden("ValidatingAdmissionPolicy 'signed' with binding 'prod' denied request: not signed"),
    { kind: 'admission-policy', policy: 'signed', binding: 'prod', said: 'not signed' },
  ],
  [
    'a missing RuntimeClass',
    forbidden('pod rejected: RuntimeClass "gvisor" not found'),
    { kind: 'runtime-class', name: 'gvisor' },
  ],
  ['an unknown plugin', forbidden('not on a Tuesday'), { kind: 'forbidden', said: 'not on a Tuesday' }],
  [
    'a pod that admission made invalid',
    'Pod "web-x" is invalid: spec.containers[0].name: Duplicate value: "a"',
    { kind: 'invalid' },
  ],
];
const proven = (field?: string) => ({
  confidence: 'proven',
  doubts: [],
  ...(field && { where: has(field) }),
});

describe('pods that admission denies', () => {
  expectFindings<Denied>(admissionDenied, denied, [
    ...denials.map(
      ([by, message, refusal]): Row<Denied> => [
        `are likely denied by ${by}`,
        { message },
        {
          confidence: 'likely',
          severity: 'warning',
          facts: { refusal },
          reasoning: has((refusal as { kind: string }).kind),
          doubts: ['only-said'],
        },
      ],
    ),
    [
      'are proven by the label of the namespace',
      { message: restricted, objects: enforces('restricted') },
      proven('metadata.labels[pod-security.kubernetes.io/enforce]'),
    ],
    [
      'are not proven by the label of another level',
      { message: restricted, objects: enforces('baseline') },
      { confidence: 'likely' },
    ],
    [
      'are proven by the bound of a LimitRange in any spelling',
      { message: tooMuch, objects: atMost('1024Mi') },
      proven('spec.limits[Container].max[memory]'),
    ],
    [
      'are not proven by another bound',
      { message: tooMuch, objects: atMost('512Mi') },
      { confidence: 'likely' },
    ],
    [
      'are proven by the deletion of the namespace',
      {
        message: forbidden('unable to create new content in namespace shop because it is being terminated'),
        objects: shop({ deletionTimestamp: '2026-11-20T09:00:00Z' }),
      },
      proven('metadata.deletionTimestamp'),
    ],
    [
      'are proven by a quota that the engine refuses the pod for',
      {
        message: forbidden('failed quota: team: must specify limits.memory for: app'),
        objects: { ResourceQuota: [quota({ hard: { 'limits.memory': '4Gi' }, used: {} })] },
      },
      proven('spec.hard'),
    ],
    [
      'are proven by a PriorityClass that is missing in the cluster',
      { message: noClass, objects: system, priorityClassName: 'urgent' },
      proven(),
    ],
    [
      'are not proven where no PriorityClass was read',
      { message: noClass, objects: { PriorityClass: [] } },
      { confidence: 'likely' },
    ],
    [
      'get the YAML that Pod Security requires, and no more, or are rolled back to the serving revision',
      { message: restricted },
      {
        fixes: ['undo-rollout'],
        firstSnippet:
          '# in each container\nsecurityContext:\n  allowPrivilegeEscalation: false\n  seccompProfile:\n    type: RuntimeDefault\n',
      },
    ],
    [
      'get the resources that a quota requires',
      {
        message: forbidden('failed quota: team: must specify limits.memory for: app; requests.cpu for: app'),
      },
      { snippets: expect.stringContaining('  requests:\n    cpu: 100m\n  limits:\n    memory: 128Mi\n') },
    ],
    [
      'names the certificate of a webhook where it has expired',
      {
        message: untrusted(
          'tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-20T08:59:30Z is after 2026-11-16T09:21:29Z',
        ),
      },
      {
        summary: 'summary-certificate',
        reasoning: has('webhook-certificate'),
        advice: ['advice-certificate-title'],
      },
    ],
    [
      'names the certificate of a webhook where it is for another name',
      {
        message: untrusted(
          'x509: certificate is not valid for any names, but wanted to match mesh.istio.svc',
        ),
      },
      { summary: 'summary-certificate', advice: ['advice-certificate-title'] },
    ],
    [
      'names the clock where the certificate of a webhook begins later',
      {
        message: untrusted(
          'x509: certificate has expired or is not yet valid: current time 2026-11-20T12:39:46Z is before 2026-11-20T12:53:00Z',
        ),
      },
      { summary: 'summary-certificate', advice: ['advice-clock-title'] },
    ],
    [
      'names no certificate of a webhook that does not answer',
      { message: untrusted('context deadline exceeded') },
      { summary: 'summary', reasoning: has('webhook-unreachable'), advice: ['advice-title'] },
    ],
    [
      'names the answer of a webhook that has no such path',
      { message: untrusted('the server could not find the requested resource') },
      { summary: 'summary-answer', reasoning: has('webhook-answer'), advice: ['advice-answer-title'] },
    ],
    [
      'names the answer of a webhook that fails',
      {
        message: untrusted(
          'an error on the server ("internal server error") has prevented the request from succeeding',
        ),
      },
      { summary: 'summary-answer', advice: ['advice-answer-title'] },
    ],
    [
      'names no answer where a proxy may have given it',
      { message: untrusted('the server is currently unable to handle the request') },
      { summary: 'summary', advice: ['advice-title'] },
    ],
    [
      'asks for a quota of the priority classes that the cluster limits',
      {
        message:
          'insufficient quota to match these scopes: [{PriorityClass In [system-node-critical system-cluster-critical]}]',
      },
      {
        advice: ['advice-quota-scope-title'],
        snippets: expect.stringContaining('values: [system-node-critical, system-cluster-critical]'),
      },
    ],
    [
      'puts no class that is no name of an object into a manifest',
      { message: 'insufficient quota to match these scopes: [{PriorityClass In [a\nkind:Role b}]}]' },
      { advice: ['advice-title'] },
    ],
    [
      'asks the administrators about scopes of another sort',
      { message: 'insufficient quota to match these scopes: [{BestEffort Exists []}]' },
      { advice: ['advice-title'] },
    ],
    [
      'are not rolled back where the template is not denied',
      { message: unreachable },
      { fixes: [], becauseOf: has('undo-withheld') },
    ],
    [
      'are critical where no pod of the workload is ready, and then no strategy is discussed',
      { message: restricted, old: 0 },
      { severity: 'critical', withheld: ['restart-rollout'] },
    ],
    ['are none with an exhausted quota', { message: exceededMessage('team', memory, memory, memory) }],
    ['are none after a new timeout', { message: timeout, since: 60 }],
    [
      'are at most possible after a lasting timeout',
      { message: timeout, since: 600 },
      { confidence: 'possible' },
    ],
    [
      'are none after the controller has created its pods',
      { message: restricted, missing: 0, newPods: [{ name: 'new-0' }] },
    ],
    [
      'are none after an event of a created pod',
      {
        message: undefined,
        events: [
          creationEvent('FailedCreate', `Error creating: ${restricted}`, 90),
          creationEvent('SuccessfulCreate', 'Created pod: web-2-a', 30),
        ],
      },
    ],
  ]);
});
