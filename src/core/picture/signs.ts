import type { PodState } from '../diagnosis/picture.js';

/** One narrow character for each state, of different shapes: no meaning hangs on colour. */
export const signs = {
  crashing: '✕',
  restarting: '↻',
  failing: '⊘',
  crashed: '▲',
  'not-ready': '□',
  waiting: '?',
  ready: '●',
  gone: '–',
} as const satisfies Readonly<Record<PodState, string>>;

/** How a state looks where there are colours too. */
export function toneOf(state: PodState): 'bad' | 'warn' | 'good' | 'faint' {
  switch (state) {
    case 'crashing':
    case 'restarting':
    case 'failing':
      return 'bad';
    case 'crashed':
    case 'not-ready':
    case 'waiting':
      return 'warn';
    case 'ready':
      return 'good';
    case 'gone':
      return 'faint';
  }
}
