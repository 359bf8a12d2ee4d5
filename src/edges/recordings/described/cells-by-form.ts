/**
 * Tables whose cells no longer stand below their titles: chats and pages collapse spaces to one, and other
 * programs put tabs in their place. Titles and cells are then known by their form alone.
 */

/** Titles of kubectl that contain a space. Every other word is a title of its own. */
const titleForm = /(?:LAST|FIRST) SEEN|(?:CPU|Memory) (?:Requests|Limits)|\S{1,300}/gu;

/** The titles of a line that has single spaces only. */
export function titlesByForm(header: string): readonly string[] {
  return header.trim().match(titleForm) ?? [];
}

const word = /^\S{1,1000}/u;
/** `10s (x14 over 30m)`. */
const age = /^\S{1,40}(?: \(x\d{1,9} over \S{1,20}\))?/u;
const time = /^\S{3}, \d{1,2} \S{3} \d{4} \S{8} \S{5}/u;
/** `250m (12%)`; extended resources have no share. */
const amount = /^\S{1,100}(?: \(\d{1,9}%\))?/u;
/** A component, and the node that it is on. */
const source = /^\S{1,300}, \S{1,300}|^\S{1,300}/u;
const subobject = /^(?:spec\.\w{1,60}\{[^{}\s]{0,300}\})?/u;

/** Forms of cells that contain a space, or may be empty, by their titles. */
const forms: ReadonlyMap<string, RegExp> = new Map([
  ['LAST SEEN', age],
  ['FIRST SEEN', age],
  ['Age', age],
  ['LastHeartbeatTime', time],
  ['LastTransitionTime', time],
  ['CPU Requests', amount],
  ['CPU Limits', amount],
  ['Memory Requests', amount],
  ['Memory Limits', amount],
  ['Requests', amount],
  ['Limits', amount],
  ['From', source],
  ['SOURCE', source],
  ['SUBOBJECT', subobject],
  ['SubObjectPath', subobject],
]);

/** A message may contain anything: the columns behind it have one word each, and are read from the end. */
const isMessage = (title: string): boolean => title === 'MESSAGE' || title === 'Message';

/** The cells of a row, in the order of the titles; '' where a cell is missing. */
export function cellsByForm(titles: readonly string[], line: string): readonly string[] {
  const message = titles.findIndex(isMessage);
  let rest = line.trim();
  const cells: string[] = [];
  for (const title of message < 0 ? titles : titles.slice(0, message)) {
    const [cell = ''] = (forms.get(title) ?? word).exec(rest) ?? [];
    cells.push(cell);
    rest = rest.slice(cell.length).trimStart();
  }
  if (message < 0) return cells;
  const last: string[] = [];
  for (let behind = titles.length - message - 1; behind > 0; behind -= 1) {
    const at = rest.search(/\s\S{0,1000}$/u);
    last.unshift(rest.slice(at + 1));
    rest = rest.slice(0, Math.max(at, 0)).trimEnd();
  }
  return [...cells, rest, ...last];
}
