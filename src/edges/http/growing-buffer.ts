/**
 * Bytes that arrive in pieces of any size, in one buffer: a list of pieces of one byte would take far more
 * memory.
 */
interface GrowingBuffer {
  /** How many bytes of memory it takes. */
  readonly capacity: number;
  /** The capacity that `append` would need for so many more bytes. */
  capacityFor(bytes: number): number;
  append(piece: Uint8Array): void;
  /** What was appended so far. */
  bytes(): Buffer;
}

const firstBytes = 4_096;

/** @param maxBytes appending more than this is the caller's mistake */
export function createGrowingBuffer(maxBytes: number): GrowingBuffer {
  let kept = Buffer.alloc(0);
  let size = 0;
  const capacityFor = (bytes: number): number =>
    size + bytes <= kept.length
      ? kept.length
      : Math.min(maxBytes, Math.max(size + bytes, 2 * kept.length, firstBytes));
  return {
    get capacity() {
      return kept.length;
    },
    capacityFor,
    append(piece) {
      const capacity = capacityFor(piece.length);
      if (capacity > kept.length) {
        const grown = Buffer.allocUnsafeSlow(capacity);
        kept.copy(grown, 0, 0, size);
        kept = grown;
      }
      kept.set(piece, size);
      size += piece.length;
    },
    bytes: () => kept.subarray(0, size),
  };
}

/**
 * The body of an answer to its end; `undefined` where it is longer than the limit: then the connection is
 * closed.
 */
export async function readWithin(
  { body }: Pick<Response, 'body'>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const kept = createGrowingBuffer(maxBytes);
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) return undefined;
    kept.append(piece);
  }
  return kept.bytes();
}
