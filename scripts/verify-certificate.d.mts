import type { Certificate } from '../src/doctor/findings/deadlock/certificate.js';

export function verify(
  certificate: Certificate,
  objects: readonly object[],
): {
  readonly isAccepted: boolean;
  readonly faults: readonly string[];
  readonly notJudged: readonly string[];
};
