import type { V1ClusterRole, V1Role } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  answerOf,
  diagnoseAfterSeconds,
  provesDeadlock,
  statesRefusal,
  type Without,
} from './add-ons/add-on.js';
import { configMetadata } from './add-ons/config-metadata.js';
import { owners } from './add-ons/owners.js';
import { scheduling } from './add-ons/scheduling.js';
import { workloadKinds } from './add-ons/workload-kinds.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import { isRole, nameOf } from './harness/grants.js';
import type { Program } from './harness/program.js';
import { accounts, applyShipped, grantsOf, shippedObjects } from './harness/shipped-rbac.js';
import { takeAwayEach } from './harness/take-away.js';
import { withProgram } from './harness/with-program.js';

const isNight = process.env.NIGHTLY_TESTS !== undefined;
const addOns = [...workloadKinds, ...scheduling, ...owners, ...configMetadata];
const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

describe(`the optional rights of the shipped accounts on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  const ends: (() => Promise<void>)[] = [];
  withProgram(
    { version, env: { CONFIG_METADATA: 'configmaps,secrets' }, cancelSeconds: 0, watches: false },
    (started) => {
      ({ cluster, program } = started);
    },
  );
  beforeAll(() => program.dateDiagnoses(diagnoseAfterSeconds));
  afterAll(async () => {
    for (const end of ends) await end();
  });

  it.for(addOns.filter(({ hasController = false }) => isNight || !hasController))(
    'of $file suffice, each is needed, and an answer without it states what is missing',
    { timeout: 400_000 },
    async (addOn) => {
      const end = await addOn.prepare?.(cluster);
      if (end !== undefined) ends.push(end);
      const shop = await cluster.createNamespace('shop');
      await applyShipped(cluster, [addOn.file], addOn.isPerNamespace ? shop : undefined);
      const { asked, startOthers } = await addOn.stage({ cluster, program, shop });
      const answer = () => answerOf({ cluster, program, shop }, asked);

      const whole = await answer();
      const without: Record<string, Without> = {};
      for (const role of shippedObjects(addOn.file).filter(isRole)) {
        await takeAwayEach(cluster, role, accountOf(role, shop), async (taken) => {
          const lines = await answer();
          without[nameOf(taken)] = {
            gone: whole.filter((line) => !lines.includes(line)),
            instead: lines.filter((line) => !whole.includes(line)),
          };
        });
      }

      expect(whole.filter(statesRefusal), 'the rights suffice').toEqual([]);
      expect(Object.keys(without).sort()).toEqual(grantsOf(shippedObjects(addOn.file)));
      for (const [right, { instead }] of Object.entries(without)) {
        expect(instead.filter(statesRefusal), `without ${right}`).not.toEqual([]);
        expect(instead.filter(provesDeadlock), `without ${right}`).toEqual([]);
      }
      const answers = `./add-ons/answers/${addOn.file.replace('/', '-')}`;
      await expect(stringify({ answer: whole, without }, { lineWidth: 0 })).toMatchFileSnapshot(answers);

      const [first] = asked;
      if (addOn.fix === undefined || first === undefined) return;
      const { incident } = await program.diagnose(first.workload);
      const endOthers = startOthers?.();
      const settled = await program.approve(await program.review(incident, addOn.fix));
      await endOthers?.();
      expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    },
  );
});

function accountOf(role: V1ClusterRole | V1Role, namespace: string) {
  const account = role.metadata?.name?.endsWith('-patcher') ? accounts.patcher : accounts.reader;
  const isNamespaced = role.kind === 'Role';
  return {
    name: `${accounts.namespace}:${account}`,
    namespace: isNamespaced ? (role.metadata?.namespace ?? namespace) : '',
  };
}
