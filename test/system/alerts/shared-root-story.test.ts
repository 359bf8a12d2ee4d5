import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertmanagerBody } from '#support/alert-payloads.js';
import { failingNode, loadFurtherWorkloads } from '#support/crashing-on-one-node.js';
import { type JsonObject, numberAt } from '../../../demo/cluster/json.js';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
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

/** The workload of the namespace that a card names. */
function nameOn({ text }: Message, namespace = 'shop'): string {
  return new RegExp(`${namespace}/([a-z]+)`).exec(text)?.[1] ?? '';
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
  it('has one card in the channel, which names the node, and the other cards in its thread', async () => {
    await alerts('KubeNodeNotReady', { node: 'n-a' });
    const lead = await untilCardIncludes('The same node `n-a` also affects 2 other workloads');

    await until('the card of each', () => (rig.allCards().length === 3 ? true : undefined));
    expect(rig.cards()).toHaveLength(1);
    const others = rig.allCards().filter(({ ts }) => ts !== lead.ts);
    expect(others.map(({ threadTs }) => threadTs)).toEqual([lead.ts, lead.ts]);
    for (const other of others) expect(rig.textOf(other)).toContain('The same node `n-a` also affects');
    await until('links to both cards', () => {
      const now = JSON.stringify(rig.slack.message(lead)?.blocks);
      return others.every(({ ts }) => now.includes(`/p${ts.replace('.', '')}`)) ? now : undefined;
    });
  });

  it('has no further card after alerts about single workloads', async () => {
    for (const name of ['api', 'cart', 'web']) {
      await alerts('KubeDeploymentReplicasMismatch', { namespace: 'shop', deployment: name });
    }
    await until('every card counts both alerts', () =>
      rig.allCards().every((card) => rig.textOf(card).includes('KubeDeploymentReplicasMismatch'))
        ? true
        : undefined,
    );

    expect(rig.cards()).toHaveLength(1);
    expect(rig.allCards()).toHaveLength(3);
  });

  it('is answered with a link to the thread when a person asks about one of the workloads', async () => {
    const inside = await until('a card in the thread', () =>
      rig.allCards().find(({ threadTs }) => threadTs !== undefined),
    );
    const name = nameOn(inside);
    await rig.slack.as('dana').runs(`/rollout-doctor shop/${name}`, { channel });

    await until('the link to the card', () =>
      rig.slack
        .ephemerals('dana')
        .find(({ blocks }) => JSON.stringify(blocks).includes(`/p${inside.ts.replace('.', '')}`)),
    );
    expect(rig.allCards()).toHaveLength(3);
  });

  it('is no longer blamed for a workload that recovered', async () => {
    const inside = await until('a card that can be diagnosed again', () =>
      rig
        .allCards()
        .find(
          (card) => card.threadTs !== undefined && JSON.stringify(card.blocks).includes('Diagnose again'),
        ),
    );
    const name = nameOn(inside);
    for (const pod of ['aaaa1', 'aaaa2']) {
      await sent('DELETE', `/api/v1/namespaces/shop/pods/${name}-27406502f2-${pod}?gracePeriodSeconds=0`);
    }
    await until('its pods are ready elsewhere', () => {
      const found = rig.cluster.find('apps/v1', 'Deployment', 'shop', name);
      return found !== undefined && numberAt(found, 'status', 'readyReplicas') === 3 ? true : undefined;
    });
    const ready = await until('a card with the button', () => {
      const card = rig.slack.message(inside);
      return card !== undefined && rig.textOf(card).includes('Diagnose again') ? card : undefined;
    });
    await rig.slack.as('dana').clicks(ready, 'Diagnose again');

    await untilCardIncludes(`also affects 1 other workload`);
    await untilCardIncludes(`No longer affected: \`shop/${name}\``);
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
    const cards = await Promise.all(
      failing.map((name) =>
        until(`a card of ${name}`, () =>
          rig
            .allCards()
            .find(
              (card) =>
                rig.textOf(card).includes('container app crashes') && card.text.includes(`shop/${name}`),
            ),
        ),
      ),
    );

    expect(cards.map(({ threadTs }) => threadTs)).toEqual([undefined, undefined]);
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
    const refused = ['one', 'two', 'three'].map((name) => ({ name, namespace: 'team-a' }));
    for (const { name, namespace } of [...refused, { name: 'other', namespace: 'team-b' }]) {
      rig.cluster.create([deployment(name, { namespace })]);
      await until(`${name} is refused`, () =>
        JSON.stringify(rig.cluster.list('apps/v1', 'ReplicaSet', namespace)).includes(`pods \\"${name}-`)
          ? true
          : undefined,
      );
      await alerts('KubeDeploymentReplicasMismatch', { namespace, deployment: name });
    }
    const lead = await untilCardIncludes('The same quota `compute` also affects 2 other workloads');
    const other = await until('the card of the other quota', () =>
      rig.allCards().find(({ text }) => text.includes('team-b/other') && text.includes('compute')),
    );

    await until('the cards of the others in its thread', () =>
      rig.allCards().filter(({ threadTs }) => threadTs === lead.ts).length === 2 ? true : undefined,
    );

    expect(rig.cards()).toHaveLength(before + 2);
    expect(other.threadTs).toBeUndefined();
  });

  it('is no longer blamed for a workload that needs no pods', async () => {
    await sent('PATCH', '/apis/apps/v1/namespaces/team-a/deployments/two', { spec: { replicas: 0 } });
    await sent('PATCH', '/apis/apps/v1/namespaces/team-a/deployments/three', { spec: { replicas: 0 } });
    const card = await until('a card in the thread', () =>
      rig
        .allCards()
        .find(({ text, threadTs }) => threadTs !== undefined && /team-a\/(?:two|three)/.test(text)),
    );
    await rig.slack.as('dana').clicks(rig.slack.message(card) ?? card, 'Diagnose again');

    await untilCardIncludes('No longer affected: `team-a/');
  });
});
