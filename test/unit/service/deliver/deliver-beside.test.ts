import { beforeEach, describe, expect, it } from 'vitest';
import type { Picture } from '#src/doctor/findings/picture.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { deliverPicture } from '#src/service/deliver/deliver-beside.js';
import type { MessageDeps } from '#src/service/deliver/deliver-message.js';
import { pictureKey } from '#src/service/deliver/delivery-jobs.js';
import type { Content, PrivateContent, Shown } from '#src/service/deliver/incident-thread.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { createMemoryDeliveries } from '../../../support/memory-deliveries.js';
import { buildIncident } from '../../../support/records.js';

const ring: Picture = {
  v: 1,
  kind: 'wait-cycle',
  workload: 'ml/inference',
  confidence: 'proven',
  steps: [
    { who: { role: 'new-pod', names: ['new'], more: 0 }, waits: { for: 'lock' } },
    { who: { role: 'old-pod', names: ['old'], more: 0 }, waits: { for: 'readiness' } },
  ],
};

const incident = buildIncident({
  phase: 'diagnosed',
  look: 1,
  diagnosis: buildDiagnosis({ picture: ring }),
});
const card = { channel: 'C0ONCALL', ts: '1.0' };
const picture = { channel: 'C0ONCALL', ts: '2.0' };
const posted: Shown = { type: 'shown', ...picture };
const key = pictureKey(incident.id);

/** Deliveries in memory, and a Slack that answers as it is told and notes what it was asked. */
function stage() {
  const calls: string[] = [];
  const slack = { post: posted as Shown, edit: posted as Shown, wait: 0, found: undefined as unknown };
  const { deliveries, records, locked } = createMemoryDeliveries(slack);
  const lookOf = (content: Content | PrivateContent) => ('incident' in content ? content.incident.look : 0);
  const thread: MessageDeps['thread'] = {
    post: async (content) => {
      calls.push(`post of look ${lookOf(content)}`);
      return slack.post;
    },
    edit: async (content, { ts }, former) => {
      calls.push(`edit ${ts} to look ${lookOf(content)}${former === undefined ? '' : ` from ${former.id}`}`);
      return slack.edit;
    },
    find: async () => slack.found as typeof picture | undefined,
  };
  const clock = { now: () => new Date('2026-11-20T09:30:10Z') };
  return { deps: { deliveries, thread, clock }, records, locked, calls, slack };
}

let on: ReturnType<typeof stage>;
beforeEach(() => {
  on = stage();
});

const turn = { urgency: 'person', fairnessKey: '' } as const;
const show = (of: Incident = incident) => deliverPicture(on.deps, of, turn, card);
const bringUp = (of: Incident) => deliverPicture(on.deps, of, turn);

