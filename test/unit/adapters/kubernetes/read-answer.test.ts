import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '#src/adapters/kubernetes/read-answer.js';

/** Emits an error some time after it is destroyed, as the bodies of undici do for a request that is given up. */
function bodyOf(bytes: Buffer): Readable {
  const body = new Readable({
    read() {
      this.push(bytes);
    },
    destroy(_error, done) {
      void setImmediate().then(() => done(new Error('Request aborted')));
    },
  });
  return body;
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
};

describe('reading a response that fails', () => {
  it.each<readonly [string, Buffer, string | undefined, number]>([
    ['for an encoding that was not asked for', Buffer.from('x'), 'br', 100],
    ['for bytes that cannot be unpacked', Buffer.from('no gzip at all'), 'gzip', 100],
    ['at its limit', Buffer.alloc(64), undefined, 100],
    ['at its limit after unpacking', gzipSync(Buffer.alloc(10_000)), 'gzip', 100],
  ])('%s leaves no unhandled error', async (_, bytes, encoding, maxBytes) => {
    const unheard: unknown[] = [];
    const onUncaught = (error: unknown) => unheard.push(error);
    process.on('uncaughtException', onUncaught);
    const others = process.listeners('uncaughtException').filter((each) => each !== onUncaught);
    for (const other of others) process.off('uncaughtException', other);
    try {
      await expect(readAnswer(bodyOf(bytes), encoding, { maxBytes })).rejects.toThrow();
      await settled();
    } finally {
      process.off('uncaughtException', onUncaught);
      for (const other of others) process.on('uncaughtException', other);
    }

    expect(unheard).toEqual([]);
  });
});
