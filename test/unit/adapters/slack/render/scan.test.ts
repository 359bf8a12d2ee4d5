import { describe, expect, it } from 'vitest';
import { renderNoCluster, renderScan, renderScanning } from '#src/adapters/slack/render/scan.js';
import { tellFrom } from '#src/core/language/catalogue.js';
import { languages } from '#src/core/language/language.js';
import { code, quote, say } from '#src/core/language/prose.js';
import type { ScanRecord, ScanReport } from '#src/core/scan/scan-record.js';
import { aloud } from '#support/read-aloud.js';
import { buildFinding, buildIncident, tell } from '#support/slack-builders.js';
import { expectHarmless, hostileTexts } from '../harmless.js';

const { summary, cause, confidence, severity } = buildFinding();
const affected = { workload: buildIncident().workload, cause, confidence, severity, summary, others: 1 };
const report: ScanReport = {
  type: 'report',
  takenAt: '2026-11-20T09:30:01Z',
  unwell: [affected],
  more: 0,
  noted: 2,
  well: 38,
  unchecked: 0,
  skipped: 0,
  unseen: [],
};
const scan: ScanRecord = {
  v: 1,
  id: 's1',
  cluster: 'prod-eu',
  namespace: 'ml',
  by: 'U0SAM',
  channel: 'C1',
  askedAt: '2026-11-20T09:30:00Z',
};
const readScan = (outcome: ScanRecord['outcome'], language: 'en' | 'ko' = 'en') =>
  aloud(renderScan({ ...scan, outcome } as ScanRecord, { tell, language }).blocks);

it('a report states how many workloads have problems, with a button each, and the time of the scan', () => {
  expect(readScan(report)).toMatch(
    /^\*1 of 41 workloads has problems\* in `ml` in `prod-eu`\n`ml\/inference` is deadlocked.* · proven · `surge-deadlock` and 1 more finding \[Diagnose\]\n\(scanned <!date[^>]*> · notes on 2 other workloads\)$/,
  );
  expect(readScan(report, 'ko')).toContain('*워크로드 41개 중 1개에 문제가 있습니다*: `prod-eu`의 `ml`');
});

it.each([
  ['well', { unwell: [] }, 'No problem found in 40 workloads in `ml` in `prod-eu`.'],
  ['empty', { unwell: [], noted: 0, well: 0 }, 'No Deployment, StatefulSet or DaemonSet found in'],
  [
    'healthy as far as it was read',
    { unwell: [], unseen: [{ what: 'Node', namespace: '', because: 'forbidden' }] },
    'No problem found in the 40 workloads in `ml` in `prod-eu` that could be diagnosed.\n- Could not be read: `Node` (the service account lacks permission)',
  ],
  [
    'not fully diagnosed in time',
    { skipped: 1, skippedBecause: 'time' },
    '1 workload was not diagnosed because the scan ran out of time.',
  ],
  [
    'too large',
    { skipped: 20, skippedBecause: 'number' },
    '20 workloads were not diagnosed because one scan has a limit.',
  ],
  ['larger than a message', { more: 30 }, '… and 30 more'],
] as const)('a report describes a namespace that is %s', (_, fields, words) => {
  expect(readScan({ ...report, ...fields } as ScanReport)).toContain(words);
});

it.each([
  ['namespace-unknown', 'mll', 'Namespace `mll` does not exist.'],
  ['cluster-unknown', 'x', 'Unknown cluster `x`.'],
  ['unreadable', 'timeout', 'Could not scan `ml` in `prod-eu`: the read timed out.'],
  ['inside', 'ref-1', 'Search the log for `ref-1`.'],
] as const)('a failed scan states its reason: %s', (because, detail, words) => {
  expect(readScan({ type: 'failure', because, detail })).toContain(words);
});

it('a scan of all namespaces is titled as such', () => {
  expect(aloud(renderScanning({ ...scan, namespace: '' }, false, 'en').blocks)).toContain(
    'Diagnosing every workload in `prod-eu` …',
  );
});

describe.each(languages)('with any name in %s', (language) => {
  it.each(hostileTexts.filter(([, text]) => text.length < 5_000))('%s', (_, text) => {
    const sentence = () => say`It is ${code(text)}, says ${quote(text)}.`;
    const hostile = tellFrom({ deadlock: { en: { summary: sentence }, ko: { summary: sentence } } });
    const workload = { cluster: text, kind: 'Deployment', namespace: text, name: text } as const;
    const place = { ...scan, cluster: text, namespace: text };
    const outcome: ScanReport = {
      ...report,
      unwell: Array.from({ length: 50 }, () => ({ ...affected, workload })),
      more: 900,
      skipped: 3,
      unseen: Array.from({ length: 20 }, () => ({ what: text, namespace: text, because: text })),
    };
    expectHarmless(renderScan({ ...place, outcome }, { tell: hostile, language }));
    expectHarmless(renderScanning(place, true, language));
    expectHarmless(renderNoCluster(text, [text], language));
  });
});
