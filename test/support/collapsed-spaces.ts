/**
 * What chats and pages make of the spaces in the text of kubectl. Issue 93826 of kubernetes/kubernetes quotes
 * a description without its indents and with single spaces.
 */
export const collapses: readonly (readonly [string, (text: string) => string])[] = [
  ['between words', (text) => text.replaceAll(/(?<=\S) {2,}/gu, ' ')],
  ['to one', (text) => text.replaceAll(/ {2,}/gu, ' ')],
  ['to one, and lines begin at the margin', (text) => withoutIndents(text).replaceAll(/ {2,}/gu, ' ')],
  ['to a tab', (text) => text.replaceAll(/(?<=\S) {2,}(?=\S)/gu, '\t')],
  ['at the margin only', withoutIndents],
];

function withoutIndents(text: string): string {
  return text.replaceAll(/^ +/gmu, '');
}
