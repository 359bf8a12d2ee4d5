import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import {
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  failingPod,
  readyFor,
} from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

/** `shop/web` whose pod on `n-a` ends with this line, and other pods. */
function answer(
  line: string,
  spec: NonNullable<ContainerShape['spec']> = {},
  others: ReturnType<typeof failingPod>[] = [],
  Service: ReturnType<typeof schemas.Service.parse>[] = [],
) {
  const failing = { state: backingOff, lastState: ended(), ready: false, spec };
  const snapshot = crashSnapshot({
    pods: [failingPod({ containers: [failing] }), ...others],
    others: { Service },
    logs: [
      {
        namespace: 'shop',
        pod: 'web-1-a',
        container: 'app',
        previous: true,
        lines: [line],
        truncated: false,
      },
    ],
  });
  return told(mustFind(applicationCrash, snapshot));
}

describe('memory that a program does not get', () => {
  const javaWith = (flags: string) => ({
    resources: { limits: { memory: '512Mi' } },
    env: [{ name: 'JAVA_TOOL_OPTIONS', value: flags }],
  });
  const line = 'Error: Could not reserve enough space for 4194304KB object heap';

  it('is a heap above the limit, where the flags say so', () => {
    const { reasoning, advice } = answer(line, javaWith('-Xmx4g'));
    expect(reasoning).toContain('heap-above-limit');
    expect(advice).toContain('memory-refused-title');
  });

  it('is answered without the flags where these ask for less', () => {
    const { reasoning, advice } = answer(line, javaWith('-Xmx256m'));
    expect(reasoning).not.toContain('heap-above-limit');
    expect(advice).toContain('memory-refused-title');
  });

  it('is another matter than a limit of its own that is reached', () => {
    const { advice } = answer('java.lang.OutOfMemoryError: Java heap space', javaWith('-Xmx4g'));
    expect(advice).toContain('process-memory-title');
    expect(advice).not.toContain('memory-refused-title');
  });
});

describe('a server that pods of one node do not reach', () => {
  const line = 'lookup db.shop.svc.cluster.local on 10.96.0.10:53: read udp 10.2.3.4:41233: i/o timeout';
  const agentOf = (spec: object, node = 'n-a') =>
    failingPod({
      name: 'proxy-x',
      node,
      containers: [{ state: backingOff, lastState: ended(), ready: false }],
      spec,
      metadata: {
        labels: {},
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'proxy', uid: 'proxy', controller: true },
        ],
      },
    });

  it('is answered with the agent of the network that is not ready there', () => {
    const { reasoning, advice } = answer(line, {}, [agentOf({ hostNetwork: true })]);
    expect(reasoning).toContain('agent');
    expect(advice).toContain('network-agent-title');
  });

  it.each<[string, ReturnType<typeof failingPod>[]]>([
    ['an agent that has a network of its own', [agentOf({})]],
    ['an agent of another node', [agentOf({ hostNetwork: true }, 'n-b')]],
    [
      'an agent beside a pod that is ready on the same node',
      [agentOf({ hostNetwork: true }), failingPod({ name: 'web-1-b', status: readyFor(600) })],
    ],
  ])('is not answered with %s', (_, others) => {
    const { advice } = answer(line, {}, others);
    expect(advice).toContain('name-server-title');
    expect(advice).not.toContain('network-agent-title');
  });
});

describe('a server that pods of one node do not reach, while no agent of it fails', () => {
  const line = 'Caused by: java.net.SocketTimeoutException: Connect timed out';
  const readyOn = (node: string, revision = '1') =>
    failingPod({ name: `web-${revision}-b`, revision, node, status: readyFor(600) });

  it('is answered with the way from that node, where pods of the same revision are ready elsewhere', () => {
    const { reasoning, advice } = answer(line, {}, [readyOn('n-b')]);
    expect(reasoning).toContain('ready-elsewhere');
    expect(advice).toContain('unreachable-title');
  });

  it('is answered without the node where a Service of the cluster does not answer', () => {
    const db = schemas.Service.parse({
      metadata: { name: 'db', namespace: 'shop' },
      spec: { selector: { app: 'db' }, ports: [{ port: 5432 }] },
    });
    const said = 'dial tcp: lookup db.shop.svc.cluster.local on 10.96.0.10:53: no such host';
    expect(answer(said, {}, [readyOn('n-b')]).reasoning).toContain('ready-elsewhere');
    expect(answer(said, {}, [readyOn('n-b')], [db]).reasoning).not.toContain('ready-elsewhere');
  });

  it.each<[string, string, ReturnType<typeof failingPod>[]]>([
    ['one is ready on the same node', line, [readyOn('n-b'), readyOn('n-a')]],
    ['only another revision is ready elsewhere', line, [readyOn('n-b', '0')]],
    [
      'another pod of the revision is not ready elsewhere either',
      line,
      [readyOn('n-b'), failingPod({ name: 'web-1-c', node: 'n-b' })],
    ],
    ['the own pod does not answer', 'dial tcp 127.0.0.1:5432: connect: connection refused', [readyOn('n-b')]],
    ['none is ready', line, []],
  ])('is answered without the node where %s', (_, said, others) => {
    const { reasoning, advice } = answer(said, {}, others);
    expect(reasoning).not.toContain('ready-elsewhere');
    expect(advice).toContain('unreachable-title');
  });
});

