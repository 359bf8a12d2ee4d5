import type { BoundedServer } from '../edges/http/http-server.js';
import { confirmUrl, redirectUriOf, startLoginServer } from '../edges/login/login-server.js';
import { createOpenIdLogin, type OpenIdLogin } from '../edges/login/openid-login.js';
import { createRedisWaitingDecisions } from '../edges/redis/redis-waiting-decisions.js';
import { fieldDiff } from '../edges/slack/render/picture.js';
import type { Language } from '../engine/language/language.js';
import {
  type ConfirmLogin,
  type ConfirmLoginDeps,
  createConfirmLogin,
} from '../service/approve/confirm-login.js';
import { createTell } from '../service/create-engine.js';
import { type LoginSettings, readClientSecret } from '../settings/load-login.js';
import type { Container } from './container.js';

type ConfirmLoginParts = Pick<
  Container,
  | 'approvals'
  | 'audit'
  | 'authority'
  | 'clock'
  | 'config'
  | 'incidents'
  | 'newId'
  | 'redis'
  | 'sharedClock'
  | 'signer'
> &
  Pick<ConfirmLoginDeps, 'decideApproval' | 'people' | 'sights'>;

/** Decisions that may have to be confirmed with the company's login. */
export function confirmingByLogin(parts: ConfirmLoginParts): ConfirmLogin {
  const { config, redis } = parts;
  const { login, redisPrefix: prefix } = config;
  return createConfirmLogin({
    ...parts,
    waiting: createRedisWaitingDecisions({ redis, prefix }),
    urlOf: login && ((id) => confirmUrl(login.baseUrl, id)),
  });
}

/** The pages of the login, where it is set up. */
export async function startLogin(
  { clock, config, log, metrics, signer }: Pick<Container, 'clock' | 'config' | 'log' | 'metrics' | 'signer'>,
  confirmLogin: ConfirmLogin,
  languageOf: (person: string) => Promise<Language>,
): Promise<BoundedServer | undefined> {
  const { login, loginPort, channelLanguage: language } = config;
  if (login === undefined) return undefined;
  const server = await startLoginServer({
    clock,
    confirmLogin,
    language,
    languageOf,
    log,
    signer,
    port: loginPort,
    baseUrl: login.baseUrl,
    openId: openIdLoginOf(login),
    tell: createTell(),
    diffOf: fieldDiff,
    onOutcome: metrics.loginEnded,
  });
  log.info({ port: server.port, issuer: login.issuer }, 'approvals are confirmed with the login');
  return server;
}

function openIdLoginOf({ baseUrl, clientSecretFile, ...others }: LoginSettings): OpenIdLogin {
  return createOpenIdLogin({
    ...others,
    clientSecret: () => readClientSecret(clientSecretFile),
    redirectUri: redirectUriOf(baseUrl),
  });
}
