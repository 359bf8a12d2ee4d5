import { describe, expect, it } from 'vitest';
import { alikeEvidence, sameForOthers } from '#src/doctor/findings/alike-evidence.js';
import type { Evidence } from '#src/doctor/findings/finding.js';
import { plain } from '#src/engine/language/prose.js';

const waiting = (name: string, reason = 'CrashLoopBackOff'): Evidence => ({
  object: { kind: 'Pod', namespace: 'shop', name },
  field: 'status.containerStatuses[app].state.waiting',
  value: `${reason}: back-off 5m0s restarting app of ${name}`,
  says: { catalogue: 'crashes', key: 'waiting', values: { container: 'app', reason } },
});

describe('evidence for people', () => {
  it('lists what was observed of several pods once, with the first pod as the example', () => {
    const listed = alikeEvidence([
      waiting('a'),
      waiting('b'),
      waiting('c', 'ImagePullBackOff'),
      waiting('d'),
    ]);

    expect(listed.map(({ object, others }) => [object.name, others.map(({ name }) => name)])).toEqual([
      ['a', ['b', 'd']],
      ['c', []],
    ]);
    expect(listed[0]?.value).toContain('of a');
  });

  it('keeps a second value of the same field of the same object', () => {
    const first = { ...waiting('a'), at: '2026-11-20T09:00:00Z', value: 'one' };
    const second = { ...first, at: '2026-11-20T09:05:00Z', value: 'two' };

    expect(alikeEvidence([first, second]).map(({ value }) => value)).toEqual(['one', 'two']);
  });

  it('keeps objects of the same name in different namespaces apart', () => {
    const elsewhere = { ...waiting('a'), object: { kind: 'Pod', namespace: 'ml', name: 'a' } };

    expect(alikeEvidence([waiting('a'), elsewhere])).toHaveLength(2);
  });

  it('names at most three other objects, in both languages', () => {
    const [one] = alikeEvidence(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => waiting(name)));

    expect(plain(sameForOthers({ others: one?.others ?? [] }, 'en'))).toBe(
      ' · the same for b, c, d and 2 more',
    );
    expect(plain(sameForOthers({ others: one?.others ?? [] }, 'ko'))).toBe(' · 같은 내용: b, c, d 외 2개');
    expect(sameForOthers({ others: [] }, 'en')).toEqual([]);
  });
});
