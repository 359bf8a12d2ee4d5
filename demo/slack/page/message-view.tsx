import type { Message } from '../workspace/model.js';
import { Attachment } from './attachment.js';
import { authorOf } from './author.js';
import { Avatar } from './avatar.js';
import { Blocks } from './blocks.js';
import { EmojiSign } from './emoji-sign.js';
import { FileCard } from './files.js';
import { useFrame } from './panel-text.js';
import { type Slack, useSlack } from './slack-store.js';
import { type Surface, SurfaceContext } from './surface.js';
import { Moment, Mrkdwn } from './text.js';

interface Props {
  readonly message: Message;
  readonly replies: readonly Message[];
  /** Opens the thread; absent inside one. */
  readonly onThread?: (ts: string) => void;
  /** Whether the address bar names this message. */
  readonly marked?: boolean;
}

/** One message with everything that belongs to it. */
export function MessageView({ message, replies, onThread, marked = false }: Props) {
  const slack = useSlack();
  const frame = useFrame();
  const author = authorOf(slack, message);
  const isPrivate = message.visibleTo !== undefined;
  const surface: Surface = {
    id: `m-${message.ts}`,
    values: message.values,
    act: (blockId, actionId, value) => actInMessage(slack, message, blockId, actionId, value),
  };
  return (
    <article
      className={`message${isPrivate ? ' message-private' : ''}${marked ? ' message-marked' : ''}`}
      id={`m-${message.ts}`}
      data-testid="message"
      data-ts={message.ts}
      data-private={isPrivate}
      aria-label={`${author.name}: ${message.text.slice(0, 200)}`}
    >
      <Avatar author={author} />
      <div className="message-main">
        <header className="message-head">
          <strong>{author.name}</strong>
          {author.isApp ? <span className="badge">APP</span> : null}
          <span className="quiet">
            <Moment seconds={Number(message.ts)} format="{time}" />
          </span>
          {isPrivate ? <span className="only-you">{frame.onlyYou}</span> : null}
        </header>
        <SurfaceContext value={surface}>
          {message.blocks.length > 0 ? (
            <Blocks blocks={message.blocks} />
          ) : (
            <PlainMessage message={message} />
          )}
          {message.attachments.map((attachment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no identity and never move
            <Attachment key={index} of={attachment} />
          ))}
        </SurfaceContext>
        {message.files.map((file) => (
          <FileCard key={file.id} file={file} />
        ))}
        {message.reactions.length > 0 ? (
          <ul className="reactions" aria-label={frame.reactions}>
            {message.reactions.map(({ name, users }) => (
              <li key={name} title={name}>
                <EmojiSign name={name} /> {users.length}
              </li>
            ))}
          </ul>
        ) : null}
        {onThread !== undefined && replies.length > 0 ? (
          <button
            type="button"
            className="replies"
            onClick={() => onThread(message.ts)}
            data-testid="open-thread"
          >
            {frame.replies(replies.length)}
            <span className="quiet">
              {frame.lastAt} <Moment seconds={Number(replies.at(-1)?.ts)} format="{time}" />
            </span>
          </button>
        ) : null}
      </div>
      <MessageMenu
        message={message}
        isPrivate={isPrivate}
        {...(onThread === undefined ? {} : { onThread })}
      />
    </article>
  );
}

function actInMessage(
  slack: Slack,
  { channel, ts }: Message,
  blockId: string,
  actionId: string,
  value: string | readonly string[] | undefined,
) {
  const chosen = value === undefined ? {} : { value: typeof value === 'string' ? value : [...value] };
  return slack.send({ do: 'act', channel, ts, blockId, actionId, ...chosen });
}

function PlainMessage({ message }: { message: Message }) {
  const { edited } = useFrame();
  if (message.text === '') return null;
  return (
    <div className="blocks">
      <div className="block-section">
        <Mrkdwn text={message.text} />
        {message.edited === undefined ? null : <span className="quiet"> {edited}</span>}
      </div>
    </div>
  );
}

interface MenuProps {
  readonly message: Message;
  readonly isPrivate: boolean;
  readonly onThread?: (ts: string) => void;
}

/** What can be done with a message: the app's shortcuts, and answering. */
function MessageMenu({ message, isPrivate, onThread }: MenuProps) {
  const { shortcuts, send } = useSlack();
  const { replyInThread } = useFrame();
  if (isPrivate) return null;
  return (
    <div className="message-menu">
      {shortcuts.map(({ callbackId, name }) => (
        <button
          key={callbackId}
          type="button"
          onClick={() => void send({ do: 'shortcut', callbackId, channel: message.channel, ts: message.ts })}
        >
          {name}
        </button>
      ))}
      {onThread === undefined ? null : (
        <button type="button" onClick={() => onThread(message.ts)}>
          {replyInThread}
        </button>
      )}
    </div>
  );
}
