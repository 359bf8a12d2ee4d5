import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AlertSettings } from '#src/doctor/alerts/alert-settings.js';
import { causes } from '#src/doctor/causes/causes.js';
import { nextDiagnosisMs } from '#src/doctor/sentinel/intake.js';
import { wantedFor } from '#src/doctor/sentinel/sentinel-settings.js';
import { createMetrics } from '#src/edges/metrics/metrics.js';

const text = readFileSync(join(import.meta.dirname, '../../docs/sentinel.md'), 'utf8');
const [settingsBlock = '', annotationsBlock = ''] = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);
const settings = AlertSettings.parse(parse(settingsBlock));
const { annotations } = (
  parse(annotationsBlock) as { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } }
).metadata;

describe('docs/sentinel.md', () => {
  it('has settings that the program accepts, with every existing setting', () => {
    expect(Object.keys(settings.sentinel ?? {}).sort()).toEqual(
      ['afterSeconds', 'channel', 'channels', 'namespaces', 'quietHours', 'watch'].sort(),
    );
    expect(AlertSettings.parse({ channel: 'C012INCIDENTS', sentinel: {} }).sentinel).toMatchObject({
      afterSeconds: 30,
      namespaces: { mode: 'all', except: [] },
    });
  });

  it('has annotations with the effect that the page describes', () => {
    const { sentinel, channel } = settings;
    if (sentinel === undefined) throw new Error('no sentinel');
    const described = { workload: annotations, namespace: {} };

    expect(Object.keys(annotations)).toHaveLength(2);
    expect(wantedFor('shop', described, sentinel, channel)).toEqual({
      isWatched: false,
      channel: 'C012MLONCALL',
      ignored: [],
    });
  });

  it('names existing causes and metrics only', async () => {
    const { body } = await createMetrics().page();
    const metrics = [...text.matchAll(/`…(_[a-z_]+)`/g)].map(([, end]) => `rollout_doctor_sentinel${end}`);
    const named = [...text.matchAll(/`([a-z-]+-(?:deadlock|contention))`/g)].map(([, id = '']) => id);

    expect(metrics).toHaveLength(5);
    expect(metrics.filter((name) => !body.includes(`# TYPE ${name} `))).toEqual([]);
    expect(named).toHaveLength(7);
    expect(named.filter((id) => !causes.some((each) => each.id === id))).toEqual([]);
  });

  it('states when a candidate is diagnosed again', () => {
    const [, seconds = '', minutes = ''] =
      /after ([\d, and]+) seconds, then after ([\d, and]+) minutes/.exec(text.replace(/\s+/g, ' ')) ?? [];
    const numbers = (list: string) => (list.match(/\d+/g) ?? []).map(Number);
    const delays = [...numbers(seconds), ...numbers(minutes).map((each) => each * 60)].map(
      (each) => each * 1_000,
    );
    const found = [0];
    for (let pause = nextDiagnosisMs(0); pause !== undefined; pause = nextDiagnosisMs(found.at(-1) ?? 0)) {
      found.push((found.at(-1) ?? 0) + pause);
    }

    expect([0, ...delays]).toEqual(found);
  });
});
