import { randomBytes, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { confirmUrl, redirectUriOf, startLoginServer } from '#src/adapters/login/login-server.js';
import { createOpenIdLogin } from '#src/adapters/login/openid-login.js';
import { createRedisWaitingDecisions } from '#src/adapters/redis/redis-waiting-decisions.js';
import { createHmacSigner } from '#src/adapters/signing/hmac-signer.js';
import { fieldDiff } from '#src/adapters/slack/render/field-diff.js';
import type { Demands } from '#src/core/authorization/authorize.js';
import { createTell } from '#src/doctor.js';
import { createConfirmLogin, type LoginOutcome } from '#src/usecases/approve/confirm-login.js';
import type { MayApprove } from '#src/usecases/approve/may-approve.js';
import type { Person } from '#src/usecases/people/people-ports.js';
import { testAuthority, testKey } from '#support/authority.js';
import { client, startCompanyLogin } from '#support/company-login.js';
import { idOf, startRig } from '#support/remediation-rig.js';
import { freePort } from '../../../demo/redis/private-redis.js';
import { api, bringAboutDeadlock } from '../attack/deadlock.js';

const dana = { sub: 'dana', email: 'Dana@Example.com' } as const;

export interface LoginStageOptions {
  readonly demands?: Partial<Demands>;
  readonly personClaim?: string;
  readonly acr?: readonly string[];
  /** In place of the real provider. */
  readonly issuer?: string;
}

/** A stuck rollout whose approval the policy wants confirmed, the pages of the app, and a real OpenID Connect provider. */
export async function startLoginStage(redis: Redis, options: LoginStageOptions = {}) {
  const world = {
    demands: { approvers: 1, notRequester: false, typeName: false, login: true, ...options.demands },
    email: 'dana@example.com',
    isUp: true,
  };
  const mayApprove: MayApprove = async () => ({ type: 'allowed', demands: world.demands });
  const rig = await startRig({ redis, mayApprove, cluster: { namespaces: ['shop'] } });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const company = await startCompanyLogin(redirectUriOf(baseUrl), dana);
  const outcomes: LoginOutcome[] = [];
  const signer = createHmacSigner([testKey]);
  const person = async (id: string) => ({ id, email: world.email }) as Person;
  const confirmLogin = createConfirmLogin({
    ...rig,
    authority: testAuthority,
    decideApproval: rig.usecases.decide,
    newId: () => randomBytes(10).toString('hex'),
    people: { person },
    signer,
    waiting: createRedisWaitingDecisions({ redis, prefix: rig.prefix }),
    urlOf: (id) => confirmUrl(baseUrl, id),
  });
  const start = () =>
    startLoginServer({
      ...{ port, host: '127.0.0.1', baseUrl, confirmLogin, signer, diffOf: fieldDiff },
      clock: { now: () => new Date() },
      openId: createOpenIdLogin({
        issuer: options.issuer ?? company.issuer,
        clientId: client.id,
        clientSecret: () => client.secret,
        redirectUri: redirectUriOf(baseUrl),
        personClaim: options.personClaim ?? 'email',
        maxAgeSeconds: 300,
        acr: options.acr ?? [],
      }),
      language: 'en',
      languageOf: async () => 'en',
      tell: createTell(),
      onOutcome: (outcome) => outcomes.push(outcome),
      log: pino({ level: 'silent' }),
    });
  let server = await start();

  await bringAboutDeadlock(rig);
  const before = rig.writes().length;
  const diagnosed = await rig.diagnosed(api, randomUUID().slice(0, 8));
  return {
    ...{ baseUrl, company, confirmLogin, outcomes, rig, world },
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
    async stop() {
      await server.close();
      await company.close();
      await rig.stop();
    },
  };
}
