import { useLayoutEffect, useRef } from 'react';
import type { Message } from '../workspace/model.js';
import { MessageView } from './message-view.js';
import { useReader, useSlack } from './slack-store.js';

interface Props {
  readonly label: string;
  readonly messages: readonly Message[];
  readonly repliesOf: (message: Message) => readonly Message[];
  readonly onThread?: (ts: string) => void;
  readonly markedTs?: string | undefined;
  readonly empty: string;
}

/** How far the list is scrolled when nobody scrolls: to its end, or to the start of a taller newest message. */
function restOf(list: HTMLElement): number {
  const end = list.scrollHeight - list.clientHeight;
  const newest = list.lastElementChild;
  if (newest === null) return end;
  const start = newest.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  return Math.min(end, start);
}

/** Messages, the newest at the bottom, in sight as long as the reader has not scrolled up. */
export function MessageList({ label, messages, repliesOf, onThread, markedTs, empty }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const atBottom = useRef(true);
  const isWaiting = useRef(false);
  const { sent } = useSlack();
  const { timeZone, locale } = useReader();
  const day = new Intl.DateTimeFormat(locale, { timeZone, weekday: 'long', month: 'long', day: 'numeric' });
  const dayOf = ({ ts }: Message) => day.format(new Date(Number(ts) * 1000));
  const newest = messages.at(-1);

  // Somebody who asked waits for the answer, wherever they had scrolled before: a private one, or the next one.
  const answered = newest?.visibleTo === undefined ? undefined : newest.ts;
  useLayoutEffect(() => {
    if (answered !== undefined) atBottom.current = true;
  }, [answered]);
  useLayoutEffect(() => {
    isWaiting.current = sent > 0;
  }, [sent]);
  const newestTs = newest?.ts;
  useLayoutEffect(() => {
    if (newestTs !== undefined && isWaiting.current) atBottom.current = true;
    isWaiting.current = false;
  }, [newestTs]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when messages arrive or change
  useLayoutEffect(() => {
    const element = list.current;
    if (element !== null && atBottom.current) element.scrollTop = restOf(element);
  }, [messages]);
  // A thread that opens beside the list makes its messages taller.
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => {
      if (atBottom.current) element.scrollTop = restOf(element);
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (markedTs === undefined) return;
    atBottom.current = false;
    document.getElementById(`m-${markedTs}`)?.scrollIntoView({ block: 'center' });
  }, [markedTs]);

  return (
    <div
      ref={list}
      className="messages"
      role="log"
      aria-label={label}
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        atBottom.current = currentTarget.scrollTop > restOf(currentTarget) - 40;
        isWaiting.current = false;
      }}
    >
      {newest === undefined ? <p className="empty">{empty}</p> : null}
      {messages.map((message, index) => {
        const before = messages[index - 1];
        const startsDay = before === undefined || dayOf(before) !== dayOf(message);
        return (
          <div key={message.ts}>
            {startsDay ? <div className="day">{dayOf(message)}</div> : null}
            <MessageView
              message={message}
              replies={repliesOf(message)}
              marked={message.ts === markedTs}
              {...(onThread === undefined ? {} : { onThread })}
            />
          </div>
        );
      })}
    </div>
  );
}