describe('the picture of an incident', () => {
  it('is posted once, whoever asks for it again', async () => {
    await show();
    await show();
    await bringUp(incident);
    expect(on.calls).toEqual(['post of look 1']);
    expect(on.records.get(key)).toMatchObject({ message: picture, version: 1 });
  });

  it.each([
    ['a workload that is well', { findings: [] }],
    ['a diagnosis without a picture', { picture: undefined }],
  ])('is not posted for %s', async (_, fields) => {
    await show({ ...incident, diagnosis: { ...buildDiagnosis({ picture: ring }), ...fields } });
    expect(on.calls).toEqual([]);
  });

  it('keeps the file that it shows for the next edit', async () => {
    on.slack.post = { ...posted, image: { id: 'F01', digest: 'd' } };
    await show();
    await bringUp({ ...incident, phase: 'settled', look: 2 });
    expect(on.calls).toEqual(['post of look 1', 'edit 2.0 to look 2 from F01']);
    expect(on.records.get(key)?.image).toBeUndefined();
  });

  it('is edited in place when a later look is there, also to one that has nothing to show', async () => {
    await show();
    await bringUp({ ...incident, phase: 'settled', look: 2, diagnosis: buildDiagnosis({ findings: [] }) });
    await bringUp({ ...incident, phase: 'settled', look: 2 });
    await show({ ...incident, look: 3 });
    expect(on.calls).toEqual(['post of look 1', 'edit 2.0 to look 2', 'edit 2.0 to look 3']);
  });

  it.each(['diagnosing', 'failed'] as const)('stays as it is while the incident is %s', async (phase) => {
    await show();
    await bringUp({ ...incident, phase, look: 2 });
    expect(on.calls).toEqual(['post of look 1']);
    await bringUp({ ...incident, look: 2 });
    expect(on.calls).toContain('edit 2.0 to look 2');
  });

  describe('once a fix was approved', () => {
    const healed: Incident = {
      ...incident,
      phase: 'settled',
      look: 2,
      beforeFix: { look: 1, diagnosis: buildDiagnosis({ picture: ring }) },
      diagnosis: buildDiagnosis({ findings: [], picture: { ...ring, confidence: 'likely' } }),
    };

    it('stays as it was, and a second one shows what followed', async () => {
      await show();
      on.slack.post = { ...posted, ts: '3.0' };
      await show(healed);
      await show(healed);
      await bringUp({ ...healed, look: 3 });
      expect(on.calls).toEqual(['post of look 1', 'post of look 2', 'edit 3.0 to look 3']);
      expect(on.records.get(key)).toMatchObject({ message: picture, version: 1 });
    });

    it('has no second one before a later diagnosis is there', async () => {
      await show();
      await show({ ...healed, phase: 'verifying', look: 1, diagnosis: incident.diagnosis });
      expect(on.calls).toEqual(['post of look 1']);
    });

    it('has none after a fix where there was none before', async () => {
      const { picture: _, ...plain } = buildDiagnosis();
      await show({ ...healed, beforeFix: { look: 1, diagnosis: plain } });
      expect(on.calls).toEqual([]);
    });
  });

  it('is not edited before it was posted', async () => {
    await bringUp(incident);
    expect(on.calls).toEqual([]);
  });

  it('waits while another worker has it', async () => {
    on.locked.add(key);
    expect(await show()).toMatchObject({ type: 'later' });
    expect(on.calls).toEqual([]);
  });

  it('gives its lock back, whatever happened', async () => {
    on.slack.post = { type: 'doubtful' };
    await expect(show()).rejects.toMatchObject({ code: 'slack-unavailable' });
    expect([...on.locked]).toEqual([]);
  });

  it('waits for its turn in the channel', async () => {
    on.slack.wait = 700;
    expect(await show()).toEqual({ type: 'later', afterMs: 700 });
    on.slack.wait = 0;
    expect(await show()).toEqual({ type: 'delivered', fresh: true });
  });

  it('is looked for after a doubtful post, and brought up to the record, not posted again', async () => {
    on.slack.post = { type: 'doubtful' };
    await expect(show()).rejects.toMatchObject({ code: 'slack-unavailable' });
    on.slack.found = picture;
    await show();
    await show();
    expect(on.calls).toEqual(['post of look 1', 'edit 2.0 to look 1']);
  });

  it('is left alone once Slack has refused it, so that it keeps nothing waiting', async () => {
    on.slack.post = { type: 'refused', error: 'restricted_action' };
    expect(await show()).toMatchObject({ type: 'refused' });
    expect(await show()).toMatchObject({ type: 'delivered' });
    expect(await bringUp({ ...incident, look: 2 })).toMatchObject({ type: 'delivered' });
    expect(on.calls).toEqual(['post of look 1']);
  });

  it('is left alone when people deleted it', async () => {
    await show();
    on.slack.edit = { type: 'refused', error: 'message_not_found' };
    await bringUp({ ...incident, look: 2 });
    await bringUp({ ...incident, look: 3 });
    expect(on.calls).toEqual(['post of look 1', 'edit 2.0 to look 2']);
  });

  it('is edited again when the edit came to nothing', async () => {
    await show();
    on.slack.edit = { type: 'unavailable' };
    const later = { ...incident, look: 2 };
    await expect(bringUp(later)).rejects.toMatchObject({ code: 'slack-unavailable' });
    on.slack.edit = posted;
    await bringUp(later);
    expect(on.calls.filter((call) => call.startsWith('edit'))).toHaveLength(2);
  });
});
