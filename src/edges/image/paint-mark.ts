import type { SKRSContext2D } from '@napi-rs/canvas';
import type { PodState } from '../../doctor/findings/picture.js';
import type { Shape } from '../../doctor/pictures/drawing/drawing.js';

export type Context = SKRSContext2D;

const radius = 8;
const inks = { bad: '#b3261e', warn: '#9a6700', good: '#1a7f4b', faint: '#6b7482' } as const;

/**
 * The mark of a pod. No two states have the same outline, so that nothing hangs on telling red from green.
 */
export function paintMark(context: Context, { x, y, state }: Extract<Shape, { kind: 'mark' }>): void {
  context.save();
  context.translate(x, y);
  context.lineWidth = 2;
  context.beginPath();
  marks[state](context);
  context.restore();
}

const marks = {
  /** A cross. */
  crashing(context) {
    context.lineWidth = 3.5;
    lines(context, [
      [-6, -6, 6, 6],
      [-6, 6, 6, -6],
    ]);
    stroke(context, inks.bad);
  },
  /** An octagon. */
  restarting(context) {
    polygon(context, 8, Math.PI / 8);
    fill(context, inks.bad);
  },
  /** A circle with a bar across. */
  failing(context) {
    context.arc(0, 0, radius - 1, 0, 2 * Math.PI);
    lines(context, [[-5, -5, 5, 5]]);
    stroke(context, inks.bad);
  },
  /** A triangle with an exclamation mark. */
  crashed(context) {
    polygon(context, 3, -Math.PI / 2);
    fill(context, inks.warn);
    context.beginPath();
    lines(context, [
      [0, -3, 0, 1],
      [0, 3.2, 0, 3.4],
    ]);
    stroke(context, '#ffffff');
  },
  /** An empty square. */
  'not-ready'(context) {
    context.rect(-6.5, -6.5, 13, 13);
    stroke(context, inks.faint);
  },
  /** A broken circle. */
  waiting(context) {
    context.setLineDash([3.2, 2.6]);
    context.arc(0, 0, radius - 1, 0, 2 * Math.PI);
    stroke(context, inks.warn);
  },
  /** A full circle. */
  ready(context) {
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    fill(context, inks.good);
  },
  /** A dash. */
  gone(context) {
    lines(context, [[-6, 0, 6, 0]]);
    stroke(context, inks.faint);
  },
} as const satisfies Readonly<Record<PodState, (context: Context) => void>>;

function lines(context: Context, all: readonly (readonly [number, number, number, number])[]): void {
  for (const [fromX, fromY, toX, toY] of all) {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  }
}

function polygon(context: Context, corners: number, turn: number): void {
  for (let at = 0; at < corners; at += 1) {
    const angle = turn + (2 * Math.PI * at) / corners;
    context.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  context.closePath();
}

function stroke(context: Context, ink: string): void {
  context.strokeStyle = ink;
  context.stroke();
}

function fill(context: Context, ink: string): void {
  context.fillStyle = ink;
  context.fill();
}
