import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuotaMessage, type QuotaRefusal, quotaMessage } from '#src/engine/workloads/quota-admission.js';

describe('parseQuotaMessage', () => {
  it('parses the event of a ReplicaSet', () => {
    const text =
      'Error creating: pods "worker-cd67768bb-djs4b" is forbidden: exceeded quota: team-quota, requested: limits.memory=1Gi,pods=1, used: limits.memory=3Gi,pods=3, limited: limits.memory=3500Mi,pods=3';
    expect(parseQuotaMessage(text)).toEqual({
      kind: 'exceeded',
      quota: 'team-quota',
      resources: [
        { resource: 'limits.memory', requested: '1Gi', used: '3Gi', limited: '3500Mi' },
        { resource: 'pods', requested: '1', used: '3', limited: '3' },
      ],
    });
  });

  it('parses the values that a container omits', () => {
    const text =
      'pods "a" is forbidden: failed quota: team: must specify limits.cpu for: app,setup; requests.memory for: app';
    expect(parseQuotaMessage(text)).toEqual({
      kind: 'must-specify',
      quota: 'team',
      missing: [
        { resource: 'limits.cpu', containers: ['app', 'setup'] },
        { resource: 'requests.memory', containers: ['app'] },
      ],
    });
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['another admission plugin', 'pods "a" is forbidden: violates PodSecurity "restricted:latest"'],
    ['a message cut short', 'exceeded quota: team, requested: pods=1'],
  ])('finds no quota in %s', (_sentence, text) => {
    expect(parseQuotaMessage(text)).toBeUndefined();
  });

  it('keeps a resource without usage or limit', () => {
    expect(parseQuotaMessage('exceeded quota: q, requested: pods=1, used: , limited: ')).toEqual({
      kind: 'exceeded',
      quota: 'q',
      resources: [{ resource: 'pods', requested: '1', used: '', limited: '' }],
    });
  });

  it('parses every message that it writes', () => {
    const name = fc.stringMatching(/^[a-z]([a-z0-9.-]{0,20}[a-z0-9])?$/);
    const amount = fc.stringMatching(/^[0-9]{1,6}(m|Ki|Mi|Gi)?$/);
    const resources = fc.uniqueArray(
      fc.record({ resource: name, requested: amount, used: amount, limited: amount }),
      { selector: ({ resource }) => resource, minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(name, resources, (quota, exceeded) => {
        const sorted = [...exceeded].sort((a, b) => (a.resource < b.resource ? -1 : 1));
        const refusal: QuotaRefusal = { kind: 'exceeded', quota, resources: sorted };
        expect(parseQuotaMessage(`pods "x" is forbidden: ${quotaMessage(refusal)}`)).toEqual(refusal);
      }),
      { numRuns: 60 },
    );
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseQuotaMessage(text);
        parseQuotaMessage(`exceeded quota: ${text}, requested: ${text}, used: ${text}, limited: ${text}`);
      }),
      { numRuns: 60 },
    );
  });
});
