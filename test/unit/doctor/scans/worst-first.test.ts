import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { worstFirst } from '#src/doctor/scans/worst-first.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';

type Found = Diagnosis['findings'][number];

function diagnosis(name: string, ...findings: readonly Partial<Found>[]): Diagnosis {
  return buildDiagnosis({
    workload: { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name },
    findings: findings.map((fields) => buildFinding(fields)),
  });
}

const at = (place: Partial<Diagnosis['workload']>): Diagnosis => {
  const made = diagnosis('m');
  return { ...made, workload: { ...made.workload, ...place } };
};

describe('worstFirst', () => {
  it.each<[string, Diagnosis, Diagnosis]>([
    ['any finding before none', diagnosis('b', { severity: 'info' }), diagnosis('a')],
    [
      'severity before confidence',
      diagnosis('b', { severity: 'critical', confidence: 'possible' }),
      diagnosis('a', { severity: 'warning', confidence: 'proven' }),
    ],
    [
      'confidence before the kind of cause',
      diagnosis('b', { severity: 'critical', confidence: 'proven', cause: 'application-crash' }),
      diagnosis('a', { severity: 'critical', confidence: 'likely', cause: 'surge-deadlock' }),
    ],
    [
      'the more specific cause',
      diagnosis('b', { severity: 'critical', confidence: 'proven', cause: 'surge-deadlock' }),
      diagnosis('a', { severity: 'critical', confidence: 'proven', cause: 'application-crash' }),
    ],
    ['the name where all else is equal', diagnosis('a'), diagnosis('b')],
    ['the cluster before the namespace', at({ cluster: 'a', namespace: 'z' }), at({ cluster: 'b' })],
    ['the namespace before the name', at({ namespace: 'a', name: 'z' }), at({ namespace: 'b' })],
    ['the name before the kind', at({ name: 'a', kind: 'StatefulSet' }), at({ name: 'b' })],
    ['the kind where all else is equal', at({ kind: 'DaemonSet' }), at({ kind: 'Deployment' })],
  ])('puts %s first, whatever the order given', (_, first, second) => {
    expect(worstFirst([second, first])).toEqual([first, second]);
    expect(worstFirst([first, second])).toEqual([first, second]);
  });
});
