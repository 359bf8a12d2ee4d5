import { createRequire } from 'node:module';
import type { Drawing, Shape } from '../../doctor/pictures/drawing/drawing.js';
import { fills, frame, inks, paper } from '../../doctor/pictures/drawing/drawing.js';
import { type Context, paintMark } from './paint-mark.js';

type Canvas = typeof import('@napi-rs/canvas');

/** Makes a PNG of a drawing, with two dots for each of its pixels. */
type PaintDrawing = (drawing: Drawing) => Promise<Buffer>;

const dotsPerPixel = 2;

/** The files of the fonts, by the script whose letters are in them. */
export const fontFiles = ['latin', 'korean'].flatMap((script) =>
  [400, 700].map((weight) => ({
    script,
    file: `@fontsource/nanum-gothic-coding/files/nanum-gothic-coding-${script}-${weight}-normal.woff2`,
  })),
);

/** Loads the library and its fonts with the first drawing, since most processes never draw. */
export function createPaintDrawing(): PaintDrawing {
  let loading: Promise<Canvas> | undefined;
  return async (drawing) => {
    loading ??= loadCanvas();
    const { createCanvas } = await loading;
    const canvas = createCanvas(drawing.width * dotsPerPixel, drawing.height * dotsPerPixel);
    const context = canvas.getContext('2d');
    context.scale(dotsPerPixel, dotsPerPixel);
    context.beginPath();
    context.roundRect(0.5, 0.5, drawing.width - 1, drawing.height - 1, 10);
    context.fillStyle = paper;
    context.fill();
    context.strokeStyle = frame;
    context.stroke();
    for (const shape of drawing.shapes) paintShape(context, shape);
    return canvas.encode('png');
  };
}

/** Latin letters of this font are exactly half as wide as Korean ones, as the layout counts them. */
async function loadCanvas(): Promise<Canvas> {
  const canvas = await import('@napi-rs/canvas');
  const require = createRequire(import.meta.url);
  for (const { script, file } of fontFiles) {
    canvas.GlobalFonts.registerFromPath(require.resolve(file), `Picture ${script}`);
  }
  return canvas;
}

function paintShape(context: Context, shape: Shape): void {
  switch (shape.kind) {
    case 'text':
      context.font = `${shape.isBold ? 700 : 400} ${shape.size}px "Picture latin", "Picture korean"`;
      context.textBaseline = 'middle';
      context.fillStyle = inks[shape.tone];
      context.fillText(shape.text, shape.x, shape.y);
      return;
    case 'box':
      context.beginPath();
      context.roundRect(shape.x, shape.y, shape.width, shape.height, shape.corner);
      context.fillStyle = fills[shape.tone];
      context.fill();
      context.setLineDash(shape.isDashed ? [6, 4] : []);
      context.lineWidth = 1.5;
      context.strokeStyle = inks[shape.tone];
      context.stroke();
      context.setLineDash([]);
      return;
    case 'arrow':
      paintArrow(context, shape);
      return;
    case 'mark':
      paintMark(context, shape);
      return;
  }
}

const headLength = 9;

function paintArrow(context: Context, { points, tone }: Extract<Shape, { kind: 'arrow' }>): void {
  const [from, to] = points.slice(-2);
  if (from === undefined || to === undefined) return;
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  context.strokeStyle = inks[tone];
  context.fillStyle = inks[tone];
  context.lineWidth = 2;
  context.beginPath();
  for (const [at, { x, y }] of points.entries()) {
    if (at === 0) context.moveTo(x, y);
    else if (at < points.length - 1) context.lineTo(x, y);
    else context.lineTo(x - headLength * Math.cos(angle), y - headLength * Math.sin(angle));
  }
  context.stroke();
  context.beginPath();
  context.moveTo(to.x, to.y);
  for (const side of [-0.45, 0.45]) {
    context.lineTo(
      to.x - (headLength + 2) * Math.cos(angle + side),
      to.y - (headLength + 2) * Math.sin(angle + side),
    );
  }
  context.fill();
}
