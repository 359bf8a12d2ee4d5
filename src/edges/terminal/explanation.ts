import { markdown } from '../../doctor/redaction/markdown.js';
import { type Prose, quote } from '../../engine/language/prose.js';
import { block, type Paint, painted, toned } from './paint.js';

/** A sentence in plain words for a terminal: what it comes to, then what it is made of. */
export function explanationText([first, ...rest]: readonly Prose[], paint: Paint): string {
  const lines = [
    block(paint, '', toned(paint, 'strong', painted(paint, first ?? []))),
    ...rest.map((each) => block(paint, '  - ', painted(paint, each))),
  ];
  return `${lines.join('\n')}\n`;
}

/** The sentence above its explanation, where several are explained one after the other. */
export function explainedSentence(sentence: string, paint: Paint): string {
  return `${block(paint, '', toned(paint, 'faint', painted(paint, [quote(sentence)])))}\n`;
}

/** The same as Markdown, with the sentence quoted first. */
export function explanationMarkdown(sentence: string, [first, ...rest]: readonly Prose[]): string {
  const lines = [
    `> ${markdown([quote(sentence)])}`,
    '',
    markdown(first ?? []),
    ...(rest.length === 0 ? [] : ['']),
    ...rest.map((each) => `- ${markdown(each)}`),
  ];
  return `${lines.join('\n')}\n`;
}
