import type { Tone } from './drawing.js';

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
