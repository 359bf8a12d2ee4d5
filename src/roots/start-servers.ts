import type { BoundedServer } from '../edges/http/http-server.js';
import { confirmUrl, redirectUriOf, startLoginServer } from '../edges/login/login-server.js';
import { createOpenIdLogin, type OpenIdLogin } from '../edges/login/openid-login.js';
import type { McpCaller } from '../edges/mcp/mcp-route.js';
import { createSlackCallers } from '../edges/mcp/slack-caller.js';
import type { ToolAnswers } from '../edges/mcp/tool-server.js';
import { createRedisWaitingDecisions } from '../edges/redis/redis-approval-store.js';
import { fieldDiff } from '../edges/slack/render/picture.js';
import { isOwnInstallation, type SlackIdentityLookup } from '../edges/slack/slack-identity.js';
import { createSlackSignature, mayBeSigned } from '../edges/slack/slack-server.js';
import { startWebhookServer } from '../edges/webhooks/webhook-server.js';
import type { Language } from '../engine/language/language.js';
import type { ReceiveAlert } from '../service/alerts/receive-alert.js';
import type { ConfirmLogin, ConfirmLoginDeps } from '../service/approve/confirm-login.js';
import { createConfirmLogin } from '../service/approve/confirm-login.js';
import { createTell } from '../service/create-engine.js';
import { languageOfChannel } from '../settings/config.js';
import { type LoginSettings, readClientSecret } from '../settings/load-login.js';
import type { Container } from './container.js';

/** What comes in beside Slack, where any of it is configured: alert webhooks, and calls of assistants. */
export async function startWebhooks(
  {
    alerts,
    clock,
    config,
    digest,
    log,
    metrics,
    seenBefore,
  }: Pick<Container, 'alerts' | 'clock' | 'config' | 'digest' | 'log' | 'metrics' | 'seenBefore'>,
  receive: ReceiveAlert,
  identity: SlackIdentityLookup,
  answersFor: (caller: McpCaller) => ToolAnswers,
): Promise<BoundedServer | undefined> {
  const { settings, secrets, tokens, slackbotSecret } = config.alerts;
  const { webhooks, assistants } = settings;
  const hasTools = assistants.length > 0 || slackbotSecret !== undefined;
  if (webhooks.length === 0 && !hasTools) return undefined;
  /** Loaded only where an assistant may call, since the protocol is a large package. */
  const toolRoute = async () => {
    const { createMcpRoute, mcpPath } = await import('../edges/mcp/mcp-route.js');
    const route = createMcpRoute({
      assistants,
      tokens,
      answersFor,
      log,
      ...(slackbotSecret !== undefined && {
        slackbot: {
          channel: settings.slackbot?.channel,
          mayBeSigned,
          callerOf: createSlackCallers({
            isSigned: createSlackSignature(slackbotSecret),
            seenBefore,
            isOwn: async (claimed) => isOwnInstallation(await identity.identity(), claimed),
          }),
        },
      }),
    });
    return { path: mcpPath, route };
  };
  const server = await startWebhookServer({
    clock,
    digest,
    log,
    metrics,
    receive,
    port: config.alertsPort,
    settings,
    secrets,
    language: config.channelLanguage,
    languageOfChannel: (channel) => languageOfChannel(config, channel),
    isFull: () => alerts.isFull(),
    ...(hasTools && { furtherRoute: await toolRoute() }),
  });
  const names = {
    webhooks: webhooks.map(({ name }) => name),
    assistants: assistants.map(({ name }) => name),
  };
  log.info({ port: server.port, ...names }, 'alerts are received');
  return server;
}

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
