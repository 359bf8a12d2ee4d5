import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { UnseenReason } from '../../../engine/objects/snapshot.js';
import type { Unreadable } from '../../../service/diagnose/cluster-reader.js';
import { AnswerTooLarge, type ApiAnswer, statusOf, unanswered, unreadable } from '../api-call.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { boundedText, maxObjectBytes } from '../decode-json.js';
import { cachedList, type ListReading, listQuery } from '../list-reading.js';
import { MalformedProtobuf, protobufOrJson } from '../protobuf/wire.js';

export interface CollectionWatcherOptions {
  /** Deadline of one page of the list, in milliseconds. */
  readonly pageTimeoutMs: number;
  /**
   * The first wait after trouble, in milliseconds; doubled each time up to a minute. One second unless said.
   */
  readonly firstWaitMs?: number | undefined;
  /**
   * The server ends a watch after this and up to twice as long, in seconds; it is then taken up where it
   * ended.
   */
  readonly watchSeconds?: number | undefined;
  /** From 0 to 1. */
  readonly random?: (() => number) | undefined;
}

/** What is listed and watched. */
interface Watched {
  readonly path: string;
  readonly fieldSelector?: string;
  /** Lists in protobuf, object by object: of kinds that are read from protobuf. */
  readonly inProtobuf?: boolean;
}

/** What a list and a watch tell. Called one after the other, never at once. */
export interface CollectionHears {
  listBegins(): void;
  /** The list is complete, of this resourceVersion; from here on the watch is in step. */
  listEnds(resourceVersion: string): void;
  /** @param gone it was deleted or is no longer selected, and this is its last state */
  object(object: unknown, gone: boolean): void;
  /** The server has told all that happened up to now. */
  inStep(): void;
  /**
   * A watch begins, and `renew` ends it: the next one is so short that the server soon sends the version up
   * to which it has told everything. `undefined` while such a short one runs.
   */
  begins?(renew: (() => void) | undefined): void;
  /** The watch brought an event or a bookmark: up to this resourceVersion there was nothing else. */
  told?(resourceVersion: string): void;
  /** The watch stands still: it goes on by itself when the cluster does. */
  trouble(because: UnseenReason | 'expired' | 'ended', message: string): void;
}

/** Lists and watches a collection, again and again until the signal. Never throws. */
type WatchCollection = (
  connection: ClusterConnection,
  watched: Watched,
  hears: CollectionHears,
  signal: AbortSignal,
) => Promise<void>;

/** What the next list is read from; `inJson` once protobuf could not be read. */
type Listing = { readonly reading: ListReading; readonly inJson: boolean };

/** Objects of one page, where the API server sends pages: it sends all that its cache holds in one answer. */
const pageSize = 500;
/** A list with more pages does not end: a million objects. */
const maxPages = 2_000;
const usualWatchSeconds = 240;
/**
 * The API server plans a bookmark two seconds before the end of a watch, and looks once a second: it comes
 * one to two seconds after such a watch begins (`apiserver/pkg/storage/cacher: nextBookmarkTime`).
 */
const shortWatchSeconds = 3;
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
  /** @param isRenewed it was ended for a short one */
  | { readonly type: 'again'; readonly from: string; readonly told: boolean; readonly isRenewed?: boolean }
  /** @param from the version that is too old to watch from; absent where a list expired */
  | { readonly type: 'expired'; readonly from?: string }
  /** The list has to be read in another way. */
  | { readonly type: 'relist'; readonly listing: Listing }
  | { readonly type: 'failed'; readonly failure: Unreadable; readonly from: string | undefined };

/**
 * Lists a collection and watches it from there on, as client-go's reflector does: the list comes from the
 * watch cache of the API server, which may be some moments old, and the watch continues from there. A watch
 * that ends is taken up at the last resourceVersion, bookmarks included. After 410 Gone the list is not older
 * than that version. A list is read from etcd, page by page, only after three in a row were too old to watch
 * from, and where the single answer of the cache is too large. Trouble is waited out, longer each time and
 * never in step with others.
 */
