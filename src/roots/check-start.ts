import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { groupsIn, type Policy } from '../doctor/policy/policy.js';
import { inspectCluster } from '../edges/kubernetes/inspect-cluster.js';
import { inspectRedis } from '../edges/redis/inspect-redis.js';
import type { SlackClients } from '../edges/slack/clients.js';
import { inspectGroups, inspectSlack } from '../edges/slack/inspect-slack.js';
import type { ReadWorkspaces } from '../edges/slack/slack-workspaces.js';
import { plain } from '../engine/language/prose.js';
import { createTell } from '../service/create-engine.js';
import { type Inspected, inspected } from '../service/inspect/inspection.js';
import { variableOf } from '../settings/load-slack.js';
import type { Container } from './container.js';
import { exitWithProblems } from './start-or-exit.js';

/** A process does not wait longer for Redis and Slack before it starts: both may be away for a while. */
const waitMs = 5_000;
const clusterTimeoutMs = 15_000;

const levels = { works: 'info', note: 'info', missing: 'warn', unknown: 'warn' } as const;

/**
 * Checks at the start of a process what `rollout-doctor doctor` checks, and logs each result once. Settings
 * that cannot work end the process with status 2 and the same report as other wrong settings. What does not
 * answer may come back, so it is logged only. The clusters are checked while the process already works.
 */
export async function checkStart({
  config,
  log,
  digest,
  connections,
}: Pick<Container, 'config' | 'log' | 'digest' | 'connections'>): Promise<void> {
  const logAll = createLogAll(log, 'checked at start');
  for (const connection of connections) {
    void inspectCluster(connection, '', AbortSignal.timeout(clusterTimeoutMs)).then(logAll, (err: unknown) =>
      log.warn({ err, cluster: connection.name }, 'the check at start did not finish'),
    );
  }
  const { redis, slack, slackApiUrl, policy, login } = config;
  const { botToken } = slack;
  const policyChecks =
    policy.grants.length === 0 ? [inspected('configuration', 'note', 'policy-empty', {})] : [];
  const checks = [
    logAll(policyChecks),
    inspectRedis({ ...redis, digest, policy }).then(logAll),
    inspectSlack({
      botToken,
      slackApiUrl,
      log,
      botTokenVariable: variableOf('botToken', config),
      groups: groupsIn(policy),
      readsEmails: login?.personClaim === 'email',
    }).then(logAll),
  ];
  const all = await Promise.race([Promise.all(checks), setTimeout(waitMs, [], { ref: false })]);
  const problems = all.flat().flatMap(({ setting }) => (setting === undefined ? [] : [setting]));
  if (problems.length > 0) exitWithProblems(problems);
}

/** Checks whether the groups of a policy that has changed grant something, and logs each result. */
export async function checkGroups(
  client: SlackClients['lookup'],
  workspaces: ReadWorkspaces,
  policy: Policy,
  log: Logger,
): Promise<void> {
  const asked = groupsIn(policy).length === 0 ? undefined : await workspaces().catch(() => undefined);
  createLogAll(log, 'checked after the policy changed')(await inspectGroups(client, groupsIn(policy), asked));
}

function createLogAll(log: Logger, message: string) {
  const tell = createTell();
  return (all: readonly Inspected[]): readonly Inspected[] => {
    for (const { part, state, says } of all) {
      log[levels[state]]({ part, state, result: plain(tell(says, 'en')) }, message);
    }
    return all;
  };
}
