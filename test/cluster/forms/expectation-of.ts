import type { Form } from './form.js';

/** In the fields of `test/scenarios/README.md`. */
export function expectationOf({ expected }: Form): Readonly<Record<string, unknown>> {
  const { cause, never, also, resource, nodes, ...rest } = expected;
  const { minConfidence, maxConfidence, firstFix, neverFix, mentions, maxDowntimeSeconds } = rest;
  return {
    ...(cause === null || typeof cause === 'string' ? { cause } : { anyOf: cause }),
    ...(minConfidence === undefined ? {} : { minConfidence }),
    ...(maxConfidence === undefined ? {} : { maxConfidence }),
    ...(resource === undefined ? {} : { detail: { resource } }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(never === undefined ? {} : { never }),
    ...(also === undefined ? {} : { also }),
    ...(firstFix === undefined && neverFix === undefined && maxDowntimeSeconds === undefined
      ? {}
      : { remediation: { first: firstFix, never: neverFix, maxDowntimeSeconds } }),
    ...(mentions === undefined ? {} : { mustMention: mentions }),
  };
}
