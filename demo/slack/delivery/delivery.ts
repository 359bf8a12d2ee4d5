import type { Json } from '../json.js';

/** One thing Slack tells the app. */
export type Delivery =
  | { readonly kind: 'command'; readonly payload: Readonly<Record<string, string>> }
  | { readonly kind: 'interaction'; readonly payload: Json }
  | {
      readonly kind: 'event';
      readonly payload: Json;
      readonly retry?: { readonly number: number; readonly reason: string };
    };

/** What became of it. */
export type Delivered =
  /** `body` is what the app answered with: a parsed object, text, or nothing. */
  | { readonly type: 'acknowledged'; readonly body: unknown }
  | {
      readonly type: 'failed';
      /**
       * `operation_timeout`: no answer in 3 s; `dispatch_failed`: nobody to talk to, or an answer that is no
       * success.
       */
      readonly reason: 'operation_timeout' | 'dispatch_failed';
      readonly status?: number;
      /** The app asked not to be told again (`x-slack-no-retry`). */
      readonly noRetry?: boolean;
    };

export type Dispatch = (delivery: Delivery) => Promise<Delivered>;

/** A way to the app. */
export interface Transport {
  deliver(delivery: Delivery): Promise<Delivered>;
  close(): void | Promise<void>;
}
