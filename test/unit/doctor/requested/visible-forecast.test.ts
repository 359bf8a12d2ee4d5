import { expect, it } from 'vitest';
import { visibleDiagnosis } from '#src/doctor/findings/visible-diagnosis.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { fullSight, sightOfPerson } from '#src/doctor/policy/view.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildPatchStrategy } from '../../../support/records.js';

const tell = createTell();

/** The forecast names a pod of another namespace that the new pods would evict. */
const diagnosis = buildDiagnosis({
  findings: [],
  foreign: [{ namespace: 'payroll', names: ['payroll', 'salaries-0'] }],
  requested: {
    type: 'possible',
    remediation: buildPatchStrategy(),
    warnings: [
      { catalogue: 'check', key: 'because-preemption', values: { victims: ['payroll/salaries-0'] } },
    ],
    owners: [],
  },
});

function warningFor(sight: Parameters<typeof visibleDiagnosis>[1]): string {
  const { requested } = visibleDiagnosis(diagnosis, sight);
  if (requested?.type !== 'possible') throw new Error('no forecast');
  return requested.warnings.map((warning) => plain(tell(warning, 'en'))).join(' ');
}

it('the forecast of a requested change hides the namespaces that the reader may not see', () => {
  const policy = Policy.parse({ grants: [], view: [{ users: ['U1'], namespaces: ['ml'] }] });
  const sight = sightOfPerson(policy, { ids: ['U1'], kind: 'member', groups: [] });

  expect(warningFor(fullSight)).toContain('salaries-0');
  expect(warningFor(sight)).not.toContain('salaries');
  expect(warningFor(sight)).not.toContain('payroll');
});
