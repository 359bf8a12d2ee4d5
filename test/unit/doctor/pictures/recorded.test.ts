import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { podsOf } from '#src/doctor/findings/crashes/failure-group.js';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { maxRows, type Picture, podStates } from '#src/doctor/findings/picture.js';
import { captionOf, spokenPicture } from '#src/doctor/pictures/caption.js';
import { columnsOf } from '#src/doctor/pictures/columns.js';
import { pictureColumns, pictureLines } from '#src/doctor/pictures/picture-lines.js';
import { isWorthShowing, pictureOf } from '#src/doctor/pictures/picture-of.js';
import { shownGroups } from '#src/doctor/pictures/strip-rows.js';
import { oneSnapshot, recordedSource } from '#src/edges/cli/sources.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createEngine } from '#src/service/create-engine.js';
import { Expectation } from '../../../support/scenarios/expectation.js';
import { scenarioFolders, scenariosFolder } from '../../../support/scenarios/scenario-folders.js';

interface Seen {
  readonly id: string;
  readonly snapshot: Snapshot;
  readonly diagnosis: Diagnosis;
}

const engine = createEngine();
const seen: Seen[] = [];

beforeAll(async () => {
  for (const id of scenarioFolders()) {
    const folder = join(scenariosFolder, id);
    const { workload, takenAt } = Expectation.parse(
      JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')),
    );
    const source = await recordedSource(folder, takenAt);
    const { kind, namespace, name } = workload;
    const query = { kind: kind as 'Deployment', namespace, name };
    const snapshot = await oneSnapshot(source, query, engine.needs);
    seen.push({ id, snapshot, diagnosis: engine.diagnose(snapshot) });
  }
}, 120_000);

function written(picture: Picture, language: (typeof languages)[number], columns?: number): string {
  const lines = pictureLines(picture, language, columns).map((line) => line.map(({ text }) => text).join(''));
  return `${[plain(captionOf(picture, language)), ...lines].join('\n')}\n`;
}

function pictureAt(wanted: string): Picture {
  const picture = seen.find(({ id }) => id === wanted)?.diagnosis.picture;
  if (picture === undefined) throw new Error(`${wanted} has no picture`);
  return picture;
}

