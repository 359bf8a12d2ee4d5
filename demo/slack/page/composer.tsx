import { type KeyboardEvent, useId, useState } from 'react';
import { useFrame } from './panel-text.js';
import { useSlack } from './slack-store.js';

interface Props {
  readonly channel: string;
  readonly label: string;
  readonly threadTs?: string;
}

/** Where the reader writes: a message, or outside threads a slash command. */
export function Composer({ channel, label, threadTs }: Props) {
  const { commands, send } = useSlack();
  const [text, setText] = useState('');
  const [notice, setNotice] = useState('');
  const hintId = useId();
  const frame = useFrame();
  const isCommand = text.startsWith('/');
  const typedCommand = text.split(/\s/)[0] ?? '';
  const fitting = isCommand ? commands.filter(({ command }) => command.startsWith(typedCommand)) : [];

  async function submit(): Promise<void> {
    const line = text.trim();
    if (line === '') return;
    if (isCommand && threadTs !== undefined) {
      setNotice('Slash commands do not work in threads. Mention the app instead.');
      return;
    }
    setNotice('');
    setText('');
    const outcome = isCommand
      ? await send({ do: 'command', channel, line })
      : await send({ do: 'say', channel, text: line, ...(threadTs === undefined ? {} : { threadTs }) });
    if (outcome.type === 'failed' && !isCommand) setNotice(outcome.reason ?? 'That was not sent.');
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void submit();
    }
    const [only] = fitting;
    if (event.key === 'Tab' && !event.shiftKey && only !== undefined && typedCommand !== only.command) {
      event.preventDefault();
      setText(`${only.command} `);
    }
  }
  const place = threadTs === undefined ? 'composer' : 'thread-composer';
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {isCommand && threadTs === undefined ? (
        <div id={hintId} className="command-hint" data-testid="command-hint">
          {fitting.length === 0 ? <p>No command starts like this.</p> : null}
          {fitting.map(({ command, hint, description }) => (
            <p key={command}>
              <button type="button" onClick={() => setText(`${command} `)}>
                <strong>{command}</strong> <span className="quiet">{hint}</span>
              </button>
              <span>{description}</span>
            </p>
          ))}
        </div>
      ) : null}
      {notice === '' ? null : (
        <p className="composer-notice" role="alert">
          {notice}
        </p>
      )}
      <div className="composer-line">
        <textarea
          aria-label={label}
          aria-describedby={isCommand ? hintId : undefined}
          placeholder={threadTs === undefined ? frame.write : frame.reply}
          rows={Math.min(6, text.split('\n').length)}
          value={text}
          data-testid={place}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          className="button button-primary"
          disabled={text.trim() === ''}
          data-testid={`${place}-send`}
        >
          {frame.send}
        </button>
      </div>
    </form>
  );
}
