import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#src/doctor/audit/audit-entry.js';
import { decisionKeys } from '#src/edges/redis/audited-write.js';
import { createDecisionLog } from '#src/roots/container.js';
import { createDecideApproval } from '#src/service/approve/decide-approval.js';
import { auditedChanges } from '#src/service/change/audited-changes.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { sha256, startEntry } from '../../support/redis-records.js';
import { approve, approved, createStage, reviewed, type Stage } from '../service/stage.js';

const db = withRedis();

let stage: ReturnType<typeof createStage>;
beforeEach(() => {
  stage = createStage(db.redis);
});

const decided = async (stage: Stage) =>
  (await stage.audit.decisions(1_000)).entries.map(({ action }) => action);

describe('a decision', () => {
  it('does not count: the approval stays open and no change is sent', async () => {
    const { job } = await reviewed(stage);
    await db.redis.set(decisionKeys(stage.prefix).stream, 'no stream');

    await expect(approve(stage, job.approvalId)).rejects.toMatchObject({ code: 'redis-unavailable' });
    expect(await stage.approvals.get(job.approvalId)).toMatchObject({ state: 'open', decisions: [] });
    expect(await stage.approvals.underway()).toEqual([]);
    expect(stage.jobsOf('remediation')).toEqual([]);
  });

  it('stops an approved change before it is sent', async () => {
    const job = await approved(stage);
    await db.redis.rename(decisionKeys(stage.prefix).stream, `${stage.prefix}:kept`);
    await db.redis.set(decisionKeys(stage.prefix).stream, 'no stream');

    await expect(stage.apply(job, { lastAttempt: false })).rejects.toMatchObject({
      code: 'redis-unavailable',
    });
    expect(stage.world.sent).toEqual([]);
    expect(await stage.approvals.get(job.approvalId)).toMatchObject({ state: 'approved' });

    await db.redis.rename(`${stage.prefix}:kept`, decisionKeys(stage.prefix).stream);
    await stage.apply(job, { lastAttempt: false });
    expect(stage.world.sent).toHaveLength(1);
    expect(await decided(stage)).toEqual(['applied', 'started', 'approved']);
  });

  it('leaves no entry when another decision was stored first', async () => {
    const { job } = await reviewed(stage);
    const decisions = await Promise.all(
      ['U0DANA', 'U0MIN', 'U0DANA'].map((by) => approve(stage, job.approvalId, by)),
    );

    expect(decisions.filter(({ type }) => type === 'approved')).toHaveLength(1);
    expect(await decided(stage)).toEqual(['approved']);
    expect(await stage.audit.checkDecisions()).toEqual({ type: 'intact', first: 1, last: 1 });
  });

  it('of a start is recorded before the change is sent', async () => {
    const job = await approved(stage);
    const seen: (readonly string[])[] = [];
    stage.world.onSend = async () => {
      seen.push(await decided(stage));
    };
    await stage.apply(job, { lastAttempt: false });
    expect(seen).toEqual([['started', 'approved']]);
  });
});

describe('the log of decisions', () => {
  it('receives each decision as one JSON line with the hash of the link in Redis', async () => {
    const lines: string[] = [];
    const write = createDecisionLog('worker', { write: (line) => lines.push(line) });
    const job = await approved(stage);
    await stage.apply(job, { lastAttempt: false });
    for (const link of stage.decisions) write(link);

    const rows = await db.redis.xrange(decisionKeys(stage.prefix).stream, '-', '+');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      rows.map(([, [, link = '', , hash]]) => ({
        msg: 'decision recorded',
        hash,
        decision: JSON.parse(link),
      })),
    );
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });
});

describe('a flood of alert entries', () => {
  it('never removes a decision', async () => {
    const job = await approved(stage);
    const { workload } = (await stage.approvals.get(job.approvalId)) ?? { workload: undefined };
    if (workload === undefined) throw new Error('the approval is there');
    const flow: AuditEntry = {
      at: '2026-11-20T09:30:00Z',
      action: 'diagnosis-requested',
      workload,
      details: { via: 'alert' },
    };
    for (let batch = 0; batch < 20; batch += 1) {
      await Promise.all(Array.from({ length: 200 }, () => stage.audit.append(flow)));
    }

    expect(await decided(stage)).toEqual(['approved']);
    expect((await stage.audit.decisions(10, { of: workload })).entries).toHaveLength(1);
    expect((await stage.audit.requests(5_000, { of: workload })).entries.length).toBeLessThan(2_000);
  });
});

describe('the statement "nothing was changed"', () => {
  it('is not made when an earlier attempt may have sent the change', async () => {
    const job = await approved(stage);
    await stage.approvals.consume(job.approvalId, startEntry);
    stage.world.apply = { type: 'refused', because: 'stale', message: '' };
    await stage.apply(job, { lastAttempt: false });

    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      change: { failure: { key: 'change-unknown' } },
    });
    const [line] = auditedChanges((await stage.audit.decisions(10)).entries);
    expect(line).toMatchObject({ unknownSince: expect.any(String), notApplied: undefined });
  });

  it('is made when the first attempt was refused', async () => {
    const job = await approved(stage);
    stage.world.apply = { type: 'refused', because: 'forbidden', message: '' };
    await stage.apply(job, { lastAttempt: false });

    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      change: { failure: { key: 'apply-refused' } },
    });
    const [line] = auditedChanges((await stage.audit.decisions(10)).entries);
    expect(line).toMatchObject({ unknownSince: undefined, notApplied: 'forbidden' });
  });

  it('is not made to the approver when a worker was faster than the answer', async () => {
    const { job } = await reviewed(stage);
    const decide = createDecideApproval({
      ...stage,
      approvals: {
        ...stage.approvals,
        async replace(next, decision) {
          const stored = await stage.approvals.replace(next, decision);
          if (next.state === 'approved') await stage.apply(job, { lastAttempt: false });
          return stored;
        },
      },
    });
    const { approvalId } = job;
    expect(await decide({ approvalId, by: 'U0DANA', decision: 'approve', reason: '' })).toMatchObject({
      type: 'approved',
      incident: { phase: 'verifying' },
    });
    expect(stage.world.sent).toHaveLength(1);
  });
});

