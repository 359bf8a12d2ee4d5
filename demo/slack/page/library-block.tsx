import { type Block, Message } from 'slack-blocks-to-jsx';
import type { Json } from '../json.js';
import { EmojiSign, withSignElements } from './emoji-sign.js';
import { useSlack } from './slack-store.js';
import { ExternalLink, Mention, Moment } from './text.js';

/**
 * A block drawn by slack-blocks-to-jsx. Only blocks whose words it keeps as they are come here: it reads
 * plain text and table cells as mrkdwn, resolves entities before it parses, and writes styles into code.
 */
export function LibraryBlock({ block }: { block: Json }) {
  const { people, channels, userGroups } = useSlack();
  const drawn = withSignElements([block]);
  const users = people.map(({ id, name }) => ({ id, name }));
  return (
    <Message
      withoutWrapper
      theme="light"
      name=""
      logo=""
      // The library's types know fewer fields than Slack; what it does not know it leaves alone.
      blocks={drawn as unknown as Block[]}
      data={{
        users,
        channels: channels.map(({ id, name }) => ({ id, name })),
        user_groups: userGroups.map(({ id, name, handle }) => ({ id, name, handle })),
      }}
      hooks={{
        user: ({ id }) => <Mention kind="user" id={id} />,
        channel: ({ id }) => <Mention kind="channel" id={id} />,
        usergroup: ({ id }) => <Mention kind="usergroup" id={id} />,
        date: ({ timestamp, format, fallback }) => (
          <Moment seconds={Number(timestamp)} format={format} fallback={fallback} />
        ),
        emoji: ({ name }) => <EmojiSign name={name} />,
        link: ({ href, children }) => <ExternalLink url={href}>{children}</ExternalLink>,
      }}
    />
  );
}
