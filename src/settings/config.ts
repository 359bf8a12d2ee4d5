import type { z } from 'zod';
import { sourceOf } from '../doctor/git-edits/git-settings.js';
import { PageLinks, type Pages, placeholders, unknownPlaceholders } from '../doctor/incidents/page-links.js';
import { Policy } from '../doctor/policy/policy.js';
import { parseOneYaml, YamlError } from '../edges/files/parse-yaml.js';
import { readSettings } from '../edges/files/read-settings.js';
import type { RedisSettings } from '../edges/redis/connection.js';
import type { Language } from '../engine/language/language.js';
import { nearestName } from '../engine/language/nearest-name.js';
import { plain } from '../engine/language/prose.js';
import type { WorkloadRef } from '../engine/objects/workload.js';
import type { Owner } from '../engine/owners/field-drift.js';
import { isClusterQueue } from '../service/clusters/cluster-of-job.js';
import type { Expected, SettingProblem } from '../service/inspect/setting-problem.js';
import { settingProblem, settingProblemText, settingText } from '../service/inspect/setting-problem.js';
import { type Environment, givenValue } from './config-variable.js';
import { variables } from './config-variables.js';
import { type AlertConfig, loadAlerts } from './load-alerts.js';
import { type GitConfig, loadGit } from './load-git.js';
import { type LoginSettings, loadLogin } from './load-login.js';
import { loadRedis, type RedisVariables } from './load-redis.js';
import { loadSlack, type SlackCredentials } from './load-slack.js';
import { schemaProblems } from './schema-problems.js';

export type Config = {
  readonly [Key in keyof typeof variables]: z.output<(typeof variables)[Key]['schema']>;
} & {
  /** As it was read at the start; `Container.policy` has the one that counts. */
  readonly policy: Policy;
  readonly alerts: AlertConfig;
  readonly pages: Pages;
  readonly git: GitConfig | undefined;
  readonly redis: RedisSettings;
  /** Absent where no login is set up, and in workers, which have no client secret. */
  readonly login: LoginSettings | undefined;
  /** As they were read at the start; `Container.slackCredentials` has those that count. */
  readonly slack: SlackCredentials;
};

export type Loaded =
  | { readonly type: 'config'; readonly config: Config }
  | { readonly type: 'invalid'; readonly problems: readonly SettingProblem[] };

/** Variables whose values must never be shown. */
const secrets: ReadonlySet<string> = new Set([
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'REDIS_URL',
  'APPROVAL_KEYS',
  'ANSWER_KEYS',
]);

/** Which process is configured; `inspection` only reads the settings. */
type Role = 'app' | 'worker' | 'inspection';

/**
 * Reads the whole configuration once. Nothing else in the program reads the environment.
 *
 * @param env the process environment; an empty or blank value counts as unset
 * @param role the app and a worker that serves the remediation queue need `APPROVAL_KEYS`; where clusters
 *   have workers of their own, the workers that ask or answer questions about names need `ANSWER_KEYS`
 * @returns the configuration, or every problem at once
 */
export function loadConfig(env: Environment, role: Role = 'inspection'): Loaded {
  const problems: SettingProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, { name, expects, schema }] of Object.entries(variables)) {
    const found = givenValue(env, name);
    const parsed = schema.safeParse(found);
    if (parsed.success) values[key] = parsed.data;
    else if (found === undefined) problems.push(settingProblem(name, 'missing', { expected: expects }));
    else problems.push(wrongSetting(name, expects, found));
  }
  const isGiven = (name: string) => givenValue(env, name) !== undefined;
  const slack = loadSlack(values, isGiven);
  if ('problems' in slack) problems.push(...slack.problems);
  const access = clusterAccessOf(values);
  if (role === 'app' && access.type === 'own-cluster')
    problems.push(settingProblem(variables.clusterName.name, 'for-workers-only', {}));
  if (role === 'worker' && Array.isArray(values.workers)) {
    const served = servedGroups(access, values.workers);
    if ('problem' in served) problems.push(served.problem);
    else values.workers = served.groups;
  }
  for (const { name, expects: expected } of neededKeys(role, access, values.workers)) {
    if (givenValue(env, name) === undefined) problems.push(settingProblem(name, 'missing', { expected }));
  }
  const policy = loadPolicy(values.policyFile);
  if ('problems' in policy) problems.push(...policy.problems);
  const alerts = loadAlerts(typeof values.alertsFile === 'string' ? values.alertsFile : undefined, env);
  if ('problems' in alerts) problems.push(...alerts.problems);
  const git = loadGit(values.gitFile, env, serves(role, values.workers, 'remediation'));
  if ('problems' in git) problems.push(...git.problems);
  const redis = loadRedis(values as unknown as RedisVariables);
  if ('problems' in redis) problems.push(...redis.problems);
  // A worker has no client secret, and an inspection may be that of a worker.
  const hasLogin = isOfApp(env, role) || values.loginClientSecretFile !== undefined;
  const login = hasLogin ? loadLogin(values, isGiven) : undefined;
  if (login !== undefined && 'problems' in login) problems.push(...login.problems);
  const links = loadLinks(values.links);
  if ('problems' in links) problems.push(...links.problems);
  if (problems.length > 0) return { type: 'invalid', problems };
  const pages = { docsUrl: values.docsUrl, links };
  return {
    type: 'config',
    config: Object.freeze({ ...values, slack, policy, alerts, pages, redis, login, ...git }) as Config,
  };
}

/** Whether these are the settings of the app: those of a worker name its queues. */
export function isOfApp(env: Environment, role: Role = 'inspection'): boolean {
  return role === 'app' || (role === 'inspection' && givenValue(env, variables.workers.name) === undefined);
}

