import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { scanReport, troubledFirst } from '#src/doctor/scans/scan-record.js';
import { stuckOnGpu } from '../../../support/remediation-builders.js';
import { buildDiagnosis, buildFinding } from '../../../support/slack-builders.js';

const seen = { takenAt: '2026-11-20T09:30:00Z', skipped: 0, unseen: [] };

function diagnosis(name: string, ...findings: Diagnosis['findings'][number][]): Diagnosis {
  return buildDiagnosis({ workload: { ...buildDiagnosis().workload, name }, findings });
}

describe('a scan report', () => {
  it('lists the affected workloads, the worst first, and counts the others', () => {
    const report = scanReport(
      [
        diagnosis('well'),
        diagnosis('noted', buildFinding({ severity: 'info' })),
        diagnosis('warned', buildFinding({ severity: 'warning' })),
        diagnosis(
          'stuck',
          buildFinding(),
          buildFinding({ severity: 'warning' }),
          buildFinding({ severity: 'info' }),
        ),
      ],
      seen,
    );
    expect(report.unwell.map(({ workload, others }) => [workload.name, others])).toEqual([
      ['stuck', 1],
      ['warned', 0],
    ]);
    expect(report).toMatchObject({ well: 1, noted: 1, more: 0, critical: 1 });
  });

  it('shows no more than three of one cause before the other causes of the same severity', () => {
    const storm = Array.from({ length: 12 }, (_, number) =>
      diagnosis(`a-${number + 10}`, buildFinding({ cause: 'image-pull-failure' })),
    );
    const others = [
      diagnosis('z-crash', buildFinding({ cause: 'application-crash' })),
      diagnosis('z-warned', buildFinding({ severity: 'warning' })),
    ];
    const names = scanReport([...storm, ...others], seen).unwell.map(({ workload }) => workload.name);
    expect(names.toSorted()).toEqual([...storm, ...others].map(({ workload }) => workload.name).toSorted());
    expect(names.indexOf('z-crash')).toBe(3);
    expect(names.at(-1)).toBe('z-warned');
  });

  it('does not count a workload as healthy when a check failed', () => {
    const failed = { ...diagnosis('failed'), defects: [{ cause: 'preempted', message: 'x' } as const] };

    expect(scanReport([diagnosis('well'), failed], seen)).toMatchObject({ well: 1, unchecked: 1, noted: 0 });
  });

  it('contains at most fifty workloads, and counts the rest', () => {
    const many = Array.from({ length: 60 }, (_, number) => diagnosis(`w-${number}`, buildFinding()));
    const report = scanReport(many, seen);
    expect(report.unwell).toHaveLength(50);
    expect(report.more).toBe(10);
  });

  it('contains at most twenty unread kinds', () => {
    const unseen = Array.from({ length: 25 }, (_, number) => ({
      what: 'Pod',
      namespace: `n-${number}`,
      because: 'forbidden',
    }));
    expect(scanReport([], { ...seen, unseen }).unseen).toEqual(unseen.slice(0, 20));
  });

  it('names as fragile only workloads whose deadlock is proven', () => {
    const next = (confidence: 'proven' | 'possible') =>
      buildFinding({ cause: 'fragile-strategy', severity: 'info', confidence, waitCycle: [] });
    const report = scanReport(
      [diagnosis('sure', next('proven')), diagnosis('maybe', next('possible'))],
      seen,
    );
    expect(report.fragile?.map(({ name }) => name)).toEqual(['sure']);
    expect(report.noted).toBe(2);
  });

  it('names as fragile no workload that has a problem today', () => {
    const next = buildFinding({ cause: 'fragile-strategy', severity: 'info' });
    const both = diagnosis('both', buildFinding(), next);
    expect(scanReport([both, diagnosis('next', next)], seen).fragile?.map(({ name }) => name)).toEqual([
      'next',
    ]);
  });

  it('states how far the scan got', () => {
    const progress = { ...seen, skipped: 4, skippedBecause: 'time' as const };
    expect(scanReport([], progress)).toEqual({
      type: 'report',
      ...progress,
      unwell: [],
      fragile: [],
      more: 0,
      critical: 0,
      noted: 0,
      well: 0,
      unchecked: 0,
    });
  });

  it.each([{}, { ownedBy: { kind: 'InferenceService', name: 'llm' } }])(
    'names the first finding of each affected workload, and its owner: %j',
    (above) => {
      const { cause, confidence, severity, summary } = buildFinding();
      const [unwell] = scanReport([{ ...diagnosis('stuck', buildFinding()), ...above }], seen).unwell;
      expect(unwell).toStrictEqual({
        workload: diagnosis('stuck').workload,
        ...above,
        cause,
        confidence,
        severity,
        summary,
        ready: diagnosis('stuck').ready,
        others: 0,
      });
    },
  );
});

it('a scan diagnoses workloads first whose status shows missing pods', () => {
  const stuck = stuckOnGpu();
  const { workload } = stuck;
  const named = (name: string) => ({ ...workload.metadata, name });
  const status = {
    ...workload.status,
    replicas: 1,
    readyReplicas: 1,
    updatedReplicas: 1,
    observedGeneration: 99,
  };
  const fine = { ...stuck, workload: { ...workload, metadata: named('a-fine'), status } };
  const short = {
    ...stuck,
    workload: { ...workload, metadata: named('z-short'), status: { ...status, readyReplicas: 0 } },
  };
  expect(troubledFirst([fine, short]).map((each) => each.workload.metadata.name)).toEqual([
    'z-short',
    'a-fine',
  ]);
});
