import type { Picture } from '../diagnosis/picture.js';
import type { Language } from '../language/language.js';
import { cycleLines } from './cycle-lines.js';
import { type Line, stripLines } from './strip-lines.js';

/** What every terminal and code block shows without breaking lines. */
export const pictureColumns = 60;

/** The picture for a font of equally wide characters, without its caption. */
export function pictureLines(
  picture: Picture,
  language: Language,
  columns: number = pictureColumns,
): readonly Line[] {
  return picture.kind === 'node-strip'
    ? stripLines(picture, language, columns)
    : cycleLines(picture, language, columns).map((text) => [{ text }]);
}
