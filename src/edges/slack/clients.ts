import { LogLevel, type Logger as SlackLogger } from '@slack/logger';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import { createBoundedFetch, type OnSlackRequest } from './bounded-fetch.js';

export interface SlackClients {
  /** For what a person waits for: modals, ephemeral answers. Gives up fast and tells. */
  readonly interactive: WebClient;
  /** For the delivery worker: one call is one attempt, since the queue repeats and waits. */
  readonly delivery: WebClient;
  /** For people and groups, answered from a cache mostly. */
  readonly lookup: WebClient;
}

interface SlackClientOptions {
  /** Asked before each call: it may change while a process runs. */
  readonly token: () => string;
  /** Base of the Web API, ends with `/api/`. */
  readonly slackApiUrl: string;
  readonly log: Logger;
  readonly onRequest?: OnSlackRequest | undefined;
}

/**
 * Three clients, because one that meets a 429 holds back all its calls: an answer to a person must not wait
 * behind a card, nor behind a lookup. None repeats by itself; the SDK would send a post again after a
 * timeout.
 */
export function createSlackClients({ token, slackApiUrl, log, onRequest }: SlackClientOptions): SlackClients {
  const client = (timeout: number) =>
    new WebClient(token(), webClientOptions(slackApiUrl, timeout, log, onRequest, token));
  return { interactive: client(2_500), delivery: client(10_000), lookup: client(4_000) };
}

/** Shared with the app, whose own client is of the interactive kind. */
export function webClientOptions(
  slackApiUrl: string,
  timeout: number,
  log: Logger,
  onRequest?: OnSlackRequest,
  token?: () => string,
): WebClientOptions {
  return {
    slackApiUrl,
    timeout,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: createBoundedFetch(slackApiUrl, onRequest, token),
    logger: slackLog(log),
  };
}

/**
 * What the SDK says about its own state, as lines of ours: static message, its words as a field. The SDK
 * passes each request and response to `debug` at every level, and to redact them takes longer than to send
 * them.
 */
export function slackLog(log: Logger): SlackLogger {
  const debug: SlackLogger['debug'] = (...said) => {
    if (log.isLevelEnabled('debug')) log.debug({ said: words(said) }, 'Slack SDK');
  };
  return {
    debug,
    info: debug,
    warn: (...said) => log.warn({ said: words(said) }, 'Slack SDK warns'),
    error: (...said) => log.error({ said: words(said) }, 'Slack SDK reports an error'),
    setLevel() {},
    getLevel: () => (log.isLevelEnabled('debug') ? LogLevel.DEBUG : LogLevel.INFO),
    setName() {},
  };
}

/** In UTF-16 code units. */
const maxWords = 500;

/** Objects are named by their message only: the SDK hands over whole payloads. */
function words(said: readonly unknown[]): string {
  const text = said
    .map((each) => (each instanceof Error ? each.message : typeof each === 'object' ? '' : String(each)))
    .join(' ');
  return untrusted(text, maxWords);
}
