import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readAnswer, readPieces } from '#src/edges/kubernetes/cluster-connection.js';

/**
 * Emits an error some time after it is destroyed, as the bodies of undici do for a request that is given up.
 */
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

describe('reading a response in many small pieces', () => {
  const pieceBytes = 2_048;

  /** How often the body was stopped, and what was read of it. */
  async function read(bytes: Buffer) {
    const packed = gzipSync(bytes, { level: constants.Z_NO_COMPRESSION });
    const pieces = Array.from({ length: Math.ceil(packed.length / pieceBytes) }, (_, number) =>
      packed.subarray(number * pieceBytes, (number + 1) * pieceBytes),
    );
    const body = Readable.from(pieces, { objectMode: false, highWaterMark: packed.length });
    let stops = 0;
    body.on('pause', () => {
      if (!body.readableEnded) stops += 1;
    });
    const read: Buffer[] = [];
    await readPieces(body, 'gzip', {}, (piece) => read.push(piece) > 0);
    return { stops, isSame: Buffer.concat(read).equals(bytes) };
  }

  it('does not stop the connection while pieces wait to be unpacked', async () => {
    expect(await read(Buffer.alloc(1_000_000, 'pod'))).toEqual({ stops: 0, isSame: true });
  });

  it('stops the connection when many megabytes wait', async () => {
    const { stops, isSame } = await read(Buffer.alloc(20_000_000, 'pod'));

    expect(stops).toBeGreaterThan(0);
    expect(isSame).toBe(true);
  });
});
