import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import { createTell } from '#src/service/create-engine.js';
import { disagreements } from '../../support/scenarios/compare-answer.js';
import { Expectation } from '../../support/scenarios/expectation.js';
import { expectationOf } from './expectation-of.js';
import type { Form } from './form.js';

/** Mistakes in an answer of the running program about a form; one sentence each. */
export function mistakesInForm(diagnosis: Diagnosis, form: Form): readonly string[] {
  const { kind, namespace, name } = diagnosis.workload;
  const { id, title } = form;
  const expected = Expectation.parse({
    id,
    title,
    takenAt: diagnosis.takenAt,
    workload: { kind, namespace, name },
    ...JSON.parse(JSON.stringify(expectationOf(form))),
  });
  return mistakesInAnswer(diagnosis, expected);
}

/**
 * Mistakes in an answer of the running program, checked as for recorded incidents; one sentence each.
 *
 * @param unreadable kinds that the program has no right to read
 */
export function mistakesInAnswer(
  diagnosis: Diagnosis,
  expected: Expectation,
  unreadable: readonly string[] = [],
): readonly string[] {
  const status = diagnosis.findings.some(({ severity }) => severity !== 'info') ? 1 : 0;
  const unread = diagnosis.unseen
    .filter(({ what, because }) => because !== 'forbidden' || !unreadable.includes(what))
    .map(({ what, because }) => `${what} was not read: ${because}`);
  return [
    ...disagreements(expected, {
      status,
      text: JSON.stringify(diagnosisJson(diagnosis, createTell(), 'en')),
    }),
    ...unread,
  ];
}
