import { Duplex, type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createGrowingBuffer } from '../../http/growing-buffer.js';
import { AnswerTooLarge, type ApiRequest, maxAnswerBytes } from './api-call.js';

/** Of an unpacked piece. With Node.js's own 16 kB, handing pieces over takes longer than unpacking them. */
const unpackedBytes = 65_536;

/**
 * Bytes as they came over the wire that wait to be unpacked or taken. Only beyond it is the connection
 * stopped: undici copies everything that its socket holds each time that a body is stopped, and goes on with
 * the copy.
 */
const maxWaitingBytes = 4_194_304;

/** Others have their turn after so much work, in milliseconds. */
const maxTurnMs = 10;

type Limits = Pick<ApiRequest, 'maxBytes' | 'take'>;

/**
 * The bytes of one answer after decompression. They are counted as they come, so that neither an endless
 * answer nor a small one that unpacks to a large one takes more memory than its limit; the connection is
 * closed when it is reached.
 *
 * @throws AnswerTooLarge
 * @throws Error for a content encoding that nobody asked for, and for bytes that cannot be unpacked
 */
export async function readAnswer(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  limits: Limits = {},
): Promise<Buffer> {
  const { maxBytes = maxAnswerBytes } = limits;
  const kept = createGrowingBuffer(maxBytes);
  await readPieces(body, contentEncoding, { ...limits, maxBytes }, (piece) => {
    kept.append(piece);
    return true;
  });
  return kept.bytes();
}

/**
 * The pieces of one answer after decompression, one after the other. The connection is closed when a limit is
 * reached, or when `onPiece` returns false.
 *
 * @throws AnswerTooLarge
 * @throws Error what `onPiece` throws, and as `readAnswer` does
 */
export async function readPieces(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  { maxBytes = Number.POSITIVE_INFINITY, take = () => true }: Limits,
  onPiece: (piece: Buffer) => boolean,
): Promise<void> {
  // A destroyed body emits its error after the pipeline has let go of it. Unheard, that would end the
  // process.
  body.on('error', () => undefined);
  const encoding = (contentEncoding ?? 'identity').toString().trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    body.destroy();
    throw new Error('the answer has a content encoding that was not asked for');
  }
  let size = 0;
  let isTooLarge = false;
  let isEnough = false;
  let workedMs = 0;
  // Read as an async iterable, the pieces that wait would be copied together each time.
  const reader = new Writable({
    highWaterMark: maxWaitingBytes,
    write(piece: Buffer, _encoding, done) {
      try {
        size += piece.length;
        isTooLarge = size > maxBytes || !take(piece.length);
        const from = performance.now();
        isEnough = !isTooLarge && !onPiece(piece);
        workedMs += performance.now() - from;
        const refusal = isTooLarge || isEnough ? new Error('no more is read') : null;
        if (workedMs < maxTurnMs) return done(refusal);
        workedMs = 0;
        // Pieces that wait already would be taken in the same turn.
        setImmediate(done, refusal);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  try {
    if (encoding === 'gzip') {
      await pipeline(body, joinPieces(), createGunzip({ chunkSize: unpackedBytes }), reader);
    } else await pipeline(body, reader);
  } catch (error) {
    // The connection that is closed for it complains as well.
    if (!isTooLarge && !isEnough) throw error;
  }
  if (isTooLarge) throw new AnswerTooLarge('an answer is too large');
}

/**
 * Passes on as one piece what came while the last one was unpacked: each costs a way to another thread and
 * back.
 */
function joinPieces(): Duplex {
  let goOn = (): void => undefined;
  return new Duplex({
    writableHighWaterMark: maxWaitingBytes,
    writev(pieces, done) {
      goOn = done;
      if (this.push(Buffer.concat(pieces.map(({ chunk }) => chunk)))) resume();
    },
    read: resume,
    final(done) {
      this.push(null);
      done();
    },
  });

  function resume(): void {
    const done = goOn;
    goOn = () => undefined;
    done();
  }
}
