import { createHash } from 'node:crypto';
import { groupsIn, type Policy } from '../../doctor/policy/policy.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import { codeOf } from '../../engine/language/statement.js';
import { inspectLoginSettings } from '../../roots/cluster-links.js';
import { createTell } from '../../service/create-engine.js';
import { type Inspected, inspected } from '../../service/inspect/inspection.js';
import { isOfApp, loadConfig, loadPolicy } from '../../settings/config.js';
import { type Environment, givenValue } from '../../settings/config-variable.js';
import { variables } from '../../settings/config-variables.js';
import { loadRedis } from '../../settings/load-redis.js';
import { credentialIn, type SlackVariables, variableOf } from '../../settings/load-slack.js';
import { connectClusters } from '../kubernetes/cluster-connection.js';
import { inspectCluster } from '../kubernetes/inspect-cluster.js';
import { within } from '../kubernetes/locate-workloads.js';
import { block, type Paint, painted, type Tone, toned } from '../terminal/paint.js';
import { reportText } from '../terminal/report-text.js';
import { exitStatus } from './exit-status.js';
import { type DoctorOutput, type InspectedPart, inspectedParts } from './shared-options.js';
import { type Streams, structured } from './streams.js';

export interface DoctorCommandOptions {
  readonly only?: readonly InspectedPart[];
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: DoctorOutput;
  readonly lang: Language;
}

const clusterTimeoutMs = 15_000;

/** `rollout-doctor doctor`: what works and what is missing. @returns the exit status */
export async function doctorCommand(
  options: DoctorCommandOptions,
  streams: Streams,
  env: Environment,
): Promise<number> {
  const wanted = options.only ?? inspectedParts;
  const inspections: Readonly<Record<InspectedPart, () => Promise<readonly Inspected[]>>> = {
    configuration: () => inspectConfiguration(env),
    redis: () => inspectRedisServer(env),
    slack: () => inspectSlackSettings(env),
    kubernetes: () => inspectClusters(options, env),
  };
  const all = (
    await Promise.all(
      inspectedParts.filter((part) => wanted.includes(part)).map((part) => inspections[part]()),
    )
  ).flat();
  const tell = createTell();
  const { output, lang } = options;
  await streams.out(
    output === 'text'
      ? inspectionText(all, { tell, language: lang, paint: streams.paint })
      : await structured(output, inspectionJson(all, { tell, language: lang })),
  );
  if (all.some(({ state }) => state === 'missing')) return exitStatus.found;
  return all.some(({ state }) => state === 'unknown') ? exitStatus.unseen : exitStatus.nothing;
}

async function inspectConfiguration(env: Environment): Promise<readonly Inspected[]> {
  const loaded = loadConfig(env);
  const issuer = read(env, 'loginIssuer');
  const login = (policy?: Policy) => (isOfApp(env) ? inspectLoginSettings({ issuer, policy }) : []);
  if (loaded.type === 'invalid') {
    return [
      ...loaded.problems.map((problem) => inspected('configuration', 'missing', 'config-wrong', { problem })),
      ...(await login()),
    ];
  }
  const { approvalKeys, policy } = loaded.config;
  const { grants } = policy;
  const [first] = approvalKeys ?? [];
  return [
    inspected('configuration', 'works', 'config-works', {}),
    first === undefined
      ? inspected('configuration', 'missing', 'approval-keys-missing', {})
      : inspected('configuration', 'works', 'approval-keys-work', {
          first: first.id,
          count: approvalKeys?.length ?? 1,
        }),
    ...(grants.length === 0 ? [inspected('configuration', 'note', 'policy-empty', {})] : []),
    ...(await login(policy)),
  ];
}

/** The clients of Redis and Slack are loaded for this command alone; to load them takes half a second. */
async function inspectRedisServer(env: Environment): Promise<readonly Inspected[]> {
  const { inspectRedis } = await import('../redis/inspect-redis.js');
  const named = {
    redisUrl: read(env, 'redisUrl') ?? 'redis://127.0.0.1:6379',
    redisPrefix: read(env, 'redisPrefix') ?? 'rollout-doctor',
    redisCaFile: read(env, 'redisCaFile'),
    redisPasswordFile: read(env, 'redisPasswordFile'),
    redisSentinels: read(env, 'redisSentinels'),
    redisClusterNodes: read(env, 'redisClusterNodes'),
    redisSentinelName: read(env, 'redisSentinelName'),
    redisSentinelPasswordFile: read(env, 'redisSentinelPasswordFile'),
  };
  const settings = loadRedis(named);
  return inspectRedis({
    // Files that cannot be read are reported with the configuration.
    ...('problems' in settings ? { url: named.redisUrl, prefix: named.redisPrefix } : settings),
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    policy: readPolicy(env),
  });
}

