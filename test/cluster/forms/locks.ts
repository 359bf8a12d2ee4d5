import type { KubernetesObject } from '@kubernetes/client-node';
import type { KubeletEvent } from '../controls/kubelet-acts.js';
import { isAlone } from './applied-fix.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import { isStarting, newPods, recordsEvents, runs, updates } from './steps.js';

const diagnoseAfterSeconds = 900;

const probe = {
  readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 10, failureThreshold: 3 },
};

type Holder = 'old pod' | 'somebody else';

/** `renewed` counts from the date of the diagnosis. */
const lease =
  (name: string, holder: Holder, renewedSecondsBefore = 5): Step =>
  async ({ cluster, namespace, before }) => {
    const time = Date.now() + (diagnoseAfterSeconds - renewedSecondsBefore) * 1000;
    await cluster.create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name },
      spec: {
        holderIdentity: holder === 'old pod' ? `${before.get('web')?.[0]}_7f3c` : 'migration-5d8f_9a1e',
        leaseDurationSeconds: 15,
        renewTime: new Date(time).toISOString().replace('Z', '000Z'),
      },
    } as KubernetesObject);
  };

/** The log of the new pod. `NS` is the namespace, `OLD` the old pod. */
const logs =
  (...lines: readonly string[]): Step =>
  async (scene) => {
    const [pod] = await newPods(scene, 'web', 1);
    const text = lines
      .map((line) => line.replace('NS', scene.namespace).replace('OLD', scene.before.get('web')?.[0] ?? ''))
      .join('\n');
    scene.logs.set(`${scene.namespace}_${pod?.metadata?.name}_app`, `${text}\n`);
    scene.cluster.controlPlane.writePodLogs({ current: text, previous: '' });
  };

const fails = (message: string): Step => {
  const event: KubeletEvent = {
    type: 'Warning',
    reason: 'Unhealthy',
    message: `Readiness probe failed: ${message}`,
    count: 80,
  };
  return recordsEvents('web', 1, event);
};

const http503 = fails('HTTP probe failed with statuscode: 503');

interface Story {
  readonly id: string;
  readonly title: string;
  readonly expected: FormExpectation;
  readonly steps: readonly Step[];
}

/** The new pod runs for a quarter of an hour and is not ready; the old pod is ready. */
function unready({ id, title, expected, steps }: Story): Form {
  return {
    id,
    title,
    expected,
    diagnoseAfterSeconds,
    nodes: [{ name: 'n-a' }],
    steps: [runs('web', { container: probe }), updates('web', 'not-ready'), isStarting('web'), ...steps],
    // It becomes ready as soon as the old pod has stopped.
    heals: isAlone,
  };
}

const proven: FormExpectation = {
  cause: 'readiness-deadlock',
  minConfidence: 'proven',
  firstFix: ['patch-strategy'],
};
/** A hint of a lock without proof: no fix may stop the ready pod. */
const lead: FormExpectation = {
  cause: ['readiness-deadlock', 'readiness-failing'],
  maxConfidence: 'likely',
  neverFix: ['patch-strategy', 'scale-down-old'],
};
const another: FormExpectation = { ...lead, cause: 'readiness-failing', never: ['readiness-deadlock'] };

const dependent = 'not ready: waiting for leader lease NS/web';

/** Class: a lock word in a log proves nothing; a Lease by name, its holder and the reason of readiness do. */
export const locks: FormGroup = {
  group: 'locks',
  forms: [
    unready({
      id: 'lease-named-and-readiness-waits-for-it',
      title: 'the new pod is not ready because it waits for the Lease that the old pod renews',
      expected: proven,
      steps: [lease('web', 'old pod'), logs('attempting to acquire leader lease NS/web', dependent), http503],
    }),
    unready({
      id: 'holder-named-by-the-probe',
      title: 'the probe answers that another instance is the leader, and the log names the old pod',
      expected: proven,
      steps: [
        lease('web', 'old pod'),
        logs('another instance holds the lock: OLD'),
        fails('not ready: another instance is the leader'),
      ],
    }),
    unready({
      id: 'lease-of-another-name',
      title: 'the old pod renews a Lease, and the new pod waits for one of another name that does not exist',
      expected: lead,
      steps: [lease('web-metrics', 'old pod'), logs(dependent), http503],
    }),
    unready({
      id: 'lease-held-by-somebody-else',
      title: 'the new pod waits for a Lease that a pod of another workload renews',
      expected: { ...lead, cause: 'readiness-failing', never: ['readiness-deadlock'] },
      steps: [lease('web', 'somebody else'), logs(dependent), http503],
    }),
    unready({
      id: 'lease-not-renewed',
      title: 'the Lease that the new pod names was last renewed an hour ago by the old pod',
      expected: lead,
      steps: [lease('web', 'old pod', 3_600), logs(dependent), http503],
    }),
    unready({
      id: 'raft-member-without-peers',
      title: 'the log mentions a leader, the reason is a missing peer, and the old pod renews some Lease',
      expected: lead,
      steps: [
        lease('web', 'old pod'),
        logs('raft: no leader elected, 0 of 3 peers reachable', 'not ready: no quorum, peers missing'),
        http503,
      ],
    }),
    unready({
      id: 'stale-changelog-lock',
      title: 'a migration waits for a lock in a database, and the old pod renews its own Lease',
      expected: lead,
      steps: [
        lease('web', 'old pod'),
        logs('Waiting for changelog lock....', 'Waiting for changelog lock....'),
        http503,
      ],
    }),
    unready({
      id: 'follower-with-a-wrong-flag',
      title: 'a standby that renews nothing is not ready because of a flag',
      expected: lead,
      steps: [
        lease('web', 'old pod'),
        logs('attempting to acquire leader lease NS/web', 'not ready: unknown flag --peers (standby mode)'),
        http503,
      ],
    }),
    unready({
      id: 'standby-without-dependence',
      title: 'the new pod names the Lease, and is not ready because of its cache',
      expected: lead,
      steps: [
        lease('web', 'old pod'),
        logs('attempting to acquire leader lease NS/web', 'not ready: cache is empty'),
        http503,
      ],
    }),
    unready({
      id: 'leader-and-unready-all-the-same',
      title: 'the new pod has acquired the lease and is not ready',
      expected: another,
      steps: [
        logs('attempting to acquire leader lease NS/web', 'successfully acquired lease NS/web'),
        http503,
      ],
    }),
    unready({
      id: 'unready-without-a-word-of-locks',
      title: 'the old pod renews a Lease, and the new pod reports that its database does not answer',
      expected: lead,
      steps: [lease('web', 'old pod'), logs('dial tcp 10.0.0.7:5432: connection refused'), http503],
    }),
    unready({
      id: 'readiness-waited-earlier-for-the-lease',
      title: 'readiness waited for the Lease at first, and waits for a schema now',
      expected: lead,
      steps: [
        lease('web', 'old pod'),
        logs('attempting to acquire leader lease NS/web', dependent, 'not ready: schema version 41, need 42'),
        http503,
      ],
    }),
  ],
};
