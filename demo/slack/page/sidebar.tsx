import type { PageChannel } from '../server/page-state.js';
import { DemoPanel } from './demo-panel.js';
import { useFrame } from './panel-text.js';
import { PersonSwitch } from './person-switch.js';
import { useSlack } from './slack-store.js';

interface Props {
  /** A channel id, or `home`. */
  readonly selected: string;
  readonly unread: ReadonlyMap<string, number>;
  readonly onSelect: (place: string) => void;
  readonly onReveal: (channel: string) => void;
  readonly onPerson: (id: string) => void;
}

/** Channels, the app's Home tab, who is played, and the demo's own panel. */
export function Sidebar({ selected, unread, onSelect, onReveal, onPerson }: Props) {
  const { channels, app, people, me } = useSlack();
  const frame = useFrame();
  const direct = channels.filter(({ kind }) => kind === 'im');
  const nameOf = ({ kind, name, members }: PageChannel) => {
    if (kind !== 'im') return name;
    const other = members.find((id) => id !== me);
    return other === app.botUserId
      ? app.displayName
      : (people.find(({ id }) => id === other)?.realName ?? name);
  };
  const entry = (place: string, label: string, sign: string, name = label) => {
    const count = unread.get(place) ?? 0;
    return (
      <li key={place}>
        <button
          type="button"
          className={count > 0 ? 'place place-unread' : 'place'}
          aria-current={selected === place ? 'page' : undefined}
          onClick={() => onSelect(place)}
          data-testid={`place-${name}`}
        >
          <span aria-hidden="true">{sign}</span>
          <span className="place-name">{label}</span>
          {count > 0 ? (
            <span className="unread">
              {count}
              <span className="for-readers"> {frame.unread}</span>
            </span>
          ) : null}
        </button>
      </li>
    );
  };
  return (
    <nav className="sidebar" aria-label={frame.workspace}>
      <PersonSwitch onChange={onPerson} />
      <h2>{frame.channels}</h2>
      <ul>
        {channels
          .filter(({ kind }) => kind !== 'im')
          .map((channel) => entry(channel.id, channel.name, channel.kind === 'private' ? '⌂' : '#'))}
      </ul>
      {direct.length > 0 ? (
        <>
          <h2>{frame.direct}</h2>
          <ul>{direct.map((channel) => entry(channel.id, nameOf(channel), '@'))}</ul>
        </>
      ) : null}
      <h2>{frame.apps}</h2>
      <ul>{entry('home', `${app.displayName} · ${frame.home}`, '⌂', 'home')}</ul>
      <DemoPanel
        channel={channels.find(({ id }) => id === selected)?.id}
        onSelect={onSelect}
        onReveal={onReveal}
      />
    </nav>
  );
}
