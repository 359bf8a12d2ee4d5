import { expect } from 'vitest';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { plain } from '#src/engine/language/prose.js';
import type { Statement } from '#src/engine/language/statement.js';
import type { Property, Saw } from '../property.js';
import { diagnosisOf, snapshotOf, tell } from '../recorded.js';

const requests: readonly RequestedChange[] = [{ kind: 'restart-rollout' }, { kind: 'undo-rollout' }];

/** What no sentence about a change may state, whatever the change and the recording. */
const wrong: readonly (readonly [RegExp, string])[] = [
  [/-next-\d/u, 'names a pod that does not exist, by a name that it will not get'],
  [/(?:^|[^\d])0 (?:old )?pods? (?:is|are) (?:replaced|stopped)|evicts 0 pods/u, 'counts no pods'],
  [/each of the 1 |파드 1개를 내립니다\(파드당/u, 'names several where there is one'],
  [/1 pod \([^)]{1,40} each\)/u, 'gives each of one pod a time'],
  [/: ?\.$|: ?``?$/u, 'ends before it names anything'],
];

function expectSound(statements: readonly Statement[], saw: Saw): void {
  for (const statement of statements) {
    saw(`${statement.catalogue}.${statement.key}`);
    for (const language of ['en', 'ko'] as const) {
      const told = plain(tell(statement, language));
      expect(wrong.flatMap(([pattern, fault]) => (pattern.test(told) ? [`${told} ${fault}`] : []))).toEqual(
        [],
      );
    }
  }
}

/** Sentences about what follows a change: of every fix, and of what people may ask for. */
export const consequences: readonly Property[] = [
  {
    name: 'states of each fix what its forecast shows, and names what exists',
    async check(recorded, saw) {
      for (const { remediations, withheld } of (await diagnosisOf(recorded)).findings) {
        expectSound(
          withheld.map(({ because }) => because),
          saw,
        );
        for (const { effects, price } of remediations) {
          expectSound(effects, saw);
          // What it frees goes to the other workloads of a wait cycle.
          const isAssured = effects.some(({ key }) => key === 'no-competitors');
          expect(isAssured && price.blastRadius.others.length > 0).toBe(false);
        }
      }
    },
    whole(seen) {
      for (const each of ['new-pod-placed', 'then-placed', 'no-competitors'])
        expect(seen.get(`effects.${each}`)).toBeGreaterThan(5);
      expect(seen.get('capacity-contention.in-turn')).toBeGreaterThan(1);
    },
  },
  {
    name: 'states of a restart and a rollback that people ask for what their forecasts show',
    async check(recorded, saw) {
      const snapshot = await snapshotOf(recorded);
      for (const request of requests) {
        const forecast = forecastRequested(request, snapshot);
        if (forecast.type === 'impossible') expectSound([forecast.because], saw);
        else expectSound([...forecast.warnings, ...forecast.remediation.effects], saw);
      }
    },
    whole(seen) {
      expect(seen.get('requested.alike-fail')).toBeGreaterThan(20);
      expect(seen.get('check.because-not-ready')).toBeGreaterThan(5);
    },
  },
];
