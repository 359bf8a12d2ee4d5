import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGrowingBuffer } from './growing-buffer.js';

type ReadBody =
  /** `release` gives the bytes back to the budget when nobody needs them any more. */
  | { readonly type: 'read'; readonly bytes: Buffer; readonly release: () => void }
  | { readonly type: 'too-large' }
  /** The connection ended before the body did. */
  | { readonly type: 'incomplete' }
  /** Other bodies needed the memory. */
  | { readonly type: 'overloaded' };

type BodyLimits = { readonly maxBytes: number; readonly budget: BodyBudget };

/**
 * Reads a whole body within a limit of its own and a budget shared by all connections. What is announced too
 * large is not read, and what turns out to be too large is kept no further: follow with `discardRest`.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, budget }: BodyLimits,
): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.resolve({ type: 'too-large' });
  }
  if (/100-continue/iu.test(request.headers.expect ?? '')) response.writeContinue();
  return new Promise((resolve) => {
    const kept = createGrowingBuffer(maxBytes);
    let size = 0;
    const hold = budget.hold(() => settle({ type: 'overloaded' }));
    const settle = (outcome: ReadBody): void => {
      if (outcome.type !== 'read') hold.release();
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(outcome);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) settle({ type: 'too-large' });
      else if (hold.take(kept.capacityFor(chunk.length) - kept.capacity)) kept.append(chunk);
    };
    const onEnd = (): void => {
      hold.complete();
      settle({ type: 'read', bytes: kept.bytes(), release: hold.release });
    };
    const onGone = (): void => settle({ type: 'incomplete' });
    request.on('data', onData).once('end', onEnd).once('error', onGone).once('close', onGone);
  });
}

/**
 * Whether nothing more of this request will arrive. Node.js marks a request without a body only after its
 * handler.
 */
export function isBodyReceived({ complete, headers }: IncomingMessage): boolean {
  return (
    complete || (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0)
  );
}

const maxDiscardedBytes = 4_000_000;
const discardMs = 2_000;

/**
 * After an answer that did not wait for the whole body: reads on for a moment and keeps nothing, so that the
 * sender can read the answer, and then closes the connection. Without this the reset of the connection may
 * overtake the answer.
 */
export function discardRest(request: IncomingMessage): void {
  if (isBodyReceived(request)) return;
  const { socket } = request;
  let left = maxDiscardedBytes;
  const timer = setTimeout(() => socket.destroy(), discardMs).unref();
  request.on('error', () => undefined);
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => socket.destroySoon());
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
}

/** The bytes of one body, for as long as they are in memory. */
interface BodyHold {
  /** Adds bytes. False: they may not be kept, and the hold is released. */
  take(bytes: number): boolean;
  /** The body is complete: others cannot displace it any more. */
  complete(): void;
  release(): void;
}

/** Counts the bytes of bodies in memory over all connections. */
export interface BodyBudget {
  readonly maxBytes: number;
  /** @param onDisplaced the body must be given up for a newer one; the hold is released */
  hold(onDisplaced: () => void): BodyHold;
}

/**
 * When the bytes run out, the oldest incomplete body is given up: a sender of ordinary speed is faster than
 * the limit is reached again, and slow senders cannot keep the budget to themselves.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  let used = 0;
  /** Incomplete bodies, oldest first. */
  const incomplete = new Map<BodyHold, { bytes: number; readonly onDisplaced: () => void }>();
  const completed = new Set<BodyHold>();

  function displaceOldest(): boolean {
    for (const [hold, { bytes, onDisplaced }] of incomplete) {
      incomplete.delete(hold);
      used -= bytes;
      onDisplaced();
      return true;
    }
    return false;
  }

  return {
    maxBytes,
    hold(onDisplaced) {
      const entry = { bytes: 0, onDisplaced };
      const hold: BodyHold = {
        take(bytes) {
          if (!incomplete.has(hold)) return false;
          entry.bytes += bytes;
          used += bytes;
          while (used > maxBytes && displaceOldest());
          return incomplete.has(hold);
        },
        complete() {
          if (incomplete.delete(hold)) completed.add(hold);
        },
        release() {
          if (incomplete.delete(hold) || completed.delete(hold)) used -= entry.bytes;
        },
      };
      incomplete.set(hold, entry);
      return hold;
    },
  };
}
