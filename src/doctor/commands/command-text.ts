import type { NamedWorkload } from './command.js';

/**
 * A request about one workload as somebody would type it, for buttons: `parseCommand` reads it back as the
 * same request. Pressing such a button can do no more than typing can.
 */
export function commandText(verb: string, query: NamedWorkload, rest = ''): string {
  const kind = query.kind ?? query.member ?? query.owner;
  const words = [
    verb,
    kind === undefined ? query.name : `${kind.toLowerCase()}/${query.name}`,
    ...(query.namespace === undefined ? [] : ['-n', query.namespace]),
    ...(query.cluster === undefined ? [] : ['--cluster', query.cluster]),
    ...(rest === '' ? [] : [rest]),
  ];
  return words.join(' ');
}
