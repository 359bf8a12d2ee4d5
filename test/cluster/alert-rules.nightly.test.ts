import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ensureTool } from './harness/tools.js';

const root = join(import.meta.dirname, '../..');
const monitoring = join(root, 'deploy/monitoring');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook_url: string };
}

/** What promtool reads: the `spec` of a PrometheusRule. */
interface Spec {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test?: readonly {
      readonly alertname: string;
      readonly exp_alerts?: readonly unknown[];
    }[];
  }[];
}

let promtool = '';
let folder = '';
beforeAll(async () => {
  promtool = (await ensureTool('promtool')).file;
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-rules-'));
}, 1_800_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function promtoolRuns(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: folder, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

describe.each(['rules', 'self-blocked-rollouts'])('the alert rules of %s.yaml', (name) => {
  const spec = parse(readFileSync(join(monitoring, `${name}.yaml`), 'utf8')).spec as Spec;
  const rules = spec.groups.flatMap((group) => group.rules);
  const cases = readFileSync(join(import.meta.dirname, 'rules', `${name}.yaml`), 'utf8');
  const lay = (tested: Spec) => {
    writeFileSync(join(folder, 'rules.yaml'), stringify(tested));
    writeFileSync(join(folder, 'tests.yaml'), cases);
  };

  it('are accepted by Prometheus', () => {
    lay(spec);
    const { status, output } = promtoolRuns('check', 'rules', '--lint=all', '--lint-fatal', 'rules.yaml');
    expect(status, output).toBe(0);
    expect(output).toContain(`${rules.length} rules found`);
  });

  it('fire and stay silent as their tests state', () => {
    lay(spec);
    const { status, output } = promtoolRuns('test', 'rules', 'tests.yaml');
    expect(status, output).toBe(0);
  });

  it('are each tested in a state in which they fire and in one in which they do not', () => {
    const { tests } = parse(cases) as RuleTests;
    const expected = tests.flatMap((test) => test.alert_rule_test ?? []);
    for (const { alert } of rules) {
      const fires = expected
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts = [] }) => exp_alerts.length > 0);
      expect([...new Set(fires)].sort(), alert).toEqual([false, true]);
    }
  });

  it.each(rules.map(({ alert }) => alert))('have tests that fail without %s', (alert) => {
    const without = {
      groups: spec.groups.map((group) => ({
        ...group,
        rules: group.rules.map((rule) => (rule.alert === alert ? { ...rule, expr: 'vector(0) > 1' } : rule)),
      })),
    };
    lay(without);
    expect(promtoolRuns('test', 'rules', 'tests.yaml').status).not.toBe(0);
  });

  it.each(rules.map(({ alert, annotations }) => [alert, annotations.runbook_url] as const))(
    'link from %s to a page that exists',
    (alert, link) => {
      const [page = '', anchor] = link.split('#');
      const text = readFileSync(join(root, 'docs', page), 'utf8');
      if (anchor === undefined) expect(text).toMatch(/^# /);
      else expect(text).toMatch(new RegExp(`^## ${alert}$`, 'm'));
      expect(anchor ?? alert.toLowerCase()).toBe(alert.toLowerCase());
    },
  );
});

it('tests every file of rules', () => {
  const files = readdirSync(monitoring).filter((file) => file.endsWith('.yaml'));
  expect(files.sort()).toEqual(readdirSync(join(import.meta.dirname, 'rules')).sort());
});

it('has a dashboard whose queries Prometheus can parse', () => {
  const text = readFileSync(join(monitoring, 'dashboard.json'), 'utf8');
  const dashboard = JSON.parse(text) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(15);
  writeFileSync(
    join(folder, 'queries.yaml'),
    stringify({
      groups: [
        {
          name: 'dashboard',
          rules: queries.map((expr, at) => ({
            record: `query_${at}`,
            expr: expr.replaceAll('$__rate_interval', '5m'),
          })),
        },
      ],
    }),
  );
  const { status, output } = promtoolRuns('check', 'rules', 'queries.yaml');
  expect(status, output).toBe(0);
});
