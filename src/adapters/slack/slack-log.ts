import { LogLevel, type Logger as SlackLogger } from '@slack/logger';
import type { Logger } from 'pino';

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

const longest = 500;

/** Objects are named by their message only: the SDK hands over whole payloads. */
function words(said: readonly unknown[]): string {
  return said
    .map((each) => (each instanceof Error ? each.message : typeof each === 'object' ? '' : String(each)))
    .join(' ')
    .slice(0, longest);
}
