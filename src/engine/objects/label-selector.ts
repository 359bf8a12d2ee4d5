import * as z from 'zod';
import { type Immutable, list, stringMap } from './wire.js';

const LabelSelectorRequirement = z.object({
  key: z.string(),
  operator: z.string(),
  values: list(z.string()),
});
type LabelSelectorRequirement = Immutable<z.output<typeof LabelSelectorRequirement>>;

export const LabelSelector = z.object({
  matchLabels: stringMap,
  matchExpressions: list(LabelSelectorRequirement),
});
export type LabelSelector = Immutable<z.output<typeof LabelSelector>>;

export type Labels = Readonly<Record<string, string>>;

/**
 * True when the labels satisfy every part of the selector. An empty selector matches everything, an absent
 * one nothing; an unknown operator matches nothing (apimachinery `LabelSelectorAsSelector`).
 */
export function matchesSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  for (const [key, value] of Object.entries(selector.matchLabels)) {
    if (labels[key] !== value) return false;
  }
  return selector.matchExpressions.every((requirement) => matchesRequirement(requirement, labels));
}

/** Text of the selector as the API's `labelSelector` query parameter takes it. */
export function selectorQuery(selector: LabelSelector): string {
  const equalities = Object.entries(selector.matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = selector.matchExpressions.map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...equalities, ...expressions].join(',');
}

function matchesRequirement({ key, operator, values }: LabelSelectorRequirement, labels: Labels): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
