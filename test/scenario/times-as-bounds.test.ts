import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import { diagnosisText } from '#src/edges/terminal/diagnosis-text.js';
import type { Paint } from '#src/edges/terminal/paint.js';
import { scanText } from '#src/edges/terminal/scan-report.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { scenariosFolder } from '../support/scenarios/scenario-folders.js';

const engine = createEngine();
const tell = createTell();
const paint: Paint = { colour: false, width: 200 };

async function diagnosesOf(recording: string, at?: string): Promise<readonly Diagnosis[]> {
  const { reader, cluster } = await recordedSource(join(scenariosFolder, recording), at);
  const scope = await reader.scope({ cluster, namespace: '' }, new Set(), AbortSignal.timeout(60_000));
  if (scope.type !== 'scope') throw new Error(`${recording} has no scope`);
  return scope.snapshots.map((snapshot) => engine.diagnose(snapshot));
}

const textOf = (diagnoses: readonly Diagnosis[], language: 'en' | 'ko'): string =>
  diagnoses
    .map((diagnosis) => diagnosisText(diagnosis, { tell, language, paint }))
    .join('\n')
    .replace(/\s+/gu, ' ');

/** A time that goes on until the diagnosis, in sentences about something that has not changed since. */
const going = {
  en: /(?:stuck|pending|past its deadline|paused|waiting) for (?!at least)\d/u,
  ko: /(?<!최소 |\d|\d(?:시간|일) )\d+(?:초|분|시간|일)(?: \d+(?:초|분|시간))?째/u,
} as const;

describe.each(['gpu-one-node', 'host-port', 'all-nodes-cordoned', 'quota-memory-three-replicas'])(
  'the times of %s',
  (recording) => {
    it.each(['en', 'ko'] as const)('are lower bounds in each sentence without --at: %s', async (language) => {
      const text = textOf(await diagnosesOf(recording), language);
      expect(text).toMatch(language === 'en' ? /at least \d/u : /최소 \d/u);
      expect(text).not.toMatch(going[language]);
    });

    it('are stated as they are with --at', async () => {
      const text = textOf(await diagnosesOf(recording, '2026-11-20T09:30:00Z'), 'en');
      expect(text).not.toContain('at least');
    });

    it('are bounds in JSON and in a scan as well', async () => {
      const diagnoses = await diagnosesOf(recording);
      const json = diagnoses.map((diagnosis) => diagnosisJson(diagnosis, tell, 'en'));
      expect(json.every(({ durations }) => durations === 'at-least')).toBe(true);
      expect(JSON.stringify(json)).not.toMatch(going.en);
      expect(scanText(diagnoses, { tell, language: 'en', paint })).not.toMatch(going.en);
    });
  },
);

describe('a rollout with fewer ready pods than wanted', () => {
  it('is on the way where the time is stated, and has no known cause where it is not', async () => {
    const answer = async (at?: string) =>
      (await diagnosesOf('healthy-slow-start', at)).map(({ completion, findings }) => [
        completion,
        findings.some(({ severity }) => severity !== 'info'),
      ]);
    expect(await answer('2026-11-20T09:30:00Z')).toEqual([['moving', false]]);
    expect(await answer()).toEqual([['stopped', false]]);
  });
});
