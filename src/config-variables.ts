import * as z from 'zod';
import { ApprovalKeys } from './approval-keys.js';
import { namesIn, port, seconds, type Variable, variable } from './config-variable.js';
import { loginVariables } from './config-variables-login.js';
import { redisVariables } from './config-variables-redis.js';
import { messageVariables, slackVariables } from './config-variables-slack.js';
import { clusterName } from './core/cluster/cluster-name.js';

/**
 * Every environment variable the processes read. A default is part of the schema. The table of docs/configuration.md is
 * made of this list and checked against it.
 */
export const variables = {
  ...slackVariables,
  ...messageVariables,
  port: variable(
    'PORT',
    "port of Slack's requests; opened in HTTP mode",
    { en: '0 to 65535', ko: '0~65535' },
    port.default(3000),
  ),
  statusPort: variable(
    'STATUS_PORT',
    'port of health checks and metrics; not for the outside',
    { en: '0 to 65535', ko: '0~65535' },
    port.default(3002),
  ),
  ...redisVariables,
  kubeconfig: variable(
    'KUBECONFIG',
    "kubeconfig whose contexts are the clusters; without it the pod's own ServiceAccount",
    { en: 'a path', ko: '파일 경로' },
    z.string().min(1).optional(),
  ),
  clusters: variable(
    'CLUSTERS',
    'contexts to offer, the first one is the default; all of them when unset',
    { en: 'context names separated by commas', ko: '쉼표로 구분한 컨텍스트 이름' },
    z.string().transform(namesIn).default([]),
  ),
  clusterAccess: variable(
    'CLUSTER_ACCESS',
    'with `workers`, each cluster has workers of its own and this process needs no kubeconfig, see docs/many-clusters.md',
    { en: '`direct` or `workers`', ko: '`direct` 또는 `workers`' },
    z.enum(['direct', 'workers']).default('direct'),
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
  policyFile: variable(
    'POLICY_FILE',
    'who may approve what; nobody may approve anything without it',
    { en: 'a path to a YAML file, see docs/policy.md', ko: 'YAML 파일 경로(docs/policy.md 참고)' },
    z.string().min(1).optional(),
  ),
  alertsFile: variable(
    'ALERTS_FILE',
    'which alerts are answered and where; none without it',
    { en: 'a path to a YAML file, see docs/alerts.md', ko: 'YAML 파일 경로(docs/alerts.md 참고)' },
    z.string().min(1).optional(),
  ),
  alertsPort: variable(
    'ALERTS_PORT',
    'port of the alert webhooks; opened if ALERTS_FILE names any',
    { en: '0 to 65535', ko: '0~65535' },
    port.default(3001),
  ),
  ...loginVariables,
  gitFile: variable(
    'GIT_FILE',
    'where Git declares workloads, and the access to GitHub or GitLab for pull requests; none are offered without it',
    { en: 'a path to a YAML file, see docs/git.md', ko: 'YAML 파일 경로(docs/git.md 참고)' },
    z.string().min(1).optional(),
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
  approvalMinutes: variable(
    'APPROVAL_MINUTES',
    'how long a review counts',
    { en: '1 to 120', ko: '1~120' },
    z.coerce.number().int().min(1).max(120).default(15),
  ),
  verifySeconds: variable(
    'VERIFY_SECONDS',
    'deadline for the verdict after a change',
    { en: '1 to 86400', ko: '1~86400' },
    seconds.default(600),
  ),
  verifyEverySeconds: variable(
    'VERIFY_EVERY_SECONDS',
    'time between two looks after a change',
    { en: '1 to 86400', ko: '1~86400' },
    seconds.default(5),
  ),
  readTimeoutSeconds: variable(
    'READ_TIMEOUT_SECONDS',
    'deadline of one look at a cluster',
    { en: '1 to 86400', ko: '1~86400' },
    seconds.default(20),
  ),
  readRequestsAtOnce: variable(
    'READ_REQUESTS_AT_ONCE',
    'requests of one look at a cluster that are in flight at the same time',
    { en: '1 to 64', ko: '1~64' },
    z.coerce.number().int().min(1).max(64).default(16),
  ),
  readMaxRequests: variable(
    'READ_MAX_REQUESTS',
    'requests of one look at a cluster altogether; five times as many for a scan',
    { en: '100 to 10000', ko: '100~10000' },
    z.coerce.number().int().min(100).max(10_000).default(900),
  ),
  readMaxMegabytes: variable(
    'READ_MAX_MEGABYTES',
    'what one look at a cluster reads, decompressed; twice as much for a scan',
    { en: '64 to 1024', ko: '64~1024' },
    z.coerce.number().int().min(64).max(1_024).default(256),
  ),
  nodeWatch: variable(
    'NODE_WATCH',
    'whether the diagnosis workers watch nodes, so that a diagnosis need not list them',
    { en: '`on` or `off`', ko: '`on` 또는 `off`' },
    z.enum(['on', 'off']).default('on'),
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
  keepDays: variable(
    'KEEP_DAYS',
    'how long records are kept',
    { en: '1 to 3650', ko: '1~3650' },
    z.coerce.number().int().min(1).max(3650).default(30),
  ),
  auditDays: variable(
    'AUDIT_DAYS',
    'how long decisions are kept: approvals, rejections, changes, verdicts and silences',
    { en: '1 to 3650', ko: '1~3650' },
    z.coerce.number().int().min(1).max(3650).default(400),
  ),
  crashHistory: variable(
    'CRASH_HISTORY',
    'whether the diagnosis workers watch pods, so that crashes of pods deleted since still count and fewer pods are listed',
    { en: '`on` or `off`', ko: '`on` 또는 `off`' },
    z.enum(['on', 'off']).default('on'),
  ),
  crashHistoryNamespaces: variable(
    'CRASH_HISTORY_NAMESPACES',
    'namespaces whose pods are watched; all of them when unset',
    { en: 'names separated by commas', ko: '쉼표로 구분한 이름' },
    z.string().transform(namesIn).default([]),
  ),
  crashHistoryDays: variable(
    'CRASH_HISTORY_DAYS',
    'how long the crash history reaches back',
    { en: '1 to 30', ko: '1~30' },
    z.coerce.number().int().min(1).max(30).default(7),
  ),
  crashHistoryPods: variable(
    'CRASH_HISTORY_PODS',
    'pods of one cluster followed at once, some hundred bytes each',
    { en: '1000 to 1000000', ko: '1000~1000000' },
    z.coerce.number().int().min(1_000).max(1_000_000).default(100_000),
  ),
  silenceMaxHours: variable(
    'SILENCE_MAX_HOURS',
    'longest time for which a workload can be silenced',
    { en: '1 to 720', ko: '1~720' },
    z.coerce.number().int().min(1).max(720).default(168),
  ),
  otlpEndpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'base address of an OpenTelemetry collector that takes OTLP over HTTP; without it nothing is traced, see docs/metrics.md',
    {
      en: 'a URL such as `http://collector.monitoring:4318`',
      ko: '`http://collector.monitoring:4318` 같은 URL',
    },
    z.url({ protocol: /^https?$/ }).optional(),
  ),
  logLevel: variable(
    'LOG_LEVEL',
    'least severe log lines written',
    { en: '`debug`, `info`, `warn` or `error`', ko: '`debug`, `info`, `warn` 또는 `error`' },
    z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  ),
} as const satisfies Record<string, Variable>;