async function inspectSlackSettings(env: Environment): Promise<readonly Inspected[]> {
  const settings: SlackVariables = {
    slackBotToken: read(env, 'slackBotToken'),
    slackBotTokenFile: read(env, 'slackBotTokenFile'),
    slackAppToken: read(env, 'slackAppToken'),
    slackAppTokenFile: read(env, 'slackAppTokenFile'),
    slackSigningSecret: read(env, 'slackSigningSecret'),
    slackSigningSecretFile: read(env, 'slackSigningSecretFile'),
  };
  const botToken = credentialIn('botToken', settings);
  if (botToken === undefined) {
    return [inspected('slack', 'missing', 'slack-unset', { variable: variableOf('botToken', settings) })];
  }
  const socket = (read(env, 'slackMode') ?? 'socket') === 'socket';
  const appToken = credentialIn('appToken', settings);
  const [{ inspectSlack }, { pino }] = await Promise.all([
    import('../slack/inspect-slack.js'),
    import('pino'),
  ]);
  const answers = await inspectSlack({
    botToken,
    botTokenVariable: variableOf('botToken', settings),
    appTokenVariable: variableOf('appToken', settings),
    ...(socket && appToken !== undefined ? { appToken } : {}),
    slackApiUrl: read(env, 'slackApiUrl') ?? 'https://slack.com/api/',
    groups: policyGroups(env),
    readsEmails: read(env, 'loginIssuer') !== undefined && read(env, 'loginPersonClaim') === 'email',
    log: pino({ level: 'silent' }),
  });
  const other = socket ? 'appToken' : 'signingSecret';
  if (credentialIn(other, settings) !== undefined) return answers;
  return [
    ...answers,
    inspected('slack', 'missing', 'slack-unset', { variable: variableOf(other, settings) }),
  ];
}

async function inspectClusters(
  { kubeconfig, context, namespace = '' }: DoctorCommandOptions,
  env: Environment,
): Promise<readonly Inspected[]> {
  if (read(env, 'clusterAccess') === 'workers' && read(env, 'clusterName') === undefined) return [];
  try {
    const chosen = context === undefined ? (read(env, 'clusters') ?? []) : [context];
    const connections = connectClusters({
      kubeconfig: kubeconfig ?? read(env, 'kubeconfig'),
      contexts: chosen,
      onlyAs: read(env, 'clusterName'),
    });
    const each = await Promise.all(
      connections.map((connection) => inspectCluster(connection, namespace, within(clusterTimeoutMs))),
    );
    return each.flat();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [inspected('kubernetes', 'unknown', 'kubeconfig-wrong', { message: message.slice(0, 300) })];
  }
}

/** A policy that cannot be read is reported with the configuration. */
function policyGroups(env: Environment): readonly string[] {
  const policy = readPolicy(env);
  return policy === undefined ? [] : groupsIn(policy);
}

function readPolicy(env: Environment): Policy | undefined {
  const policy = loadPolicy(read(env, 'policyFile'));
  return 'problems' in policy ? undefined : policy;
}

/**
 * One setting by itself, so that a part can be looked at while another is not set up; wrong counts as unset.
 */
function read<Key extends keyof typeof variables>(env: Environment, key: Key) {
  const { name, schema } = variables[key];
  const found = givenValue(env, name);
  const parsed = schema.safeParse(found);
  type Value = ReturnType<(typeof variables)[Key]['schema']['parse']>;
  // A union of schemas gives a union of values; the key says which.
  return parsed.success ? (parsed.data as Value) : undefined;
}

const marks: Readonly<Record<Inspected['state'], { readonly mark: string; readonly tone: Tone }>> = {
  works: { mark: 'ok     ', tone: 'good' },
  missing: { mark: 'missing', tone: 'bad' },
  note: { mark: 'note   ', tone: 'warn' },
  unknown: { mark: 'unknown', tone: 'warn' },
};

const products: Readonly<Record<Exclude<Inspected['part'], 'configuration'>, string>> = {
  redis: 'Redis',
  slack: 'Slack',
  kubernetes: 'Kubernetes',
};

function titleOf(part: Inspected['part'], language: Language): string {
  return part === 'configuration' ? plain(reportText[language].configuration()) : products[part];
}

/** What works and what is missing, part by part, for a terminal. */
function inspectionText(
  all: readonly Inspected[],
  { tell, language, paint }: { tell: Tell; language: Language; paint: Paint },
): string {
  const parts = [...new Set(all.map(({ part }) => part))];
  return parts
    .map((part) =>
      [
        toned(paint, 'strong', titleOf(part, language)),
        ...all
          .filter((each) => each.part === part)
          .map(({ state, says }) => {
            const { mark, tone } = marks[state];
            const hang = ' '.repeat(mark.length + 4);
            const text = block(paint, hang, painted(paint, tell(says, language)));
            return `  ${toned(paint, tone, mark)}  ${text.slice(hang.length)}`;
          }),
      ].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}

/** The same for scripts. */
function inspectionJson(all: readonly Inspected[], { tell, language }: { tell: Tell; language: Language }) {
  return {
    apiVersion: 'rollout-doctor/v1',
    kind: 'Inspection',
    items: all.map(({ part, state, says }) => ({
      part,
      state,
      key: codeOf(says),
      says: untrusted(plain(tell(says, language)), 4_000),
    })),
  };
}
