import { beforeEach, describe, expect, it } from 'vitest';
import { showsGroup } from '#src/doctor/incidents/group-rows.js';
import { buildDiagnosis, buildFinding } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { buildIncident } from '../../support/records.js';
import { broken, calm, channel, createGroupStage, type Found, named } from './group-stage.js';

let group: ReturnType<typeof createGroupStage>;

const db = withRedis();

beforeEach(() => {
  group = createGroupStage(db.redis);
});

/** Proven, and with a fix that people may approve. */
const deadlocked: Found = (workload) => buildDiagnosis({ workload });
const unpulled =
  (registry: string): Found =>
  (workload) => {
    const blames = { kind: 'Registry', name: registry } as const;
    return buildDiagnosis({ workload, findings: [buildFinding({ cause: 'image-pull-failure', blames })] });
  };

const forty = Array.from({ length: 40 }, (_, at) => named(`svc-${at}`, { namespace: `team-${at % 4}` }));

describe('forty workloads with one kind of failure', () => {
  it.each<[string, Found]>([
    ['a deadlock of their own that a fix ends', deadlocked],
    ['a crash of their own', broken],
    ['a registry that gives no images', unpulled('registry.example')],
  ])('have one card where it is %s', async (_, found) => {
    const ids: string[] = [];
    for (const workload of forty) ids.push(await group.alerted(workload));
    for (const id of ids) await group.looked(id, found);
    await group.slack.deliverAll();

    const [card, ...others] = group.slack.cards();
    expect(others).toEqual([]);
    expect(Object.values(group.toldBy(card?.incident.id ?? ''))).toEqual(Array(39).fill('sick'));
    expect(card && showsGroup(card.incident)).toBe(true);
  });
});

describe('a kind of failure', () => {
  it('has a card of its own beside another kind, another registry and another cluster', async () => {
    await group.shown(named('a'), deadlocked);
    await group.shown(named('b'), broken);
    await group.shown(named('c'), unpulled('registry.example'));
    await group.shown(named('d'), unpulled('quay.io'));
    await group.shown(named('e', { cluster: 'staging' }), broken);

    expect(group.inChannel()).toHaveLength(5);
  });

  it('has another card once a quarter of an hour passed without a further workload', async () => {
    const first = await group.shown(named('a'), broken);
    group.stage.advanceMinutes(10);
    await group.shown(named('b'), broken);
    group.stage.advanceMinutes(10);
    await group.shown(named('c'), broken);
    group.stage.advanceMinutes(16);
    const later = await group.shown(named('d'), broken);

    expect(group.toldBy(first)).toEqual({ b: 'sick', c: 'sick' });
    expect(group.slack.cards()).toEqual([group.cardOf(first), group.cardOf(later)]);
  });

  it('leaves each deadlock that the sentinel reports its own card, because each needs a decision', async () => {
    for (const name of ['a', 'b']) {
      const workload = named(name);
      const fields = { id: name, workload, diagnosis: deadlocked(workload), phase: 'diagnosed' } as const;
      await group.stage.incidents.open(buildIncident({ ...fields, channel, origin: { via: 'sentinel' } }));
    }
    await group.shown(named('c'), deadlocked);
    await group.slack.deliverAll();

    expect(group.inChannel()).toHaveLength(3);
  });

  it('leaves a person who asks for a workload their own card, and does not list it', async () => {
    const { incident } = await group.asked(named('a'), { channel });
    await group.looked(incident.id, broken);
    await group.slack.deliverAll();
    const alert = await group.shown(named('b'), broken);

    expect(group.cardOf(incident.id).incident.group).toBeUndefined();
    expect(group.inChannel()).toEqual([group.cardOf(incident.id), group.cardOf(alert)]);
  });

  it('keeps its card when a person asks for the workload that leads it: that gets a card of its own', async () => {
    const web = await group.shown(named('web'), broken);
    await group.shown(named('api'), broken);
    const { incident, joined } = await group.asked(named('web'), { channel });
    await group.looked(incident.id, broken);
    await group.slack.deliverAll();

    expect(joined).toBe(false);
    expect(showsGroup(group.cardOf(web).incident)).toBe(true);
    expect(group.cardOf(incident.id).incident.workload.name).toBe('web');
  });

  it('gives way to a card of the next revision where it affected one workload only', async () => {
    const web = await group.shown(named('web'), broken);
    group.stage.advanceMinutes(5);
    await group.alerted(named('web'));
    const next: Found = (workload) => ({ ...broken(workload), revision: '3' });
    const { successor = '' } = await group.looked(web, next);
    await group.looked(successor, next);
    await group.slack.deliverAll();

    expect(group.cardOf(successor).threadTs).toBeUndefined();
  });

  it('goes on where the workload that leads it has another failure, which gets a card of its own', async () => {
    const web = await group.shown(named('web'), broken);
    await group.shown(named('api'), broken);
    group.stage.advanceMinutes(5);
    await group.alerted(named('web'));
    const { successor = '' } = await group.looked(web, deadlocked);
    await group.looked(successor, deadlocked);
    await group.slack.deliverAll();

    expect(showsGroup(group.cardOf(web).incident)).toBe(true);
    expect(group.cardOf(successor).threadTs).toBeUndefined();
  });

  it('lists who recovered, and leads on', async () => {
    const web = await group.shown(named('web'), broken);
    const api = await group.shown(named('api'), broken);
    group.stage.advanceMinutes(1);
    await group.shown(named('api'), calm);

    expect(group.toldBy(web)).toEqual({ api: 'well' });
    expect(group.isListedOnly(api)).toBe(true);
  });
});

describe('workloads that cannot be diagnosed', () => {
  it('have one card, and one more for what is found once their cluster answers', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push(await group.alerted(named(name)));
    for (const id of ids) await group.unread(id);
    await group.slack.deliverAll();
    expect(group.slack.cards()).toHaveLength(1);

    group.stage.advanceMinutes(1);
    for (const name of ['a', 'b', 'c']) await group.alerted(named(name));
    for (const id of ids) {
      const { successor } = await group.looked(id, broken);
      if (successor !== undefined) await group.looked(successor, broken);
    }
    await group.slack.deliverAll();

    expect(group.inChannel()).toHaveLength(2);
  });
});