describe('a name server that does not answer', () => {
  const line = 'dial tcp: lookup db.shop.svc.cluster.local on 10.96.0.10:53: read udp: i/o timeout';
  const readyOn = (node: string) =>
    failingPod({ name: `web-1-${node}`, revision: '1', node, status: readyFor(600) });
  const db = schemas.Service.parse({
    metadata: { name: 'db', namespace: 'shop' },
    spec: { selector: { app: 'db' }, ports: [{ port: 5432 }] },
  });

  it('is answered with the way from the node, where pods on other nodes are ready', () => {
    const { reasoning, advice } = answer(line, {}, [readyOn('n-b')], [db]);
    expect(reasoning).toContain('name-server-silent');
    expect(reasoning).toContain('ready-elsewhere');
    expect(advice).toContain('one-node-names-title');
  });

  it('is answered with the name server itself where no pod is ready elsewhere', () => {
    const { reasoning, advice } = answer('getaddrinfo EAI_AGAIN db', {}, [], [db]);
    expect(reasoning).toContain('name-server-silent');
    expect(reasoning).not.toContain('ready-elsewhere');
    expect(advice).toContain('name-server-title');
  });

  it.each([
    'dial tcp: lookup db.shop.svc.cluster.local on 10.96.0.10:53: no such host',
    'dial tcp 10.96.0.44:5432: i/o timeout',
    'getaddrinfo ENOTFOUND db',
  ])('is another matter than: %s', (said) => {
    const { reasoning, advice } = answer(said, {}, [], [db]);
    expect(reasoning).not.toContain('name-server-silent');
    expect(advice).toContain('unreachable-title');
  });
});

describe('a claim that became read-only', () => {
  const line = "Can't open the append-only file: Read-only file system";
  const mounted = (readOnly = false) => ({
    volumeMounts: [{ name: 'data', mountPath: '/data', readOnly }],
  });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const crashOf = (
    said: string,
    container: object,
    spec: object,
    others: ReturnType<typeof failingPod>[] = [],
  ) =>
    told(
      mustFind(
        applicationCrash,
        crashSnapshot({
          pods: [
            failingPod({
              containers: [{ state: backingOff, lastState: ended(), ready: false, spec: container }],
              spec,
            }),
            ...others,
          ],
          logs: [
            {
              namespace: 'shop',
              pod: 'web-1-a',
              container: 'app',
              previous: true,
              lines: [said],
              truncated: false,
            },
          ],
        }),
      ),
    );

  it('is answered with its file system where the pod mounts it for writing', () => {
    const { reasoning, advice } = crashOf(line, mounted(), { volumes });
    expect(reasoning).toContain('went-read-only');
    expect(reasoning).toContain('or-root-read-only');
    expect(advice).toContain('went-read-only-title');
    const named = crashOf('open /data/x.aof: read-only file system', mounted(), { volumes });
    expect(named.reasoning).toContain('went-read-only');
    expect(named.reasoning).not.toContain('or-root-read-only');
  });

  it('is not the reason without a path where another pod is ready with the claim', () => {
    const beside = [failingPod({ name: 'web-1-b', status: readyFor(600), spec: { volumes } })];
    expect(crashOf(line, mounted(), { volumes }, beside).reasoning).not.toContain('went-read-only');
    const named = crashOf('open /data/x.aof: read-only file system', mounted(), { volumes }, beside);
    expect(named.reasoning).toContain('went-read-only');
  });

  it.each<[string, string, object, object]>([
    ['the mount is read-only', line, mounted(true), { volumes }],
    [
      'the claim is mounted read-only',
      line,
      mounted(),
      { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data', readOnly: true } }] },
    ],
    ['the path is in no volume', 'open /etc/app/x: read-only file system', mounted(), { volumes }],
    ['it is no claim', line, mounted(), { volumes: [{ name: 'data', emptyDir: {} }] }],
  ])('is not the reason where %s', (_, said, container, spec) => {
    const { reasoning, advice } = crashOf(said, container, spec);
    expect(reasoning).not.toContain('went-read-only');
    expect(advice).toContain('read-only-title');
  });
});

describe('a program that connects to its own pod', () => {
  const line = 'ping: dial tcp 127.0.0.1:5432: connect: connection refused';
  const withProxy = (revision = '1') =>
    failingPod({
      name: `web-${revision}-b`,
      revision,
      containers: [{}, { name: 'proxy' }],
      status: readyFor(600),
    });

  it('is answered with the container that only its pod lacks', () => {
    const { reasoning, advice } = answer(line, {}, [withProxy()]);
    expect(reasoning).toContain('lacks-containers');
    expect(advice).toContain('kept-in-pod-title');
  });

  it.each<[string, string, ReturnType<typeof failingPod>[]]>([
    ['a pod of another revision has more', line, [withProxy('0')]],
    ['ready pods have the same', line, [failingPod({ name: 'web-1-b', status: readyFor(600) })]],
    ['the address is another', 'dial tcp 10.0.0.5:5432: connect: connection refused', [withProxy()]],
  ])('is answered with the address where %s', (_, said, others) => {
    const { reasoning, advice } = answer(said, {}, others);
    expect(reasoning).not.toContain('lacks-containers');
    expect(advice).toContain('unreachable-title');
  });
});
