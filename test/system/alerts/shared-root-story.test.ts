import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertmanagerBody } from '#support/alert-payloads.js';
import { failingNode, loadFurtherWorkloads } from '#support/crashing-on-one-node.js';
import { type JsonObject, numberAt } from '../../../demo/cluster/json.js';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import { type AlertRig, channel, startAlertRig } from './rig.js';

const quick = { startMs: 200, readyMs: 100, terminationMs: 200 };

/** Containers of these workloads crash on every node. */
const failing = ['billing', 'mailer'];

let rig: AlertRig;

beforeAll(async () => {
  rig = await startAlertRig({
    scenario: failingNode.scenario,
    workers: 2,
    cluster: {
      kubelet: {
        usual: quick,
        behaviourOf: ({ metadata }) =>
          failing.includes(metadata.labels?.app ?? '')
            ? { readyMs: undefined, crash: { afterMs: 300, exitCode: 3, reason: 'Error' } }
            : undefined,
      },
    },
  });
  await loadFurtherWorkloads(rig.cluster);
});

afterAll(async () => {
  await rig.stop();
});

function deployment(
  name: string,
  fields: { readonly namespace: string; readonly node?: string },
): JsonObject {
  const resources = { requests: { cpu: '100m' } };
  const nodeSelector = fields.node === undefined ? {} : { 'kubernetes.io/hostname': fields.node };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: fields.namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { nodeSelector, containers: [{ name: 'app', image: `registry.example/${name}:1`, resources }] },
      },
    },
  };
}

function quota(namespace: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'compute', namespace },
    spec: { hard: { pods: '1' } },
  };
}

async function alerts(alertname: string, labels: Readonly<Record<string, string>>): Promise<void> {
  const fingerprint = Buffer.from(JSON.stringify(labels)).toString('hex').slice(-16);
  const answer = await rig.post(alertmanagerBody({ labels: { alertname, ...labels }, fingerprint }));
  if (answer.status !== 200) throw new Error(`refused with ${answer.status}`);
}

const until = <Found>(what: string, find: () => Found | undefined): Promise<Found> =>
  rig.slack.until(find, { what });

/** Waits until a card of the channel includes this text. */
const untilCardIncludes = (words: string) =>
  until(`a card that says "${words}"`, () => rig.cards().find((card) => rig.textOf(card).includes(words)));

