import { useState } from 'react';
import type { PanelCommand } from '../local-slack-options.js';
import { panelText, usePanelLanguage } from './panel-text.js';
import { useSlack } from './slack-store.js';

interface Props {
  /** The channel that is open; undefined on the Home tab. */
  readonly channel: string | undefined;
  readonly onSelect: (channel: string) => void;
  /** Shows the channel and keeps an open thread. */
  readonly onReveal: (channel: string) => void;
}

/** What only the demo has: commands to run, and buttons that make things happen. */
export function DemoPanel({ channel, onSelect, onReveal }: Props) {
  const { panel, buttons, busy, channels, connection, demo, send } = useSlack();
  const language = usePanelLanguage(channel);
  const text = panelText[language];
  const [problem, setProblem] = useState('');
  const [pressed, setPressed] = useState<string>();

  async function carryOut(label: string, run: () => ReturnType<typeof send>): Promise<void> {
    setPressed(label);
    const outcome = await run();
    setPressed(undefined);
    setProblem(outcome.type === 'acknowledged' ? '' : (outcome.because ?? outcome.reason ?? text.failed));
  }
  const run = ({ title, line }: PanelCommand) => {
    const place = channel ?? channels[0]?.id ?? '';
    onSelect(place);
    return carryOut(title.en, () => send({ do: 'command', channel: place, line }));
  };
  return (
    <section className="demo-panel" aria-label="Demo" data-testid="demo-panel">
      <h2>
        <span className={connection === undefined ? 'light light-off' : 'light'} aria-hidden="true" />
        {connection === undefined ? text.notConnected : text.connected}
      </h2>
      {panel.map((command) => (
        <RunLine
          key={command.line}
          title={command.title[language]}
          line={command.line}
          text={text}
          isBusy={busy !== undefined || pressed === command.title.en}
          isRecovered={demo?.recovered.includes(command.line) === true}
          onRun={() => void run(command)}
        />
      ))}
      <div className="demo-buttons">
        {buttons.map(({ label, hint, channels: shownIn = [] }, index) => (
          <button
            key={label.en}
            type="button"
            className="button button-quiet"
            title={hint?.[language]}
            disabled={busy !== undefined || pressed === label.en}
            aria-busy={pressed === label.en}
            onClick={() => {
              const places = shownIn.flatMap((each) => channels.find(({ name }) => name === each)?.id ?? []);
              const place = places.find((id) => id === channel) ?? places[0];
              if (place !== undefined) onReveal(place);
              void carryOut(label.en, () => send({ do: 'extra', index }));
            }}
          >
            {label[language]}
          </button>
        ))}
      </div>
      {demo === undefined ? null : (
        <a className="git-host" href={demo.gitHostUrl} target="_blank" rel="noreferrer">
          {text.gitHost}
        </a>
      )}
      <p role="status" className="demo-said">
        {busy?.[language] ?? problem}
      </p>
    </section>
  );
}

interface LineProps {
  readonly title: string;
  readonly line: string;
  readonly text: (typeof panelText)['en'];
  readonly isBusy: boolean;
  readonly isRecovered: boolean;
  readonly onRun: () => void;
}

function RunLine({ title, line, text, isBusy, isRecovered, onRun }: LineProps) {
  return (
    <div className="run-line" title={line}>
      <span className="run-sign" aria-hidden="true">
        {isRecovered ? '✓' : ''}
      </span>
      <span className="run-title">
        {title}
        {isRecovered ? <span className="for-readers"> ({text.recovered})</span> : null}
      </span>
      <button type="button" aria-label={`${text.run}: ${title}`} disabled={isBusy} onClick={onRun}>
        {text.run}
      </button>
    </div>
  );
}
