import { Fragment, type ReactNode } from 'react';
import { isJson, type Json } from '../json.js';
import { formatDate, fullDate } from './dates.js';
import { withEmoji } from './emoji.js';
import { EmojiSign, WithSigns } from './emoji-sign.js';
import { type Inline, parseMrkdwn } from './mrkdwn.js';
import { useReader, useSlack } from './slack-store.js';

/** A moment in the reader's own time zone. */
export function Moment({
  seconds,
  format,
  fallback,
}: {
  seconds: number;
  format: string;
  fallback?: string;
}) {
  const reader = useReader();
  let shown = fallback ?? '';
  try {
    shown = formatDate(seconds, format, reader, Date.now() / 1000);
  } catch {
    // A moment out of range has only its fallback.
  }
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={fullDate(seconds, reader)}>
      {shown}
    </time>
  );
}

/** A mention of somebody, drawn so that nobody mistakes it for plain words. */
export function Mention({
  kind,
  id,
  label,
}: {
  kind: 'user' | 'channel' | 'usergroup';
  id: string;
  label?: string;
}) {
  const { people, channels, userGroups, me } = useSlack();
  const names = {
    user: people.find((person) => person.id === id)?.name,
    channel: channels.find((channel) => channel.id === id)?.name,
    usergroup: userGroups.find((group) => group.id === id)?.handle,
  };
  const name = names[kind] ?? label ?? id;
  const aboutMe =
    kind === 'user' ? id === me : userGroups.some((group) => group.id === id && group.members.includes(me));
  return (
    <span className={aboutMe ? 'mention mention-me' : 'mention'}>
      {(kind === 'channel' ? '#' : '@') + name}
    </span>
  );
}

function Piece({ piece }: { piece: Inline }): ReactNode {
  switch (piece.type) {
    case 'text':
      return <WithSigns text={piece.text} />;
    case 'bold':
      return (
        <strong>
          <Pieces pieces={piece.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Pieces pieces={piece.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Pieces pieces={piece.children} />
        </s>
      );
    case 'code':
      return (
        <code>
          <Pieces pieces={piece.children} />
        </code>
      );
    case 'link':
      return <ExternalLink url={piece.url}>{piece.text}</ExternalLink>;
    case 'broadcast':
      return <span className="mention mention-me">@{piece.range}</span>;
    case 'date': {
      const moment = <Moment seconds={piece.seconds} format={piece.format} fallback={piece.fallback} />;
      return piece.link === undefined ? moment : <ExternalLink url={piece.link}>{moment}</ExternalLink>;
    }
    case 'emoji':
      return <EmojiSign name={piece.name} />;
    default:
      return (
        <Mention
          kind={piece.type}
          id={piece.id}
          {...(piece.label === undefined ? {} : { label: piece.label })}
        />
      );
  }
}

function Pieces({ pieces }: { pieces: readonly Inline[] }): ReactNode {
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no identity and never move
    <Fragment key={index}>
      <Piece piece={piece} />
    </Fragment>
  ));
}

/** A link that leaves the page; anything but http, https and mailto is plain text. */
export function ExternalLink({ url, children }: { url: string; children: ReactNode }) {
  if (!/^(https?:\/\/|mailto:)/.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

export function Mrkdwn({ text, verbatim = false }: { text: string; verbatim?: boolean }): ReactNode {
  return parseMrkdwn(text, verbatim).map((chunk, index) => {
    const inner = <Pieces pieces={chunk.children} />;
    const Tag = ({ lines: 'div', preformatted: 'pre', quote: 'blockquote' } as const)[chunk.type];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: chunks of one text have no identity and never move
      <Tag key={index} className="chunk">
        {inner}
      </Tag>
    );
  });
}

/** A text object of either kind. */
export function TextObject({ of }: { of: unknown }): ReactNode {
  if (!isJson(of) || typeof of.text !== 'string') return null;
  if (of.type === 'mrkdwn') return <Mrkdwn text={of.text} verbatim={of.verbatim === true} />;
  return plainText(of);
}

/** The words of a plain_text object, with emoji unless it says otherwise. */
export function plainText(of: unknown): string {
  if (!isJson(of) || typeof of.text !== 'string') return '';
  return (of as Json).emoji === false ? of.text : withEmoji(of.text);
}