async function sent(method: string, path: string, body?: JsonObject): Promise<void> {
  const answer = await fetch(`${rig.cluster.url}${path}`, {
    method,
    headers: { authorization: 'Bearer admin', 'content-type': 'application/merge-patch+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
}

describe('a node that affects three workloads', () => {
  it('has one card in the channel, which lists all three', async () => {
    await alerts('KubeNodeNotReady', { node: 'n-a' });
    const lead = await untilCardIncludes('3 workloads');

    for (const words of ['n-a', 'shop/api', 'shop/cart', 'shop/web'])
      expect(rig.textOf(lead)).toContain(words);
    expect(rig.allCards()).toHaveLength(1);
  });

  it('has no further card after alerts about single workloads', async () => {
    for (const name of ['api', 'cart', 'web']) {
      await alerts('KubeDeploymentReplicasMismatch', { namespace: 'shop', deployment: name });
    }
    await untilCardIncludes('6 alerts');

    expect(rig.allCards()).toHaveLength(1);
  });

  it('shows the card of one workload to the person who asks for it', async () => {
    await rig.slack.as('dana').runs('/rollout-doctor shop/cart', { channel });

    await untilCardIncludes('2 pods of shop/cart are down');
    expect(rig.allCards()).toHaveLength(2);
  });

  it('is no longer blamed for a workload that recovered', async () => {
    for (const pod of ['aaaa1', 'aaaa2']) {
      await sent('DELETE', `/api/v1/namespaces/shop/pods/cart-27406502f2-${pod}?gracePeriodSeconds=0`);
    }
    await until('its pods are ready elsewhere', () => {
      const found = rig.cluster.find('apps/v1', 'Deployment', 'shop', 'cart');
      return found !== undefined && numberAt(found, 'status', 'readyReplicas') === 3 ? true : undefined;
    });
    await rig.slack.as('dana').runs('/rollout-doctor shop/cart', { channel });

    await untilCardIncludes('1 recovered');
  });

  it('is not blamed for workloads that only run on it', async () => {
    rig.cluster.create(failing.map((name) => deployment(name, { namespace: 'shop', node: 'n-b' })));
    await until('both crash again and again', () => {
      const pods = rig.cluster
        .list('v1', 'Pod', 'shop')
        .filter(({ metadata }) => failing.includes(metadata.labels?.app ?? ''));
      return pods.length === 2 && pods.every((pod) => /"restartCount":[2-9]/.test(JSON.stringify(pod)))
        ? true
        : undefined;
    });
    for (const name of failing) {
      await alerts('KubePodCrashLooping', { namespace: 'shop', deployment: name });
    }
    const other = await untilCardIncludes('2 workloads with the same failure: containers crash');

    for (const name of failing) expect(rig.textOf(other)).toContain(`shop/${name}`);
    expect(other.text).not.toContain('n-b');
  });
});

describe('a quota that rejects pods of three workloads', () => {
  it('has one card in the channel, and a quota with the same name in another namespace has its own', async () => {
    const before = rig.cards().length;
    rig.cluster.load([
      readyNode({ name: 'n-c', number: 3, cpu: '4', memory: '16Gi' }, rig.cluster.clock.now() - 86_400_000),
    ]);
    for (const namespace of ['team-a', 'team-b']) {
      rig.cluster.create([
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
        deployment('first', { namespace }),
      ]);
      await until('the first pod exists', () =>
        rig.cluster.list('v1', 'Pod', namespace).length === 1 ? true : undefined,
      );
      rig.cluster.create([quota(namespace)]);
    }
    const refused = ['two', 'one', 'three'].map((name) => ({ name, namespace: 'team-a' }));
    for (const { name, namespace } of [...refused, { name: 'other', namespace: 'team-b' }]) {
      rig.cluster.create([deployment(name, { namespace })]);
      await until(`${name} is refused`, () =>
        JSON.stringify(rig.cluster.list('apps/v1', 'ReplicaSet', namespace)).includes(`pods \\"${name}-`)
          ? true
          : undefined,
      );
      await alerts('KubeDeploymentReplicasMismatch', { namespace, deployment: name });
      // This one leads, and the next test asks about it.
      if (name === 'two') await untilCardIncludes('team-a/two is 1 pod short');
    }
    const lead = await untilCardIncludes('3 workloads in team-a blocked by quota');
    await untilCardIncludes('team-b/other is 1 pod short');

    for (const { name, namespace } of refused) expect(rig.textOf(lead)).toContain(`${namespace}/${name}`);
    expect(rig.textOf(lead)).toContain('compute');
    expect(rig.cards()).toHaveLength(before + 2);
  });

  it('is no longer blamed for a workload that needs no pods', async () => {
    await sent('PATCH', '/apis/apps/v1/namespaces/team-a/deployments/two', { spec: { replicas: 0 } });
    await until('its ReplicaSet wants no pods and reports no refusal', () => {
      const sets = rig.cluster
        .list('apps/v1', 'ReplicaSet', 'team-a')
        .filter(({ metadata }) => metadata.name.startsWith('two-'));
      const isIdle = sets.every(
        (set) => numberAt(set, 'spec', 'replicas') === 0 && !JSON.stringify(set).includes('ReplicaFailure'),
      );
      return sets.length > 0 && isIdle ? true : undefined;
    });
    await rig.slack.as('dana').runs('/rollout-doctor team-a/two', { channel });

    await until('the group without it', () =>
      rig
        .cards()
        .find(
          (card) =>
            /2 workloads/.test(rig.textOf(card)) &&
            /1 recovered/.test(rig.textOf(card)) &&
            /team-a/.test(rig.textOf(card)),
        ),
    );
  });
});