describe('the picture of a recorded incident', () => {
  it.each([
    'gpu-one-node',
    'four-replicas-stall',
    'anti-affinity-three-on-three',
    'daemon-set-surge-host-port',
    'quota-memory-three-replicas',
    'rwo-volume-attached-elsewhere',
    'readiness-lease',
    'circle-through-two-rollouts',
    'crash-on-one-node',
    'crash-on-node-intermittent',
    'crash-after-rollout',
    'crash-two-daemonsets-same-node',
    'kubelet-rejected',
    'liveness-kill',
  ])('matches the reviewed text: %s', async (id) => {
    const picture = pictureAt(id);
    const rendered = languages.map((language) => written(picture, language));
    await expect(rendered.join('\n')).toMatchFileSnapshot(`golden/${id}.txt`);
  });

  it('is a ring for every proven or likely deadlock, and for no other finding but rollouts that wait for each other', () => {
    for (const { id, diagnosis } of seen) {
      const { main } = mainFindingOf(diagnosis);
      const isDeadlock = main?.cause.endsWith('-deadlock') === true && main.confidence !== 'possible';
      const isCircle =
        main?.reasoning.some(({ key }) => key === 'cycle' || key === 'cycle-through-many') === true;
      const wanted = isDeadlock || isCircle ? 'wait-cycle' : 'node-strip';
      expect([id, diagnosis.picture?.kind ?? 'node-strip']).toEqual([id, wanted]);
    }
  });

  it('is no ring where a deadlock is only possible', () => {
    const { snapshot, diagnosis } = seen.find(({ id }) => id === 'gpu-one-node') ?? seen[0] ?? never();
    const findings = diagnosis.findings.map((finding) => ({ ...finding, confidence: 'possible' as const }));
    expect(pictureOf(snapshot, { findings })?.kind).toBe('node-strip');
  });

  it('names in a ring only pods that the finding names', () => {
    for (const { diagnosis } of seen) {
      const { picture } = diagnosis;
      if (picture?.kind !== 'wait-cycle') continue;
      const serialized = JSON.stringify(diagnosis.findings[0]);
      for (const { who } of picture.steps)
        for (const name of who.names) expect(serialized).toContain(`"${name}"`);
    }
  });

  it('shows every pod of the workload exactly once, on its node', () => {
    for (const { id, snapshot, diagnosis } of seen) {
      const { picture } = diagnosis;
      if (picture?.kind !== 'node-strip') continue;
      const rows = picture.groups.flatMap((group) => group.rows);
      const folded = picture.groups.flatMap((group) => Object.values(group.folded.pods));
      const counts = [...rows.flatMap(({ pods }) => Object.values(pods)), ...folded];
      expect([id, counts.reduce((sum, count) => sum + count, 0)]).toEqual([id, podsOf(snapshot).length]);
      expect(picture.groups.every((group) => group.rows.length <= maxRows)).toBe(true);
    }
  });

  it('is never wider than a terminal, a code block or a phone screen, in any language', () => {
    for (const { id, diagnosis } of seen) {
      const { picture } = diagnosis;
      if (picture === undefined) continue;
      for (const language of languages) {
        const columns = picture.kind === 'wait-cycle' ? [36, pictureColumns] : [56, pictureColumns];
        for (const most of columns) {
          const lines = written(picture, language, most).trimEnd().split('\n').slice(1);
          const widest = Math.max(...lines.map(columnsOf));
          expect(widest, `${id} in ${language}`).toBeLessThanOrEqual(most);
        }
      }
    }
  });

  it('draws as many signs as it counts', () => {
    for (const { diagnosis } of seen) {
      const { picture } = diagnosis;
      if (picture?.kind !== 'node-strip') continue;
      for (const group of shownGroups(picture, 'en', { rows: 8, signs: 4, nameColumns: 20 })) {
        for (const { states, hidden } of group.rows) {
          expect(states.length).toBeLessThanOrEqual(4);
          expect(states.every((state) => podStates.includes(state))).toBe(true);
          expect(hidden === 0 || states.length === 4).toBe(true);
        }
      }
    }
  });

  it('is drawn for every deadlock and for crashes, and for no healthy workload', () => {
    const shown = (wanted: string) => {
      const found = seen.find(({ id }) => id === wanted);
      return found !== undefined && isWorthShowing(found.diagnosis);
    };
    expect(['gpu-one-node', 'crash-on-one-node', 'oom-limit', 'image-tag-missing'].map(shown)).toEqual(
      Array(4).fill(true),
    );
    expect(['gpu-held-by-another-team', 'rollout-paused', 'healthy-mid-rollout'].map(shown)).toEqual(
      Array(3).fill(false),
    );
  });

  it('has whole sentences for screen readers', () => {
    const [caption, sentences] = spokenPicture(pictureAt('gpu-one-node'), 'en').map(plain);
    expect(caption).toBe('shop/inference: wait cycle');
    expect(sentences).toMatch(
      /^The new pod \S+ needs nvidia\.com\/gpu on gpu-a, in use by the old pod \S+\. The old pod \S+ is kept until the new pod \S+ is ready\.$/,
    );
  });

  it('is unchanged after it is stored, and omitted where a newer version wrote it', () => {
    for (const { diagnosis } of seen) {
      const record: unknown = JSON.parse(JSON.stringify(diagnosis));
      const read = Diagnosis.parse(record);
      expect(read.picture).toEqual(diagnosis.picture);
      expect(JSON.stringify(diagnosis.picture ?? {}).length).toBeLessThan(4_000);
      const newer = { ...diagnosis, picture: { v: 2, kind: 'hologram' } };
      expect(Diagnosis.parse(newer)).toMatchObject({ takenAt: diagnosis.takenAt, picture: undefined });
    }
  });
});

function never(): never {
  throw new Error('no recorded incident');
}
