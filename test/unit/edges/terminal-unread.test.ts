import { describe, expect, it } from 'vitest';
import type { Diagnosis, UnseenInDiagnosis } from '#src/doctor/findings/diagnosis.js';
import { missingIn } from '#src/doctor/findings/missing.js';
import { openSentences } from '#src/edges/terminal/report-text.js';
import { unreadLines, unseenOf } from '#src/edges/terminal/unread-paragraphs.js';
import { plain } from '#src/engine/language/prose.js';

const unread = (namespace: string, fields: Partial<UnseenInDiagnosis> = {}): UnseenInDiagnosis => ({
  what: 'StatefulSet',
  namespace,
  because: 'not-recorded',
  message: '',
  weakens: [],
  ...fields,
});

/** Of a StatefulSet that is known by its pod alone. */
function diagnosisIn(namespace: string, fields: Partial<Diagnosis> = {}): Diagnosis {
  return {
    takenAt: '2026-11-20T09:15:00Z',
    workload: { cluster: 'c', kind: 'StatefulSet', namespace, name: 'db' },
    uid: `uid-${namespace}`,
    generation: 1,
    revision: '',
    ready: { pods: 1, wanted: 1 },
    completion: 'complete',
    findings: [],
    unseen: [unread(namespace), unread('')],
    defects: [],
    ...fields,
  };
}

const linesOf = (unseen: readonly UnseenInDiagnosis[]) => unreadLines(unseen, 'en').map(plain);

describe('what could not be read', () => {
  it.each<[string, readonly UnseenInDiagnosis[], readonly string[]]>([
    ['names its namespace', [unread('a')], ['StatefulSet (a): not-recorded']],
    [
      'is one line for several namespaces',
      [unread('a'), unread('b')],
      ['StatefulSet (a and b): not-recorded'],
    ],
    [
      'counts namespaces beyond the third',
      ['a', 'b', 'c', 'd', 'e'].map((each) => unread(each)),
      ['StatefulSet (a, b, c and 2 more): not-recorded'],
    ],
    ['names none where it concerns all', [unread('a'), unread('')], ['StatefulSet: not-recorded']],
    [
      'is a line for each reason, and for each message about a malformed object',
      [
        unread('a'),
        unread('a', { because: 'forbidden' }),
        unread('a', { because: 'malformed', message: 'spec' }),
        unread('a', { because: 'malformed', message: 'status' }),
      ],
      [
        'StatefulSet (a): not-recorded',
        'StatefulSet (a): forbidden',
        'StatefulSet (a): malformed (spec)',
        'StatefulSet (a): malformed (status)',
      ],
    ],
  ])('%s', (_, unseen, lines) => {
    expect(linesOf(unseen)).toEqual(lines);
  });

  it('leaves the namespace of the workload out of its own diagnosis, and lists its command once', () => {
    const diagnosis = diagnosisIn('a');

    expect(unreadLines(unseenOf(diagnosis), 'en').map(plain)).toEqual(['StatefulSet: not-recorded']);
    expect(missingIn(diagnosis)).toEqual([
      {
        what: 'StatefulSet',
        because: 'not-recorded',
        causes: [],
        command: 'kubectl get statefulset -n a -o yaml',
      },
    ]);
  });
});

describe('the open questions of a scan', () => {
  it('are a sentence for each of two workloads, without causes that none of them affects', () => {
    const sentences = openSentences([diagnosisIn('a'), diagnosisIn('b')], 'en').map(plain);

    expect(sentences).toEqual(
      ['a', 'b'].map(
        (namespace) =>
          `${namespace}/db: 1 of 1 pod ready. The diagnosis is incomplete because these objects were not read: StatefulSet.`,
      ),
    );
  });

  it('are one sentence for more workloads that lack the same, and one for another workload', () => {
    const same = ['a', 'b', 'c', 'd', 'e'].map((namespace) => diagnosisIn(namespace));
    const stopped = diagnosisIn('f', { unseen: [], completion: 'stopped' });
    const [first, second, ...more] = openSentences([...same, stopped], 'en').map(plain);

    expect(first).toBe(
      'The diagnosis of 5 workloads is incomplete because these objects were not read: StatefulSet. The workloads are a/db, b/db, c/db and 2 more.',
    );
    expect(second).toContain('f/db');
    expect(more).toEqual([]);
  });
});
