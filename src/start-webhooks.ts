import { startWebhookServer } from './adapters/alerts/webhook-server.js';
import { isOwnInstallation, type SlackIdentityLookup } from './adapters/slack/slack-identity.js';
import { createSlackSignature, mayBeSigned } from './adapters/slack/slack-signature.js';
import { languageOfChannel } from './config.js';
import type { Container } from './container.js';
import type { BoundedServer } from './http/bounded-server.js';
import { createMcpRoute, type McpCaller, mcpPath } from './mcp/mcp-route.js';
import { createSlackCallers } from './mcp/slack-caller.js';
import type { ToolAnswers } from './mcp/tool-server.js';
import type { ReceiveAlert } from './usecases/alerts/receive-alert.js';

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
    ...(hasTools && { furtherRoute: { path: mcpPath, route } }),
  });
  const names = {
    webhooks: webhooks.map(({ name }) => name),
    assistants: assistants.map(({ name }) => name),
  };
  log.info({ port: server.port, ...names }, 'alerts are received');
  return server;
}
