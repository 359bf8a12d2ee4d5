import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { sharedRootOf } from '#src/doctor/incidents/shared-root.js';
import { pictureOf } from '#src/doctor/pictures/picture-of.js';
import { provenDeadlockOf } from '#src/doctor/sentinel/candidate.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { scenarios } from '../../support/scenarios/expectation.js';
import { snapshotOf } from '../../support/scenarios/snapshot-of.js';
import { buildIncident } from '../../support/slack-builders.js';
import { licenceHeld } from './licence-held/rule.js';

/** Besides the folder, a cause needs one line in the list of causes. */
const withAddedCause = [licenceHeld, ...causes];

describe('a cause that is one folder and one line in the list', async () => {
  const [scenario] = scenarios().filter(({ expect: { id } }) => id === 'gpu-one-node');
  if (scenario === undefined) throw new Error('the recorded incident is missing');
  const snapshot = await snapshotOf(scenario);
  const diagnosis = createEngine(withAddedCause).diagnose(snapshot);
  const tell = createTell(withAddedCause);
  const incident = buildIncident({ phase: 'diagnosed', workload: diagnosis.workload, diagnosis });

  it('comes first among findings of equal weight when its line is the first', () => {
    expect(diagnosis.findings.map(({ cause }) => cause).slice(0, 2)).toEqual([
      'licence-held',
      'surge-deadlock',
    ]);
  });

  it.each([
    ['en', 'waits for a licence of'],
    ['ko', '라이선스를 기다립니다'],
  ] as const)('has its sentence on the card in %s', (language, words) => {
    expect(JSON.stringify(renderCard({ ...incident, language }, undefined, { tell }))).toContain(words);
  });

  it('has its wait cycle in the picture', () => {
    expect(pictureOf(snapshot, diagnosis)).toMatchObject({
      kind: 'wait-cycle',
      steps: [{ waits: { resource: 'example.com/licence' } }, { waits: { for: 'readiness' } }],
    });
  });

  it('groups incidents by the node that it blames, and is reported by the sentinel', () => {
    const [node] = snapshot.index.nodes.keys();

    expect(sharedRootOf(diagnosis)).toEqual({ kind: 'Node', cluster: snapshot.cluster, name: node });
    expect(provenDeadlockOf(diagnosis)?.cause).toBe('licence-held');
  });

  it('is in the JSON output and in the record in Redis', () => {
    const read = Diagnosis.parse(JSON.parse(JSON.stringify(diagnosis)));

    expect(diagnosisJson(read, tell, 'en').findings[0]).toMatchObject({
      cause: 'licence-held',
      summary: expect.stringContaining('waits for a licence of'),
      blames: { kind: 'Node' },
      facts: { node: expect.any(String), licences: 1 },
    });
  });
});
