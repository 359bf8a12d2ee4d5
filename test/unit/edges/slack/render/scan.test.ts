import { describe, expect, it } from 'vitest';
import type { ScanRecord, ScanReport } from '#src/doctor/scans/scan-record.js';
import { renderNoCluster, renderScan, renderScanning } from '#src/edges/slack/render/scan.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { languages } from '#src/engine/language/language.js';
import { code, quote, say } from '#src/engine/language/prose.js';
import { aloud } from '../../../../support/read-aloud.js';
import { isDeadlocked } from '../../../../support/shown-words.js';
import { buildFinding, buildIncident, tell } from '../../../../support/slack-builders.js';
import { expectHarmless, hostileTexts } from '../harmless.js';

const { summary, cause, confidence, severity } = buildFinding();
const { workload: ref } = buildIncident();
const ready = { pods: 1, wanted: 2 };
const unwell = { workload: ref, cause, confidence, severity, summary, ready, others: 1 };
const report: ScanReport = {
  type: 'report',
  takenAt: '2026-11-20T09:30:01Z',
  unwell: [unwell],
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
const said = (outcome: ScanRecord['outcome'], language: 'en' | 'ko' = 'en', hasTables = false) =>
  aloud(renderScan({ ...scan, outcome } as ScanRecord, { tell, language, hasTables }).blocks);

it('a report tells how many are unwell, each with a button, and when it looked', () => {
  expect(said(report)).toMatch(
    new RegExp(
      `^\`ml\` on cluster \`prod-eu\`: \\*🔴 1 critical · 🟢 40 healthy\\*\\n🔴 Critical · Ready 1/2 · \`ml/inference\` ${isDeadlocked}.* · proven cause · \`surge-deadlock\` and 1 more finding \\[Diagnose\\]\\n\\(scanned <!date[^>]*> · notes on 2 other workloads\\)$`,
    ),
  );
  expect(said(report, 'ko')).toContain('클러스터 `prod-eu`의 `ml`: *🔴 심각 1개 · 🟢 정상 40개*');
  expect(said(report, 'ko')).toContain(' · 원인 증명됨 · `surge-deadlock` 외 1건');
});

it.each([
  ['en', 1, '⚠ *1 more will deadlock at its next update:* `ml/web-0`'],
  ['en', 2, '⚠ *2 more will deadlock at their next update:* `ml/web-0` and `ml/web-1`'],
  ['ko', 1, '⚠ *1개는 다음 업데이트에서 교착 상태가 됩니다:* `ml/web-0`'],
] as const)('a report in %s names %d healthy workloads that deadlock next', (language, count, says) => {
  const fragile = Array.from({ length: count }, (_, at) => ({ ...ref, name: `web-${at}` }));

  expect(said({ ...report, fragile }, language)).toContain(says);
  expect(said({ ...report, noted: count, fragile }, language)).not.toMatch(/notes on|참고 사항/u);
});

it('a report as a table has severity, ready pods and problem, and a button for each workload', () => {
  expect(said(report, 'en', true)).toMatch(
    new RegExp(
      `\\n\\| Severity \\| Ready \\| Problem \\|\\n\\| 🔴 Critical \\| Ready 1/2 \\| \`ml/inference\` ${isDeadlocked}.* · … and 1 more \\|\\n\\[Diagnose ml/inference\\]\\n`,
    ),
  );
});

it('a report of an older program, without ready pods and counts, is shown', () => {
  const { ready: _none, ...older } = unwell;
  expect(said({ ...report, unwell: [older] })).toContain('🟢 40 healthy*\n🔴 Critical · `ml/inference`');
});

it.each([
  ['well', { unwell: [] }, 'No problem found in 40 workloads in `ml` on cluster `prod-eu`.'],
  ['empty', { unwell: [], noted: 0, well: 0 }, 'No workload found in'],
  [
    'well as far as it was seen',
    { unwell: [], unseen: [{ what: 'Node', namespace: '', because: 'forbidden' }] },
    'No problem found in the 40 workloads in `ml` on cluster `prod-eu` that could be diagnosed.\n- Could not be read: `Node` (the service account lacks permission)',
  ],
  [
    'not looked through in time',
    { skipped: 1, skippedBecause: 'time' },
    '1 workload was not diagnosed because the scan ran out of time.',
  ],
  [
    'too large',
    { skipped: 20, skippedBecause: 'number' },
    '20 workloads were not diagnosed because one scan has a limit.',
  ],
  ['larger than a message', { more: 30 }, '… and 30 more'],
] as const)('a namespace that is %s is told so', (_, fields, words) => {
  expect(said({ ...report, ...fields } as ScanReport)).toContain(words);
});

it.each([
  ['namespace-unknown', 'mll', 'Namespace `mll` does not exist. Check the spelling, or use `scan -A`'],
  ['cluster-unknown', 'x', 'Unknown cluster `x`.'],
  [
    'unreadable',
    'timeout',
    'Could not scan `ml` on cluster `prod-eu`: the read timed out. Try again in a minute.',
  ],
  ['unreadable', 'forbidden', 'the service account lacks permission. Ask an administrator'],
  ['inside', 'ref-1', 'Search the log for `ref-1`.'],
] as const)('a scan that came to nothing says why: %s', (because, detail, words) => {
  expect(said({ type: 'failure', because, detail })).toContain(words);
});

it('all namespaces are called so', () => {
  expect(aloud(renderScanning({ ...scan, namespace: '' }, false, 'en').blocks)).toContain(
    'The scan of cluster `prod-eu` appears here when',
  );
});

it('a scan of an unknown cluster offers the workload that may be meant', () => {
  const says = aloud(renderNoCluster('ml', ['prod-eu'], 'en', 'inference').blocks);
  expect(says).toContain('Did you mean `ml/inference`?');
  expect(says).toContain('[ml/inference]');
  expect(aloud(renderNoCluster('ml', [], 'en').blocks)).not.toContain('Did you mean');
});

describe.each(languages)('whatever names hold, in %s', (language) => {
  it.each(hostileTexts.filter(([, text]) => text.length < 5_000))('%s', (_, text) => {
    const sentence = () => say`It is ${code(text)}, says ${quote(text)}.`;
    const hostile = tellFrom({ deadlock: { en: { summary: sentence }, ko: { summary: sentence } } });
    const workload = { cluster: text, kind: 'Deployment', namespace: text, name: text } as const;
    const place = { ...scan, cluster: text, namespace: text };
    const outcome: ScanReport = {
      ...report,
      unwell: Array.from({ length: 50 }, () => ({ ...unwell, workload })),
      more: 900,
      skipped: 3,
      unseen: Array.from({ length: 20 }, () => ({ what: text, namespace: text, because: text })),
    };
    expectHarmless(
      renderScan({ ...place, outcome }, { tell: hostile, language, hasTables: text.length % 2 === 0 }),
    );
    expectHarmless(renderScanning(place, true, language));
    expectHarmless(renderNoCluster(text, [text], language));
    expectHarmless(renderNoCluster(text, [text], language, text));
  });
});
