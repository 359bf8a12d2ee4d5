import type { PodState } from '../../findings/picture.js';

/** What a shape stands for; the painter knows its colours. */
export type Tone = 'ink' | 'quiet' | 'bad' | 'new' | 'old' | 'resource' | 'node';

type Place = { readonly x: number; readonly y: number };

/**
 * A shape of a drawing, in pixels of a screen with one dot a pixel. Text starts at `x`; `y` is its middle
 * line.
 */
export type Shape =
  | (Place & {
      readonly kind: 'text';
      readonly text: string;
      readonly size: number;
      readonly tone: Tone;
      readonly isBold: boolean;
    })
  | (Place & {
      readonly kind: 'box';
      readonly width: number;
      readonly height: number;
      readonly tone: Tone;
      readonly corner: number;
      readonly isDashed: boolean;
    })
  /** Ends in an arrow head. */
  | { readonly kind: 'arrow'; readonly points: readonly Place[]; readonly tone: Tone }
  /** The mark of one pod, around its centre. */
  | (Place & { readonly kind: 'mark'; readonly state: PodState });

/** Shapes of which any painter of boxes, lines and text can make a drawing. */
export type PlainShape = Exclude<Shape, { readonly kind: 'mark' }>;

/** A picture as shapes. It holds everything that is seen, and every text as it is shown. */
export interface Drawing<Of extends Shape = Shape> {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Of[];
}

/** Fits the width at which Slack shows an image, on a phone as well. */
export const drawingWidth = 480;
export const margin = 16;

/** The size of names and labels, and the distance of their lines. */
const textSize = 14;
export const lineHeight = 20;

/**
 * Columns that fit into so many pixels: a Latin letter of the code font is half as wide as the font is high.
 */
export function columnsIn(pixels: number, size: number = textSize): number {
  return Math.floor(pixels / (size / 2));
}

export function line(
  x: number,
  y: number,
  text: string,
  {
    size = textSize,
    tone = 'ink',
    isBold = false,
  }: Partial<Omit<Extract<Shape, { kind: 'text' }>, 'kind'>> = {},
): Extract<Shape, { kind: 'text' }> {
  return { kind: 'text', x, y, text, size, tone, isBold };
}

/** Readable on a light and on a dark page. */
export const paper = '#f4f5f7';
export const frame = '#c3c9d1';

/** Of text, lines and frames. */
export const inks = {
  ink: '#1f2630',
  quiet: '#566070',
  bad: '#b3261e',
  new: '#0b5cad',
  old: '#44506b',
  resource: '#7a4b00',
  node: '#8a94a3',
} as const satisfies Readonly<Record<Tone, string>>;

/** Of what is inside a box. */
export const fills = {
  ink: '#ffffff',
  quiet: '#ffffff',
  bad: '#fdecea',
  new: '#e8f1fb',
  old: '#e4e7ee',
  resource: '#fff3d6',
  node: '#ffffff',
} as const satisfies Readonly<Record<Tone, string>>;
