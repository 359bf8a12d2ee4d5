import { useEffect, useId, useRef } from 'react';
import type { Json } from '../json.js';
import { plainText, TextObject } from './text.js';

interface Props {
  readonly of: Json;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** The question Slack asks before it sends a click. */
export function ConfirmDialog({ of, onYes, onNo }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
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
