import { setTimeout as delay } from 'node:timers/promises';
import { type V1EndpointSlice, Watch } from '@kubernetes/client-node';
import type { Cluster } from '../cluster/harness/cluster.js';
import { collectionPath } from '../cluster/harness/resources.js';

/** How long a Service was down, in seconds. */
export interface Outage {
  /** Its endpoints had no ready one. */
  readonly withoutReady: number;
  /** Requests failed. Like kube-proxy, the client falls back to endpoints that serve while they end. */
  readonly failing: number;
}

const everyMilliseconds = 100;
/** The program that is tested runs in this process too, and may keep it busy. */
const patienceMilliseconds = 5_000;

/**
 * Sends requests to the Service `web` of a namespace, each to an endpoint that kube-proxy would choose, until
 * it is stopped. No kube-proxy runs: the addresses of pods are reachable from here.
 */
export async function startClient(cluster: Cluster, namespace: string, port: number) {
  const slices = new Map<string, V1EndpointSlice>();
  const note = (type: string, slice: V1EndpointSlice): void => {
    const name = slice.metadata?.name ?? '';
    if (type === 'DELETED') slices.delete(name);
    else slices.set(name, slice);
  };
  const list = await cluster.objects.list<V1EndpointSlice>('discovery.k8s.io/v1', 'EndpointSlice', namespace);
  for (const slice of list.items) note('ADDED', slice);
  const { resourceVersion } = list.metadata ?? {};
  const watch = await new Watch(cluster.config).watch(
    collectionPath('EndpointSlice', namespace),
    { resourceVersion },
    note,
    () => undefined,
  );
  const addresses = (condition: 'ready' | 'serving'): readonly string[] =>
    [...slices.values()].flatMap(({ endpoints }) =>
      (endpoints ?? [])
        .filter(({ conditions }) => conditions?.[condition] === true)
        .flatMap(({ addresses: all }) => all),
    );
  let isOver = false;
  let withoutReady = 0;
  let failing = 0;
  const loop = async (): Promise<void> => {
    let last = Date.now();
    for (let turn = 0; !isOver; turn += 1) {
      const ready = addresses('ready');
      const candidates = ready.length > 0 ? ready : addresses('serving');
      const answered = await isAnswered(candidates[turn % Math.max(1, candidates.length)], port);
      await delay(everyMilliseconds);
      const seconds = (Date.now() - last) / 1000;
      last = Date.now();
      if (ready.length === 0) withoutReady += seconds;
      if (!answered) failing += seconds;
    }
  };
  const running = loop();
  return async (): Promise<Outage> => {
    isOver = true;
    await running;
    watch.abort();
    return { withoutReady, failing };
  };
}

async function isAnswered(address: string | undefined, port: number): Promise<boolean> {
  if (address === undefined) return false;
  try {
    const answer = await fetch(`http://${address}:${port}/`, {
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
