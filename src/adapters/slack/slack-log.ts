import { LogLevel, type Logger as SlackLogger } from '@slack/logger';
import type { Logger } from 'pino';
import { untrusted } from '../../core/redaction/untrusted.js';

/** What the SDK says about its own state, as lines of ours: static message, its words as a field. */
export function slackLog(log: Logger): SlackLogger {
  return {
    debug: (...said) => log.debug({ said: words(said) }, 'Slack SDK'),
    info: (...said) => log.debug({ said: words(said) }, 'Slack SDK'),
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
