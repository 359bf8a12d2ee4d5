import { parentPort } from 'node:worker_threads';
import { foreignTextReaders } from './foreign-text-readers.js';
import { hostileTexts } from './hostile-text.js';

/** Posted before and after every call, so that the waiting thread knows which one does not end. */
export type Progress =
  | { readonly type: 'reads'; readonly name: string; readonly text: string }
  | { readonly type: 'threw'; readonly name: string; readonly text: string; readonly error: string }
  | { readonly type: 'finished'; readonly name: string; readonly texts: number };

const shown = 60;
const post = (progress: Progress): void => parentPort?.postMessage(progress);

/**
 * Each reader gets one text of so many, another part than its neighbours; all of them take too long for every
 * run.
 */
const parts = 40;

for (const [index, { name, words, run, mayThrow }] of foreignTextReaders.entries()) {
  const texts = hostileTexts(words).filter((_, place) => (place + index) % parts === 0);
  for (const text of texts) {
    post({ type: 'reads', name, text: text.slice(0, shown) });
    try {
      run(text);
    } catch (error) {
      // Running out of stack is a failure of every reader, whatever else it may throw.
      if (!mayThrow || error instanceof RangeError) {
        post({ type: 'threw', name, text: text.slice(0, shown), error: String(error).slice(0, 200) });
      }
    }
  }
  post({ type: 'finished', name, texts: texts.length });
}
