import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createGrowingBuffer } from '../../http/growing-buffer.js';
import { AnswerTooLarge, type ApiRequest, maxAnswerBytes } from './api-call.js';

/**
 * The bytes of one answer after decompression. They are counted as they come, so that neither an endless answer nor a
 * small one that unpacks to a large one takes more memory than its limit; the connection is closed when it is reached.
 *
 * @throws AnswerTooLarge
 * @throws Error for a content encoding that nobody asked for, and for bytes that cannot be unpacked
 */
export async function readAnswer(
  body: Readable,
  contentEncoding: string | string[] | undefined,
  { maxBytes = maxAnswerBytes, take = () => true }: Pick<ApiRequest, 'maxBytes' | 'take'> = {},
): Promise<Buffer> {
  // A destroyed body emits its error after the pipeline has let go of it. Unheard, that would end the process.
  body.on('error', () => undefined);
  const encoding = (contentEncoding ?? 'identity').toString().trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    body.destroy();
    throw new Error('the answer has a content encoding that was not asked for');
  }
  const kept = createGrowingBuffer(maxBytes);
  let size = 0;
  let isTooLarge = false;
  const decoded = encoding === 'gzip' ? createGunzip() : new PassThrough();
  try {
    await pipeline(body, decoded, async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) {
        size += piece.length;
        isTooLarge = size > maxBytes || !take(piece.length);
        if (isTooLarge) return;
        kept.append(piece);
      }
    });
  } catch (error) {
    // The connection that is closed for it complains as well.
    if (!isTooLarge) throw error;
  }
  if (isTooLarge) throw new AnswerTooLarge('an answer is too large');
  return kept.bytes();
}
