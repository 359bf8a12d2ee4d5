import { useState } from 'react';
import { useSlack } from './slack-store.js';

/** What only the demo has: hints to copy, and buttons that make things happen. */
export function DemoPanel() {
  const { panel, buttons, connection, send } = useSlack();
  const [said, setSaid] = useState('');

  async function run(index: number): Promise<void> {
    const outcome = await send({ do: 'extra', index });
    setSaid(
      outcome.type === 'acknowledged' ? '' : (outcome.because ?? outcome.reason ?? 'That did not work.'),
    );
  }
  return (
    <section className="demo-panel" aria-label="Demo" data-testid="demo-panel">
      <h2>Demo</h2>
      <p className="connection">
        <span className={connection === undefined ? 'light light-off' : 'light'} aria-hidden="true" />
        {connection === undefined ? 'The app is not connected' : `App connected: ${connection}`}
      </p>
      {panel.map((line) => (
        <CopyLine key={line} line={line} />
      ))}
      {buttons.map(({ label, hint }, index) => (
        <button
          key={label}
          type="button"
          className="button button-quiet"
          title={hint}
          onClick={() => void run(index)}
        >
          {label}
        </button>
      ))}
      <p role="status" className="demo-said">
        {said}
      </p>
    </section>
  );
}

function CopyLine({ line }: { line: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="copy-line">
      <code>{line}</code>
      <button
        type="button"
        aria-label={`Copy: ${line}`}
        onClick={() => void navigator.clipboard.writeText(line).then(() => setCopied(true))}
      >
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
