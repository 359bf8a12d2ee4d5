import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { imagePullFailure } from '#src/doctor/causes/image-pull-failure/rule.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { fact } from '#src/doctor/findings/facts.js';
import type { Detected, Rule } from '#src/doctor/findings/rule.js';
import { visibleDiagnosis } from '#src/doctor/findings/visible-diagnosis.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { sightOfPerson } from '#src/doctor/policy/view.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import { createTell } from '#src/service/create-engine.js';
import { buildDetected, buildDiagnosis, buildFinding, ruleText } from '../../../support/diagnosis.js';
import { buildIncident } from '../../../support/slack-builders.js';
import { backingOff, crashSnapshot, ended, failingPod } from './crashes/build.js';

const tell = createTell();
const password = ['hunter2', 'Canary'].join('');

describe('the facts of a finding', () => {
  it('have a marker instead of a secret in a message, in the record and in JSON', () => {
    const message = `Failed to pull image "https://ci:${password}@registry.example/web:1"`;
    const pod = failingPod({
      phase: 'Pending',
      containers: [{ state: { waiting: { reason: 'ImagePullBackOff', message } } }],
    });
    const diagnosis = diagnose(crashSnapshot({ pods: [pod] }), [imagePullFailure]);

    expect(diagnosis.findings[0]?.facts).toMatchObject({ message: expect.stringContaining('[redacted') });
    expect(JSON.stringify(diagnosis)).not.toContain(password);
    expect(JSON.stringify(diagnosisJson(diagnosis, tell, 'en'))).not.toContain(password);
  });

  it('do not repeat the output of a container', () => {
    const message = 'panic: the ledger is locked';
    const pod = failingPod({
      containers: [{ state: backingOff, lastState: ended({ exitCode: 3, message }) }],
    });
    const [finding] = diagnose(crashSnapshot({ pods: [pod] }), [applicationCrash]).findings;

    expect(finding?.facts).toMatchObject({ exitCode: 3, restarts: 5, longestRunSeconds: 20 });
    expect(JSON.stringify(finding?.evidence)).toContain('ledger');
    expect(JSON.stringify(finding?.facts)).not.toContain('ledger');
  });

  it('omit names of namespaces that the reader may not see', () => {
    const policy = Policy.parse({ grants: [], view: [{ users: ['U1'], namespaces: ['ml'] }] });
    const sight = sightOfPerson(policy, { ids: ['U1'], kind: 'member', groups: [] });
    const diagnosis = buildDiagnosis({
      findings: [
        buildFinding({ facts: { heldBy: [{ workload: 'payroll/salaries', pods: ['salaries-0'] }] } }),
      ],
      foreign: [{ namespace: 'payroll', names: ['payroll', 'salaries', 'salaries-0'] }],
    });

    expect(visibleDiagnosis(diagnosis, sight).findings[0]?.facts).toEqual({
      heldBy: [{ workload: '[hidden]/[hidden]', pods: ['[hidden]'] }],
    });
  });

  it('are absent from a record of an earlier version, which renders as before', () => {
    const diagnosis = Diagnosis.parse(JSON.parse(JSON.stringify(buildDiagnosis())));
    const incident = buildIncident({ phase: 'diagnosed', workload: diagnosis.workload, diagnosis });

    expect(diagnosisJson(diagnosis, tell, 'en').findings[0]).not.toHaveProperty('facts');
    expect(JSON.stringify(renderCard(incident, undefined, { tell }))).toContain('ml/inference');
  });
});

describe('a rule', () => {
  const Facts = z.strictObject({ licences: fact.count('Number of licences') });
  const rule: Omit<Rule<typeof Facts>, 'detect'> = {
    id: 'licence-held',
    facts: Facts,
    text: ruleText,
    origin: 'template',
    appliesTo: ['Deployment'],
    needs: [],
    supersedes: [],
  };
  const found = (facts: Record<string, unknown>): Detected => ({ ...buildDetected(), facts });

  it('is refused by the compiler if it returns other facts than its schema describes', () => {
    const one = { ...buildDetected(), facts: { licences: 1 } };
    const text = { ...buildDetected(), facts: { licences: '1' } };
    const right: Rule<typeof Facts> = { ...rule, detect: () => one };
    // @ts-expect-error the number of licences is a number
    const other: Rule<typeof Facts> = { ...rule, detect: () => text };
    // @ts-expect-error it is not known what these facts are
    const unknown: Rule<typeof Facts> = { ...rule, detect: () => found(one.facts) };

    expect([right, other, unknown].map(({ facts }) => facts)).toEqual([Facts, Facts, Facts]);
  });
});
