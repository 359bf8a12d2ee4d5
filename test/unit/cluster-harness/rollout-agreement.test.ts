import { describe, expect, it } from 'vitest';
import { daemonSetSubject } from '../../cluster/random/daemon-set-subject.js';
import { agree, type Done, type RolloutView, template } from '../../cluster/random/rollout-subject.js';

const namespace = 'shop';
const now = Date.parse('2026-01-01T00:10:00Z');
const creationTimestamp = '2026-01-01T00:00:00Z' as unknown as Date;
const status = { desiredNumberScheduled: 2, currentNumberScheduled: 2, numberUnavailable: 2 };

const revision = (number: number) =>
  Object.assign(
    { apiVersion: 'apps/v1', kind: 'ControllerRevision' },
    {
      metadata: {
        name: `subject-${number}`,
        namespace,
        uid: `revision-${number}`,
        labels: { 'controller-revision-hash': `hash-${number}` },
      },
      revision: number,
      data: { spec: { template: { ...template(`app:${number}`), $patch: 'replace' } } },
    },
  );

/** A DaemonSet that surges to revision 2, on two nodes whose pods of revision 1 are not ready. */
const view = (...revisions: readonly number[]): RolloutView => ({
  workload: Object.assign(
    { apiVersion: 'apps/v1', kind: 'DaemonSet' },
    {
      metadata: { name: 'subject', namespace, uid: 'set', generation: 2 },
      spec: {
        selector: { matchLabels: { app: 'subject' } },
        template: template('app:2'),
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
      status,
    },
  ),
  replicaSets: [],
  controllerRevisions: revisions.map(revision),
  pods: ['n-0', 'n-1'].map((nodeName) => ({
    metadata: {
      name: `subject-${nodeName}`,
      namespace,
      uid: nodeName,
      creationTimestamp,
      labels: { app: 'subject', 'controller-revision-hash': 'hash-1' },
    },
    spec: { nodeName, containers: [{ name: 'app', image: 'app:1' }] },
    status: { phase: 'Pending' },
  })),
  nodes: ['n-0', 'n-1'].map((name) => ({ metadata: { name }, spec: {} })),
});

const surged = (before: RolloutView): Done => ({
  ...daemonSetSubject.seen(before, before),
  created: ['n-0 app:2', 'n-1 app:2'],
  deleted: ['subject-n-0', 'subject-n-1'],
});

describe('agreement about a surge of a DaemonSet', () => {
  it.each<readonly [string, RolloutView, boolean, boolean]>([
    ['is about the surge, once its revision is stored', view(1, 2), false, true],
    ['is about nothing before, because the engine finds no end', view(1), false, false],
  ])('%s', (_, before, aboutNothingDone, aboutSurge) => {
    const predicted = daemonSetSubject.predict(before, now);
    expect(agree(predicted, daemonSetSubject.seen(before, before))).toBe(aboutNothingDone);
    expect(agree(predicted, surged(before))).toBe(aboutSurge);
  });
});
