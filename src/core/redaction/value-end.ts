/** Characters that may end a value inside a run without spaces. */
const stops = /[,;&"'`\\<\])}…]/gu;
const maxAhead = 160;

/** What follows a value: another name behind `,`, `;` or `&`, a closing quote or bracket, a line break written as `\n`. */
const endings: readonly RegExp[] = [
  /^[,;&](?:amp;)?\\*["']?[A-Za-z_][\w.%-]*\\*["']?[=:]/u,
  /^["'`](?:[^A-Za-z0-9]|$)/u,
  /^\\+["']/u,
  /^\\+[nrt](?:[A-Za-z_][\w.-]*[=:]|$)/u,
  /^<\//u,
  /^[,;&]["'`]/u,
  /^[\])}]+[,;](?:\W|$)/u,
  /^…$/u,
];

/** Where a bare value ends in a run without spaces: at the end of the run, or before what evidently follows the value. */
export function endOfValue(run: string): number {
  for (const { index } of run.matchAll(stops)) {
    const ahead = run.slice(index, index + maxAhead);
    if (endings.some((ending) => ending.test(ahead))) return index;
  }
  return run.length;
}
