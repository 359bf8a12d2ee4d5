import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { ruleOfVersion } from '#src/engine/workloads/rollout-state.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { daemonSetSubject } from './daemon-set-subject.js';
import { drawFrom } from './draw.js';
import { openStage, type Stage, sent, untilCaughtUp, viewOf } from './rollout-stage.js';
import { template } from './rollout-subject.js';
import { emptyRolloutScore, tryRollout } from './rollout-trial.js';
import { statefulSetSubject } from './stateful-set-subject.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const maxUnavailable = ruleOfVersion(parseServerVersion(`v${version}`));
const nodes = ['a', 'a', 'b', 'b', 'a'].map((pool, index) => ({ name: `n-${index}`, labels: { pool } }));

/** Draws a change of a template in the middle of a surge, after which the status stays as it was. */
const seed = 23_606_797;
const cases = 6;

describe('rollouts compared while pods and revisions are seen later than the status', () => {
  let cluster: Cluster;
  let stage: Stage;
  beforeAll(async () => {
    cluster = await startCluster({ version, kubelets: 'none' });
    await cluster.createNodes(...nodes);
    stage = await openStage(cluster, { Pod: 120, ControllerRevision: 120 });
  });
  afterAll(async () => {
    stage?.mirror.stop();
    await cluster?.stop();
  });

  it('shows what was created and not what was deleted, once it has caught up', async () => {
    const namespace = await cluster.createNamespace('late');
    const path = collectionPath('Pod', namespace);
    const named = (): readonly (string | undefined)[] =>
      viewOf(stage, namespace, daemonSetSubject).pods.map(({ metadata }) => metadata?.name);
    const pod = { apiVersion: 'v1', kind: 'Pod', ...template('app'), metadata: { name: 'one', namespace } };
    await sent(stage, { method: 'POST', path, body: pod });
    await untilCaughtUp(stage, daemonSetSubject, namespace);
    expect(named()).toEqual(['one']);
    await sent(stage, { method: 'DELETE', path: `${path}/one` });
    await untilCaughtUp(stage, daemonSetSubject, namespace);
    expect(named()).toEqual([]);
  });

  it.for([daemonSetSubject, statefulSetSubject(maxUnavailable)])(
    'compares the end of a step of a $kind',
    { timeout: 600_000 },
    async (subject) => {
      const score = emptyRolloutScore();
      for (let number = 0; number < cases; number += 1) {
        await tryRollout(stage, subject, drawFrom(seed + number), number, score);
      }
      expect(score.disagreements, score.disagreements.join('\n\n')).toEqual([]);
      expect(score.created).toBeGreaterThan(0);
      expect(score.deleted).toBeGreaterThan(0);
    },
  );
});
