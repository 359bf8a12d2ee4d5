import type { JsonObject } from '../cluster/wire.js';

/** What a selector is asked about. Attribute names without a domain belong to the driver's. */
export interface SelectableDevice {
  readonly driver: string;
  readonly attributes: JsonObject;
}

/** `undefined`: the expression is more than this reads, or the device lacks what it compares. */
export type Answer = boolean | undefined;

const DRIVER = /^device\.driver\s*==\s*(?:"([^"\\]*)"|'([^'\\]*)')$/;
const ATTRIBUTE =
  /^device\.attributes\[(?:"([^"\\]+)"|'([^'\\]+)')\]\.([A-Za-z_]\w*)\s*==\s*(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+)|(true|false))$/;

/**
 * Answers the part of CEL that device classes are mostly made of: `device.driver == "x"` and
 * `device.attributes["domain"].name == literal`, joined by `&&`. Everything else stays unanswered, but one
 * false part decides, as it does in CEL.
 */
export function matchesDeviceSelector(expression: string, device: SelectableDevice): Answer {
  let answer: Answer = true;
  for (const part of expression.split('&&')) {
    const partial = matchesPart(part.trim(), device);
    if (partial === false) return false;
    if (partial === undefined) answer = undefined;
  }
  return answer;
}

function matchesPart(part: string, device: SelectableDevice): Answer {
  const driver = DRIVER.exec(part);
  if (driver !== null) return (driver[1] ?? driver[2]) === device.driver;
  const attribute = ATTRIBUTE.exec(part);
  if (attribute === null) return undefined;
  const [, doubleDomain, singleDomain, name = '', doubleText, singleText, integer, boolean] = attribute;
  const found = attributeOf(device, doubleDomain ?? singleDomain ?? '', name);
  const text = doubleText ?? singleText;
  if (text !== undefined) return typeof found?.string === 'string' ? found.string === text : undefined;
  if (integer !== undefined)
    return typeof found?.int === 'number' ? found.int === Number(integer) : undefined;
  return typeof found?.bool === 'boolean' ? found.bool === (boolean === 'true') : undefined;
}

function attributeOf(device: SelectableDevice, domain: string, name: string): JsonObject | undefined {
  const found =
    device.attributes[`${domain}/${name}`] ??
    (domain === device.driver ? device.attributes[name] : undefined);
  return typeof found === 'object' && found !== null ? (found as JsonObject) : undefined;
}
