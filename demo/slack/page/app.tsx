import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Message } from '../workspace/model.js';
import { ClusterView } from './cluster-view.js';
import { Composer } from './composer.js';
import { HomeTab } from './home-tab.js';
import { MessageList } from './message-list.js';
import { Modal } from './modal.js';
import { useFrame, usePanelLanguage } from './panel-text.js';
import { currentRoute } from './route.js';
import { Sidebar } from './sidebar.js';
import { type Slack, SlackContext, useSlackStore } from './slack-store.js';
import { ThreadPane } from './thread-pane.js';
import { TourStrip } from './tour-strip.js';
import { useUnread } from './unread.js';

const start = currentRoute(location);

export function App() {
  const [as, setAs] = useState(start.as ?? sessionStorage.getItem('as') ?? '');
  const slack = useSlackStore(as);
  if (slack === undefined) return <p className="loading">Loading…</p>;
  const play = (id: string) => {
    sessionStorage.setItem('as', id);
    setAs(id);
  };
  return (
    <SlackContext value={slack}>
      <Desk slack={slack} onPerson={play} />
    </SlackContext>
  );
}

function Desk({ slack, onPerson }: { slack: Slack; onPerson: (id: string) => void }) {
  const [place, setPlace] = useState(start.channel ?? slack.channels[0]?.id ?? 'home');
  const [thread, setThread] = useState(start.threadTs);
  const [marked, setMarked] = useState(start.ts);
  const [menuOpen, setMenuOpen] = useState(false);
  const frame = useFrame();
  const unread = useUnread(slack, place);
  const modal = slack.modals.at(-1);
  const channel = slack.channels.find(({ id }) => id === place);
  const totalUnread = [...unread.values()].reduce((sum, count) => sum + count, 0);
  useEffect(() => {
    document.title = `${totalUnread > 0 ? `(${totalUnread}) ` : ''}Local Slack (demo)`;
  }, [totalUnread]);
  useEffect(() => {
    document.documentElement.lang = frame.language;
  }, [frame]);

  function select(next: string): void {
    setPlace(next);
    setThread(undefined);
    setMarked(undefined);
    setMenuOpen(false);
    history.replaceState(null, '', next === 'home' ? '/' : `/archives/${next}`);
    if (next === 'home') void slack.send({ do: 'home' });
  }
  /** Shows a channel whose messages are about to change; what is open beside it stays open. */
  function reveal(channelId: string): void {
    if (channelId === place) setMenuOpen(false);
    else select(channelId);
  }
  return (
    <div className={`desk${menuOpen ? ' menu-open' : ''}${slack.demo === undefined ? '' : ' with-cluster'}`}>
      <div className="banner" role="note">
        <button
          type="button"
          className="menu-button"
          aria-expanded={menuOpen}
          aria-label={menuOpen ? frame.hideMenu : frame.showMenu}
          onClick={() => setMenuOpen(!menuOpen)}
        >
          ☰
        </button>
        <span>
          <strong>{frame.notSlack}</strong> {frame.forgotten}
        </span>
        {slack.live ? null : <strong className="lost">{frame.lost}</strong>}
      </div>
      <Sidebar selected={place} unread={unread} onSelect={select} onReveal={reveal} onPerson={onPerson} />
      <main
        className={thread === undefined ? 'main' : 'main with-thread'}
        inert={slack.busy !== undefined}
        aria-busy={slack.busy !== undefined}
      >
        {channel === undefined ? (
          <HomeTab />
        ) : (
          <ChannelPane
            slack={slack}
            channelId={channel.id}
            marked={marked}
            onThread={setThread}
            onPerson={onPerson}
          />
        )}
      </main>
      {channel !== undefined && thread !== undefined ? (
        <ThreadPane channel={channel.id} ts={thread} markedTs={marked} onClose={() => setThread(undefined)} />
      ) : null}
      {slack.demo === undefined ? null : <ClusterView channel={channel?.id} nodes={slack.demo.nodes} />}
      {modal === undefined ? null : <Modal key={modal.id} view={modal} depth={slack.modals.length} />}
    </div>
  );
}

interface ChannelProps {
  readonly slack: Slack;
  readonly channelId: string;
  readonly marked: string | undefined;
  readonly onThread: (ts: string) => void;
  readonly onPerson: (id: string) => void;
}

function ChannelPane({ slack, channelId, marked, onThread, onPerson }: ChannelProps) {
  const channel = slack.channels.find(({ id }) => id === channelId);
  const messages = useMemo(
    () =>
      slack.all.filter(
        (message) => message.channel === channelId && (message.threadTs === undefined || message.broadcast),
      ),
    [slack.all, channelId],
  );
  const replies = useMemo(() => {
    const byParent = new Map<string, Message[]>();
    for (const message of slack.all) {
      if (message.channel !== channelId || message.threadTs === undefined) continue;
      if (message.visibleTo !== undefined) continue;
      byParent.set(message.threadTs, [...(byParent.get(message.threadTs) ?? []), message]);
    }
    return byParent;
  }, [slack.all, channelId]);
  const repliesOf = useCallback(({ ts }: Message) => replies.get(ts) ?? [], [replies]);
  const name = channel?.kind === 'im' ? slack.app.displayName : `#${channel?.name ?? ''}`;
  const command = slack.commands[0];
  const language = usePanelLanguage(channelId);
  const frame = useFrame();
  return (
    <>
      <header className="pane-head">
        <h1>{name}</h1>
        <span className="quiet">{channel?.topic}</span>
      </header>
      <MessageList
        key={channelId}
        label={frame.messagesIn(name)}
        messages={messages}
        repliesOf={repliesOf}
        onThread={onThread}
        markedTs={marked}
        empty={
          slack.busy !== undefined
            ? slack.busy[language]
            : command === undefined
              ? frame.noMessages
              : frame.noMessagesTry(`${command.command} ${command.hint}`)
        }
      />
      {slack.demo === undefined ? null : (
        <TourStrip channel={channelId} done={slack.demo.tourDone} onPerson={onPerson} />
      )}
      <Composer key={`composer-${channelId}`} channel={channelId} label={frame.writeTo(name)} />
    </>
  );
}
