import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { fullSight } from '#src/doctor/policy/view.js';
import { cliText } from '#src/edges/cli/cli-text.js';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { watchClusterIdentity } from '#src/edges/kubernetes/watch-cluster-identity.js';
import { inspectRedis } from '#src/edges/redis/inspect-redis.js';
import { readClusterRoll, reportToClusterRoll } from '#src/edges/redis/redis-clusters.js';
import { createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { plain } from '#src/engine/language/prose.js';
import { createClusterLinks } from '#src/roots/cluster-links.js';
import type { AskCluster } from '#src/service/clusters/ask-cluster.js';
import {
  type ClusterRole,
  faultyClusters,
  policyDigest,
  type WorkerFacts,
} from '#src/service/clusters/cluster-roll.js';
import { createRemoteNames } from '#src/service/clusters/name-answers.js';
import { createRemoteReviews } from '#src/service/clusters/remote-reviews.js';
import { createLocalCluster } from '../../../demo/cluster/local-cluster.js';
import { digest, testKey } from '../../support/authority.js';
import { eventually } from '../../support/eventually.js';
import { withRedis } from '../../support/open-redis.js';
import { openSights } from '../../support/sights.js';
import { buildIncident } from '../../support/slack-builders.js';

const policy = Policy.parse({ apiVersion: 'rollout-doctor/v1', grants: [] });
const own = policyDigest(policy, digest);

let prefix: string;
let stops: (() => void)[];
const db = withRedis();
beforeEach(() => {
  prefix = `faults-${randomUUID()}`;
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop();
});

/** Workers of a cluster that run, with what differs from those of a cluster without a fault. */
async function run(cluster: string, ...workers: readonly (Partial<WorkerFacts> | 'of an older version')[]) {
  for (const [at, worker] of workers.entries()) {
    const role: ClusterRole = at === 0 ? 'diagnosis' : 'remediation';
    const facts = { clusterUid: `uid-of-${cluster}`, isReachable: true, policy: own };
    const given = worker === 'of an older version' ? {} : { ...facts, ...worker };
    const id = `${cluster}-${at}`;
    stops.push(
      reportToClusterRoll(
        { redis: db.redis, prefix },
        { id, cluster, roles: [role], facts: () => given as WorkerFacts },
      ),
    );
  }
  await eventually('the workers have reported', async () => {
    const roll = await readClusterRoll({ redis: db.redis, prefix });
    return (
      roll.isServed(cluster, 'diagnosis') && (workers.length < 2 || roll.isServed(cluster, 'remediation'))
    );
  });
}

const faults = async () => {
  const found = faultyClusters(await readClusterRoll({ redis: db.redis, prefix }), own);
  return found.map((each) => `${each.cluster}: ${each.faults.join(', ')}`);
};
/** What `rollout-doctor doctor` states of clusters. */
const engine = async () =>
  (await inspectRedis({ url: db.url, prefix, digest, policy }))
    .filter(({ part }) => part === 'kubernetes')
    .map(({ state, says }) => `${state} ${says.key} ${JSON.stringify(says.values)}`);
const signerOf = () => createHmacSigner([testKey]);
const neverAsked: AskCluster = async () => {
  throw new Error('a worker was asked');
};
const find = async (cluster: string, ask: AskCluster = neverAsked) => {
  const roll = await readClusterRoll({ redis: db.redis, prefix });
  return createRemoteNames(cluster, { ask, roll, signerOf, withinMs: 60_000 }).find(
    { namespace: 'shop', name: 'api' },
    fullSight,
    new AbortController().signal,
  );
};
const review = async (cluster: string) => {
  const incident = {
    ...buildIncident(),
    workload: { cluster, kind: 'Deployment', namespace: 'shop', name: 'api' },
  };
  const { reviewRemediation } = createRemoteReviews({
    ...{
      ask: neverAsked,
      withinMs: 60_000,
      sights: openSights(),
      roll: await readClusterRoll({ redis: db.redis, prefix }),
    },
    signerOf: () => {
      throw new Error('a request was signed');
    },
    approvals: { get: async () => undefined },
    incidents: { get: async () => incident as never },
  });
  return reviewRemediation({ incidentId: incident.id, remediationId: 'r', by: 'U0DANA' });
};

describe('two clusters whose workers run under one name', () => {
  beforeEach(async () => {
    await run('prod-eu', { clusterUid: 'one' }, { clusterUid: 'other' });
    await run('prod-us', {}, {});
  });

  it('are found out by the uids of their namespaces kube-system, and named', async () => {
    expect(await faults()).toEqual(['prod-eu: name-shared']);
    expect(await engine()).toEqual([
      'missing cluster-name-shared {"cluster":"prod-eu"}',
      'works cluster-workers-report {"cluster":"prod-us"}',
    ]);
  });

  it('are asked for no name, and for no review or decision', async () => {
    expect(await find('prod-eu')).toMatchObject({ type: 'unreadable', because: 'name-shared' });
    expect(await review('prod-eu')).toMatchObject({
      type: 'refused',
      because: { key: 'cluster-name-shared', values: { cluster: 'prod-eu', workload: 'shop/api' } },
    });
    await expect(find('prod-us')).rejects.toThrow('a worker was asked');
    await expect(review('prod-us')).rejects.toThrow('a request was signed');
  });
});

describe('a cluster whose API server does not answer its workers', () => {
  it('is named, and delays nobody', async () => {
    await run('prod-eu', { isReachable: false }, { isReachable: false });

    expect(await faults()).toEqual(['prod-eu: unreachable']);
    expect(await engine()).toEqual(['missing cluster-api-away {"cluster":"prod-eu"}']);
    expect(await find('prod-eu')).toMatchObject({ type: 'unreadable', because: 'unavailable' });
  });

  it('is asked while it answers one of them', async () => {
    await run('prod-eu', { isReachable: false }, {});

    expect(await faults()).toEqual([]);
    await expect(find('prod-eu')).rejects.toThrow('a worker was asked');
  });
});

describe('the policies of app and workers', () => {
  it('are compared by what they grant, and one that differs is named', async () => {
    const other = Policy.parse({ ...policy, demands: [{ login: true }] });
    await run('prod-eu', {}, { policy: policyDigest(other, digest) });
    await run(
      'prod-us',
      { policy: policyDigest(Policy.parse(JSON.parse(JSON.stringify(policy))), digest) },
      {},
    );

    expect(await faults()).toEqual(['prod-eu: policy-differs']);
    expect(await engine()).toContain('missing cluster-policy-differs {"cluster":"prod-eu"}');
    await expect(find('prod-eu')).rejects.toThrow('a worker was asked');
  });
});

it('finds no fault in a worker of an older version, or one that could not read the uid', async () => {
  await run('prod-eu', 'of an older version');
  await run('prod-us', { clusterUid: undefined } as never, {});
  expect(await faults()).toEqual([]);
});

it('forgets what a worker stated when it is gone, and reads on beside what nobody understands', async () => {
  await run('prod-eu', { clusterUid: 'one' });
  await db.redis.hset(
    `${prefix}:cluster-facts`,
    'prod-eu gone',
    `1000 ${JSON.stringify({ clusterUid: 'old', isReachable: true, policy: own })}`,
  );
  await db.redis.hset(`${prefix}:cluster-facts`, 'prod-eu odd', 'not a time');
  onTestFinished(async () => void (await db.redis.del(`${prefix}:cluster-facts`)));
  expect(await faults()).toEqual([]);

  await run('prod-eu', { clusterUid: 'one' });
  expect(await db.redis.hkeys(`${prefix}:cluster-facts`)).toEqual(['prod-eu prod-eu-0']);
});

it('reads no cluster in the app, and names what to do instead', async () => {
  const links = createClusterLinks({
    ...{ redis: db.redis, prefix, findTimeoutMs: 1_000, timeoutMs: 1_000, newId: () => 'q', signerOf },
    jobs: { enqueue: async () => undefined },
    sharedClock: { now: async () => new Date() },
  });
  onTestFinished(links.close);
  const ref = { cluster: 'prod-eu', kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
  for (const read of [
    await links.cluster.snapshot(ref, new Set()),
    await links.cluster.scope(
      { cluster: 'prod-eu', namespace: 'shop' },
      new Set(),
      new AbortController().signal,
    ),
  ]) {
    if (read.type !== 'unreadable') throw new Error(read.type);
    const { because, message } = read;
    expect(plain(cliText.en['cluster-unreadable']({ because, message }))).toMatch(
      /the app reads no cluster.*Slack.*get_incident.*rollout-doctor mcp/u,
    );
  }
});

it('asks an API server for the uid of its cluster, and notices when it no longer answers', async () => {
  const local = await createLocalCluster();
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-identity-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'config'), local.kubeconfig());
  const [connection] = connectClusters({ kubeconfig: join(folder, 'config'), contexts: [] });
  if (connection === undefined) throw new Error('no connection');
  const watched = watchClusterIdentity(connection, 20);
  onTestFinished(watched.close);
  const clusterUid = local.find('v1', 'Namespace', '', 'kube-system')?.metadata?.uid;

  await eventually('the uid is known', () => watched.current().clusterUid !== undefined);
  expect(watched.current()).toEqual({ isReachable: true, clusterUid });
  await local.close();

  await eventually('the cluster is unreachable', () => !watched.current().isReachable);
  expect(watched.current()).toEqual({ isReachable: false, clusterUid });
});
