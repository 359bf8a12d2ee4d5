import { useEffect, useRef } from 'react';
import { Composer } from './composer.js';
import { MessageList } from './message-list.js';
import { useFrame } from './panel-text.js';
import { useSlack } from './slack-store.js';

interface Props {
  readonly channel: string;
  readonly ts: string;
  readonly markedTs: string | undefined;
  readonly onClose: () => void;
}

const none = () => [];

/** A message and the replies to it, beside the channel. */
export function ThreadPane({ channel, ts, markedTs, onClose }: Props) {
  const { all, channels } = useSlack();
  const frame = useFrame();
  const close = useRef<HTMLButtonElement>(null);
  const thread = all.filter(
    (message) => message.channel === channel && (message.ts === ts || message.threadTs === ts),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: takes the focus when another thread opens
  useEffect(() => {
    close.current?.focus();
  }, [ts]);
  return (
    <aside className="thread" aria-label={frame.thread} data-testid="thread">
      <header className="pane-head">
        <h2>{frame.thread}</h2>
        <span className="quiet">#{channels.find(({ id }) => id === channel)?.name}</span>
        <button
          ref={close}
          type="button"
          className="icon-button"
          aria-label={frame.closeThread}
          onClick={onClose}
        >
          ×
        </button>
      </header>
      <MessageList
        label={frame.threadMessages}
        messages={thread}
        repliesOf={none}
        markedTs={markedTs}
        empty={frame.gone}
      />
      <Composer channel={channel} threadTs={ts} label={frame.reply} />
    </aside>
  );
}
