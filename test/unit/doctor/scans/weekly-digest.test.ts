import { describe, expect, it } from 'vitest';
import { fleetOf } from '#src/doctor/scans/scan-record.js';
import { cronOf, DigestSettings, dayIn, weeklyDigest } from '#src/doctor/scans/weekly-digest.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';

describe('the settings of the weekly digest', () => {
  it.each([
    [{}, '0 9 * * 1'],
    [{ day: 'sun', at: '00:05' }, '5 0 * * 0'],
    [{ day: 'tue', at: '19:40' }, '40 19 * * 2'],
    [{ day: 'sat', at: '23:59' }, '59 23 * * 6'],
  ])('%j become the schedule %s', (settings, cron) => {
    expect(cronOf(DigestSettings.parse(settings))).toBe(cron);
  });

  it('are Monday at nine in UTC where none are given', () => {
    expect(DigestSettings.parse({})).toEqual({ day: 'mon', at: '09:00', timeZone: 'Etc/UTC' });
  });

  it.each([
    [{ at: '24:00' }, 'a time of day such as 09:00'],
    [{ at: '9:00' }, 'a time of day such as 09:00'],
    [{ at: '09:60' }, 'a time of day such as 09:00'],
    [{ at: 'at 09:00' }, 'a time of day such as 09:00'],
    [{ at: '09:00:30' }, 'a time of day such as 09:00'],
    [{ day: 'monday' }, 'Invalid option'],
    [{ timeZone: 'Seoul' }, 'a time zone by its IANA name, such as Asia/Seoul'],
    [{ channel: '#general' }, ''],
    [{ cluster: '' }, 'Too small'],
    [{ cluster: 'c'.repeat(254) }, 'Too big'],
    [{ hour: 3 }, 'Unrecognized key'],
  ])('%j are refused', (settings, problem) => {
    const parsed = DigestSettings.safeParse(settings);
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues.map(({ message }) => message).join()).toContain(problem);
  });

  it('count days in their zone, with two digits', () => {
    const at = new Date('2026-02-07T20:00:00Z');
    expect([dayIn('Etc/UTC', at), dayIn('Asia/Seoul', at)]).toEqual(['2026-02-07', '2026-02-08']);
  });
});

describe('the digest of a fleet', () => {
  const about = (name: string) => ({ ...buildDiagnosis().workload, name });
  const next = buildFinding({ cause: 'fragile-strategy', severity: 'info', confidence: 'likely' });
  const unread = { what: 'Node', namespace: '', because: 'forbidden', message: '', weakens: [] } as const;
  const fleet = fleetOf([
    buildDiagnosis({ workload: about('a'), findings: [next], unseen: [unread] }),
    buildDiagnosis({ workload: about('b'), findings: [buildFinding({ cause: 'application-crash' })] }),
    buildDiagnosis({ workload: about('c'), unseen: [unread, { ...unread, because: 'gone' } as never] }),
    buildDiagnosis({ workload: about('d'), findings: [] }),
    buildDiagnosis({ workload: about('e'), findings: [], defects: [{ cause: 'preempted', message: 'x' }] }),
  ]);

  it('has the deadlocks of now and of the next update, proven ones first, each with its finding', () => {
    const { items, ...rest } = weeklyDigest(fleet, { cluster: 'prod', takenAt: '2026-11-23', skipped: 3 });
    const { summary } = next;
    expect(items).toEqual([
      { workload: about('c'), confidence: 'proven', summary: buildFinding().summary },
      { workload: about('a'), confidence: 'likely', summary },
    ]);
    expect(rest).toEqual({ cluster: 'prod', takenAt: '2026-11-23', workloads: 5, skipped: 4 });
  });

  it('states once what was not read, for each reason', () => {
    expect(fleet.unseen.map(({ because }) => because)).toEqual(['forbidden', 'gone']);
  });
});
