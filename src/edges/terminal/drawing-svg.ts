import { columnsOf } from '../../doctor/pictures/columns.js';
import type { Drawing, PlainShape } from '../../doctor/pictures/drawing/drawing.js';
import { fills, frame, inks, paper } from '../../doctor/pictures/drawing/drawing.js';
import { escaped, htmlText } from '../../doctor/redaction/html-text.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';

/** Characters of one line of a drawing. */
const maxLine = 200;
const headLength = 11;
const headAngle = 0.45;

/**
 * A drawing as an element of a page, with the colours of the image in Slack.
 *
 * @param label the picture in sentences, for people who listen to the page
 */
export function drawingSvg({ width, height, shapes }: Drawing<PlainShape>, label: string): string {
  const ground = `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${paper}" stroke="${frame}"/>`;
  return `<svg role="img" aria-label="${htmlText(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${ground}${shapes.map(elementOf).join('')}</svg>`;
}

function elementOf(shape: PlainShape): string {
  switch (shape.kind) {
    case 'text':
      return textElement(shape);
    case 'box': {
      const { x, y, width, height, corner, tone, isDashed } = shape;
      const dashes = isDashed ? ' stroke-dasharray="6 4"' : '';
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${corner}" fill="${fills[tone]}" stroke="${inks[tone]}" stroke-width="1.5"${dashes}/>`;
    }
    case 'arrow':
      return arrowElement(shape);
  }
}

/** The layout counts half of the size for a Latin letter, and fonts of readers differ: the length is set. */
function textElement({ x, y, text, size, tone, isBold }: Extract<PlainShape, { kind: 'text' }>): string {
  const shown = untrusted(text, maxLine);
  const length = (columnsOf(shown) * size) / 2;
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${isBold ? 700 : 400}" fill="${inks[tone]}" dominant-baseline="central" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(shown)}</text>`;
}

function arrowElement({ points, tone }: Extract<PlainShape, { kind: 'arrow' }>): string {
  const [from, to] = points.slice(-2);
  if (from === undefined || to === undefined) return '';
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const behind = (turn: number): string =>
    placeOf(to.x - headLength * Math.cos(angle + turn), to.y - headLength * Math.sin(angle + turn));
  const line = points.map(({ x, y }) => placeOf(x, y)).join(' ');
  const head = [placeOf(to.x, to.y), behind(-headAngle), behind(headAngle)].join(' ');
  return `<polyline points="${line}" fill="none" stroke="${inks[tone]}" stroke-width="2"/><polygon points="${head}" fill="${inks[tone]}"/>`;
}

function placeOf(x: number, y: number): string {
  return `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
}
