import { z } from 'zod';

/**
 * The parts of an app manifest the local Slack acts on; other fields are let through unread.
 * source: docs.slack.dev/reference/app-manifest
 */
export const Manifest = z.looseObject({
  display_information: z.looseObject({ name: z.string() }).default({ name: 'Rollout Doctor' }),
  features: z
    .looseObject({
      bot_user: z.looseObject({ display_name: z.string() }).optional(),
      slash_commands: z
        .array(
          z.looseObject({
            command: z.string().startsWith('/'),
            description: z.string().default(''),
            usage_hint: z.string().default(''),
            should_escape: z.boolean().default(false),
          }),
        )
        .default([]),
      shortcuts: z
        .array(
          z.looseObject({
            name: z.string(),
            type: z.enum(['message', 'global']),
            callback_id: z.string(),
            description: z.string().default(''),
          }),
        )
        .default([]),
    })
    .default({ slash_commands: [], shortcuts: [] }),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
  settings: z
    .looseObject({
      event_subscriptions: z.looseObject({ bot_events: z.array(z.string()).default([]) }).optional(),
      interactivity: z.looseObject({ is_enabled: z.boolean() }).optional(),
    })
    .default({}),
});
export type Manifest = z.output<typeof Manifest>;

/** The manifest that counts when none is given. */
export const defaultManifest: z.input<typeof Manifest> = {
  display_information: { name: 'Rollout Doctor' },
  features: {
    bot_user: { display_name: 'rollout-doctor' },
    slash_commands: [
      {
        command: '/rollout-doctor',
        description: 'Find out why a rollout is stuck',
        usage_hint: 'namespace/name | help',
        should_escape: true,
      },
    ],
    shortcuts: [
      {
        name: 'Diagnose this',
        type: 'message',
        callback_id: 'diagnose_this',
        description: 'Diagnose what the message is about',
      },
    ],
  },
  oauth_config: {
    scopes: {
      bot: [
        'commands',
        'chat:write',
        'users:read',
        'usergroups:read',
        'channels:history',
        'channels:read',
        'groups:history',
        'im:history',
        'app_mentions:read',
        'reactions:write',
        'files:write',
      ],
    },
  },
  settings: {
    event_subscriptions: {
      bot_events: ['app_mention', 'message.channels', 'message.groups', 'app_home_opened'],
    },
    interactivity: { is_enabled: true },
  },
};
