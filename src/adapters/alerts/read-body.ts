import type { IncomingMessage } from 'node:http';
import { type RequestRefusal, refuse } from './refusal.js';

/** Alertmanager sends a group as one request; a thousand alerts of ordinary size fit. */
export const maxBodyBytes = 2_000_000;

const tooLarge = refuse(
  413,
  'too-large',
  `A request may have ${maxBodyBytes} bytes. Let the sender put fewer alerts in one (max_alerts in Alertmanager).`,
);

/**
 * The raw body, as signatures need it. What is announced too large is not read at all, and what turns out to be too large
 * is kept no further.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | RequestRefusal> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const chunksRead: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of chunksRead) {
      size += chunk.length;
      if (size > maxBodyBytes) return tooLarge;
      chunks.push(chunk);
    }
  } catch {
    return refuse(400, 'incomplete', 'The request ended before its body was complete.');
  }
  return Buffer.concat(chunks, size);
}
