import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LocalSlackOptions } from '../create-local-slack.js';
import type { Desk } from '../desk.js';

export interface PageServer {
  serve(path: string, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<boolean>;
  close(): void;
}

export function createPageServer(_desk: Desk, _options: LocalSlackOptions): PageServer {
  return { serve: () => Promise.resolve(false), close: () => {} };
}
