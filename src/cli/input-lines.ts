import { StringDecoder } from 'node:string_decoder';
import { exitStatus, failure } from './exit-status.js';
import { readable } from './input-bytes.js';

/** Characters of one line. Kubernetes cuts the message of an Event to 1,024. */
const maxLine = 64 * 1024;

/**
 * The lines of a stream, as they come, without line ends; only `\n` and `\r\n` end one, so that every line of
 * a file is one item. A last line without an end counts, an empty rest does not. Memory follows the longest
 * line.
 *
 * @throws CommandFailure when a line is longer than 64 KiB or the stream fails
 */
export async function* inputLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  let lines = 0;
  const take = (piece: string): void => {
    length += piece.length;
    if (length > maxLine) {
      throw failure(exitStatus.unseen, 'line-too-long', { line: lines + 1, maxCharacters: maxLine });
    }
    pieces.push(piece);
  };
  for await (const chunk of readable(input)) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      take(text.slice(start, end));
      yield withoutReturn(pieces.join(''));
      pieces = [];
      length = 0;
      lines += 1;
      start = end + 1;
    }
    if (start < text.length) take(text.slice(start));
  }
  take(decoder.end());
  const rest = pieces.join('');
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
