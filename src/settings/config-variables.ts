import * as z from 'zod';
import { ApprovalKeys } from '../edges/signing/cluster-keys.js';
import { Language } from '../engine/language/language.js';
import { clusterName } from '../engine/objects/metadata.js';
import {
  ChannelLanguage,
  choice,
  namesIn,
  path,
  port,
  seconds,
  type Variable,
  variable,
  wholeNumber,
  yamlFile,
} from './config-variable.js';
import { redisVariables } from './load-redis.js';

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
const messageVariables = {
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
    'address of the pages of `docs/`; with it each card, and each answer of `explain` in Slack, links to the page of its cause',
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

/** Without TLS only on the machine itself. */
const address = z.url({ protocol: /^https?$/ }).refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return (protocol === 'https:' || isLoopback) && search === '' && hash === '';
});

/** The company's login, which a policy can ask of approvers. */
export const loginVariables = {
  loginIssuer: variable(
    'LOGIN_ISSUER',
    'OpenID Connect issuer of the company; needed where the policy demands a login, see docs/login.md',
    {
      en: 'a URL with `https`, as the issuer writes it, such as `https://login.example.com`',
      ko: '발급자가 쓰는 그대로의 `https` URL(예: `https://login.example.com`)',
    },
    address.optional(),
  ),
  loginClientId: variable(
    'LOGIN_CLIENT_ID',
    'client id of this app at the issuer',
    { en: 'a text', ko: '문자열' },
    z.string().min(1).max(500).optional(),
  ),
  loginClientSecretFile: path(
    'LOGIN_CLIENT_SECRET_FILE',
    'file with the client secret; read again every 10 minutes',
  ),
  loginBaseUrl: variable(
    'LOGIN_BASE_URL',
    'how browsers reach LOGIN_PORT; the issuer must allow `<LOGIN_BASE_URL>/login/callback`',
    {
      en: 'a URL with `https`, such as `https://rollout-doctor.example.com`',
      ko: '`https` URL(예: `https://rollout-doctor.example.com`)',
    },
    address.transform((text) => text.replace(/\/$/u, '')).optional(),
  ),
  loginPort: port(
    'LOGIN_PORT',
    'port of the pages that confirm approvals; opened if LOGIN_ISSUER is set',
    3003,
  ),
  loginPersonClaim: variable(
    'LOGIN_PERSON_CLAIM',
    "claim that names the person: `email`, if verified, is compared with the Slack profile's; any other must hold the Slack user id",
    { en: 'the name of a claim', ko: '클레임 이름' },
    z.string().min(1).max(200).default('email'),
  ),
  loginMaxAgeSeconds: wholeNumber(
    'LOGIN_MAX_AGE_SECONDS',
    'how long ago a person may have logged in; the issuer asks for the login again after that',
    { from: 0, to: 86_400, usual: 300 },
  ),
  loginAcr: variable(
    'LOGIN_ACR',
    'accepted values of the claim `acr`, such as those of a second factor; any when unset',
    { en: 'values separated by commas', ko: '쉼표로 구분한 값' },
    z.string().transform(namesIn).default([]),
  ),
} as const satisfies Record<string, Variable>;

/**
 * Every environment variable the processes read. A default is part of the schema. The table of
 * docs/configuration.md is made of this list and checked against it.
 */
