import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyBudget } from './body-budget.js';
import { createGrowingBuffer } from './growing-buffer.js';

export type ReadBody =
  /** `release` gives the bytes back to the budget when nobody needs them any more. */
  | { readonly type: 'read'; readonly bytes: Buffer; readonly release: () => void }
  | { readonly type: 'too-large' }
  /** The connection ended before the body did. */
  | { readonly type: 'incomplete' }
  /** Other bodies needed the memory. */
  | { readonly type: 'overloaded' };

export interface BodyLimits {
  readonly maxBytes: number;
  readonly budget: BodyBudget;
}

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
