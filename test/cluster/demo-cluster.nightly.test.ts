import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { resolveKubernetesVersion } from './harness/binaries.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { comparable, differences } from './harness/comparable.js';
import { openDemoCluster } from './harness/open-demo-cluster.js';
import { recordNamespaces } from './harness/record.js';
import { allIncidents } from './incidents/all-incidents.js';

/** The demo's cluster lacks the parts that these need: `docs/engines.md`. */
const notInTheDemo: ReadonlySet<string> = new Set([
  'surge-read-write-once-pod',
  'surge-csi-volume-limit',
  'surge-device-claim',
  'volume-attach-deadlock',
  'stateful-set-ordered-ready',
  'stateful-set-lower-ordinals',
  'stateful-set-too-large',
  'unbound-volume',
  'pod-security',
  'slow-rollout',
  'crash-on-node',
]);

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`the demo's cluster compared with Kubernetes ${version}`, () => {
  let real: Cluster;
  let demo: Cluster;
  beforeAll(async () => {
    real = await startCluster({ version });
    demo = await openDemoCluster();
  });
  afterEach(async () => {
    await Promise.all([real?.clear(), demo?.clear()]);
  });
  afterAll(async () => {
    await demo?.stop();
    await real?.stop();
  });

  it.for(allIncidents.filter(({ id }) => !notInTheDemo.has(id)))(
    'has the same objects after $id as a real cluster',
    async ({ reproduce }) => {
      const [there, here] = await Promise.all([reproduce(real), reproduce(demo)]);
      const expiry = Date.now() + 10_000;
      for (;;) {
        const [a, b] = await Promise.all([
          recordNamespaces(real, [there.workload.namespace]),
          recordNamespaces(demo, [here.workload.namespace]),
        ]);
        const found = differences(comparable(a.items), comparable(b.items));
        if (found.length === 0) return;
        // Both may still be updating their counts.
        if (Date.now() > expiry) expect(found.join('\n')).toBe('');
      }
    },
  );
});
