import { z } from 'zod';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';

/** The finding, if JSON and the schema of its rule leave its facts as they are; a test fails otherwise. */
export function withDescribedFacts<Found extends Finding | undefined>(rule: AnyRule, finding: Found): Found {
  if (finding === undefined) return finding;
  const stored = JSON.parse(JSON.stringify(finding.facts ?? null));
  const { error } = rule.facts.safeParse(stored);
  if (error !== undefined) throw new Error(`facts of ${rule.id}: ${z.prettifyError(error)}`);
  return finding;
}
