import { useState } from 'react';
import type { PanelCommand } from '../local-slack-options.js';
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
  const [problem, setProblem] = useState('');
  const [pressed, setPressed] = useState<string>();

  async function carryOut(label: string, run: () => ReturnType<typeof send>): Promise<void> {
    setPressed(label);
    const outcome = await run();
    setPressed(undefined);
    setProblem(
      outcome.type === 'acknowledged' ? '' : (outcome.because ?? outcome.reason ?? 'That did not work.'),
    );
  }
  const run = ({ title, line }: PanelCommand) => {
    const place = channel ?? channels[0]?.id ?? '';
    onSelect(place);
    return carryOut(title, () => send({ do: 'command', channel: place, line }));
  };
  return (
    <section className="demo-panel" aria-label="Demo" data-testid="demo-panel">
      <h2>
        <span className={connection === undefined ? 'light light-off' : 'light'} aria-hidden="true" />
        {connection === undefined ? 'Demo: app not connected' : 'Demo: app connected'}
      </h2>
      {panel.map((command) => (
        <RunLine
          key={command.line}
          command={command}
          isBusy={busy !== undefined || pressed === command.title}
          isRecovered={demo?.recovered.includes(command.line) === true}
          onRun={() => void run(command)}
        />
      ))}
      <div className="demo-buttons">
        {buttons.map(({ label, hint, channel: shownIn }, index) => (
          <button
            key={label}
            type="button"
            className="button button-quiet"
            title={hint}
            disabled={busy !== undefined || pressed === label}
            aria-busy={pressed === label}
            onClick={() => {
              const place = channels.find(({ name }) => name === shownIn)?.id;
              if (place !== undefined) onReveal(place);
              void carryOut(label, () => send({ do: 'extra', index }));
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <p role="status" className="demo-said">
        {busy ?? problem}
      </p>
    </section>
  );
}

interface LineProps {
  readonly command: PanelCommand;
  readonly isBusy: boolean;
  readonly isRecovered: boolean;
  readonly onRun: () => void;
}

function RunLine({ command: { title, line }, isBusy, isRecovered, onRun }: LineProps) {
  return (
    <div className="run-line" title={line}>
      <span className="run-sign" aria-hidden="true">
        {isRecovered ? '✓' : ''}
      </span>
      <span className="run-title">
        {title}
        {isRecovered ? <span className="for-readers"> (recovered)</span> : null}
      </span>
      <button type="button" aria-label={`Run: ${title}`} disabled={isBusy} onClick={onRun}>
        Run
      </button>
    </div>
  );
}
