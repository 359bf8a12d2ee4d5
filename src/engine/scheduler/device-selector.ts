import type { JsonObject } from '../objects/wire.js';
import { compareQuantities, parseQuantity } from './quantity.js';

/** What a selector is asked about. Names without a domain belong to the driver's. */
interface SelectableDevice {
  readonly driver: string;
  readonly attributes: JsonObject;
  readonly capacity: Readonly<Record<string, { readonly value: string }>>;
}

/** `undefined`: the expression is more than this reads, or the device lacks what it compares. */
type Answer = boolean | undefined;

/** Parentheses and negations in each other. */
const maxDepth = 8;

const DRIVER = /^device\.driver\s*(==|!=)\s*(?:"([^"\\]*)"|'([^'\\]*)')$/;
const ATTRIBUTE =
  /^device\.attributes\[(?:"([^"\\]+)"|'([^'\\]+)')\]\.([A-Za-z_]\w*)(?:\s*(==|!=|<=|>=|<|>)\s*(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+)|(true|false)))?$/;
const CAPACITY =
  /^device\.capacity\[(?:"([^"\\]+)"|'([^'\\]+)')\]\.([A-Za-z_]\w*)\.compareTo\(quantity\((?:"([^"\\]*)"|'([^'\\]*)')\)\)\s*(==|!=|<=|>=|<|>)\s*(-?\d+)$/;

/**
 * Answers the part of CEL that device classes are mostly made of: comparisons of the driver, of attributes
 * and of capacities with literals, joined by `&&`, `||`, `!` and parentheses. Everything else stays
 * unanswered, but one part decides where it does so in CEL.
 */
export function matchesDeviceSelector(expression: string, device: SelectableDevice): Answer {
  return answerOf(expression.trim(), device, 0);
}

function answerOf(text: string, device: SelectableDevice, depth: number): Answer {
  if (depth > maxDepth) return undefined;
  for (const [operator, deciding] of [
    ['||', true],
    ['&&', false],
  ] as const) {
    const parts = partsOf(text, operator);
    if (parts.length === 1) continue;
    const answers = parts.map((part) => answerOf(part.trim(), device, depth + 1));
    if (answers.includes(deciding)) return deciding;
    return answers.includes(undefined) ? undefined : !deciding;
  }
  if (text.startsWith('!')) {
    const answer = answerOf(text.slice(1).trim(), device, depth + 1);
    return answer === undefined ? undefined : !answer;
  }
  if (text.startsWith('(') && text.endsWith(')'))
    return answerOf(text.slice(1, -1).trim(), device, depth + 1);
  return comparison(text, device);
}

/** The parts between an operator that is in no text and in no parentheses. */
function partsOf(text: string, operator: string): readonly string[] {
  const parts: string[] = [];
  let open = 0;
  let quote: string | undefined;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(') open += 1;
    else if (char === ')') open -= 1;
    else if (open === 0 && text.startsWith(operator, at)) {
      parts.push(text.slice(from, at));
      from = at + operator.length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)];
}

function comparison(text: string, device: SelectableDevice): Answer {
  const driver = DRIVER.exec(text);
  if (driver !== null) return compare(device.driver === (driver[2] ?? driver[3]) ? 0 : 1, driver[1]);
  const capacity = CAPACITY.exec(text);
  if (capacity !== null) {
    const [, double, single, name = '', doubleText, singleText, operator, integer] = capacity;
    const found = fieldOf(device, device.capacity, double ?? single ?? '', name);
    const amount = found === undefined ? undefined : parseQuantity(found.value);
    const asked = parseQuantity(doubleText ?? singleText ?? '');
    if (amount === undefined || asked === undefined) return undefined;
    return compare(compareQuantities(amount, asked) - Number(integer), operator);
  }
  const attribute = ATTRIBUTE.exec(text);
  if (attribute === null) return undefined;
  const [, double, single, name = '', operator, doubleText, singleText, integer, boolean] = attribute;
  const found = fieldOf(device, device.attributes, double ?? single ?? '', name) as JsonObject | undefined;
  if (operator === undefined) return typeof found?.bool === 'boolean' ? found.bool : undefined;
  const literal = doubleText ?? singleText;
  if (integer !== undefined) {
    return typeof found?.int === 'number' ? compare(found.int - Number(integer), operator) : undefined;
  }
  if (operator !== '==' && operator !== '!=') return undefined;
  const [value, wanted] =
    literal === undefined ? [found?.bool, boolean === 'true'] : [found?.string, literal];
  return typeof value === typeof wanted ? compare(value === wanted ? 0 : 1, operator) : undefined;
}

function compare(difference: number, operator: string | undefined): boolean {
  switch (operator) {
    case '!=':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    default:
      return difference === 0;
  }
}

function fieldOf<Field>(
  { driver }: SelectableDevice,
  fields: Readonly<Record<string, Field>>,
  domain: string,
  name: string,
): Field | undefined {
  return fields[`${domain}/${name}`] ?? (domain === driver ? fields[name] : undefined);
}
