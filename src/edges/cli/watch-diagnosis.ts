import { setTimeout } from 'node:timers/promises';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { answeringNoteOf, conclusionOf } from '../../doctor/findings/main-finding.js';
import type { Language } from '../../engine/language/language.js';
import { moment, type Prose, say } from '../../engine/language/prose.js';
import { createTell } from '../../service/create-engine.js';
import { block, painted, toned } from '../terminal/paint.js';
import { openSentence, reportText } from '../terminal/report-text.js';
import { cliText } from './cli-text.js';
import { CommandFailure } from './exit-status.js';
import type { Streams } from './streams.js';

const everyMs = 5_000;
/** An hour. Nobody may look at the terminal any more, and each diagnosis reads the cluster. */
const maxDiagnoses = 720;

export interface WatchOptions {
  readonly first: Diagnosis;
  /** @throws CommandFailure when the cluster cannot be read */
  readonly diagnoseAgain: () => Promise<Diagnosis>;
  readonly language: Language;
  readonly streams: Streams;
  /** Ends the watch: Ctrl-C. */
  readonly signal: AbortSignal;
  readonly pauseMs?: number;
  readonly atMost?: number;
}

/**
 * Diagnoses a workload again and again, and prints only what changed, until nothing above informational is
 * found, the signal ends it, or an hour has passed.
 *
 * @returns the last diagnosis, or the failure of the last one
 */
export async function watchDiagnosis({
  first,
  diagnoseAgain,
  language,
  streams,
  signal,
  pauseMs = everyMs,
  atMost = maxDiagnoses,
}: WatchOptions): Promise<Diagnosis | CommandFailure> {
  const text = cliText[language];
  const { out, paint } = streams;
  const print = (at: string, sentence: Prose): void | Promise<void> =>
    out(`${block(paint, '', painted(paint, say`${moment(at)}  ${sentence}`))}\n`);
  let last: Diagnosis | CommandFailure = first;
  let shown = linesOf(first, language);
  for (let diagnosed = 1; diagnosed < atMost && isToBeWatched(last); diagnosed += 1) {
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return last;
    const next: Diagnosis | CommandFailure = await diagnoseAgain().catch((error: unknown) => {
      if (error instanceof CommandFailure) return error;
      throw error;
    });
    if (signal.aborted) return last;
    last = next;
    const at = next instanceof CommandFailure ? new Date().toISOString() : next.takenAt;
    const lines = next instanceof CommandFailure ? [next.sentence(language)] : linesOf(next, language);
    const known = new Set(shown.map(keyOf));
    const present = new Set(lines.map(keyOf));
    if (!(next instanceof CommandFailure)) {
      for (const line of shown.filter((each) => !present.has(keyOf(each)))) {
        await print(at, text['watch-gone']({ line }));
      }
    }
    for (const line of lines.filter((each) => !known.has(keyOf(each)))) await print(at, line);
    if (!(next instanceof CommandFailure)) shown = lines;
  }
  if (isToBeWatched(last)) {
    await out(`${toned(paint, 'warn', painted(paint, text['watch-ended']({ diagnoses: atMost })))}\n`);
  }
  return last;
}

function isToBeWatched(last: Diagnosis | CommandFailure): boolean {
  return last instanceof CommandFailure || conclusionOf(last) === 'found' || last.completion === 'stopped';
}

/** What a person follows: each finding, and how many pods serve. How long it lasts is no change. */
function linesOf(diagnosis: Diagnosis, language: Language): readonly Prose[] {
  const words = reportText[language];
  const tell = createTell();
  const open = openSentence(diagnosis, language);
  if (open !== undefined) return [open];
  const workload = `${diagnosis.workload.namespace}/${diagnosis.workload.name}`;
  const answer = answeringNoteOf(diagnosis);
  if (answer !== undefined) return [tell(answer.summary, language)];
  if (conclusionOf(diagnosis) === 'nothing') return [words.nothing({ workload })];
  return diagnosis.findings
    .filter(({ severity }) => severity !== 'info')
    .flatMap(({ summary, confidence, reasoning }) => [
      say`${tell(summary, language)} (${words[confidence]()})`,
      ...reasoning.filter(({ role }) => role === 'readiness').map((statement) => tell(statement, language)),
    ]);
}

function keyOf(line: Prose): string {
  return JSON.stringify(line);
}
