/** An answer of a Git host that is larger than is read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

const mebi = 1024 * 1024;

/** Bytes of one answer, after decompression. */
export const maxAnswerBytes = {
  /** A list of pull requests holds their texts. */
  usual: 4 * mebi,
  /** GitHub lists at most 100,000 entries or 7 MB in one answer. */
  tree: 16 * mebi,
  /** A file of 2 MiB in base64, in lines, and what stands around it. */
  blob: 3 * mebi,
} as const;

/**
 * A `fetch` that reads the body of an answer up to a limit. An answer that states a larger size is not read
 * at all, and one that turns out to be larger is cut off.
 *
 * @throws AnswerTooLarge
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (Number(headers.get('content-length') ?? 0) > maxBytes) {
      await body?.cancel();
      throw new AnswerTooLarge('the answer is too large');
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      // Leaving the loop closes the connection.
      if (bytes > maxBytes) throw new AnswerTooLarge('the answer is too large');
      chunks.push(chunk);
    }
    return new Response(bytes === 0 ? null : Buffer.concat(chunks), { status, statusText, headers });
  };
}
