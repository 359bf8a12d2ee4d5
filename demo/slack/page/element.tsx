import { useRef, useState } from 'react';
import { isJson, type Json } from '../json.js';
import { optionsOf } from '../workspace/values.js';
import { chosenOf } from './chosen.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { Control } from './control.js';
import { WithSigns } from './emoji-sign.js';
import { useFrame } from './panel-text.js';
import { useSurface } from './surface.js';
import { plainText } from './text.js';

/** Something to click or choose from, in a message, modal or Home tab. */
export function Element({ blockId, element }: { blockId: string; element: Json }) {
  const surface = useSurface();
  const actionId = String(element.action_id);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<{ readonly value: string | readonly string[] | undefined }>();
  const place = useRef<HTMLSpanElement>(null);

  async function send(value: string | readonly string[] | undefined): Promise<void> {
    setAsked(undefined);
    setBusy(true);
    await surface.act(blockId, actionId, value);
    setBusy(false);
  }
  /** Choices with a confirm dialog are asked about first. */
  function chosen(value?: string | readonly string[]): void {
    if (isJson(element.confirm)) setAsked({ value });
    else void send(value);
  }
  function declined(): void {
    setAsked(undefined);
    place.current?.querySelector<HTMLElement>('button, select, input')?.focus();
  }

  return (
    <span ref={place} className="element" data-testid={`element-${actionId}`}>
      <Interactive
        element={element}
        busy={busy}
        chosen={chosen}
        now={chosenOf(surface.values[blockId]?.[actionId])}
      />
      {asked !== undefined && isJson(element.confirm) ? (
        <ConfirmDialog of={element.confirm} onYes={() => void send(asked.value)} onNo={declined} />
      ) : null}
    </span>
  );
}

interface InteractiveProps {
  readonly element: Json;
  readonly busy: boolean;
  readonly now: string | readonly string[] | undefined;
  readonly chosen: (value?: string | readonly string[]) => void;
}

function Interactive({ element, busy, chosen, now }: InteractiveProps) {
  switch (element.type) {
    case 'button':
    case 'workflow_button':
    case 'icon_button':
      return <ButtonElement element={element} busy={busy} onClick={() => chosen()} />;
    case 'feedback_buttons':
      return (
        <>
          {[element.positive_button, element.negative_button].filter(isJson).map((side) => (
            <ButtonElement
              key={String(side.value)}
              element={side}
              busy={busy}
              onClick={() => chosen(String(side.value))}
            />
          ))}
        </>
      );
    case 'overflow':
      return <Overflow element={element} busy={busy} chosen={chosen} />;
    default:
      return (
        <Control
          element={element}
          label={plainText(element.placeholder) || 'Choose'}
          chosen={now}
          onChoose={chosen}
          disabled={busy}
        />
      );
  }
}

interface ButtonProps {
  readonly element: Json;
  readonly busy: boolean;
  readonly onClick: () => void;
}

function ButtonElement({ element, busy, onClick }: ButtonProps) {
  const label = typeof element.accessibility_label === 'string' ? element.accessibility_label : undefined;
  const style = typeof element.style === 'string' ? element.style : 'default';
  const url = typeof element.url === 'string' ? element.url : undefined;
  return (
    <button
      type="button"
      className={`button button-${style}`}
      aria-label={label}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={() => {
        // A disabled button would lose the focus, to which the window that it opens returns.
        if (busy) return;
        // Slack opens the link and tells the app of the click as well.
        if (url !== undefined && /^https?:\/\//.test(url)) window.open(url, '_blank', 'noopener,noreferrer');
        onClick();
      }}
    >
      <WithSigns text={plainText(element.text)} />
    </button>
  );
}

/** Pixels between a menu and the edge of the window, or the button that opens it. */
const gap = 6;

/** Below its button, or above it where there is no room, and past no edge. Whatever happens elsewhere closes it. */
function placeInSight(details: HTMLDetailsElement): void {
  const [opener, menu] = details.children;
  if (!(opener instanceof HTMLElement) || !(menu instanceof HTMLElement)) return;
  const { left, top, bottom } = opener.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const hasRoomBelow = bottom + height + 2 * gap <= window.innerHeight;
  menu.style.left = `${Math.max(gap, Math.min(left, window.innerWidth - width - gap))}px`;
  menu.style.top = `${hasRoomBelow ? bottom + gap : Math.max(gap, top - height - gap)}px`;
  const closing = new AbortController();
  const close = (event: Event): void => {
    const isInside = event.target instanceof Node && details.contains(event.target);
    if (event instanceof KeyboardEvent ? event.key !== 'Escape' : isInside) return;
    closeMenu(details);
    closing.abort();
  };
  for (const type of ['scroll', 'pointerdown', 'keydown'])
    document.addEventListener(type, close, { capture: true, signal: closing.signal });
}

function closeMenu(details: HTMLDetailsElement): void {
  if (details.contains(document.activeElement)) details.querySelector('summary')?.focus();
  details.removeAttribute('open');
}

function Overflow({ element, busy, chosen }: Omit<InteractiveProps, 'now'>) {
  const frame = useFrame();
  return (
    <details
      className="overflow"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) placeInSight(currentTarget);
      }}
      onKeyDown={({ key, currentTarget }) => {
        // The browser reports the opening later, perhaps after the next keys.
        if (key === 'Escape' && currentTarget.open) closeMenu(currentTarget);
      }}
    >
      <summary className="button button-default" aria-label={frame.more}>
        …
      </summary>
      <div className="overflow-menu">
        {optionsOf(element).map((option) => (
          <button
            key={String(option.value)}
            type="button"
            disabled={busy}
            onClick={(event) => {
              // Safari gives a clicked button no focus.
              event.currentTarget.focus();
              const details = event.currentTarget.closest('details');
              if (details !== null) closeMenu(details);
              chosen(String(option.value));
            }}
          >
            {plainText(option.text)}
          </button>
        ))}
      </div>
    </details>
  );
}
