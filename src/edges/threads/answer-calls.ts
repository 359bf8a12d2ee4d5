import { parentPort, workerData } from 'node:worker_threads';
import { DoctorError, type DoctorErrorOptions } from '../../service/errors.js';

type Posted =
  | { readonly type: 'begin' }
  | { readonly type: 'piece'; readonly piece: unknown }
  | { readonly type: 'call'; readonly method: string; readonly args: unknown };

/**
 * Answers the calls of a thread pool; runs in its thread.
 *
 * @param answer gets the pieces of the shared input, the same array for all calls that share it
 */
export function answerCalls(
  answer: (method: string, args: unknown, pieces: readonly unknown[]) => unknown,
): void {
  if (parentPort === null) throw new Error('only a thread answers calls');
  const port = parentPort;
  let pieces: unknown[] = [];
  port.on('message', async (message: Posted) => {
    switch (message.type) {
      case 'begin':
        pieces = [];
        return;
      case 'piece':
        pieces.push(message.piece);
        return;
      case 'call':
        try {
          const value = await answer(message.method, message.args, pieces);
          port.postMessage({ type: 'answered', value });
        } catch (error) {
          port.postMessage(
            error instanceof DoctorError
              ? { type: 'refused', refusal: optionsOf(error) }
              : { type: 'threw', error: copyable(error) },
          );
        }
    }
  });
  port.postMessage({ type: 'loaded' });
}

/** What the pool gives to each of its threads. */
export const threadData: unknown = workerData;

function optionsOf({ code, message, retryable, retryAfterMs, tells }: DoctorError): DoctorErrorOptions {
  return {
    code,
    message,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(tells === undefined ? {} : { tells }),
  };
}

/** Not every error can be copied to another thread. */
function copyable(error: unknown): Error {
  const copy = new Error(error instanceof Error ? error.message : String(error));
  if (error instanceof Error && error.stack !== undefined) copy.stack = error.stack;
  return copy;
}