export const variables = {
  ...slackVariables,
  ...messageVariables,
  port: port('PORT', "port of Slack's requests; opened in HTTP mode", 3000),
  statusPort: port('STATUS_PORT', 'port of health checks and metrics; not for the outside', 3002),
  ...redisVariables,
  kubeconfig: path(
    'KUBECONFIG',
    "kubeconfig whose contexts are the clusters; without it the pod's own ServiceAccount",
  ),
  clusters: variable(
    'CLUSTERS',
    'contexts to offer, the first one is the default; all of them when unset',
    { en: 'context names separated by commas', ko: '쉼표로 구분한 컨텍스트 이름' },
    z.string().transform(namesIn).default([]),
  ),
  clusterAccess: choice(
    'CLUSTER_ACCESS',
    'with `workers`, each cluster has workers of its own and this process needs no kubeconfig, see docs/many-clusters.md',
    ['direct', 'workers'],
    'direct',
  ),
  clusterName: variable(
    'CLUSTER_NAME',
    'name of the one cluster whose jobs this worker takes; the app needs `CLUSTER_ACCESS=workers`',
    {
      en: 'up to 100 letters, digits and `.`, `_`, `-`, the first one a letter or digit',
      ko: '문자나 숫자로 시작하는 100자 이하의 문자, 숫자, `.`, `_`, `-`',
    },
    z.string().regex(clusterName).optional(),
  ),
  policyFile: yamlFile(
    'POLICY_FILE',
    'who may approve what; nobody may approve anything without it',
    'docs/policy.md',
  ),
  alertsFile: yamlFile(
    'ALERTS_FILE',
    'which alerts are answered and where; none without it',
    'docs/alerts.md',
  ),
  alertsPort: port('ALERTS_PORT', 'port of the alert webhooks; opened if ALERTS_FILE names any', 3001),
  ...loginVariables,
  gitFile: yamlFile(
    'GIT_FILE',
    'where Git declares workloads, and the access to GitHub or GitLab for pull requests; none are offered without it',
    'docs/git.md',
  ),
  workers: variable(
    'WORKERS',
    'queues this worker process serves',
    {
      en: 'some of `alert,diagnosis,remediation,verification,delivery`',
      ko: '`alert,diagnosis,remediation,verification,delivery` 중 하나 이상',
    },
    z
      .string()
      .default('alert,diagnosis,remediation,verification,delivery')
      .transform((value) => value.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum(['alert', 'diagnosis', 'remediation', 'verification', 'delivery'])).min(1)),
  ),
  approvalKeys: variable(
    'APPROVAL_KEYS',
    'keys that sign approvals; the app and the remediation worker need them',
    {
      en: '`id:base64` of 32 random bytes or more, several separated by commas, see docs/approval-keys.md',
      ko: '32바이트 이상의 무작위 값으로 만든 `id:base64`, 여러 개는 쉼표로 구분(docs/approval-keys.md 참고)',
    },
    ApprovalKeys.optional(),
  ),
  answerKeys: variable(
    'ANSWER_KEYS',
    'keys that sign answers about names, where clusters have workers of their own; the diagnosis worker of a cluster and the alert worker beside the app need them',
    {
      en: 'the output of `rollout-doctor answer-keys`, see docs/many-clusters.md#keys',
      ko: '`rollout-doctor answer-keys`의 출력(docs/many-clusters.md#keys 참고)',
    },
    ApprovalKeys.optional(),
  ),
  approvalMinutes: wholeNumber('APPROVAL_MINUTES', 'how long a review counts', {
    from: 1,
    to: 120,
    usual: 15,
  }),
  verifySeconds: seconds('VERIFY_SECONDS', 'deadline for the verdict after a change', 600),
  verifyEverySeconds: seconds('VERIFY_EVERY_SECONDS', 'time between two diagnoses after a change', 5),
  readTimeoutSeconds: seconds('READ_TIMEOUT_SECONDS', 'deadline of one read of a cluster', 20),
  readRequestsAtOnce: wholeNumber(
    'READ_REQUESTS_AT_ONCE',
    'requests of one read of a cluster that are in flight at the same time',
    { from: 1, to: 64, usual: 16 },
  ),
  readMaxRequests: wholeNumber(
    'READ_MAX_REQUESTS',
    'requests of one read of a cluster altogether; five times as many for a scan',
    { from: 100, to: 10_000, usual: 900 },
  ),
  readMaxMegabytes: wholeNumber(
    'READ_MAX_MEGABYTES',
    'what one read of a cluster transfers, decompressed; twice as much for a scan',
    { from: 64, to: 1_024, usual: 256 },
  ),
  nodeWatch: choice(
    'NODE_WATCH',
    'whether the diagnosis workers watch nodes, so that a diagnosis need not list them',
    ['on', 'off'],
    'on',
  ),
  configMetadata: variable(
    'CONFIG_METADATA',
    'whose metadata tells when the configuration of a failing pod was written; needs rights of its own, see docs/security.md',
    {
      en: 'some of `configmaps,secrets`; none when unset',
      ko: '`configmaps,secrets` 중 하나 이상, 설정하지 않으면 사용하지 않음',
    },
    z
      .string()
      .transform(namesIn)
      .pipe(
        z.array(
          z
            .enum(['configmaps', 'secrets'])
            .transform((name) => (name === 'secrets' ? 'Secret' : 'ConfigMap')),
        ),
      )
      .default([]),
  ),
  keepDays: wholeNumber('KEEP_DAYS', 'how long records are kept', { from: 1, to: 3650, usual: 30 }),
  auditDays: wholeNumber(
    'AUDIT_DAYS',
    'how long decisions are kept: approvals, rejections, changes, verdicts and silences',
    { from: 1, to: 3650, usual: 400 },
  ),
  crashHistory: choice(
    'CRASH_HISTORY',
    'whether the diagnosis workers watch pods, so that crashes of pods deleted since still count and fewer pods are listed',
    ['on', 'off'],
    'on',
  ),
  crashHistoryNamespaces: variable(
    'CRASH_HISTORY_NAMESPACES',
    'namespaces whose pods are watched; all of them when unset',
    { en: 'names separated by commas', ko: '쉼표로 구분한 이름' },
    z.string().transform(namesIn).default([]),
  ),
  crashHistoryDays: wholeNumber('CRASH_HISTORY_DAYS', 'how long the crash history reaches back', {
    from: 1,
    to: 30,
    usual: 7,
  }),
  crashHistoryPods: wholeNumber(
    'CRASH_HISTORY_PODS',
    'pods of one cluster followed at once, some hundred bytes each',
    { from: 1_000, to: 1_000_000, usual: 100_000 },
  ),
  silenceMaxHours: wholeNumber('SILENCE_MAX_HOURS', 'longest time for which a workload can be silenced', {
    from: 1,
    to: 720,
    usual: 168,
  }),
  otlpEndpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'base address of an OpenTelemetry collector that takes OTLP over HTTP; without it nothing is traced, see docs/metrics.md',
    {
      en: 'a URL such as `http://collector.monitoring:4318`',
      ko: '`http://collector.monitoring:4318` 같은 URL',
    },
    z.url({ protocol: /^https?$/ }).optional(),
  ),
  logLevel: choice('LOG_LEVEL', 'least severe log lines written', ['debug', 'info', 'warn', 'error'], 'info'),
} as const satisfies Record<string, Variable>;
