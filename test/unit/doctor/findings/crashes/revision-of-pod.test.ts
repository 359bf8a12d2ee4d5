import { describe, expect, it } from 'vitest';
import { classifyPod, revisionOfPod } from '#src/doctor/findings/crashes/classify-pod.js';
import { Finding } from '#src/doctor/findings/finding.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { backingOff, ended, failingPod, now } from './build.js';

const labelled = (labels: Readonly<Record<string, string>>) =>
  schemas.Pod.parse({ metadata: { name: 'web-a', namespace: 'shop', labels }, spec: { containers: [] } });

describe('the revision of a pod', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a Deployment', { 'pod-template-hash': '7d9c' }, '7d9c'],
    ['a Rollout of Argo', { 'rollouts-pod-template-hash': '5f6r' }, '5f6r'],
    [
      'a LeaderWorkerSet, whose StatefulSet has one of its own',
      {
        'leaderworkerset.sigs.k8s.io/template-revision-hash': 'a1b2',
        'controller-revision-hash': 'web-1-77',
      },
      'a1b2',
    ],
    ['a StatefulSet', { 'controller-revision-hash': 'db-5c7' }, 'db-5c7'],
    ['nothing that keeps revisions', { app: 'web' }, ''],
  ])('is a label of %s', (_, labels, revision) => {
    expect(revisionOfPod(labelled(labels))).toBe(revision);
  });

  it('is part of its failure', () => {
    const pod = failingPod({
      metadata: { labels: { 'rollouts-pod-template-hash': '5f6r' } },
      containers: [{ state: backingOff, lastState: ended(), ready: false }],
    });
    const failures = classifyPod(pod, { events: [], node: undefined, now });
    expect(failures.map(({ revision }) => revision)).toEqual(['5f6r']);
  });
});

describe('a stored finding', () => {
  it('is read with facts of a later version', () => {
    expect(
      Finding.shape.facts.safeParse({ ending: 'of-a-later-version', heldBack: { by: 'later' } }).success,
    ).toBe(true);
  });
});
