import { Transform } from 'node:stream';

/**
 * Passes whole lines on, each by itself. A line that is longer than the limit is left out and reported, and
 * the lines after it are read: a client that sends one message too many still learns what is wrong.
 */
export function boundedLines(maxBytes: number, onTooLong: () => void): Transform {
  let held: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;
  const hold = (part: Buffer): void => {
    bytes += part.byteLength;
    if (bytes > maxBytes && !isTooLong) {
      isTooLong = true;
      onTooLong();
    }
    if (isTooLong) held = [];
    else held.push(part);
  };
  const release = (stream: Transform): void => {
    if (!isTooLong && held.length > 0) stream.push(Buffer.concat(held));
    held = [];
    bytes = 0;
    isTooLong = false;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        hold(chunk.subarray(from, end + 1));
        release(this);
        from = end + 1;
      }
      if (from < chunk.byteLength) hold(chunk.subarray(from));
      done();
    },
    flush(done) {
      release(this);
      done();
    },
  });
}

const newline = 0x0a;
