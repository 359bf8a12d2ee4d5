import { seededText } from './seeded-text.js';

/** An object as the API spells it. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly spec?: object;
  readonly status?: object;
  readonly [field: string]: unknown;
}

/** A uid that is always the same for the same number, and looks as random as a real one. */
export function uidOf(group: number, number: number): string {
  const text = seededText(1_000 + group, number);
  const [kind, place] = [group.toString(16).padStart(3, '0'), number.toString(16).padStart(5, '0')];
  return `${text.hex(8)}-${text.hex(4)}-4${kind}-a${text.hex(3)}-${text.hex(7)}${place}`;
}
