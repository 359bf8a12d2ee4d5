import type { Delivered, Delivery, Transport } from './delivery.js';
import { signedHeaders } from './signature.js';

export interface HttpTransportOptions {
  /** The app's request URL, such as `http://127.0.0.1:3000/slack/events`. */
  readonly url: string;
  readonly signingSecret: () => string;
  readonly ackLimitMs: number;
}

/** Signed HTTP requests. Stamped by the machine's clock, because that is what the app checks them against. */
export function createHttpTransport({ url, signingSecret, ackLimitMs }: HttpTransportOptions): Transport {
  const closing = new AbortController();
  return {
    async deliver(delivery): Promise<Delivered> {
      const { body, contentType } = encoded(delivery);
      const limit = AbortSignal.timeout(ackLimitMs);
      try {
        const response = await fetch(url, {
          method: 'POST',
          body,
          signal: AbortSignal.any([limit, closing.signal]),
          redirect: 'manual',
          headers: {
            'content-type': contentType,
            ...signedHeaders(signingSecret(), body, Math.floor(Date.now() / 1000)),
            ...retryHeaders(delivery),
          },
        });
        const text = await response.text();
        if (!response.ok) {
          const noRetry = response.headers.get('x-slack-no-retry') === '1';
          return { type: 'failed', reason: 'dispatch_failed', status: response.status, noRetry };
        }
        return { type: 'acknowledged', body: parsed(text) };
      } catch {
        return { type: 'failed', reason: limit.aborted ? 'operation_timeout' : 'dispatch_failed' };
      }
    },
    close: () => closing.abort(),
  };
}

function encoded(delivery: Delivery): { readonly body: string; readonly contentType: string } {
  if (delivery.kind === 'event') {
    return { body: JSON.stringify(delivery.payload), contentType: 'application/json' };
  }
  const fields =
    delivery.kind === 'command' ? delivery.payload : { payload: JSON.stringify(delivery.payload) };
  return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
}

function retryHeaders(delivery: Delivery): Readonly<Record<string, string>> {
  if (delivery.kind !== 'event' || delivery.retry === undefined) return {};
  return {
    'x-slack-retry-num': String(delivery.retry.number),
    'x-slack-retry-reason': delivery.retry.reason,
  };
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
