import { markdown } from '../../doctor/redaction/markdown.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import { block, type Paint, painted, toned } from './paint.js';
import { reportText } from './report-text.js';

/** What a report could not read, and what shows it. */
export interface UnreadObjects {
  readonly unseen: readonly { readonly what: string; readonly because: string; readonly message: string }[];
  /** Commands whose output adds what is missing; absent where the report names none. */
  readonly commands?: readonly string[];
}

/** Commands of one report: a scan may lack objects of hundreds of namespaces. */
const maxCommands = 8;

function commandsHeading(commands: readonly string[], language: Language): Prose {
  const words = reportText[language];
  return commands.length > maxCommands
    ? words['to-add-first']({ shown: maxCommands, all: commands.length })
    : words['to-add']();
}

/** For a terminal: a paragraph with what could not be read, and one with the commands, if there are any. */
export function unreadText(
  { unseen, commands = [] }: UnreadObjects,
  { language, paint }: { readonly language: Language; readonly paint: Paint },
): readonly string[] {
  const words = reportText[language];
  return [
    {
      heading: words.unseen(),
      lines: unseen.map((each) => block(paint, '  - ', painted(paint, words['unseen-line'](each)))),
    },
    {
      heading: commandsHeading(commands, language),
      lines: commands.slice(0, maxCommands).map((command) => `  ${toned(paint, 'name', command)}`),
    },
  ].flatMap(({ heading, lines }) =>
    lines.length === 0 ? [] : [[toned(paint, 'strong', painted(paint, heading)), ...lines].join('\n')],
  );
}

/** The same paragraphs as Markdown. */
export function unreadMarkdown(
  { unseen, commands = [] }: UnreadObjects,
  language: Language,
): readonly string[] {
  const words = reportText[language];
  const lines = unseen.map((each) => `- ${markdown(words['unseen-line'](each))}`);
  const shown = commands.slice(0, maxCommands);
  return [
    ...(lines.length === 0 ? [] : [[`**${markdown(words.unseen())}**`, '', ...lines].join('\n')]),
    ...(shown.length === 0
      ? []
      : [[`**${markdown(commandsHeading(commands, language))}**`, '', '```sh', ...shown, '```'].join('\n')]),
  ];
}
