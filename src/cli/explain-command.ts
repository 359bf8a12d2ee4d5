import { explainedSentence, explanationMarkdown, explanationText } from '../adapters/terminal/explanation.js';
import type { Prose } from '../core/language/prose.js';
import { explainSchedulerText } from '../core/placement/message/explain-scheduler-message.js';
import { parseSchedulerMessage } from '../core/placement/message/parse-scheduler-message.js';
import { createTell } from '../doctor.js';
import { type CommandFailure, exitStatus, failure } from './exit-status.js';
import { inputLines } from './input-lines.js';
import { onOneLine, type Streams, structured } from './output.js';
import type { PrintOptions } from './shared-options.js';

/**
 * `rollout-doctor explain`: one sentence as argument (its words may be unquoted), or one a line on standard input.
 * JSON is one object a line, so that line n of the answer is line n of the input; text leaves empty lines out.
 *
 * @returns the exit status: 0, whatever a sentence says
 */
export async function explainCommand(
  words: readonly string[],
  options: PrintOptions,
  streams: Streams,
): Promise<number> {
  const explain = explainer(options, streams);
  if (words.length > 0 && !(words.length === 1 && words[0] === '-')) {
    const sentence = words.join(' ');
    if (sentence.trim() === '') throw noSentence();
    streams.out(await explain(sentence, 'alone'));
    return exitStatus.nothing;
  }
  if (streams.input?.typed !== false) throw noSentence();
  let first = true;
  for await (const line of inputLines(streams.input.bytes)) {
    if (options.output !== 'json' && line.trim() === '') continue;
    await streams.out(await explain(line, first ? 'first' : 'further'));
    first = false;
  }
  if (first) throw failure(exitStatus.usage, 'input-empty', {});
  return exitStatus.nothing;
}

type Position = 'alone' | 'first' | 'further';

function explainer({ output, lang }: PrintOptions, { paint }: Streams) {
  const tell = createTell();
  const told = (sentence: string): readonly Prose[] =>
    explainSchedulerText(sentence).statements.map((statement) => tell(statement, lang));
  return async (sentence: string, position: Position): Promise<string> => {
    switch (output) {
      case 'json':
        return onOneLine(parseSchedulerMessage(sentence));
      case 'yaml':
        return `${position === 'further' ? '---\n' : ''}${await structured('yaml', parseSchedulerMessage(sentence))}`;
      case 'markdown':
        return `${position === 'further' ? '\n' : ''}${explanationMarkdown(sentence, told(sentence))}`;
      case 'text':
        return position === 'alone'
          ? explanationText(told(sentence), paint)
          : `${position === 'further' ? '\n' : ''}${explainedSentence(sentence, paint)}${explanationText(told(sentence), paint)}`;
    }
  };
}

function noSentence(): CommandFailure {
  return failure(exitStatus.usage, 'sentence-missing', {});
}
