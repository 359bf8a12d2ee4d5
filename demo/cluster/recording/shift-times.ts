import { isObject } from '../json.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * The value with every RFC3339 time in it moved by so many milliseconds, in the notation it had. Times inside
 * longer texts, such as messages, stay.
 */
export function shiftTimes<Value>(value: Value, byMs: number): Value {
  return shifted(value, byMs) as Value;
}

function shifted(value: unknown, byMs: number): unknown {
  if (typeof value === 'string') return rfc3339.test(value) ? shiftText(value, byMs) : value;
  if (Array.isArray(value)) return value.map((item: unknown) => shifted(item, byMs));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shifted(item, byMs)]));
}

function shiftText(text: string, byMs: number): string {
  const fraction = /\.(\d+)Z$/.exec(text)?.[1];
  const moved = new Date(Date.parse(text) + byMs).toISOString();
  if (fraction === undefined) return `${moved.slice(0, 19)}Z`;
  return `${moved.slice(0, 20)}${moved.slice(20, 23).padEnd(fraction.length, '0').slice(0, fraction.length)}Z`;
}