describe('the hash chain', () => {
  /** Seven decisions: two changes that were approved, started and applied, and a rejection between them. */
  async function recorded() {
    const job = await approved(stage);
    await stage.apply(job, { lastAttempt: false });
    const second = (await reviewed(stage, 'U0DANA', { channel: 'C0SECOND' })).job;
    await stage.decide({ approvalId: second.approvalId, by: 'U0DANA', decision: 'reject', reason: 'no' });
    const third = await approved(stage, { channel: 'C0THIRD' });
    await stage.apply(third, { lastAttempt: false });
    const { stream, end } = decisionKeys(stage.prefix);
    const rows = await db.redis.xrange(stream, '-', '+');
    return { stage, stream, end, rows };
  }

  const fieldsOf = ([, fields]: readonly [string, readonly string[]]) => ({
    link: fields[1] ?? '',
    hash: fields[3] ?? '',
  });

  async function rebuild(stream: string, links: readonly { readonly link: string; readonly hash: string }[]) {
    await db.redis.del(stream);
    for (const { link, hash } of links) await db.redis.xadd(stream, '*', 'link', link, 'hash', hash);
  }

  it('is intact after changes, rejections and concurrent writers', async () => {
    const { stage, rows } = await recorded();
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        stage.audit.append({
          at: '2026-11-20T09:30:00Z',
          action: 'silenced',
          by: `U${n}`,
          workload: { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: `w${n % 3}` },
          details: {},
        }),
      ),
    );
    expect(rows).toHaveLength(7);
    expect(await stage.audit.checkDecisions()).toEqual({ type: 'intact', first: 1, last: 37 });
    expect(stage.decisions.map(({ hash }) => hash)).toEqual(
      (await db.redis.xrange(decisionKeys(stage.prefix).stream, '-', '+')).map((row) => fieldsOf(row).hash),
    );
  });

  it.each([
    ['an approver is renamed', 3, 'altered', (text: string) => text.replace('U0DANA', 'U0EVIL'), false],
    [
      'an approver is renamed and the hash follows',
      4,
      'out-of-order',
      (text: string) => text.replace('U0DANA', 'U0EVIL'),
      true,
    ],
    ['an entry is not JSON any more', 3, 'altered', () => '{', true],
    ['a number is repeated', 3, 'out-of-order', (text: string) => text.replace('"seq":3', '"seq":2'), true],
  ] as const)('is broken when %s', async (_, seq, problem, change, rehash) => {
    const { stage, stream, rows } = await recorded();
    const links = rows.map(fieldsOf).map((row, place) => {
      if (place !== 2) return row;
      const link = change(row.link);
      return { link, hash: rehash ? sha256(link) : row.hash };
    });
    await rebuild(stream, links);
    expect(await stage.audit.checkDecisions()).toEqual({ type: 'broken', seq, problem });
  });

  it.each([
    ['an entry in the middle is removed', (links: readonly unknown[]) => links.filter((_, n) => n !== 3), 4],
    [
      'two entries change places',
      (links: readonly unknown[]) => [...links.slice(0, 2), links[3], links[2], ...links.slice(4)],
      3,
    ],
    [
      'an entry is repeated',
      (links: readonly unknown[]) => [...links.slice(0, 3), links[2], ...links.slice(3)],
      4,
    ],
    ['the newest entries are removed', (links: readonly unknown[]) => links.slice(0, 5), 6],
    ['everything is removed', () => [], 1],
  ] as const)('is broken when %s', async (_, change, seq) => {
    const { stage, stream, rows } = await recorded();
    await rebuild(stream, change(rows.map(fieldsOf)) as { link: string; hash: string }[]);
    expect(await stage.audit.checkDecisions()).toMatchObject({ type: 'broken', seq });
  });

  it('is broken when its recorded end is removed or moved', async () => {
    const { stage, end } = await recorded();
    await db.redis.hset(end, 'seq', '3');
    expect(await stage.audit.checkDecisions()).toMatchObject({ type: 'broken', problem: 'end-missing' });
    await db.redis.del(end);
    expect(await stage.audit.checkDecisions()).toMatchObject({ type: 'broken', problem: 'end-missing' });
  });

  it('stays intact when age removes the oldest entries', async () => {
    const { stage, stream, rows } = await recorded();
    await db.redis.xtrim(stream, 'MINID', rows[3]?.[0] ?? '');
    expect(await stage.audit.checkDecisions()).toEqual({ type: 'intact', first: 4, last: 7 });
  });

  it('counts a forged entry as broken although a later entry follows it', async () => {
    const { stage, stream } = await recorded();
    const forged = { seq: 8, previous: 'x', entry: buildDiagnosis() };
    await db.redis.xadd(stream, '*', 'link', JSON.stringify(forged), 'hash', sha256(JSON.stringify(forged)));
    await stage.audit.append({
      at: '2026-11-20T09:30:00Z',
      action: 'silenced',
      by: 'U1',
      workload: { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'w' },
      details: {},
    });
    expect(await stage.audit.checkDecisions()).toMatchObject({ type: 'broken', seq: 8 });
  });
});
