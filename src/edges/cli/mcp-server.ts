import { Transform } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  answerCertificate,
  answerCheck,
  answerDiagnosis,
  answerExplanation,
  answerScan,
} from '../library/answers.js';
import { createToolServer, type ToolAnswers } from '../mcp/tool-server.js';
import { exitStatus, failure } from './exit-status.js';
import type { SourceOptions } from './shared-options.js';
import { workloadArgument } from './shared-options.js';
import { letHeapGrow } from './small-heap.js';
import { checkSource, type Source, sourceOf } from './sources.js';

/** A megabyte of manifests, of which JSON escapes each character. The library ends the session at 10 MB. */
const maxLineBytes = 8 * 1024 * 1024;
const lineTooLong = { code: -32_600, message: `A message is longer than ${maxLineBytes} bytes.` };

/**
 * `rollout-doctor mcp`: serves the tools on standard input and output until the client ends.
 *
 * @throws CommandFailure before it serves, where an option names a file or context that cannot be used
 */
export async function serveTools(options: SourceOptions): Promise<void> {
  checkSource(options);
  letHeapGrow();
  const answers = answersFrom(options);
  const lines = boundedLines(maxLineBytes, () => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: lineTooLong })}\n`);
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    serveStdio(() => createToolServer(answers, { isShared: false }), {
      transport: new StdioServerTransport(process.stdin.pipe(lines)),
    });
  });
}

/**
 * The source is opened with the first call, so that a client can list the tools while the cluster does not
 * answer.
 */
export function answersFrom(options: SourceOptions): ToolAnswers {
  let opened: Promise<Source> | undefined;
  const source = async (): Promise<Source> => {
    opened ??= sourceOf(options);
    return opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  };
  return {
    diagnose: async (workload, language) =>
      answerDiagnosis(await source(), workloadArgument([workload], undefined), language),
    certify: async (workload, language) =>
      answerCertificate(await source(), workloadArgument([workload], undefined), language),
    explain: async (message, language) => answerExplanation(message, language),
    scan: async ({ namespace }, language) => answerScan(await source(), namespace, language),
    async check(manifests, place) {
      const answer = await answerCheck(await source(), manifests, place);
      // A model could take an empty list for updates that complete.
      if (answer.items.length === 0) throw failure(exitStatus.unseen, 'no-workloads');
      return answer;
    },
  };
}

/**
 * Passes whole lines on, each by itself. A line that is longer than the limit is left out and reported, and
 * the lines after it are read: a client that sends one message too many still learns what is wrong.
 */
function boundedLines(maxBytes: number, onTooLong: () => void): Transform {
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
