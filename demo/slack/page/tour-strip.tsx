import { useState } from 'react';
import type { TourStep } from '../demo-state.js';
import { usePanelLanguage } from './panel-text.js';
import { useSlack } from './slack-store.js';
import { tourText } from './tour-text.js';

interface Props {
  readonly channel: string;
  readonly done: readonly TourStep[];
  readonly onPerson: (id: string) => void;
}

const steps: readonly TourStep[] = ['ask', 'proof', 'review', 'apply', 'undo'];
const hiddenKey = 'tour-hidden';

/** The five steps of the demo. A step is ticked when it has happened, whichever way. */
export function TourStrip({ channel, done, onPerson }: Props) {
  const { people, me } = useSlack();
  const text = tourText[usePanelLanguage(channel)];
  const [isHidden, setHidden] = useState(sessionStorage.getItem(hiddenKey) !== null);
  if (isHidden) return null;
  // A later step that has happened makes the earlier ones, such as the proof, no longer next.
  const next = steps[Math.max(-1, ...done.map((step) => steps.indexOf(step))) + 1];
  const sam = people.find(({ name }) => name === 'sam');
  return (
    <section className="tour" aria-label={text.tour} data-testid="tour">
      <ol>
        {steps.map((step, index) => {
          const isDone = done.includes(step);
          return (
            <li
              key={step}
              className={`tour-step${isDone ? ' tour-done' : ''}`}
              aria-current={step === next ? 'step' : undefined}
              data-testid={`tour-${step}`}
              data-done={isDone}
            >
              <span className="tour-sign" aria-hidden="true">
                {isDone ? '✓' : index + 1}
              </span>
              <span className="tour-label">{text.steps[step].label}</span>
            </li>
          );
        })}
      </ol>
      <p className="tour-hint" role="status">
        {next === undefined ? text.finished : text.steps[next].hint}
        {next === 'undo' && sam !== undefined && sam.id !== me ? (
          <button type="button" className="tour-link" onClick={() => onPerson(sam.id)}>
            {text.playSam}
          </button>
        ) : null}
      </p>
      <button
        type="button"
        className="icon-button"
        aria-label={text.hide}
        onClick={() => {
          sessionStorage.setItem(hiddenKey, 'yes');
          setHidden(true);
        }}
      >
        ×
      </button>
    </section>
  );
}
