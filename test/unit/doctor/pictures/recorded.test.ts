import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captionOf, spokenPicture } from '#src/doctor/pictures/caption.js';
import { pictureLines } from '#src/doctor/pictures/picture-lines.js';
import { isWorthShowing, pictureOf } from '#src/doctor/pictures/picture-of.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import { type Scenario, scenarios } from '../../../support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '../../../support/scenarios/snapshot-of.js';

function recorded(name: string): Scenario {
  const scenario = scenarios().find(({ folder }) => basename(folder) === name);
  if (scenario === undefined) throw new Error(`no recorded incident ${name}`);
  return scenario;
}

async function pictureAt(name: string) {
  const { picture } = await diagnosisOf(recorded(name));
  if (picture === undefined) throw new Error(`${name} has no picture`);
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
  ])('matches the reviewed text: %s', async (name) => {
    const picture = await pictureAt(name);
    const rendered = languages.map((language) => {
      const lines = pictureLines(picture, language).map((line) => line.map(({ text }) => text).join(''));
      return `${[plain(captionOf(picture, language)), ...lines].join('\n')}\n`;
    });
    await expect(rendered.join('\n')).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it('is no ring where a deadlock is only possible', async () => {
    const snapshot = await snapshotOf(recorded('gpu-one-node'));
    const { findings } = await diagnosisOf(recorded('gpu-one-node'));
    const possible = findings.map((finding) => ({ ...finding, confidence: 'possible' as const }));
    expect(pictureOf(snapshot, { findings: possible })?.kind).toBe('node-strip');
  });

  it.each([
    ['gpu-one-node', true],
    ['crash-on-one-node', true],
    ['oom-limit', true],
    ['image-tag-missing', true],
    ['gpu-held-by-another-team', false],
    ['paused-by-a-person', false],
    ['healthy-mid-rollout', false],
  ])('is drawn for deadlocks and crashes only: %s, %s', async (name, shown) => {
    expect(isWorthShowing(await diagnosisOf(recorded(name)))).toBe(shown);
  });

  it('has whole sentences for screen readers', async () => {
    const [caption, sentences] = spokenPicture(await pictureAt('gpu-one-node'), 'en').map(plain);
    expect(caption).toBe('shop/inference: wait cycle');
    expect(sentences).toMatch(
      /^The new pod \S+ needs nvidia\.com\/gpu on gpu-a, in use by the old pod \S+\. The old pod \S+ is kept until the new pod \S+ is ready\.$/,
    );
  });
});
