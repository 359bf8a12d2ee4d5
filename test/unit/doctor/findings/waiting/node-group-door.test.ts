import { describe, expect, it } from 'vitest';
import {
  isEveryGroupShut,
  nodeGroupAdmissions,
} from '#src/doctor/findings/waiting/node-groups-that-may-grow.js';
import {
  autoscalerAnswer,
  isAnswerPending,
  isEveryAdmissionClosed,
  scaleUpUnderWay,
} from '#src/doctor/findings/waiting/scale-up.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { node } from '../../../../support/placement-builders.js';
import { buildSnapshot } from '../../../../support/remediation-builders.js';
import { ago, buildDeployment, buildPod } from '../../../../support/rollout-builders.js';

const pod = buildPod({ name: 'web-1', node: undefined, age: 20 });

type Group = readonly [name: string, target: number, max: number, scaleUp?: string];

const full: Group = ['gpu', 2, 2];
const open: Group = ['cpu', 1, 5];
const backoff: Group = ['spot', 1, 5, 'Backoff'];

function statusMap(groups: readonly Group[], age: number, namespace = 'kube-system') {
  const time = ago(age).replace('T', ' ').replace('Z', '');
  const text = groups.map(
    ([name, target, max, scaleUp = 'NoActivity']) =>
      `- name: ${name}\n  health:\n    cloudProviderTarget: ${target}\n    maxSize: ${max}\n  scaleUp:\n    status: ${scaleUp}\n`,
  );
  return schemas.ConfigMap.parse({
    metadata: { name: 'cluster-autoscaler-status', namespace },
    data: {
      status: `time: ${time}.5 +0000 UTC\nautoscalerStatus: Running\nnodeGroups:\n${text.join('')}`,
      other: 'not read',
    },
  });
}

interface World {
  readonly age?: number;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly order?: string;
}

const snapshot = (groups: readonly Group[], { age = 10, namespace, labels = {}, order }: World = {}) =>
  buildSnapshot(buildDeployment(), {
    Pod: [pod],
    Node: [node('n-a', { labels })],
    ConfigMap: [statusMap(groups, age, namespace)],
    Event:
      order === undefined
        ? []
        : [
            schemas.Event.parse({
              metadata: { name: 'order', namespace: 'shop' },
              involvedObject: { uid: pod.metadata.uid },
              reason: 'TriggeredScaleUp',
              message: order,
              lastTimestamp: ago(60),
              source: { component: 'cluster-autoscaler' },
            }),
          ],
  });

describe('the node groups of cluster-autoscaler', () => {
  it('are listed, those that can grow first', () => {
    const admissions = nodeGroupAdmissions(snapshot([full, backoff, open]));

    expect(admissions.map(({ group, state }) => [group.name, state])).toEqual([
      ['cpu', 'open'],
      ['spot', 'backoff'],
      ['gpu', 'full'],
    ]);
  });

  it.each<[boolean, string, readonly Group[], World]>([
    [true, 'all of them are at their maximum', [full, ['cpu', 5, 5]], {}],
    [true, 'the others are in backoff', [full, backoff], {}],
    [false, 'one can grow', [full, open], {}],
    [false, 'there are none', [], {}],
    [false, 'a maximum of 0 tells nothing', [['gpu', 0, 0]], {}],
    [false, 'the status is of an hour ago', [full], { age: 3600 }],
    [false, 'the status is that of another namespace', [full], { namespace: 'shop' }],
    [
      false,
      'node auto-provisioning makes further groups',
      [full],
      { labels: { 'cloud.google.com/gke-nodepool': 'nap-1' } },
    ],
  ])('are shut (%s) where %s', (isShut, _name, groups, world) => {
    const seen = snapshot(groups, world);

    expect([isEveryGroupShut(seen), isEveryAdmissionClosed(seen, [pod])]).toEqual([isShut, isShut]);
  });

  it('leave no answer to wait for once they are shut', () => {
    expect([isAnswerPending(snapshot([full]), [pod]), isAnswerPending(snapshot([open]), [pod])]).toEqual([
      false,
      true,
    ]);
  });

  it('keep the data of no other key', () => {
    expect(JSON.stringify(statusMap([full], 10))).not.toContain('not read');
  });
});

describe('an order of cluster-autoscaler', () => {
  const order = 'pod triggered scale-up: [{spot 1->2 (max: 5)}]';

  it.each<[boolean, string, readonly Group[], string]>([
    [false, 'its node group is in backoff', [full, backoff], order],
    [true, 'its node group grows', [['spot', 2, 5, 'InProgress']], order],
    [
      true,
      'another node group is in backoff',
      [
        ['spot', 2, 5],
        ['gpu', 1, 2, 'Backoff'],
      ],
      order,
    ],
    [
      true,
      'one of its node groups grows',
      [backoff, ['gpu', 2, 2]],
      `${order.slice(0, -1)} {gpu 1->2 (max: 2)}]`,
    ],
    [true, 'it names no group', [backoff], 'pod triggered scale-up'],
  ])('is under way (%s) where %s', (isUnderWay, _name, groups, message) => {
    const seen = snapshot(groups, { order: message });

    expect(scaleUpUnderWay(seen, [pod]) !== undefined).toBe(isUnderWay);
    expect(autoscalerAnswer(seen, [pod]).kind).toBe(isUnderWay ? 'silent' : 'failed');
  });
});
