import { randomBytes, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { Demands } from '#src/doctor/policy/policy.js';
import { confirmUrl, redirectUriOf, startLoginServer } from '#src/edges/login/login-server.js';
import { createOpenIdLogin } from '#src/edges/login/openid-login.js';
import { createRedisClock } from '#src/edges/redis/connection.js';
import { createRedisWaitingDecisions } from '#src/edges/redis/redis-approval-store.js';
import { createRedisClusterAnswers } from '#src/edges/redis/redis-clusters.js';
import { clusterKeysOf, createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { fieldDiff } from '#src/edges/slack/render/picture.js';
import type { Language } from '#src/engine/language/language.js';
import { createApprovalAuthority } from '#src/service/approve/approval-authority.js';
import { createConfirmLogin, type LoginOutcome } from '#src/service/approve/confirm-login.js';
import type { MayApprove } from '#src/service/approve/may-approve.js';
import { createAskCluster } from '#src/service/clusters/ask-cluster.js';
import { createCarryOutReview, createRemoteReviews } from '#src/service/clusters/remote-reviews.js';
import { createTell } from '#src/service/create-engine.js';
import { DoctorError } from '#src/service/errors.js';
import type { ReviewJob } from '#src/service/jobs/cluster-questions.js';
import { refuse } from '#src/service/notices/notices.js';
import type { DecideApproval, Decided } from '#src/service/people/conversation.js';
import type { Person } from '#src/service/people/people-ports.js';
import type { JobQueue } from '#src/service/records/process-ports.js';
import { freePort } from '../../demo/free-ports.js';
import { allowed } from './allowed.js';
import { digest, testAuthority, testKey } from './authority.js';
import { client, startCompanyLogin } from './company-login.js';
import { idOf, type Rig, type RigOptions, startRig } from './remediation-rig.js';
import { api, bringAboutDeadlock } from './stuck-rollout.js';

const dana = { sub: 'dana', email: 'Dana@Example.com' } as const;

/** Signs with the keys of a cluster that has workers of its own. */
export const signerOf = (cluster: string) => createHmacSigner(clusterKeysOf([testKey], cluster));

export interface LoginStageOptions {
  readonly demands?: Partial<Demands>;
  readonly personClaim?: string;
  readonly acr?: readonly string[];
  /** In place of the real provider. */
  readonly issuer?: string;
  readonly timeoutSeconds?: number;
  readonly git?: RigOptions['git'];
  /** The workers have the keys of this cluster alone, and the app asks them. */
  readonly workersOf?: string;
  /** Of the person who presses Apply, `en` when absent. */
  readonly language?: Language;
  /** Of the channel, `en` when absent. */
  readonly channelLanguage?: Language;
  /** Under which the pages are served. */
  readonly path?: string;
}

/**
 * A stuck rollout whose approval the policy wants confirmed, the pages of the app, and a real OpenID Connect
 * provider.
 */
export async function startLoginStage(redis: Redis, options: LoginStageOptions = {}) {
  const world = {
    demands: { approvers: 1, notRequester: false, typeName: false, login: true, ...options.demands },
    email: 'dana@example.com' as string | undefined,
    /** The policy lets nobody approve. */
    isWithdrawn: false,
    isSlackAway: false,
    /** A step of the product throws what nobody expects. */
    isBroken: false,
    /** How far the clock of the pages is ahead, in milliseconds. */
    aheadMs: 0,
  };
  const mayApprove: MayApprove = async (_subject, by) => {
    if (world.isSlackAway) {
      throw new DoctorError({ code: 'slack-unavailable', message: 'Slack is away', retryable: true });
    }
    if (world.isBroken) throw new Error('broken by the test');
    return world.isWithdrawn ? refuse('not-a-member', { workload: 'shop/api' }) : allowed(by, world.demands);
  };
  const { git, workersOf } = options;
  const authority =
    workersOf === undefined
      ? testAuthority
      : createApprovalAuthority({ signer: signerOf(workersOf), digest });
  const rig = await startRig({
    ...{ redis, mayApprove, authority, cluster: { namespaces: ['shop'] } },
    ...(git === undefined ? {} : { git }),
  });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}${options.path ?? ''}`;
  const company = await startCompanyLogin(redirectUriOf(baseUrl), dana);
  const outcomes: LoginOutcome[] = [];
  const logged: string[] = [];
  const signer = createHmacSigner([testKey]);
  const person = async (id: string) => ({ id, email: world.email }) as Person;
  const confirmLogin = createConfirmLogin({
    ...rig,
    authority:
      workersOf === undefined ? testAuthority : createApprovalAuthority({ signer, signerOf, digest }),
    decideApproval: workersOf === undefined ? rig.usecases.decide : decideByWorker(rig, workersOf),
    newId,
    people: { person },
    signer,
    waiting: createRedisWaitingDecisions({ redis, prefix: rig.prefix }),
    urlOf: (id) => confirmUrl(baseUrl, id),
  });
  const start = () =>
    startLoginServer({
      ...{ port, host: '127.0.0.1', baseUrl, confirmLogin, signer, diffOf: fieldDiff },
      clock: { now: () => new Date(Date.now() + world.aheadMs) },
      openId: createOpenIdLogin({
        issuer: options.issuer ?? company.issuer,
        clientId: client.id,
        clientSecret: () => client.secret,
        redirectUri: redirectUriOf(baseUrl),
        personClaim: options.personClaim ?? 'email',
        maxAgeSeconds: 300,
        acr: options.acr ?? [],
        ...(options.timeoutSeconds === undefined ? {} : { timeoutSeconds: options.timeoutSeconds }),
      }),
      language: options.channelLanguage ?? 'en',
      languageOf: async () => options.language ?? 'en',
      tell: createTell(),
      onOutcome: (outcome) => outcomes.push(outcome),
      log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
    });
  let server = await start();

  await bringAboutDeadlock(rig);
  const before = rig.writes().length;
  const diagnosed = await rig.diagnosed(api, randomUUID().slice(0, 8));
  const stored = async (approvalId: string) => {
    const found = await rig.approvals.get(approvalId);
    if (found === undefined) throw new Error('must be there');
    return found;
  };
  return {
    ...{ baseUrl, company, confirmLogin, logged, outcomes, rig, stored, world },
    incidentId: diagnosed.id,
    /** What was sent to the cluster for good since the rollout is stuck. */
    changes: () => rig.writes().slice(before),
    /** Another process of the app takes over. */
    async restart() {
      await server.close();
      server = await start();
    },
    async reviewed() {
      const incident = await rig.current(diagnosed.id);
      return rig.reviewed(incident, idOf(incident, 'patch-strategy'));
    },
    /** Presses Apply in Slack. @returns the link, or what happened in its place */
    async pressed(approvalId: string, by = 'U0DANA') {
      return confirmLogin.decideApproval({
        approvalId,
        by,
        decision: 'approve',
        reason: 'it is <b>stuck</b>',
      });
    },
    /** Nobody has decided, and the workers change nothing. */
    async expectUndecided(approvalId: string): Promise<void> {
      expect(await stored(approvalId)).toMatchObject({ state: 'open', decisions: [] });
      await rig.work();
      expect(rig.writes().slice(before)).toEqual([]);
    },
    async stop() {
      await server.close();
      await company.close();
      await rig.stop();
    },
  };
}

/** The link that the person got. */
export function urlOf(decided: Decided): string {
  if (decided.type !== 'login' || decided.url === undefined) throw new Error(JSON.stringify(decided));
  return decided.url;
}

const newId = (): string => randomBytes(10).toString('hex');

/** The worker of the cluster counts decisions that the app signed; both meet in Redis alone. */
function decideByWorker(rig: Rig, cluster: string): DecideApproval {
  const { approvals, incidents, prefix, redis, sharedClock, sights } = rig;
  const answers = createRedisClusterAnswers({ redis, prefix });
  const worker = createCarryOutReview({
    ...{ answers, cluster, sharedClock, signer: signerOf(cluster) },
    decideApproval: rig.usecases.decide,
    reviewRemediation: rig.usecases.review,
  });
  const jobs: JobQueue = {
    enqueue: async (_queue, job) => void worker.carryOut(job as ReviewJob),
  };
  const { decideApproval } = createRemoteReviews({
    ...{ approvals, incidents, sights, signerOf, withinMs: 10_000 },
    ask: createAskCluster({ answers, jobs, newId, sharedClock: createRedisClock(redis, prefix) }),
    roll: { clusters: [cluster], isServed: () => true, workersOf: () => [] },
  });
  return decideApproval;
}
