import { describe, expect, it } from 'vitest';
import { membersMost } from '#src/doctor/incidents/group-rows.js';
import type { GroupMember, Incident } from '#src/doctor/incidents/incident.js';
import { linkToMessages } from '#src/edges/slack/card-link.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { fits } from '#src/edges/slack/render/message.js';
import { renderJoined } from '#src/edges/slack/render/pointer.js';
import type { Language } from '#src/engine/language/language.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildIncident, tell } from '../../../../support/slack-builders.js';
import { expectHarmless } from '../harmless.js';

const node = { kind: 'Node', cluster: 'prod-eu', name: 'n-b' } as const;
const quota = { kind: 'ResourceQuota', cluster: 'prod-eu', namespace: 'shop', name: 'compute' } as const;
const linkTo = linkToMessages(() => 'https://team.slack.com/');

function member(name: string, fields: Partial<GroupMember> = {}): GroupMember {
  const workload = { cluster: 'prod-eu', kind: 'Deployment', namespace: 'shop', name } as const;
  return { id: name, workload, state: 'sick', ...fields };
}

const recovered = { state: 'well' } as const;
const card = (fields: Partial<Incident>) => renderCard(buildIncident(fields), undefined, { tell, linkTo });
const readCard = (fields: Partial<Incident>) => aloud(card(fields).blocks);
const leads = (root: typeof node | typeof quota, ...members: readonly GroupMember[]): Partial<Incident> => ({
  group: { role: 'leads', root, members },
});

describe('the card of a group leader', () => {
  it.each<[string, Partial<Incident>, string, string]>([
    [
      'names the only other workload',
      leads(node, member('api')),
      'The same node `n-b` also affects 1 other workload: `shop/api`.',
      '같은 노드 `n-b` 문제가 다른 워크로드 1개에도 영향을 줍니다: `shop/api`.',
    ],
    [
      'names each of a few workloads',
      leads(quota, member('api'), member('cart')),
      'The same quota `compute` also affects 2 other workloads: `shop/api` and `shop/cart`.',
      '같은 쿼터 `compute` 문제가 다른 워크로드 2개에도 영향을 줍니다: `shop/api`, `shop/cart`.',
    ],
    [
      'counts the workloads that are too many to name',
      leads(node, ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => member(name))),
      'also affects 7 other workloads: `shop/a`, `shop/b`, `shop/c`, `shop/d`, `shop/e` and 2 more.',
      '`shop/e` 외 2개.',
    ],
    [
      'names the workloads that recovered',
      leads(node, member('api'), member('cart', recovered)),
      'also affects 1 other workload: `shop/api`. No longer affected: `shop/cart`.',
      '`shop/api`. 해소됨: `shop/cart`.',
    ],
    [
      'states that all other workloads recovered',
      leads(node, member('api', recovered), member('cart', recovered)),
      'The same node `n-b` no longer affects other workloads: `shop/api` and `shop/cart`.',
      '다른 워크로드는 모두 해소되었습니다: `shop/api`, `shop/cart`.',
    ],
    [
      'names a workload once, though an earlier incident of it has ended',
      leads(node, member('api', { id: 'i2', ...recovered }), member('api', { id: 'i3' })),
      'also affects 1 other workload: `shop/api`.',
      '다른 워크로드 1개에도',
    ],
  ])('%s', (_, fields, english, korean) => {
    expect(readCard({ ...fields, language: 'en' })).toContain(english);
    expect(readCard({ ...fields, language: 'ko' })).toContain(korean);
    expect(readCard({ ...fields, language: 'en' })).not.toMatch(/No longer.*No longer|undefined/);
  });

  it('still names the members after its own incident has ended', () => {
    const over = leads(node, member('api'));

    expect(readCard({ ...over, successor: 'i9' })).toContain('`shop/api`');
    expect(readCard({ ...over, phase: 'failed' })).toContain('`shop/api`');
  });

  it('does not list its own workload as another workload', () => {
    const own = buildIncident().workload;

    expect(readCard(leads(node, member('', { workload: own })))).not.toContain('The same node');
    expect(readCard(leads(node))).not.toContain('The same node');
  });

  it('links to the cards that it names where the workspace URL is known', () => {
    const fields = leads(
      node,
      member('api', { card: { ts: '1763630000.000200', threadTs: '1763630000.000100' } }),
    );
    const url = 'https://team.slack.com/archives/C0INCIDENTS/p1763630000000200?thread_ts=1763630000.000100';

    expect(JSON.stringify(card(fields).blocks)).toContain(`"url":"${url}`);
    expect(JSON.stringify(renderCard(buildIncident(fields), undefined, { tell }).blocks)).not.toContain(
      '"url"',
    );
  });

  it('names the members in the notification text', () => {
    expect(card(leads(node, member('api'))).text).toContain(
      'The same node n-b also affects 1 other workload',
    );
  });

  it("stays within Slack's limits with the maximum number of members", () => {
    const place = { ts: '1763630000.000200', threadTs: '1763630000.000100' };
    const many = Array.from({ length: membersMost }, (_, at) =>
      member(`${'w'.repeat(250)}${at}`, { card: place, ...(at % 2 === 0 ? recovered : {}) }),
    );
    const message = card(leads(node, ...many));

    expect(fits(message)).toBe(true);
    expectHarmless(message);
    expect(aloud(message.blocks)).toContain(`also affects ${membersMost / 2} other workloads`);
  });
});

describe('the card of a group member', () => {
  const follows = (fields: object = {}): Partial<Incident> => ({
    group: { role: 'follows', root: node, lead: 'i1', workload: member('web').workload, ...fields },
  });

  it('names the leading workload and links to its card', () => {
    const message = card(follows({ card: { ts: '1763630000.000100' } }));

    expect(aloud(message.blocks)).toContain('The same node `n-b` also affects `shop/web`.');
    expect(JSON.stringify(message.blocks)).toContain('/archives/C0INCIDENTS/p1763630000000100');
    expect(readCard({ ...follows(), language: 'ko' })).toContain(
      '같은 노드 `n-b` 문제가 `shop/web`에도 영향을 줍니다.',
    );
  });

  it('omits the group where an earlier incident of its own workload leads', () => {
    expect(readCard(follows({ workload: buildIncident().workload }))).not.toContain('The same node');
  });
});

describe('the reply to a request for an incident that is already open', () => {
  it('links to the card, which may be in a thread', () => {
    const link = 'https://team.slack.com/archives/C1/p1';

    expect(JSON.stringify(renderJoined(buildIncident(), link, 'en').blocks)).toContain(link);
    expect(aloud(renderJoined(buildIncident(), undefined, 'ko').blocks)).toContain('열려 있습니다');
    expect(JSON.stringify(renderJoined(buildIncident(), undefined, 'en').blocks)).not.toContain('actions');
  });

  it('states after a request for a change where its forecast appears', () => {
    const says = (language: Language, isChange: boolean) =>
      aloud(renderJoined(buildIncident(), undefined, language, isChange).blocks);
    expect(says('en', true)).toContain('its card states what the requested change would do');
    expect(says('ko', true)).toContain('요청한 변경의 예상 결과');
    expect(says('en', false)).not.toContain('requested change');
  });
});
