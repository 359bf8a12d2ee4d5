import type { Language } from '../../engine/language/language.js';
import type { WaitCycle } from '../findings/wait-cycle.js';
import { withNext } from './caption.js';
import { proseText, wrapped } from './columns.js';
import { pictureText } from './text.js';

/** Room in front of the words: the way back, and the way on. */
const rail = 4;
const inner = 6;

/**
 * The circle as a ring of lines for a font of equally wide characters: down from one to the next, and from
 * the last back up to the first.
 *
 * @param columns no line takes more; at least 24
 */
export function cycleLines(cycle: WaitCycle, language: Language, columns: number): readonly string[] {
  const text = pictureText[language];
  const nameColumns = Math.max(12, columns - rail - 10);
  const steps = withNext(cycle);
  return steps.flatMap((step, at) => {
    const isLast = at === steps.length - 1;
    const who = wrapped(proseText(text.party(step.who), nameColumns), columns - rail);
    const way = [text.needs(step), text.held(step)].flatMap((words) =>
      wrapped(proseText(words, nameColumns), columns - inner),
    );
    return [
      ...who.map((line, row) => `${at === 0 && row === 0 ? '┌─▶ ' : '│   '}${line}`),
      ...way.map((line, row) => {
        const isEnd = row === way.length - 1;
        const lead = !isEnd ? '│   │ ' : isLast ? '└───┘ ' : '│   ▼ ';
        return `${lead}${line}`.trimEnd();
      }),
    ];
  });
}
