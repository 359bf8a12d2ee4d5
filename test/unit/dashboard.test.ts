import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import { parseMetrics } from '../support/metrics-pages.js';

const monitoring = join(import.meta.dirname, '../../deploy/monitoring');
const textOf = (file: string) => readFileSync(join(monitoring, file), 'utf8');
const rules = parse(textOf('rules.yaml')) as {
  readonly spec: { readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[] };
};
const dashboard = JSON.parse(textOf('dashboard.json')) as {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

const away = async (): Promise<never> => {
  throw new Error('no Redis');
};

/** Every metric of the project, also those without a value yet. */
async function registered(): Promise<ReadonlySet<string>> {
  const metrics = createMetrics();
  metrics.showState({
    ...{ process: 'app', approvalSeconds: 900 },
    policy: { readAt: () => new Date(0), faultSince: () => undefined },
    ...{ queueDepths: away, reachable: away, redisProblem: away, standing: away, waitingWork: away },
  });
  const names = [...parseMetrics((await metrics.page()).body).types.keys()];
  return new Set(names.filter((name) => name.startsWith('rollout_doctor_')));
}

/** Of a histogram, the name without the suffix of its series. */
function namesIn(expressions: readonly string[], known: ReadonlySet<string>): ReadonlySet<string> {
  const found = expressions.flatMap((expr) => expr.match(/rollout_doctor_\w+/gu) ?? []);
  const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/u, '');
  return new Set(found.map((name) => (known.has(name) ? name : base(name))));
}

const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const alerted = rules.spec.groups.flatMap((group) => group.rules.map(({ expr }) => expr));

describe('the dashboard', () => {
  it('shows every registered metric, and none that is not registered', async () => {
    const known = await registered();
    expect(known.size).toBeGreaterThan(30);
    expect([...namesIn(shown, known)].sort()).toEqual([...known].sort());
  });

  it('has room for each panel, and names each once', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    const titles = dashboard.panels.map(({ title }) => title);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(titles).size).toBe(titles.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});

it('every metric of an alert rule is registered', async () => {
  const known = await registered();
  const named = [...namesIn(alerted, known)];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('the faults that libraries do not report have an alert', async () => {
  const named = namesIn(alerted, await registered());
  for (const name of [
    'rollout_doctor_workers_replaced_total',
    'rollout_doctor_slack_connections_total',
    'rollout_doctor_records_lost_total',
  ]) {
    expect(named).toContain(name);
  }
});
