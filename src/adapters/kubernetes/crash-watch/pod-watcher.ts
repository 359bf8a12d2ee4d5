import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { WatchedPod } from '../../../core/crash-history/watched-pod.js';
import type { PodWatcher, PodWatchHears } from '../../../usecases/crash-history-ports.js';
import type { Unreadable } from '../../../usecases/ports.js';
import { type ApiAnswer, statusOf, unanswered, unreadable } from '../api-call.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { collectionPath } from '../resource-paths.js';
import { jsonLines } from './json-lines.js';

export interface PodWatcherOptions {
  readonly connections: readonly ClusterConnection[];
  /** Deadline of one page of the list, in milliseconds. */
  readonly pageTimeoutMs: number;
  /** The first wait after trouble, in milliseconds; doubled each time up to a minute. One second unless said. */
  readonly firstWaitMs?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

const pageSize = 500;
/** The server ends a watch after this and up to twice as long; it is then taken up where it ended. */
const watchSeconds = 240;
/** Bookmarks come about once a minute: so long without a byte means that nobody is there. */
const silenceMs = 180_000;
const longestWaitMs = 60_000;
/** What waiting does not cure is asked again this seldom: somebody may grant the right meanwhile. */
const refusedWaitMs = 300_000;

const PodList = z.object({
  metadata: z.object({ continue: z.string().nullish(), resourceVersion: z.string().nullish() }),
  items: z.array(z.unknown()).nullish(),
});
const WatchEvent = z.object({ type: z.string(), object: z.unknown() });
const Versioned = z.object({ metadata: z.object({ resourceVersion: z.string() }) });

/** How a watch ended: where to take it up, or that everything is to be listed anew. */
type Ended =
  | { readonly type: 'again'; readonly from: string; readonly told: boolean }
  | { readonly type: 'expired' }
  | { readonly type: 'failed'; readonly failure: Unreadable; readonly from: string | undefined };

/**
 * Lists pods page by page and watches them from there on, as client-go's reflector does: a watch that ends is taken up
 * at the last resourceVersion, bookmarks included; 410 Gone begins with a list again; trouble is waited out, longer each
 * time and never in step with others. One loop a cluster and namespace: one that is down holds up no other.
 */
export function createPodWatcher(options: PodWatcherOptions): PodWatcher {
  const { connections, pageTimeoutMs, firstWaitMs = 1_000, random = Math.random } = options;

  return {
    clusters: connections.map(({ name }) => name),
    async watch(cluster, namespace, hears, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return;
      let from: string | undefined;
      let failures = 0;
      while (!signal.aborted) {
        const ended: Ended =
          from === undefined
            ? await list(connection, namespace, hears, signal)
            : await follow(connection, namespace, from, hears, signal);
        if (signal.aborted) return;
        if (ended.type === 'again') {
          failures = ended.told ? 0 : failures + 1;
          from = ended.from;
          // A server that ends every watch at once is not asked in a tight loop.
          if (failures > 1) await wait(pauseMs(failures), signal);
          continue;
        }
        failures += 1;
        if (ended.type === 'expired') {
          from = undefined;
          hears.trouble('expired', '');
          if (failures > 1) await wait(pauseMs(failures), signal);
          continue;
        }
        const { because, message, retryAfterMs = 0 } = ended.failure;
        from = ended.from;
        hears.trouble(because, message);
        const isRefused = because === 'forbidden' || because === 'unauthorized' || because === 'not-served';
        await wait(Math.max(retryAfterMs, isRefused ? refusedWaitMs : pauseMs(failures)), signal);
      }
    },
  };

  function pauseMs(failures: number): number {
    const full = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(20, failures - 1));
    return full / 2 + (full / 2) * random();
  }

  async function list(
    { call }: ClusterConnection,
    namespace: string,
    hears: PodWatchHears,
    signal: AbortSignal,
  ): Promise<Ended> {
    hears.listBegins();
    let next: string | undefined;
    do {
      const page = AbortSignal.any([signal, AbortSignal.timeout(pageTimeoutMs)]);
      let answer: ApiAnswer;
      try {
        const query = { limit: pageSize, continue: next };
        answer = await call({ path: collectionPath('Pod', namespace), query, signal: page });
      } catch (error) {
        return { type: 'failed', failure: unanswered(error), from: undefined };
      }
      if (answer.status === 410) return { type: 'expired' };
      if (answer.status !== 200) return { type: 'failed', failure: unreadable(answer), from: undefined };
      const parsed = PodList.safeParse(answer.body);
      if (!parsed.success) return { type: 'failed', failure: malformed, from: undefined };
      for (const item of parsed.data.items ?? []) tell(item, false, hears);
      const { continue: more, resourceVersion } = parsed.data.metadata;
      next = more || undefined;
      if (next === undefined) {
        if (!resourceVersion) return { type: 'failed', failure: malformed, from: undefined };
        hears.listEnds();
        return { type: 'again', from: resourceVersion, told: true };
      }
    } while (!signal.aborted);
    return { type: 'expired' };
  }

  async function follow(
    { stream }: ClusterConnection,
    namespace: string,
    start: string,
    hears: PodWatchHears,
    signal: AbortSignal,
  ): Promise<Ended> {
    let from = start;
    let told = false;
    const timeoutSeconds = Math.round(watchSeconds * (1 + random()));
    const query = { watch: 1, allowWatchBookmarks: true, resourceVersion: start, timeoutSeconds };
    // The server that forgets to end it is ended by us.
    const late = AbortSignal.timeout((timeoutSeconds + 60) * 1_000);
    try {
      const answer = await stream({
        path: collectionPath('Pod', namespace),
        query,
        silenceMs,
        signal: AbortSignal.any([signal, late]),
      });
      if (!('chunks' in answer)) {
        if (answer.status === 410) return { type: 'expired' };
        return { type: 'failed', failure: unreadable(answer), from };
      }
      hears.inStep();
      for await (const line of jsonLines(answer.chunks)) {
        const event = WatchEvent.safeParse(line);
        if (!event.success) return { type: 'failed', failure: malformed, from: undefined };
        const { type, object } = event.data;
        if (type === 'ERROR') return endOf(object);
        const version = Versioned.safeParse(object);
        if (version.success) from = version.data.metadata.resourceVersion;
        if (type !== 'BOOKMARK') tell(object, type === 'DELETED', hears);
        told = true;
        hears.inStep();
      }
      return { type: 'again', from, told };
    } catch (error) {
      if (signal.aborted || late.aborted) return { type: 'again', from, told: true };
      if (error instanceof SyntaxError) return { type: 'failed', failure: malformed, from: undefined };
      return { type: 'failed', failure: unanswered(error), from };
    }
  }
}

const malformed: Unreadable = { type: 'unreadable', because: 'malformed', message: '' };

/** An ERROR event holds a Status: 410 when the history no longer reaches back, anything else is passing. */
function endOf(object: unknown): Ended {
  const { reason, message } = statusOf(object);
  if (reason === 'Expired' || reason === 'Gone') return { type: 'expired' };
  return { type: 'failed', failure: { type: 'unreadable', because: 'failed', message }, from: undefined };
}

/** A pod that does not look like one is left out: one odd object stops nothing. */
function tell(object: unknown, gone: boolean, hears: PodWatchHears): void {
  const pod = WatchedPod.safeParse(object);
  if (pod.success) hears.pod(pod.data, gone);
  else hears.trouble('malformed', '');
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
