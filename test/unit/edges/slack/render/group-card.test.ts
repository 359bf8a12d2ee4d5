import { describe, expect, it } from 'vitest';
import { groupRows, membersMost } from '#src/doctor/incidents/group-rows.js';
import type { GroupMember, Incident } from '#src/doctor/incidents/incident.js';
import type { SharedRoot } from '#src/doctor/incidents/shared-root.js';
import { linkToMessages } from '#src/edges/slack/card-link.js';
import { actionIds } from '#src/edges/slack/render/action-ids.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderGroupList } from '#src/edges/slack/render/group-card.js';
import { fits } from '#src/edges/slack/render/message.js';
import { buildDiagnosis, buildFinding } from '../../../../support/diagnosis.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildIncident, tell } from '../../../../support/slack-builders.js';

const cluster = 'prod-eu';
const registry: SharedRoot = { kind: 'Registry', cluster, name: 'registry.example' };
const linkTo = linkToMessages(() => 'https://team.slack.com/');

function member(number: number, fields: Partial<GroupMember> = {}): GroupMember {
  const namespace = `team-${number % 4}`;
  const workload = { cluster, kind: 'Deployment', namespace, name: `svc-${number}` } as const;
  const ready = { pods: 0, wanted: 1 };
  return { id: `m${number}`, workload, state: 'sick', severity: 'warning', ready, alerts: 25, ...fields };
}

function lead(root: SharedRoot, members: number, fields: Partial<Incident> = {}): Incident {
  const workload = { cluster, kind: 'Deployment', namespace: 'team-0', name: 'svc-0' } as const;
  const blames = root.kind === 'Registry' ? { kind: root.kind, name: root.name } : undefined;
  const finding = buildFinding({
    cause: root.kind === 'Cause' ? root.cause : 'image-pull-failure',
    severity: 'warning',
    ...(blames && { blames }),
  });
  return buildIncident({
    origin: { via: 'alert' },
    phase: 'diagnosed',
    workload,
    diagnosis: buildDiagnosis({ workload, ready: { pods: 0, wanted: 1 }, findings: [finding] }),
    occurrences: 25,
    alerts: [],
    group: { role: 'leads', root, members: Array.from({ length: members }, (_, at) => member(at + 1)) },
    ...fields,
  });
}

const card = (incident: Incident) => renderCard(incident, undefined, { tell, linkTo });

describe('the card of a group', () => {
  it.each([
    ['en', 'Warning: 40 workloads cannot pull images from registry.example', '1,000 alerts', 'and 35 more'],
    [
      'ko',
      '주의: 워크로드 40개가 registry.example 레지스트리에서 이미지를 가져오지 못합니다',
      '알림 1,000건',
      '외 35개',
    ],
  ] as const)(
    'names what is shared, how many they are, and the worst five, in %s',
    (language, title, alerts, more) => {
      const { blocks, text } = card(lead(registry, 39, { language }));
      const says = aloud(blocks);

      const place = language === 'en' ? 'cluster `prod-eu`' : '클러스터 `prod-eu`';
      for (const part of [title, alerts, more, place]) expect(says).toContain(part);
      expect(says.match(/svc-/g)).toHaveLength(5);
      expect(text).toContain('40');
    },
  );

  it('links the id of the cause to its page, as the card of one workload does', () => {
    const pages = { docsUrl: 'https://docs.example/', links: [] };
    const { blocks } = renderCard(lead(registry, 39), undefined, { tell, linkTo, pages });

    expect(JSON.stringify(blocks)).toContain('https://docs.example/causes/image-pull-failure.md');
  });

  it('has one button, which opens the list', () => {
    const incident = lead(registry, 39);
    const { blocks } = card(incident);
    const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));

    expect(buttons).toMatchObject([{ action_id: actionIds.group, value: incident.id }]);
  });

  it('states who recovered, and that all did', () => {
    const well = lead(registry, 3);
    if (well.group?.role !== 'leads') throw new Error('does not lead');
    const members = well.group.members.map((each) => ({ ...each, state: 'well' as const }));
    const some = { ...well, group: { ...well.group, members } };

    expect(aloud(card(some).blocks)).toContain('3 recovered');
    const diagnosis = buildDiagnosis({ workload: well.workload, findings: [] });
    expect(aloud(card({ ...some, diagnosis }).blocks)).toContain('4 workloads recovered');
  });

  it.each([
    ['en', '3 workloads with the same failure: containers exceed their memory limit'],
    ['ko', '워크로드 3개에 같은 장애: 컨테이너가 메모리 한도를 초과함'],
  ] as const)('names a kind of failure in the words of its cause, in %s', (language, title) => {
    const root: SharedRoot = { kind: 'Cause', cluster, cause: 'out-of-memory' };

    expect(aloud(card(lead(root, 2, { language })).blocks)).toContain(title);
  });

  it('names a cause of a newer version by its id', () => {
    const unknown: SharedRoot = { kind: 'Cause', cluster, cause: 'of-a-newer-version' };

    expect(aloud(card(lead(unknown, 2)).blocks)).toContain('of-a-newer-version');
  });

  it('fits in a message of Slack, however many and long the names are', () => {
    const long = lead(registry, 1);
    if (long.group?.role !== 'leads') throw new Error('does not lead');
    const members = Array.from({ length: membersMost }, (_, at) =>
      member(at, { workload: { ...member(at).workload, name: `${'x'.repeat(240)}-${at}` } }),
    );

    expect(fits(card({ ...long, group: { ...long.group, members } }))).toBe(true);
  });
});

describe('the list of a group', () => {
  const group = (members: number) => {
    const incident = lead(registry, members);
    return {
      type: 'group',
      id: 'i1',
      channel: 'C0INCIDENTS',
      root: registry,
      rows: groupRows(incident),
    } as const;
  };
  const list = (members: number, page: number) =>
    renderGroupList(group(members), { language: 'en', linkTo, tell, page });

  it('names every workload on one of its pages, each with a button', () => {
    const pages = [0, 1, 2].map((page) => list(39, page));
    const rows = pages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'section'));

    expect(rows).toHaveLength(40);
    expect(new Set(rows.map((row) => /svc-\d+/.exec(JSON.stringify(row))?.[0])).size).toBe(40);
    expect(rows.every((row) => 'accessory' in row)).toBe(true);
    expect(aloud(pages[2]?.blocks ?? [])).toContain('31–40 of 40');
  });

  it('shows the last page in place of one that does not exist any more', () => {
    expect(aloud(list(3, 7).blocks)).toContain('1–4 of 4');
  });

  it('leads to a card that is there, and to a diagnosis where none is', () => {
    const rows = [member(1, { card: { ts: '1763600000.000001' } }), member(2)];
    const { blocks } = renderGroupList({ ...group(2), rows }, { language: 'en', linkTo, tell, page: 0 });
    const buttons = blocks.flatMap((block) => ('accessory' in block ? [block.accessory] : []));

    expect(buttons).toMatchObject([
      { url: 'https://team.slack.com/archives/C0INCIDENTS/p1763600000000001' },
      { action_id: actionIds.member, value: 'i1.m2.0' },
    ]);
  });
});
