import { StringDecoder } from 'node:string_decoder';

/**
 * The lines of a stream, as they come, without line ends; only `\n` and `\r\n` end one, so that every line of a file
 * is one item. A last line without an end counts, an empty rest does not. Memory follows the longest line.
 */
export async function* inputLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      pieces.push(text.slice(start, end));
      yield withoutReturn(pieces.join(''));
      pieces = [];
      start = end + 1;
    }
    if (start < text.length) pieces.push(text.slice(start));
  }
  pieces.push(decoder.end());
  const rest = pieces.join('');
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
