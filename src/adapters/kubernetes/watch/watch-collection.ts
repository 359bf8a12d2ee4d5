import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { UnseenReason } from '../../../core/cluster/snapshot.js';
import type { Unreadable } from '../../../usecases/ports.js';
import { type ApiAnswer, statusOf, unanswered, unreadable } from '../api-call.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { jsonLines } from './json-lines.js';

export interface CollectionWatcherOptions {
  /** Deadline of one page of the list, in milliseconds. */
  readonly pageTimeoutMs: number;
  /** The first wait after trouble, in milliseconds; doubled each time up to a minute. One second unless said. */
  readonly firstWaitMs?: number | undefined;
  /** From 0 to 1. */
  readonly random?: (() => number) | undefined;
}

/** What is listed and watched. */
export interface Watched {
  readonly path: string;
  readonly fieldSelector?: string;
  /**
   * Takes the first list from the API server's watch cache (`resourceVersion=0`): it may be some moments old, and the
   * watch goes on from there; but the server need not read the whole collection to find the few that are selected.
   */
  readonly fromCache?: boolean;
}

/** What a list and a watch tell. Called one after the other, never at once. */
export interface CollectionHears {
  listBegins(): void;
  /** The list is complete; from here on the watch is in step. */
  listEnds(): void;
  /** @param gone it was deleted or is no longer selected, and this is its last state */
  object(object: unknown, gone: boolean): void;
  /** The server has told all that happened up to now. */
  inStep(): void;
  /** The watch stands still: it goes on by itself when the cluster does. */
  trouble(because: UnseenReason | 'expired' | 'ended', message: string): void;
}

/** Lists and watches a collection, again and again until the signal. Never throws. */
export type WatchCollection = (
  connection: ClusterConnection,
  watched: Watched,
  hears: CollectionHears,
  signal: AbortSignal,
) => Promise<void>;

const pageSize = 500;
/** A list with more pages does not end: a million objects. */
const maxPages = 2_000;
/** The server ends a watch after this and up to twice as long; it is then taken up where it ended. */
const watchSeconds = 240;
/** Bookmarks come about once a minute: so long without a byte means that nobody is there. */
const silenceMs = 180_000;
const longestWaitMs = 60_000;
/** What waiting does not cure is asked again this seldom: somebody may grant the right meanwhile. */
const refusedWaitMs = 300_000;

const List = z.object({
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
 * Lists a collection page by page and watches it from there on, as client-go's reflector does: a watch that ends is
 * taken up at the last resourceVersion, bookmarks included; 410 Gone begins with a list again; trouble is waited out,
 * longer each time and never in step with others.
 */
export function createCollectionWatcher(options: CollectionWatcherOptions): WatchCollection {
  const { pageTimeoutMs, firstWaitMs = 1_000, random = Math.random } = options;

  return async (connection, watched, hears, signal) => {
    let from: string | undefined;
    let fromCache = watched.fromCache === true;
    let failures = 0;
    while (!signal.aborted) {
      const ended: Ended =
        from === undefined
          ? await list(connection, { ...watched, fromCache }, hears, signal)
          : await follow(connection, watched, from, hears, signal);
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
        // A cache that is older than the watch can reach back would be so again.
        fromCache = false;
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
  };

  function pauseMs(failures: number): number {
    const full = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(20, failures - 1));
    return full / 2 + (full / 2) * random();
  }

  async function list(
    { call }: ClusterConnection,
    { path, fieldSelector, fromCache }: Watched,
    hears: CollectionHears,
    signal: AbortSignal,
  ): Promise<Ended> {
    hears.listBegins();
    let next: string | undefined;
    let pages = 0;
    do {
      pages += 1;
      if (pages > maxPages) return { type: 'failed', failure: endless, from: undefined };
      const page = AbortSignal.any([signal, AbortSignal.timeout(pageTimeoutMs)]);
      let answer: ApiAnswer;
      try {
        const resourceVersion = fromCache && next === undefined ? '0' : undefined;
        const query = { limit: pageSize, continue: next, fieldSelector, resourceVersion };
        answer = await call({ path, query, signal: page });
      } catch (error) {
        return { type: 'failed', failure: unanswered(error), from: undefined };
      }
      if (answer.status === 410) return { type: 'expired' };
      if (answer.status !== 200) return { type: 'failed', failure: unreadable(answer), from: undefined };
      const parsed = List.safeParse(answer.body);
      if (!parsed.success) return { type: 'failed', failure: malformed, from: undefined };
      for (const item of parsed.data.items ?? []) hears.object(item, false);
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
    { path, fieldSelector }: Watched,
    start: string,
    hears: CollectionHears,
    signal: AbortSignal,
  ): Promise<Ended> {
    let from = start;
    let told = false;
    const timeoutSeconds = Math.round(watchSeconds * (1 + random()));
    const query = {
      watch: 1,
      allowWatchBookmarks: true,
      resourceVersion: start,
      timeoutSeconds,
      fieldSelector,
    };
    // The server that forgets to end it is ended by us.
    const late = AbortSignal.timeout((timeoutSeconds + 60) * 1_000);
    try {
      const answer = await stream({
        path,
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
        if (type !== 'BOOKMARK') hears.object(object, type === 'DELETED');
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

const endless: Unreadable = { type: 'unreadable', because: 'too-large', message: '' };
const malformed: Unreadable = { type: 'unreadable', because: 'malformed', message: '' };

/** An ERROR event holds a Status: 410 when the history no longer reaches back, anything else is passing. */
function endOf(object: unknown): Ended {
  const { reason, message } = statusOf(object);
  if (reason === 'Expired' || reason === 'Gone') return { type: 'expired' };
  return { type: 'failed', failure: { type: 'unreadable', because: 'failed', message }, from: undefined };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
