import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  AuditEntry,
  type ChainCheck,
  type ChainEnd,
  chainStart,
  checkLinks,
  finishCheck,
  isDecision,
  linkDecision,
  readLink,
  type StoredLink,
} from '#src/doctor/audit/audit-entry.js';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const empty: ChainEnd = { seq: 0, hash: '' };

const entryOf = (minute: number): AuditEntry => ({
  at: `2026-11-20T09:${minute}:00Z`,
  approvalId: 'a1',
  action: 'approved',
  by: 'U0DANA',
  details: {},
});

function chainOf(count: number): { readonly links: readonly StoredLink[]; readonly end: ChainEnd } {
  const links: StoredLink[] = [];
  let end = empty;
  for (let seq = 1; seq <= count; seq += 1) {
    const link = linkDecision(end, entryOf(10 + seq), digest);
    links.push(link);
    end = { seq, hash: link.hash };
  }
  return { links, end };
}

const { links, end } = chainOf(4);
const [first, second, third, fourth] = links as [StoredLink, StoredLink, StoredLink, StoredLink];

const check = (pages: readonly (readonly StoredLink[])[], recorded: ChainEnd): ChainCheck =>
  finishCheck(
    pages.reduce((progress, page) => checkLinks(progress, page, digest), chainStart),
    recorded,
  );

/** A link that names any place in the chain, with the hash of its own text. */
function forge(fields: object): StoredLink {
  const text = JSON.stringify({ seq: 1, previous: '', entry: entryOf(10), ...fields });
  return { text, hash: digest(text) };
}

describe('the chain of decisions', () => {
  it('links each decision to the one before it', () => {
    expect(links.map(({ text }) => readLink(text))).toEqual([
      { seq: 1, previous: '', entry: entryOf(11) },
      { seq: 2, previous: first.hash, entry: entryOf(12) },
      { seq: 3, previous: second.hash, entry: entryOf(13) },
      { seq: 4, previous: third.hash, entry: entryOf(14) },
    ]);
    expect(links.map(({ hash }) => hash)).toEqual(links.map(({ text }) => digest(text)));
  });

  it.each<[string, readonly (readonly StoredLink[])[], ChainEnd, ChainCheck]>([
    ['with nothing recorded', [], empty, { type: 'intact', first: 0, last: 0 }],
    ['in one page', [links], end, { type: 'intact', first: 1, last: 4 }],
    [
      'in several pages',
      [[first], [], [second, third], [fourth]],
      end,
      { type: 'intact', first: 1, last: 4 },
    ],
    [
      'whose oldest decisions were removed by age',
      [[third, fourth]],
      end,
      { type: 'intact', first: 3, last: 4 },
    ],
  ])('is intact: %s', (_, pages, recorded, expected) => {
    expect(check(pages, recorded)).toEqual(expected);
  });

  const changed = { text: second.text.replace('U0DANA', 'U0EVE'), hash: second.hash };
  const hashedAgain = { text: changed.text, hash: digest(changed.text) };
  const noLink = { text: '{}', hash: digest('{}') };
  const noJson = { text: 'x', hash: digest('x') };
  it.each<[string, readonly (readonly StoredLink[])[], ChainEnd, number, string]>([
    ['a decision was changed', [[first, changed, third, fourth]], end, 2, 'altered'],
    [
      'a decision was changed and hashed again',
      [[first, hashedAgain, third, fourth]],
      end,
      3,
      'out-of-order',
    ],
    ['a text is no decision', [[first, noLink]], end, 2, 'altered'],
    ['a text is no JSON', [[first, noJson]], end, 2, 'altered'],
    ['a decision was removed', [[first, third, fourth]], end, 2, 'out-of-order'],
    ['two decisions changed places', [[first, third, second, fourth]], end, 2, 'out-of-order'],
    ['a decision is there twice', [[first, first]], end, 2, 'out-of-order'],
    ['the first decision follows another one', [[forge({ previous: third.hash })]], end, 1, 'out-of-order'],
    [
      'the number is right and the former hash is not',
      [[first, forge({ seq: 2, previous: 'x' })]],
      end,
      2,
      'out-of-order',
    ],
    [
      'the former hash is right and the number is not',
      [[first, forge({ seq: 3, previous: first.hash })]],
      end,
      2,
      'out-of-order',
    ],
    ['the newest decisions are missing', [[first, second]], end, 3, 'end-missing'],
    ['there are more decisions than recorded', [links], { seq: 2, hash: second.hash }, 3, 'end-missing'],
    ['the recorded end has another hash', [links], { seq: 4, hash: third.hash }, 5, 'end-missing'],
    ['all decisions are missing', [], end, 1, 'end-missing'],
    ['the error is in an earlier page', [[first, third], [fourth]], end, 2, 'out-of-order'],
  ])('is broken: %s', (_, pages, recorded, seq, problem) => {
    expect(check(pages, recorded)).toEqual({ type: 'broken', seq, problem });
  });

  it.each([0, 1.5, -1])('reads no link with the number %d', (seq) => {
    expect(readLink(forge({ seq }).text)).toBeUndefined();
  });
});

describe('an audit entry', () => {
  /** A decision that is not part of the chain could be removed without a trace. */
  it('is a decision when it allows, stops or reports a change, and not when it is a request or a refusal', () => {
    const actions = AuditEntry.shape.action.options;
    expect(actions.filter((action) => !isDecision({ action }))).toEqual([
      'diagnosis-requested',
      'change-refused',
      'review-opened',
      'review-refused',
      'approval-requested',
      'approval-refused',
      'dry-run',
      'assigned',
      'unassigned',
    ]);
  });
});
