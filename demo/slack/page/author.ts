import type { Message } from '../workspace/model.js';
import type { Slack } from './slack-store.js';

export interface Author {
  readonly name: string;
  readonly isApp: boolean;
  /** Two letters for the picture. */
  readonly initials: string;
  /** A number that picks the picture's colour, always the same for the same name. */
  readonly colour: number;
}

/** Who a message is from, as shown. */
export function authorOf(slack: Slack, message: Message): Author {
  const person = slack.people.find(({ id }) => id === message.user);
  const isOurs = message.user === slack.app.botUserId;
  const name =
    message.username ?? (isOurs ? slack.app.displayName : (person?.realName ?? message.botId ?? 'Slackbot'));
  return authorNamed(name, message.botId !== undefined || person === undefined);
}

export function authorNamed(name: string, isApp = false): Author {
  const words = name.split(/[\s-]+/).filter((word) => word !== '');
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...name].slice(0, 2);
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return { name, isApp, initials: letters.join('').toUpperCase(), colour: sum % 6 };
}
