import { isJson, type Json } from '../json.js';
import { chosenOf } from './chosen.js';
import { Control } from './control.js';
import { useFrame } from './panel-text.js';
import { useSurface } from './surface.js';
import { plainText } from './text.js';

/** An input block: label, control, hint, and what is wrong with it. */
export function Field({ block }: { block: Json }) {
  const surface = useSurface();
  const frame = useFrame();
  const element = isJson(block.element) ? block.element : {};
  const blockId = String(block.block_id);
  const actionId = String(element.action_id);
  const id = `${surface.id}-${blockId}`;
  const error = surface.form?.errors[blockId];
  const hint = plainText(block.hint);
  const describedBy = [error === undefined ? '' : `${id}-error`, hint === '' ? '' : `${id}-hint`]
    .join(' ')
    .trim();
  const isGroup = element.type === 'checkboxes' || element.type === 'radio_buttons';
  const chosen =
    surface.form === undefined
      ? chosenOf(surface.values[blockId]?.[actionId])
      : surface.form.chosen(blockId, actionId);
  const label = (
    <>
      {plainText(block.label)}
      {block.optional === true ? <span className="optional"> {frame.optional}</span> : null}
    </>
  );
  return (
    <div className={error === undefined ? 'field' : 'field field-wrong'} data-testid={`field-${blockId}`}>
      {isGroup ? (
        <span id={`${id}-label`} className="field-label">
          {label}
        </span>
      ) : (
        <label htmlFor={id} className="field-label">
          {label}
        </label>
      )}
      <Control
        element={element}
        label={plainText(block.label)}
        id={id}
        describedBy={describedBy === '' ? undefined : describedBy}
        invalid={error !== undefined}
        chosen={chosen}
        onChoose={(value) => {
          surface.form?.choose(blockId, actionId, value);
          const isMenu = !String(element.type).includes('input');
          if (surface.form === undefined || (block.dispatch_action === true && isMenu)) {
            void surface.act(blockId, actionId, value);
          }
        }}
      />
      {error === undefined ? null : (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
      {hint === '' ? null : (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
