import { useEffect, useState } from 'react';
import type { View } from '../workspace/model.js';
import { Blocks } from './blocks.js';
import { useOpenDialog } from './confirm-dialog.js';
import { useFrame } from './panel-text.js';
import { useSlack } from './slack-store.js';
import { SurfaceContext } from './surface.js';
import { useViewForm } from './view-surface.js';

/** The modal on top of a person's stack. */
export function Modal({ view, depth }: { view: View; depth: number }) {
  const { send } = useSlack();
  const frame = useFrame();
  const dialog = useOpenDialog();
  const { surface, entries } = useViewForm(view);
  const [busy, setBusy] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the errors come after the answer to the submission
  useEffect(() => {
    const wrong = dialog.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
    // The sentence stands below the input, where a phone shows the buttons.
    wrong?.closest('.field')?.scrollIntoView({ block: 'center' });
  }, [view.errors]);

  async function submit(): Promise<void> {
    setBusy(true);
    await send({ do: 'submit', viewId: view.id, values: entries() });
    setBusy(false);
  }
  const close = (all: boolean) => void send({ do: 'close', viewId: view.id, all });

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${view.id}-title`}
      data-testid="modal"
      onCancel={(event) => {
        event.preventDefault();
        close(true);
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header className="dialog-head">
          {depth > 1 ? (
            <button
              type="button"
              className="icon-button"
              aria-label={frame.back}
              onClick={() => close(false)}
            >
              ←
            </button>
          ) : null}
          <h2 id={`${view.id}-title`}>{view.title}</h2>
          <button type="button" className="icon-button" aria-label={frame.close} onClick={() => close(true)}>
            ×
          </button>
        </header>
        <div className="dialog-body">
          {view.notice === undefined ? null : (
            <p className="dialog-notice" role="alert">
              {view.notice}
            </p>
          )}
          <SurfaceContext value={surface}>
            <Blocks blocks={view.blocks} />
          </SurfaceContext>
        </div>
        <footer className="dialog-actions">
          <button type="button" className="button button-default" onClick={() => close(false)}>
            {view.close ?? (view.submit === undefined ? 'Close' : 'Cancel')}
          </button>
          {view.submit === undefined ? null : (
            <button
              type="submit"
              className="button button-primary"
              disabled={busy}
              aria-busy={busy}
              data-testid="submit"
            >
              {view.submit}
            </button>
          )}
        </footer>
      </form>
    </dialog>
  );
}
