import { StringDecoder } from 'node:string_decoder';
import {
  explainLine,
  explainPasted,
  explanationCatalogues,
} from '../../doctor/findings/messages/explain-pasted.js';
import { markdown } from '../../doctor/redaction/markdown.js';
import { tellFrom } from '../../engine/language/catalogue.js';
import { type Prose, quote } from '../../engine/language/prose.js';
import { parseSchedulerMessage } from '../../engine/messages/parse-scheduler-message.js';
import { block, type Paint, painted, toned } from '../terminal/paint.js';
import { type CommandFailure, exitStatus, failure } from './exit-status.js';
import type { PrintOptions } from './shared-options.js';
import { onOneLine, readable, type Streams, structured } from './streams.js';

/**
 * `rollout-doctor explain`: one sentence as argument (its words may be unquoted), or one a line on standard
 * input. JSON is one object a line, so that line n of the answer is line n of the input. Text explains each
 * sentence that is known once, and leaves out the rest.
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
  const isData = options.output === 'json' || options.output === 'yaml';
  const told = new Set<string>();
  let unknown: string | undefined;
  let first = true;
  for await (const line of inputLines(streams.input.bytes)) {
    if (options.output !== 'json' && line.trim() === '') continue;
    const id = isData ? undefined : explainLine(line)?.id;
    if (!isData && (id === undefined || told.has(id))) {
      unknown ??= line;
      continue;
    }
    if (id !== undefined && told.size < maxTold) told.add(id);
    await streams.out(await explain(line, first ? 'first' : 'further'));
    first = false;
  }
  // Of a text that was pasted as a whole, what is not known stays out, unless nothing is known.
  if (first && unknown === undefined) throw failure(exitStatus.usage, 'input-empty');
  if (first && unknown !== undefined) await streams.out(await explain(unknown, 'first'));
  return exitStatus.nothing;
}

/** Sentences that are remembered, so that a repeated one is explained once. */
const maxTold = 10_000;

type Position = 'alone' | 'first' | 'further';

function explainer({ output, lang }: PrintOptions, { paint }: Streams) {
  const tell = tellFrom(explanationCatalogues);
  const told = (sentence: string): readonly Prose[] =>
    explainPasted(sentence).map((statement) => tell(statement, lang));
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
  return failure(exitStatus.usage, 'sentence-missing');
}

/** Characters of one line. Kubernetes cuts the message of an Event to 1,024. */
const maxLine = 64 * 1024;

/**
 * The lines of a stream, as they come, without line ends; only `\n` and `\r\n` end one, so that every line of
 * a file is one item. A last line without an end counts, an empty rest does not. Memory follows the longest
 * line.
 *
 * @throws CommandFailure when a line is longer than 64 KiB or the stream fails
 */
async function* inputLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let pieces: string[] = [];
  let length = 0;
  let lines = 0;
  const take = (piece: string): void => {
    length += piece.length;
    if (length > maxLine) {
      throw failure(exitStatus.unseen, 'line-too-long', { line: lines + 1, maxCharacters: maxLine });
    }
    pieces.push(piece);
  };
  for await (const chunk of readable(input)) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      take(text.slice(start, end));
      yield withoutReturn(pieces.join(''));
      pieces = [];
      length = 0;
      lines += 1;
      start = end + 1;
    }
    if (start < text.length) take(text.slice(start));
  }
  take(decoder.end());
  const rest = pieces.join('');
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** A sentence in plain words for a terminal: what it comes to, then what it is made of. */
function explanationText([first, ...rest]: readonly Prose[], paint: Paint): string {
  const lines = [
    block(paint, '', toned(paint, 'strong', painted(paint, first ?? []))),
    ...rest.map((each) => block(paint, '  - ', painted(paint, each))),
  ];
  return `${lines.join('\n')}\n`;
}

/** The sentence above its explanation, where several are explained one after the other. */
function explainedSentence(sentence: string, paint: Paint): string {
  return `${block(paint, '', toned(paint, 'faint', painted(paint, [quote(sentence)])))}\n`;
}

/** The same as Markdown, with the sentence quoted first. */
function explanationMarkdown(sentence: string, [first, ...rest]: readonly Prose[]): string {
  const lines = [
    `> ${markdown([quote(sentence)])}`,
    '',
    markdown(first ?? []),
    ...(rest.length === 0 ? [] : ['']),
    ...rest.map((each) => `- ${markdown(each)}`),
  ];
  return `${lines.join('\n')}\n`;
}
