import type { KubernetesObject } from '@kubernetes/client-node';
import type { Form, FormGroup, Step } from './form.js';
import {
  creates,
  gpu,
  gpuNode,
  hasQuota,
  isNotCreated,
  isRefused,
  isStarting,
  oneGpu,
  priorityClass,
  runs,
  updates,
} from './steps.js';

const quotaOf = (hard: Readonly<Record<string, string>>, scopeSelector: object): Step =>
  creates(
    (namespace) =>
      ({
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { namespace, name: 'team' },
        spec: { hard, scopeSelector },
      }) as KubernetesObject,
  );

const ofPriority = (name: string) => ({
  matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [name] }],
});

const form = (one: Form): Form => one;

/** Class: quotas of a priority class, and a quota beside another reason. */
export const quotaScopes: FormGroup = {
  group: 'quota-scopes',
  forms: [
    form({
      id: 'quota-of-a-priority-class',
      title: 'a quota of one priority class is full of the old pod',
      expected: { cause: 'quota-deadlock', resource: 'pods', minConfidence: 'proven', mentions: ['team'] },
      nodes: [{ name: 'n-a' }],
      steps: [
        priorityClass('high', 1_000),
        quotaOf({ pods: '1' }, ofPriority('high')),
        runs('web', { pod: { priorityClassName: 'high' } }),
        updates('web'),
        isNotCreated('web', 'exceeded quota: team'),
      ],
    }),
    form({
      id: 'quota-of-another-priority-class',
      title: 'the full quota is of another priority class, and the rollout goes on',
      expected: { cause: null, never: ['quota-deadlock', 'quota-exceeded'] },
      nodes: [{ name: 'n-a' }],
      steps: [
        priorityClass('high', 1_000),
        priorityClass('low', 10),
        quotaOf({ pods: '1' }, ofPriority('high')),
        runs('other', { pod: { priorityClassName: 'high' } }),
        runs('web', { pod: { priorityClassName: 'low' } }),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    }),
    form({
      id: 'quota-of-the-new-priority-class',
      title: 'the new revision has a priority class whose quota another workload has filled',
      expected: { cause: 'quota-exceeded', never: ['quota-deadlock'], mentions: ['team'] },
      nodes: [{ name: 'n-a' }],
      diagnoseAfterSeconds: 120,
      steps: [
        priorityClass('high', 1_000),
        quotaOf({ pods: '1' }, ofPriority('high')),
        runs('other', { pod: { priorityClassName: 'high' } }),
        runs('web'),
        updates('web', undefined, { priorityClassName: 'high' }),
        isNotCreated('web', 'exceeded quota: team'),
      ],
    }),
    form({
      id: 'quota-and-card-at-once',
      title: 'the quota admits one further pod of two, and that pod waits for a card',
      expected: {
        cause: ['surge-deadlock', 'quota-deadlock'],
        minConfidence: 'likely',
        mentions: ['surge-deadlock', 'team'],
      },
      nodes: [gpuNode(2)],
      steps: [
        hasQuota({ pods: '3' }),
        runs('web', {
          replicas: 2,
          requests: oneGpu,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
        }),
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
        isNotCreated('web', 'exceeded quota: team'),
      ],
    }),
  ],
};
