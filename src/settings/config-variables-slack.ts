import * as z from 'zod';
import { Language } from '../engine/language/language.js';
import { ChannelLanguage, choice, namesIn, path, type Variable, variable } from './config-variable.js';

/** How the processes reach Slack. */
export const slackVariables = {
  slackMode: choice('SLACK_MODE', 'how events arrive', ['socket', 'http'], 'socket'),
  slackBotToken: variable(
    'SLACK_BOT_TOKEN',
    'token of the bot user; required, unless SLACK_BOT_TOKEN_FILE names a file',
    { en: 'a token that starts with `xoxb-`', ko: '`xoxb-`로 시작하는 토큰' },
    z
      .string()
      .regex(/^xoxb-/)
      .optional(),
  ),
  slackBotTokenFile: path(
    'SLACK_BOT_TOKEN_FILE',
    'file with the token of the bot user, in place of SLACK_BOT_TOKEN; read again when it changes, see [below](#slack-credentials-from-files)',
  ),
  slackAppToken: variable(
    'SLACK_APP_TOKEN',
    'app-level token, for Socket Mode',
    { en: 'a token that starts with `xapp-`', ko: '`xapp-`로 시작하는 토큰' },
    z
      .string()
      .regex(/^xapp-/)
      .optional(),
  ),
  slackAppTokenFile: path(
    'SLACK_APP_TOKEN_FILE',
    'file with the app-level token, in place of SLACK_APP_TOKEN; read again when it changes, see [below](#slack-credentials-from-files)',
  ),
  slackSigningSecret: variable(
    'SLACK_SIGNING_SECRET',
    'signing secret, for HTTP',
    {
      en: "the secret from the app's Basic Information page",
      ko: '앱의 Basic Information 페이지에 있는 시크릿',
    },
    z.string().min(8).optional(),
  ),
  slackSigningSecretFile: path(
    'SLACK_SIGNING_SECRET_FILE',
    'file with the signing secret, in place of SLACK_SIGNING_SECRET; read again when it changes, see [below](#slack-credentials-from-files)',
  ),
  slackApiUrl: variable(
    'SLACK_API_URL',
    'base of the Web API, for the local Slack',
    { en: 'a URL that ends with `/api/`', ko: '`/api/`로 끝나는 URL' },
    z.url().default('https://slack.com/api/'),
  ),
} as const satisfies Record<string, Variable>;

/** What messages look like. */
export const messageVariables = {
  channelLanguage: variable(
    'CHANNEL_LANGUAGE',
    'language of what a whole channel reads',
    { en: '`en` or `ko`', ko: '`en` 또는 `ko`' },
    Language.default('en'),
  ),
  channelLanguages: variable(
    'CHANNEL_LANGUAGES',
    'languages of single channels, in place of CHANNEL_LANGUAGE',
    {
      en: 'channel ids and languages such as `C0123456789=ko`, several separated by commas',
      ko: '`C0123456789=ko` 형식의 채널 ID와 언어, 여러 개는 쉼표로 구분',
    },
    z.string().transform(namesIn).pipe(z.array(ChannelLanguage)).default([]),
  ),
  healthyResults: choice(
    'HEALTHY_RESULTS',
    'who sees the answer to a command that finds no problem: the person who asked, with a button that shares it, or the channel',
    ['private', 'channel'],
    'private',
  ),
  slackTables: choice(
    'SLACK_TABLES',
    'whether lists are Slack tables; in lines with `off`, and wherever Slack refuses the table',
    ['on', 'off'],
    'on',
  ),
  docsUrl: variable(
    'DOCS_URL',
    'address of the pages of `docs/`; with it each card links to the page of its cause',
    {
      en: 'a URL such as `https://git.example/rollout-doctor/blob/main/docs`',
      ko: '`https://git.example/rollout-doctor/blob/main/docs` 형식의 URL',
    },
    z.url({ protocol: /^https?$/ }).optional(),
  ),
  links: variable(
    'LINKS',
    'links to dashboards, logs and the like on each card, at most 5, see [below](#links)',
    { en: 'a list of `name` and `url` in YAML or JSON', ko: '`name`과 `url`의 목록(YAML 또는 JSON)' },
    z.string().optional(),
  ),
} as const satisfies Record<string, Variable>;
