import { type Fault, plainFault } from '../../doctor/input/input-error.js';
import { tooLarge } from '../files/regular-file.js';
import { exitStatus, failure } from './exit-status.js';

/**
 * All bytes of standard input.
 *
 * @throws CommandFailure when there are more than `maxBytes`, or when it cannot be read
 */
export async function inputBytes(
  input: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readable(input)) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBytes) {
      throw failure(exitStatus.unseen, 'input-unusable', { fault: tooLarge(maxBytes) });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Standard input may be a folder or end with an error. Both become a failure with a sentence. */
export async function* readable<Chunk>(input: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  try {
    yield* input;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
    const fault: Fault = code === 'EISDIR' ? plainFault('folder') : { key: 'unreadable', values: { code } };
    throw failure(exitStatus.unseen, 'input-unusable', { fault });
  }
}
