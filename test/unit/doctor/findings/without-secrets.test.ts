import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '#src/doctor/findings/without-secrets.js';
import { buildFinding } from '../../../support/diagnosis.js';

const password = ['hunter2', 'Canary'].join('');
const quotation = `Failed to pull image "https://ci:${password}@registry.example/web:1"`;
const statement = (message: unknown) => ({ catalogue: 'any', key: 'said', values: { message } });

describe('a finding in the records', () => {
  it.each([
    ['a quotation of a statement', { summary: statement(quotation) }],
    ['a list of lines', { reasoning: [statement(['one', quotation])] }],
    ['a nested value of a statement', { reasoning: [statement({ of: { container: quotation } })] }],
    [
      'the value of an evidence',
      {
        evidence: [
          {
            object: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
            field: 'status',
            value: quotation,
            says: statement('x'),
          },
        ],
      },
    ],
    ['a line below its name', { reasoning: [statement(['password:', `  ${password}`, 'port: 80'])] }],
    ['a block below its name', { reasoning: [statement(['password: |', `  first`, `  ${password}`])] }],
    [
      'the value of a variable that the evidence names',
      {
        evidence: [
          {
            object: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
            field: 'spec.containers[web].env[DB_PASSWORD].value',
            value: password,
            says: statement('x'),
          },
        ],
      },
    ],
    ['a fact', { facts: { pods: ['web-1'], message: quotation } }],
    ['a line of a list of facts', { facts: { reports: ['one', quotation] } }],
    [
      'a snippet',
      { advice: [{ title: statement('x'), text: statement('y'), snippet: `DB_PASSWORD=${password}` }] },
    ],
  ])('contains no secret in %s', (_, fields) => {
    const kept = JSON.stringify(withoutSecrets(buildFinding(fields)));

    expect(JSON.stringify(buildFinding(fields))).toContain(password);
    expect(kept).not.toContain(password);
    expect(kept).toContain('redacted');
  });

  it('contains no token that has the shape of an object name', () => {
    const token = ['dapi', '9f8a7b6c5d4e3f2a', '1b0c9d8e7f6a5b4c'].join('');

    expect(JSON.stringify(withoutSecrets(buildFinding({ summary: statement(token) })))).not.toContain(token);
  });

  it('keeps the names of Secrets in a list', () => {
    const finding = buildFinding({
      reasoning: [statement(['db-password', 'web-tls', 'xapp-6f459bf796-2frjr'])],
    });

    expect(withoutSecrets(finding)).toEqual(finding);
  });

  it('keeps names, kinds and numbers unchanged', () => {
    const finding = buildFinding({
      summary: statement(['web-6f459bf796-2frjr', 'registry.example/web', 3, true, undefined]),
      nodes: ['ip-10-0-3-17.eu-west-1.compute.internal'],
    });

    expect(withoutSecrets(finding)).toEqual(finding);
  });
});
