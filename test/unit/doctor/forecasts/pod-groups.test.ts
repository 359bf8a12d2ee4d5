import { describe, expect, it } from 'vitest';
import { build } from '../../../support/kubernetes-objects.js';
import { node } from '../../../support/placement-builders.js';
import { check, serving, type Update } from './build.js';

const ring = build('PodGroup', 'ring', { spec: { schedulingPolicy: { gang: { minCount: 2 } } } });
const inGroup = (podGroupName: string) => ({ pod: { schedulingGroup: { podGroupName } } });
const strategy = (maxSurge: number) => ({
  replicas: 2,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 0 } },
});
const scaler = (maxReplicas: number) =>
  build('HorizontalPodAutoscaler', 'web', {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas },
  });
const peer = (podGroupName: string) =>
  build('Deployment', 'peer', {
    spec: {
      selector: { matchLabels: { app: 'peer' } },
      template: {
        metadata: { labels: { app: 'peer' } },
        spec: { containers: [{ name: 'app' }], ...inGroup(podGroupName).pod },
      },
    },
  });

/** Two pods on a node with room, and a new template that names a PodGroup of two. */
const update = (more: Update['cluster'][number] = {}, surge = 1): Update => ({
  cluster: [
    serving({ on: ['n1', 'n1'], spec: strategy(surge) }),
    { Node: [node('n1')], PodGroup: [ring] },
    more,
  ],
  spec: strategy(surge),
  shape: inGroup('ring'),
});

describe('an update into a PodGroup of Kubernetes', () => {
  it('is proven to get stuck where its surge cannot complete the group', () => {
    const { outcome, confidence, says } = check(update());
    expect({ outcome, confidence }).toEqual({ outcome: 'stuck', confidence: 'proven' });
    expect(says.join('\n')).toContain('only once 2 pods of its PodGroup ring exist');
  });

  it.each<[string, Update, string]>([
    [
      'an autoscaler that adds replicas',
      update({ HorizontalPodAutoscaler: [scaler(5)] }),
      'shop/web may add pods',
    ],
    ['another Deployment of the group', update({ Deployment: [peer('ring')] }), 'shop/peer may add pods'],
  ])('is likely to get stuck beside %s', (_, asked, words) => {
    const { outcome, confidence, says } = check(asked);
    expect({ outcome, confidence }).toEqual({ outcome: 'stuck', confidence: 'likely' });
    expect(says.join('\n')).toContain(words);
  });

  it.each<[string, Update]>([
    ['an autoscaler at its maximum', update({ HorizontalPodAutoscaler: [scaler(2)] })],
    ['a Deployment of another group', update({ Deployment: [peer('star')] })],
  ])('stays proven beside %s', (_, asked) => {
    expect(check(asked).confidence).toBe('proven');
  });

  it('completes where its surge is a whole group', () => {
    expect(check(update({}, 2)).outcome).toBe('completes');
  });
});
