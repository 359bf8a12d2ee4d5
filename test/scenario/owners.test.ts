import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { runCli } from '#src/edges/cli/run-process.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import type { Language } from '#src/engine/language/language.js';
import { createTell } from '#src/service/create-engine.js';
import { aloud } from '../support/read-aloud.js';
import { type Scenario, scenarios } from '../support/scenarios/expectation.js';
import { diagnosisOf } from '../support/scenarios/snapshot-of.js';
import { buildIncident } from '../support/slack-builders.js';

const recorded = new Map(scenarios().map((scenario) => [basename(scenario.folder), scenario]));

function scenarioOf(name: string): Scenario {
  const scenario = recorded.get(name);
  if (scenario === undefined) throw new Error(`no recording ${name}`);
  return scenario;
}

async function printed(name: string, output: 'text' | 'json', lang: Language = 'en'): Promise<string> {
  const { folder, expect: wanted } = scenarioOf(name);
  const { kind, namespace, name: workload } = wanted.workload;
  let out = '';
  await runCli(
    [
      ...['diagnose', `${kind.toLowerCase()}/${workload}`, '-n', namespace, '--from', folder],
      ...['--at', wanted.takenAt, '--output', output, '--lang', lang],
    ],
    {
      out: (text) => {
        out += text;
      },
      err: () => undefined,
      paint: { colour: false, width: 400 },
      watched: false,
    },
  );
  return out;
}

interface Printed {
  readonly findings: readonly {
    readonly remediations: readonly {
      readonly kind: string;
      readonly recommended: boolean;
      readonly survival?: {
        readonly path: string;
        readonly verdict: object;
        readonly owner?: object;
        readonly restsOn: readonly object[];
      };
    }[];
  }[];
}

async function fixesIn(name: string) {
  const { findings } = JSON.parse(await printed(name, 'json')) as Printed;
  return new Map(findings[0]?.remediations.map((fix) => [fix.kind, fix]));
}

async function card(name: string, language: Language = 'en'): Promise<string> {
  const found = await diagnosisOf(scenarioOf(name));
  const workload = { ...found.workload, cluster: 'prod-eu' };
  const diagnosis = Diagnosis.parse(JSON.parse(JSON.stringify({ ...found, workload })));
  return aloud(
    renderCard(buildIncident({ workload, diagnosis, language }), undefined, { tell: createTell() }).blocks,
  );
}

describe('the JSON of a diagnosis', () => {
  it('states which field an owner reverts, who does it and by what evidence', async () => {
    const fix = (await fixesIn('argo-cd-heals-a-declared-strategy')).get('patch-strategy');

    expect(fix).toMatchObject({
      recommended: false,
      survival: {
        path: 'spec.strategy.rollingUpdate.maxSurge',
        verdict: { type: 'reverted-at-once' },
        owner: { by: 'Argo CD', kind: 'Application', name: 'shop' },
        restsOn: [
          { type: 'last-applied' },
          { type: 'owner-object', kind: 'Application', namespace: 'argocd', name: 'shop' },
        ],
      },
    });
  });

  it('states that the owner could not be read', async () => {
    const fix = (await fixesIn('argo-cd-application-not-read')).get('patch-strategy');

    expect(fix).toMatchObject({
      recommended: true,
      survival: { verdict: { type: 'unknown', because: 'owner-unread' } },
    });
    expect(fix?.survival?.restsOn).toContainEqual(
      expect.objectContaining({ type: 'owner-unread', kind: 'Application' }),
    );
  });

  it.each([
    ['flux-declares-a-surge', { type: 'reverted-within', seconds: 600 }],
    ['helm-4-declares-the-strategy', { type: 'next-upgrade-conflicts', event: 'upgrade' }],
    ['kubectl-apply-declares-the-strategy', { type: 'reverted-at-next', event: 'apply' }],
    ['argo-cd-declares-no-strategy', { type: 'stays' }],
  ])('states what becomes of the strategy in %s', async (name, verdict) => {
    const fix = (await fixesIn(name)).get('patch-strategy');

    expect(fix).toMatchObject({ recommended: true, survival: { verdict } });
  });
});

describe('the text of a diagnosis', () => {
  it.each([
    [
      'en',
      'The controller of InferenceService llm may restore fields of the objects that it creates. It does not restore the InferenceService itself.',
      'HorizontalPodAutoscaler llm-v2-predictor sets the number of replicas.',
    ],
    [
      'ko',
      'InferenceService llm의 컨트롤러는 자신이 만든 오브젝트의 필드를 되돌릴 수 있습니다. InferenceService 자체는 되돌리지 않습니다.',
      'HorizontalPodAutoscaler llm-v2-predictor에서 복제본 수를 조정합니다.',
    ],
  ] as const)(
    'states without a fix what a controller and an autoscaler write (%s)',
    async (language, ...lines) => {
      const text = await printed('canary-without-a-gpu', 'text', language);

      expect(lines.filter((line) => !text.includes(line))).toEqual([]);
    },
  );

  it('doubts no fix that is made in the object above', async () => {
    const text = await printed('deadlock-of-the-predictor', 'text');

    expect(text).toContain('patch inferenceservice/llm');
    expect(text).not.toContain('may restore');
  });

  it('states which tool may restore the old values', async () => {
    expect(await printed('argo-cd-heals-a-declared-strategy', 'text')).toContain(
      'Argo CD (Application shop) manages this object and may restore the old values.',
    );
  });

  it.each([
    ['en', 'Not recommended', 'Argo CD reverts it at once'],
    ['ko', '권장하지 않음', 'Argo CD가 즉시 되돌림'],
  ] as const)('lists a fix that is reverted at once as not recommended: %s', async (lang, heading, fate) => {
    const text = await printed('argo-cd-heals-a-declared-strategy', 'text', lang);
    const [recommended, reverted] = text.split(heading);

    expect(recommended).not.toContain(fate);
    expect(reverted).toContain(fate);
  });

  it.each([
    ['flux-declares-a-surge', 'Flux reverts it within 10 min'],
    ['helm-4-declares-the-strategy', 'the next Helm upgrade fails with a conflict'],
    ['kubectl-apply-declares-the-strategy', 'reverts it'],
    ['argo-cd-application-not-read', 'Argo CD might revert it'],
  ])('states beside the price what becomes of a fix in %s', async (name, fate) => {
    expect(await printed(name, 'text')).toContain(fate);
  });
});

describe('the card', () => {
  it.each([
    ['argo-cd-heals-a-declared-strategy', 'Argo CD reverts it at once'],
    ['flux-declares-a-surge', 'Flux reverts it within 10 min'],
    ['helm-4-declares-the-strategy', 'the next Helm upgrade fails with a conflict'],
    ['argo-cd-application-not-read', 'Argo CD might revert it'],
  ])('recommends a fix that lasts, and states the fate of the others: %s', async (name, fate) => {
    const rendered = await card(name);
    const line = rendered.split('\n').find((each) => each.includes('Recommended fix')) ?? '';

    expect(line).not.toBe('');
    expect(line).not.toContain(fate);
    expect(rendered).toContain(fate);
  });

  it('states nothing about owners where the recommended fix stays', async () => {
    const line = (await card('argo-cd-declares-no-strategy'))
      .split('\n')
      .find((each) => each.includes('Recommended fix'));

    expect(line).toBeDefined();
    expect(line).not.toMatch(/Argo CD|revert|stays/u);
  });
});