/** A worker that diagnoses reads text of a cluster, so it has no keys that sign approvals. */
function neededKeys(role: Role, { type }: ClusterAccess, queues: unknown) {
  const asks = type === 'beside-app' && serves(role, queues, 'alert');
  const answers = type === 'own-cluster' && serves(role, queues, 'diagnosis');
  return [
    ...(role === 'app' || serves(role, queues, 'remediation') ? [variables.approvalKeys] : []),
    ...(asks || answers ? [variables.answerKeys] : []),
  ];
}

function serves(role: Role, queues: unknown, queue: string): boolean {
  return role === 'worker' && Array.isArray(queues) && queues.includes(queue);
}

function wrongSetting(name: string, expected: Expected, found: string): SettingProblem {
  // Of an address with a user and a password.
  const isSecret = secrets.has(name) || found.includes('@');
  return isSecret
    ? settingProblem(name, 'wrong-secret', { expected, characters: found.length })
    : settingProblem(name, 'wrong', { expected, found: found.slice(0, 80) });
}

/** The language of what a whole channel reads. */
export function languageOfChannel(
  { channelLanguage, channelLanguages }: Pick<Config, 'channelLanguage' | 'channelLanguages'>,
  channel: string,
): Language {
  return channelLanguages.findLast((each) => each.channel === channel)?.language ?? channelLanguage;
}

/** The problems as lines for a terminal. */
export function describeProblems(problems: readonly SettingProblem[], language: Language): string {
  const lines = problems.map(
    (problem) => `  ${problem.where}: ${plain(settingProblemText(problem, language))}`,
  );
  return [plain(settingText[language].heading()), ...lines].join('\n');
}

/**
 * Whether a pull request can be offered: the settings name a source, or an owner reads one that the review
 * finds.
 */
export function hasGitSource(
  { git }: Pick<Config, 'git'>,
  workload: WorkloadRef,
  owners: readonly Owner[],
): boolean {
  if (git === undefined) return false;
  const readsGit = owners.some(({ kind }) => kind === 'Application' || kind === 'Kustomization');
  return readsGit || sourceOf(git.settings, workload) !== undefined;
}

const variable = 'LINKS';

/** Reads LINKS: the links, or every problem at once. */
function loadLinks(text: unknown): PageLinks | { readonly problems: readonly SettingProblem[] } {
  if (typeof text !== 'string') return [];
  let content: unknown;
  try {
    content = parseOneYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const found = text.slice(0, 80);
    return { problems: [settingProblem(variable, 'wrong', { expected: variables.links.expects, found })] };
  }
  const parsed = PageLinks.safeParse(content);
  if (!parsed.success) return { problems: schemaProblems(variable, PageLinks, content, parsed.error) };
  const problems = parsed.data.flatMap(({ url }, position) =>
    unknownPlaceholders(url).map((name) =>
      settingProblem(`${variable} [${position}].url`, 'placeholder-unknown', {
        placeholder: `{${name}}`,
        nearest: nearestName(name, placeholders),
        known: placeholders.map((each) => `{${each}}`),
      }),
    ),
  );
  return problems.length > 0 ? { problems } : parsed.data;
}

/** Reads POLICY_FILE: the policy, or every problem at once. Without a file nobody may approve anything. */
export function loadPolicy(path: unknown): Policy | { readonly problems: readonly SettingProblem[] } {
  if (typeof path !== 'string') return Policy.parse({ grants: [] });
  let content: unknown;
  try {
    content = readSettings(path);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { problems: [settingProblem('POLICY_FILE', 'file-unusable', { problem })] };
  }
  const parsed = Policy.safeParse(content);
  if (parsed.success) return parsed.data;
  return { problems: schemaProblems('POLICY_FILE', Policy, content, parsed.error) };
}

/**
 * How a process reaches clusters. `direct`: with its own kubeconfig, and it serves all its clusters.
 * `beside-app`: not at all; each cluster has workers of its own. `own-cluster`: a worker of one cluster.
 */
export type ClusterAccess =
  | { readonly type: 'direct' }
  | { readonly type: 'beside-app' }
  | { readonly type: 'own-cluster'; readonly cluster: string };

interface AccessVariables {
  readonly clusterAccess?: 'direct' | 'workers' | undefined;
  readonly clusterName?: string | undefined;
}

export function clusterAccessOf({ clusterAccess, clusterName }: AccessVariables): ClusterAccess {
  if (clusterName !== undefined) return { type: 'own-cluster', cluster: clusterName };
  return { type: clusterAccess === 'workers' ? 'beside-app' : 'direct' };
}

type Group = (typeof variables)['workers']['schema']['_output'][number];

/**
 * The groups of queues that a process serves: a cluster's worker leaves what needs no cluster to the workers
 * beside the app, and they leave it the rest.
 */
function servedGroups(
  access: ClusterAccess,
  workers: readonly Group[],
): { readonly groups: readonly Group[] } | { readonly problem: SettingProblem } {
  const { type } = access;
  const groups =
    type === 'direct' ? workers : workers.filter((each) => isClusterQueue(each) === (type === 'own-cluster'));
  if (groups.length > 0) return { groups };
  const { name } = variables.workers;
  const served = type === 'own-cluster' ? '`diagnosis,remediation,verification`' : '`alert,delivery`';
  const expected =
    type === 'own-cluster'
      ? { en: `some of ${served} with CLUSTER_NAME`, ko: `CLUSTER_NAME과 함께 ${served} 중 하나 이상` }
      : { en: `some of ${served} with CLUSTER_ACCESS`, ko: `CLUSTER_ACCESS와 함께 ${served} 중 하나 이상` };
  return { problem: settingProblem(name, 'wrong', { expected, found: workers.join(',') }) };
}
