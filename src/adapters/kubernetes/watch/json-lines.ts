/** Pieces of a line before they are joined: a server may send a byte at a time. */
const maxPieces = 1_000;

/** Longer lines are no objects of ours: a pod is limited to the 1.5 MB that etcd takes. */
const longestLine = 8_000_000;

/**
 * The JSON values of a stream that holds one a line. Ends where the stream ends; a last line that was cut off
 * is left out.
 *
 * @throws SyntaxError for a line that is no JSON or too long
 */
export async function* jsonLines(chunks: AsyncIterable<string>): AsyncGenerator<unknown> {
  let blocks: string[] = [];
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      const last = chunk.slice(from, end);
      const line = length === 0 ? last : blocks.join('') + rest.join('') + last;
      blocks = [];
      rest = [];
      length = 0;
      from = end + 1;
      if (line.trim() !== '') yield JSON.parse(line);
    }
    if (from < chunk.length) {
      rest.push(from === 0 ? chunk : chunk.slice(from));
      length += chunk.length - from;
      if (rest.length >= maxPieces) {
        blocks.push(rest.join(''));
        rest = [];
      }
      if (length > longestLine) throw new SyntaxError('a line is too long');
    }
  }
}
