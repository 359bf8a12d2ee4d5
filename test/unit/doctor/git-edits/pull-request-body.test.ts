import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { RolloutCheck } from '#src/doctor/forecasts/rollout-check.js';
import type { GitEdit } from '#src/doctor/git-edits/git-target.js';
import { type PullRequestFacts, pullRequestBody } from '#src/doctor/git-edits/pull-request-body.js';
import type { Language } from '#src/engine/language/language.js';
import { code, say } from '#src/engine/language/prose.js';
import type { FieldDrift } from '#src/engine/owners/field-drift.js';
import { buildPatchStrategy } from '../../../support/records.js';

const statement = (key: string) => ({ catalogue: 'test', key, values: {} });
/** Each sentence is the name of its statement, as foreign text. */
const tell = ({ key }: { readonly key: string }) => say`[${code(key)}]`;

const edit: GitEdit = {
  file: 'prod/api.yaml',
  line: 12,
  blob: 'b1',
  diff: ['   strategy:', '-    maxSurge: 1', '+    maxSurge: 0'],
};
const value: NonNullable<GitEdit['value']> = {
  name: 'strategy.maxSurge',
  field: 'spec.strategy',
  template: 'templates/api.yaml',
  line: 7,
  isShared: false,
  users: [],
};
const check = { summary: statement('checked'), reasoning: [] } as unknown as RolloutCheck;
const finding = {
  summary: statement('deadlock'),
  reasoning: [statement('first'), statement('second')],
} as unknown as Finding;
const survives = (verdict: FieldDrift['verdict']): FieldDrift => ({
  path: 'spec.strategy',
  verdict,
  owner: { by: 'Flux', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' },
  restsOn: [],
});

function written(facts: Partial<PullRequestFacts> = {}, language: Language = 'en') {
  return pullRequestBody(
    {
      workload: 'shop/api',
      cluster: 'prod',
      remediation: buildPatchStrategy(),
      undoes: false,
      finding: undefined,
      edit,
      check,
      drift: [],
      ...facts,
    },
    { tell: tell as never, language },
  );
}
const headings = (body: string): readonly string[] =>
  body.split('\n').flatMap((line) => /^## (.+)$/u.exec(line)?.[1] ?? []);
const sectionOf = (body: string, heading: string): string | undefined =>
  body
    .split('## ')
    .find((each) => each.startsWith(`${heading}\n`))
    ?.slice(heading.length)
    .trim();

describe('the text of a pull request', () => {
  it('has the price, the check and the change of a fix that a person asked for', () => {
    const { title, body } = written();
    expect(title).toBe('fix(shop/api): [title-in-place]');
    expect(headings(body)).toEqual(['Cost of this change', 'Check of the changed manifest', 'Change']);
    expect(body.startsWith('## ')).toBe(true);
    expect(sectionOf(body, 'Check of the changed manifest')).toBe('[`checked`]');
  });

  it('begins with what was found, and why', () => {
    const { body } = written({ finding });
    expect(body.split('\n\n')[0]).toBe('[`deadlock`]');
    expect(headings(body)[0]).toBe('Why');
    expect(sectionOf(body, 'Why')).toBe('- [`first`]\n- [`second`]');
  });

  it('states the downtime in the price, and no difference from Git', () => {
    const price = sectionOf(written().body, 'Cost of this change') ?? '';
    expect(price).toContain('40 s');
    expect(price).toContain('no drift');
    expect(price.split('\n').every((line) => line.startsWith('- '))).toBe(true);
  });

  it('lists the reasons of the check below its answer', () => {
    const reasoned = { ...check, reasoning: [statement('room'), statement('quota')] };
    expect(sectionOf(written({ check: reasoned }).body, 'Check of the changed manifest')).toBe(
      '[`checked`]\n\n- [`room`]\n- [`quota`]',
    );
  });

  it('names file and line, and shows the difference', () => {
    expect(sectionOf(written().body, 'Change')).toMatch(
      /^`prod\/api\.yaml:12`\n\n```diff\n {3}strategy:\n- {4}maxSurge: 1\n\+ {4}maxSurge: 0\n```\n/u,
    );
  });

  it.each([
    [['+ a'], '```'],
    [['+ `a`'], '```'],
    [['+ ```', '+ a'], '````'],
    [['+ `````', '+ ```'], '``````'],
  ])('fences %j so that no line of it ends the block', (diff, fence) => {
    expect(written({ edit: { ...edit, diff } }).body).toContain(
      `\n${fence}diff\n${diff.join('\n')}\n${fence}\n`,
    );
  });

  it('shows every foreign text as code', () => {
    const { body } = written({
      workload: 'shop/@all',
      cluster: '<b>',
      edit: { ...edit, file: 'a`b @all.yaml' },
    });
    expect(body).toContain('``a`b @all.yaml:12``');
    expect(body).toContain('`shop/@all`');
    expect(body).toContain('`<b>`');
  });

  it('keeps a title of at most 120 characters', () => {
    expect(written({ workload: `shop/${'a'.repeat(200)}` }).title.length).toBeLessThanOrEqual(120);
  });

  it('says that it takes a fix back', () => {
    expect(written({ undoes: true }).title).toBe('fix(shop/api): Undo of “[title-in-place]”');
  });

  it.each<[string, FieldDrift['verdict'], boolean]>([
    ['the owner writes again', { type: 'reverted-at-once' }, true],
    ['an owner that is suspended would write again', { type: 'stays', while: 'suspended' }, true],
    ['the fields would stay', { type: 'stays' }, false],
  ])('warns of a direct change where %s: %o', (_, verdict, expected) => {
    const { body } = written({ drift: [survives({ type: 'stays' }), survives(verdict)] });
    expect(headings(body).includes('If the cluster is changed directly')).toBe(expected);
  });

  it('has the same sections in Korean', () => {
    const facts = { finding, drift: [survives({ type: 'reverted-at-once' })] };
    const [english, korean] = (['en', 'ko'] as const).map((language) =>
      headings(written(facts, language).body),
    );
    expect(korean).toHaveLength(5);
    expect(english).toHaveLength(5);
    expect(korean?.some((each) => english?.includes(each))).toBe(false);
  });
});

describe('the notes on a value of a chart', () => {
  const notes = (of: Partial<typeof value>, language: Language = 'en'): string =>
    (
      written({ edit: { ...edit, value: { ...value, ...of } } }, language)
        .body.split('\n```\n')
        .at(-1) ?? ''
    ).trim();

  it('name the value, the field that it sets, and the template', () => {
    for (const language of ['en', 'ko'] as const) {
      const [first] = notes({}, language).split('\n\n');
      for (const text of ['`templates/api.yaml:7`', '`strategy.maxSurge`', '`spec.strategy`']) {
        expect(first).toContain(text);
      }
    }
  });

  it.each([
    [{}, 3],
    [{ isShared: true }, 4],
    [{ users: ['a/release.yaml'] }, 4],
    [{ isShared: true, users: ['a/release.yaml', 'b/release.yaml'] }, 5],
  ])('warn about other releases: %o', (of, paragraphs) => {
    expect(notes(of).split('\n\n')).toHaveLength(paragraphs);
  });

  it('name the files that may read the value too', () => {
    for (const language of ['en', 'ko'] as const) {
      const [, named] = notes({ users: ['a/release.yaml', 'b/release.yaml'] }, language).split('\n\n');
      for (const text of ['`a/release.yaml`', '`b/release.yaml`', '`prod/api.yaml`']) {
        expect(named).toContain(text);
      }
    }
  });

  it('are absent where a manifest is edited', () => {
    const paragraphs = (written().body.split('\n```\n').at(-1) ?? '').trim().split('\n\n');
    expect(paragraphs).toHaveLength(2);
  });

  it.each([
    [
      'beside the value',
      ['-  maxSurge: 1  # no capacity is lost', '+  maxSurge: 0  # no capacity is lost'],
      true,
    ],
    ['above it', ['   # no capacity is lost', '-  maxSurge: 1', '+  maxSurge: 0'], true],
    [
      'of a line that stays',
      ['   replicas: 3 # no capacity is lost', '-  maxSurge: 1', '+  maxSurge: 0'],
      false,
    ],
    ['that is none, but part of a text', ['-  note: "a"', '+  note: "b # no capacity is lost"'], false],
  ])('asks whether a comment is still true: %s', (_, diff, isAsked) => {
    const { body } = written({ edit: { ...edit, diff } });
    expect(body.includes('The comment `# no capacity is lost` was written for the former value')).toBe(
      isAsked,
    );
  });
});
