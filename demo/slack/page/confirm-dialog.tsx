import { type RefObject, useId, useLayoutEffect, useRef } from 'react';
import type { Json } from '../json.js';
import { plainText, TextObject } from './text.js';

interface Props {
  readonly of: Json;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** A dialog that is open while it is on the page; its end returns the focus to where it was. */
export function useOpenDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return dialog;
}

/** The question Slack asks before it sends a click. */
export function ConfirmDialog({ of, onYes, onNo }: Props) {
  const dialog = useOpenDialog();
  const title = useId();
  return (
    <dialog
      ref={dialog}
      className="dialog dialog-small"
      aria-labelledby={title}
      data-testid="confirm"
      onCancel={(event) => {
        event.preventDefault();
        onNo();
      }}
    >
      <h2 id={title}>{plainText(of.title) || 'Are you sure?'}</h2>
      <div className="dialog-body">
        <TextObject of={of.text} />
      </div>
      <div className="dialog-actions">
        <button type="button" className="button button-default" onClick={onNo}>
          {plainText(of.deny) || 'Cancel'}
        </button>
        <button
          type="button"
          className={`button ${of.style === 'danger' ? 'button-danger-filled' : 'button-primary'}`}
          onClick={onYes}
        >
          {plainText(of.confirm) || 'Yes'}
        </button>
      </div>
    </dialog>
  );
}