export function createCollectionWatcher(options: CollectionWatcherOptions): WatchCollection {
  const { pageTimeoutMs, firstWaitMs = 1_000, random = Math.random } = options;
  const { watchSeconds = usualWatchSeconds } = options;

  return async (connection, watched, hears, signal) => {
    let from: string | undefined;
    let listing: Listing = { reading: cachedList, inJson: watched.inProtobuf !== true };
    let failures = 0;
    /** Watches in a row that could not even begin where their list ended. */
    let expiries = 0;
    let isShort = false;
    while (!signal.aborted) {
      const ended: Ended =
        from === undefined
          ? await list(connection, watched, listing, hears, signal)
          : await follow(connection, watched, { start: from, isShort }, hears, signal);
      if (signal.aborted) return;
      isShort = ended.type === 'again' && ended.isRenewed === true;
      if (ended.type === 'again') {
        failures = ended.told ? 0 : failures + 1;
        if (from !== undefined && ended.told) expiries = 0;
        from = ended.from;
        // A server that ends every watch at once is not asked in a tight loop.
        if (failures > 1) await wait(pauseMs(failures), signal);
        continue;
      }
      if (ended.type === 'relist') {
        listing = ended.listing;
        continue;
      }
      failures += 1;
      if (ended.type === 'expired') {
        from = undefined;
        expiries += 1;
        listing = { ...listing, reading: afterExpiry(ended.from, expiries) };
        hears.trouble('expired', '');
        const inVain = Math.max(failures, expiries);
        if (inVain > 1) await wait(pauseMs(inVain), signal);
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
    { path, fieldSelector }: Watched,
    listing: Listing,
    hears: CollectionHears,
    signal: AbortSignal,
  ): Promise<Ended> {
    const { reading, inJson } = listing;
    const onItem = (item: unknown): boolean => {
      hears.object(item, false);
      return !signal.aborted;
    };
    hears.listBegins();
    let next: string | undefined;
    let pages = 0;
    do {
      pages += 1;
      if (pages > maxPages) return { type: 'failed', failure: endless, from: undefined };
      const page = AbortSignal.any([signal, AbortSignal.timeout(pageTimeoutMs)]);
      let answer: ApiAnswer;
      try {
        answer = await call({
          path,
          query: { ...listQuery(reading, pageSize, next), fieldSelector },
          ...(inJson ? {} : { accept: protobufOrJson, onItem }),
          signal: page,
        });
      } catch (error) {
        if (error instanceof MalformedProtobuf && !inJson) {
          return { type: 'relist', listing: { reading, inJson: true } };
        }
        if (error instanceof AnswerTooLarge && reading.type !== 'stored') {
          return { type: 'relist', listing: { reading: { type: 'stored' }, inJson } };
        }
        return { type: 'failed', failure: unanswered(error), from: undefined };
      }
      if (answer.status === 410) return { type: 'expired' };
      if (answer.status === 504 && reading.type === 'not-older-than') {
        return { type: 'relist', listing: { reading: cachedList, inJson } };
      }
      if (answer.status !== 200) return { type: 'failed', failure: unreadable(answer), from: undefined };
      const parsed = List.safeParse(answer.body);
      if (!parsed.success) return { type: 'failed', failure: malformed, from: undefined };
      for (const item of parsed.data.items ?? []) hears.object(item, false);
      const { continue: more, resourceVersion } = parsed.data.metadata;
      next = more || undefined;
      if (next === undefined) {
        if (!resourceVersion) return { type: 'failed', failure: malformed, from: undefined };
        hears.listEnds(resourceVersion);
        return { type: 'again', from: resourceVersion, told: true };
      }
    } while (!signal.aborted);
    return { type: 'expired' };
  }

  async function follow(
    { stream }: ClusterConnection,
    { path, fieldSelector }: Watched,
    { start, isShort }: { start: string; isShort: boolean },
    hears: CollectionHears,
    signal: AbortSignal,
  ): Promise<Ended> {
    let from = start;
    let told = false;
    const timeoutSeconds = isShort ? shortWatchSeconds : Math.round(watchSeconds * (1 + random()));
    const renewing = new AbortController();
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
        signal: AbortSignal.any([signal, late, renewing.signal]),
      });
      if (!('chunks' in answer)) {
        if (answer.status === 410) return { type: 'expired', from: start };
        return { type: 'failed', failure: unreadable(answer), from };
      }
      hears.inStep();
      hears.begins?.(isShort ? undefined : () => renewing.abort());
      for await (const line of jsonLines(answer.chunks)) {
        const event = WatchEvent.safeParse(line);
        if (!event.success) return { type: 'failed', failure: malformed, from: undefined };
        const { type, object } = event.data;
        if (type === 'ERROR') return endOf(object, from);
        const version = Versioned.safeParse(object);
        if (version.success) from = version.data.metadata.resourceVersion;
        if (type !== 'BOOKMARK') hears.object(object, type === 'DELETED');
        told = true;
        hears.told?.(from);
        hears.inStep();
      }
      return { type: 'again', from, told };
    } catch (error) {
      if (signal.aborted || late.aborted) return { type: 'again', from, told: true };
      if (renewing.signal.aborted) return { type: 'again', from, told: true, isRenewed: true };
      if (error instanceof SyntaxError) return { type: 'failed', failure: malformed, from: undefined };
      // The same line would come again from there.
      const again = error instanceof AnswerTooLarge ? undefined : from;
      return { type: 'failed', failure: unanswered(error), from: again };
    }
  }
}

const endless: Unreadable = { type: 'unreadable', because: 'too-large', message: '' };
const malformed: Unreadable = { type: 'unreadable', because: 'malformed', message: '' };

/** An ERROR event holds a Status: 410 when the history no longer reaches back, anything else is passing. */
function endOf(object: unknown, from: string): Ended {
  const { reason, message } = statusOf(object);
  if (reason === 'Expired' || reason === 'Gone') return { type: 'expired', from };
  return { type: 'failed', failure: { type: 'unreadable', because: 'failed', message }, from: undefined };
}

/** So often in a row a list from the cache was too old to watch from; then etcd is read. */
const staleLists = 3;

function afterExpiry(from: string | undefined, expiries: number): ListReading {
  if (expiries >= staleLists) return { type: 'stored' };
  return from === undefined ? cachedList : { type: 'not-older-than', resourceVersion: from };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Pieces of a line before they are joined: a server may send a byte at a time. */
const maxPieces = 1_000;

/**
 * The JSON values of a stream that holds one a line. Ends where the stream ends; a last line that was cut off
 * is left out.
 *
 * @throws SyntaxError for a line that is no JSON or too long
 * @throws AnswerTooLarge for one of too many values
 */
export async function* jsonLines(chunks: AsyncIterable<string>): AsyncGenerator<unknown> {
  let blocks: string[] = [];
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      const last = chunk.slice(from, end);
      const line = length === 0 ? last : blocks.join('') + rest.join('') + last;
      blocks = [];
      rest = [];
      length = 0;
      from = end + 1;
      if (line.trim() !== '') yield JSON.parse(boundedText(line));
    }
    if (from < chunk.length) {
      rest.push(from === 0 ? chunk : chunk.slice(from));
      length += chunk.length - from;
      if (rest.length >= maxPieces) {
        blocks.push(rest.join(''));
        rest = [];
      }
      if (length > maxObjectBytes) throw new SyntaxError('a line is too long');
    }
  }
}
