import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { markdown } from '../../doctor/redaction/markdown.js';
import { groupBy } from '../../engine/collections/collections.js';
import type { Language } from '../../engine/language/language.js';
import type { Prose } from '../../engine/language/prose.js';
import { block, type Paint, painted, toned } from './paint.js';
import { reportText } from './report-text.js';

interface UnreadObject {
  readonly what: string;
  readonly because: string;
  readonly message: string;
  /** Absent where the report is about one namespace, '' for what concerns none. */
  readonly namespace?: string;
}

/** What a report could not read, and what shows it. */
interface UnreadObjects {
  readonly unseen: readonly UnreadObject[];
  /** Commands whose output adds what is missing; absent where the report names none. */
  readonly commands?: readonly string[];
}

/** What one diagnosis could not read; its own namespace goes without saying. */
export function unseenOf({
  unseen,
  workload,
}: Pick<Diagnosis, 'unseen' | 'workload'>): UnreadObjects['unseen'] {
  return unseen.map((each) => (each.namespace === workload.namespace ? { ...each, namespace: '' } : each));
}

/** Commands of one report: a scan may lack objects of hundreds of namespaces. */
const maxCommands = 8;

function commandsHeading(commands: readonly string[], language: Language): Prose {
  const words = reportText[language];
  return commands.length > maxCommands
    ? words['to-add-first']({ shown: maxCommands, all: commands.length })
    : words['to-add']();
}

/** A line for each kind and reason, with the namespaces that it concerns. */
export function unreadLines(unseen: readonly UnreadObject[], language: Language): readonly Prose[] {
  const alike = groupBy(unseen, ({ what, because, message }) =>
    // Only a line about a malformed object shows the message.
    JSON.stringify([what, because, because === 'malformed' ? message : '']),
  );
  return [...alike.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const namespaces = [...new Set([first, ...more].map(({ namespace = '' }) => namespace))];
    // What concerns none, or all of them.
    const named = namespaces.includes('') ? [] : namespaces;
    return [reportText[language]['unseen-line']({ ...first, namespaces: named })];
  });
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
      lines: unreadLines(unseen, language).map((each) => block(paint, '  - ', painted(paint, each))),
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
  const lines = unreadLines(unseen, language).map((each) => `- ${markdown(each)}`);
  const shown = commands.slice(0, maxCommands);
  return [
    ...(lines.length === 0 ? [] : [[`**${markdown(words.unseen())}**`, '', ...lines].join('\n')]),
    ...(shown.length === 0
      ? []
      : [[`**${markdown(commandsHeading(commands, language))}**`, '', '```sh', ...shown, '```'].join('\n')]),
  ];
}
