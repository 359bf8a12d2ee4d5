import type { KubernetesObject, V1DeploymentStrategy } from '@kubernetes/client-node';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import { deploymentManifest } from '../incidents/deployment-manifest.js';
import { untilEvent } from '../incidents/rolling.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import {
  creates,
  gpu,
  gpuNode,
  hasQuota,
  isNotCreated,
  isRefused,
  oneGpu,
  priorityClass,
  runs,
  updates,
  waits,
} from './steps.js';

type Options = Omit<DeploymentOptions, 'namespace' | 'name'>;

const oneByOne: V1DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
};
const oneCore = { requests: { cpu: '1' } };
const refused = 'exceeded quota';

/** `web` is deadlocked on a quota, and `training` of the same namespace is refused by a quota as well. */
interface Rival {
  readonly id: string;
  readonly title: string;
  /** Whether it could get the quota that `web` needs after the old pod has stopped. */
  readonly competes: boolean;
  readonly quotas?: readonly Step[];
  readonly resource?: string;
  readonly web?: Options;
  readonly rival?: readonly Step[];
  readonly waits?: 'before' | 'after';
  /** Fields of the pod that the update changes. */
  readonly update?: object;
  readonly beside?: readonly Step[];
}

function expected(competes: boolean, resource: string): FormExpectation {
  return {
    cause: 'quota-deadlock',
    resource,
    minConfidence: 'proven',
    firstFix: [competes ? 'undo-rollout' : 'patch-strategy'],
    ...(competes ? { mentions: ['training'] } : {}),
  };
}

const rivalOf = (options: Options): readonly Step[] => [
  waits('training', options),
  isNotCreated('training', refused),
];

function besideRival({ id, title, competes, ...rest }: Rival): Form {
  const { quotas = [hasQuota({ 'requests.cpu': '1' })], resource = 'requests.cpu', web = oneCore } = rest;
  const { rival = rivalOf(oneCore), waits: order = 'before', update = {}, beside = [] } = rest;
  const stuck = [updates('web', undefined, update), isNotCreated('web', refused)];
  return {
    id: `quota-rival-${id}`,
    title,
    expected: expected(competes, resource),
    nodes: [{ name: 'n-a', allocatable: { [gpu]: '4' } }],
    steps: [
      ...quotas,
      runs('web', { strategy: oneByOne, ...web }),
      ...beside,
      ...(order === 'before' ? [...rival, ...stuck] : [...stuck, ...rival]),
    ],
  };
}

/** A workload of another kind with one pod of one core, named `training`. */
const createsOther = (kind: 'StatefulSet' | 'Job'): readonly Step[] => [
  creates((namespace) => {
    const { metadata, spec } = deploymentManifest({ namespace, name: 'training', ...oneCore });
    const { selector, template } = spec ?? {};
    return kind === 'StatefulSet'
      ? ({
          ...{ apiVersion: 'apps/v1', kind, metadata },
          spec: { replicas: 1, serviceName: 'training', selector, template },
        } as KubernetesObject)
      : ({
          ...{ apiVersion: 'batch/v1', kind, metadata },
          spec: { template: { ...template, spec: { ...template?.spec, restartPolicy: 'Never' } } },
        } as KubernetesObject);
  }),
  async ({ cluster, namespace }) => {
    await untilEvent(cluster, namespace, 'FailedCreate', refused);
  },
];

const scoped = (name: string, operator: string, cpu: string): Step =>
  creates(
    (namespace) =>
      ({
        ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace, name } },
        spec: {
          hard: { 'requests.cpu': cpu },
          scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values: ['batch'] }] },
        },
      }) as KubernetesObject,
  );

/** `web` waits for the only card, and a quota of cards refuses the pod of `training`. */
function besideCard(id: string, title: string, competes: boolean, options: Options): Form {
  return {
    id: `quota-rival-${id}`,
    title,
    expected: {
      cause: 'surge-deadlock',
      resource: gpu,
      minConfidence: 'proven',
      firstFix: [competes ? 'undo-rollout' : 'patch-strategy'],
      ...(competes ? { mentions: ['training'] } : {}),
    },
    nodes: [gpuNode(1), { name: 'cpu-a' }],
    steps: [
      hasQuota({ [`requests.${gpu}`]: '2' }),
      runs('web', { requests: oneGpu, strategy: oneByOne }),
      updates('web'),
      isRefused('web', `Insufficient ${gpu}`),
      ...rivalOf({ requests: oneGpu, ...options }),
    ],
  };
}

/** Class: competitors for the quota that a fix frees. */
export const quotaQueue: FormGroup = {
  group: 'quota-queue',
  forms: [
    besideRival({
      id: 'was-refused-first',
      title: 'a quota refuses another Deployment, and has done so for longer',
      competes: true,
    }),
    besideRival({
      id: 'was-refused-later',
      title: 'a quota refuses another Deployment since a moment ago',
      waits: 'after',
      competes: true,
    }),
    besideRival({
      id: 'is-a-stateful-set',
      title: 'a quota refuses the pod of a StatefulSet as well',
      rival: createsOther('StatefulSet'),
      competes: true,
    }),
    besideRival({
      id: 'is-a-job',
      title: 'a quota refuses the pod of a Job as well',
      rival: createsOther('Job'),
      competes: true,
    }),
    besideRival({
      id: 'leaves-enough',
      title: 'the quota that the old pod frees is enough for the new pod and for another Deployment',
      quotas: [hasQuota({ 'requests.cpu': '2' })],
      web: { requests: { cpu: '2' } },
      update: { containers: [{ name: 'app', resources: { requests: { cpu: '1' } } }] },
      competes: false,
    }),
    besideRival({
      id: 'needs-more',
      title: 'another Deployment needs more of the quota than the old pod frees',
      quotas: [hasQuota({ 'requests.cpu': '2' })],
      beside: [runs('cache', oneCore)],
      rival: rivalOf({ requests: { cpu: '2' } }),
      competes: false,
    }),
    besideRival({
      id: 'of-another-scope',
      title: 'another Deployment is refused by a quota of another scope',
      quotas: [priorityClass('batch', 10), scoped('batch', 'In', '500m'), scoped('team', 'NotIn', '1')],
      rival: rivalOf({ ...oneCore, pod: { priorityClassName: 'batch' } }),
      competes: false,
    }),
    besideRival({
      id: 'for-another-resource',
      title: 'the same quota refuses another Deployment for another resource',
      quotas: [hasQuota({ [`requests.${gpu}`]: '1', 'requests.ephemeral-storage': '1Gi' })],
      web: { requests: oneGpu },
      resource: `requests.${gpu}`,
      rival: rivalOf({ requests: { 'ephemeral-storage': '2Gi' } }),
      competes: false,
    }),
    besideCard(
      'for-the-card',
      'the rollout waits for the only card, and a quota of cards refuses another Deployment',
      true,
      {},
    ),
    besideCard(
      'without-the-card',
      'the rollout waits for the only card, and a quota of cards refuses a Deployment of another node',
      false,
      { pod: { nodeSelector: { 'kubernetes.io/hostname': 'cpu-a' } } },
    ),
  ],
};
