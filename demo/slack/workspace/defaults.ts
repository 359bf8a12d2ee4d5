/** One person to be played. */
export interface PersonOptions {
  /** Handle; the id is made from it (`dana`: `U0DANA`). */
  readonly name: string;
  readonly realName?: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly isAdmin?: boolean;
  readonly isGuest?: boolean;
  /** A guest of one channel only, whom Slack calls ultra restricted. */
  readonly isSingleChannelGuest?: boolean;
  /** Somebody of another organization, met in a shared channel. */
  readonly isStranger?: boolean;
  /** Ids of the workspaces they are a member of, the one they act in first; the local one when absent. */
  readonly workspaces?: readonly string[];
  /**
   * Was here before the workspace joined an organization, so Slack knows them by an older id of the workspace
   * (`U0DANA`) and by one of the organization (`W0DANA`). Acts by either: `as('W0DANA')`. source:
   * docs.slack.dev/reference/methods/migration.exchange
   */
  readonly hasTwoIds?: boolean;
  readonly deleted?: boolean;
}

export interface ChannelOptions {
  /** Without `#`; the id is made from it (`ml-oncall`: `C0MLONCALL`). */
  readonly name: string;
  /** For a name without Latin letters, of which no id can be made. */
  readonly id?: string;
  readonly isPrivate?: boolean;
  readonly archived?: boolean;
  readonly topic?: string;
  /** With another organization, with another workspace of the same one, or with an invitation under way. */
  readonly shared?: 'external' | 'organization' | 'pending';
  /** Ids of the workspaces that it is in; the local one when absent. */
  readonly workspaces?: readonly string[];
  /** Handles; everybody when absent. */
  readonly members?: readonly string[];
  /** Whether the app's bot was invited; true when absent. */
  readonly withApp?: boolean;
}

export interface UserGroupOptions {
  readonly handle: string;
  /** Id of its workspace; the local one when absent. */
  readonly workspace?: string;
  readonly name?: string;
  readonly members: readonly string[];
}

export interface BotOptions {
  /** Handle; the ids are made from it (`alertmanager`: `B0ALERTMANAGER`). */
  readonly name: string;
  readonly displayName?: string;
  /** An incoming webhook posts `bot_message` without a user; an app posts as its bot user. */
  readonly via?: 'webhook' | 'app';
}

export const defaultPeople: readonly PersonOptions[] = [
  { name: 'dana', realName: 'Dana Reyes', locale: 'en-US', timeZone: 'America/New_York' },
  { name: 'min-jun', realName: 'Kim Min-jun', locale: 'ko-KR', timeZone: 'Asia/Seoul' },
  { name: 'sam', realName: 'Sam Okafor', locale: 'en-GB', timeZone: 'Europe/London' },
  { name: 'robin', realName: 'Robin Berg', locale: 'en-US', timeZone: 'Europe/Berlin', isAdmin: true },
];

export const defaultChannels: readonly ChannelOptions[] = [
  { name: 'ml-oncall', topic: 'Who is on call for machine learning' },
  { name: 'incidents', topic: 'Alerts and what became of them' },
];

export const defaultUserGroups: readonly UserGroupOptions[] = [
  { handle: 'ml-oncall', name: 'ML on call', members: ['dana', 'min-jun'] },
  { handle: 'platform-admins', name: 'Platform admins', members: ['robin'] },
];

export const defaultBots: readonly BotOptions[] = [
  { name: 'alertmanager', displayName: 'Alertmanager', via: 'webhook' },
  { name: 'grafana', displayName: 'Grafana', via: 'app' },
];
