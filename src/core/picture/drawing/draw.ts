import type { Picture } from '../../diagnosis/picture.js';
import type { Language } from '../../language/language.js';
import { drawCycle } from './draw-cycle.js';
import { drawStrip } from './draw-strip.js';
import type { Drawing } from './drawing.js';

/** The picture as shapes, for a surface that shows images. */
export function draw(picture: Picture, language: Language): Drawing {
  return picture.kind === 'wait-cycle' ? drawCycle(picture, language) : drawStrip(picture, language);
}
