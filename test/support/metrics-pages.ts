/** One line of `/metrics`. */
export interface Sample {
  /** As in the page, with `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricsPage {
  /** Types by the name of the metric. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

/** Parses a page in the text format of Prometheus. */
export function parseMetrics(page: string): MetricsPage {
  const types = new Map(
    [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const samples = page
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])),
        value: Number(value),
      };
    });
  return { types, samples };
}

/** Reads the page of a process. */
export async function readMetrics(statusPort: number | undefined): Promise<MetricsPage> {
  const answer = await fetch(`http://127.0.0.1:${statusPort}/metrics`);
  return parseMetrics(await answer.text());
}

/** The value of the one sample with this name and at least these labels; undefined when there is none. */
export function sampleOf(
  { samples }: MetricsPage,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return samples.find(
    (each) => each.name === name && Object.entries(labels).every(([key, text]) => each.labels[key] === text),
  )?.value;
}

/** A metric that a PromQL expression selects, with the labels that it matches on. */
export interface Selected {
  readonly name: string;
  readonly labels: readonly string[];
}

/** The product's own metrics in an expression. */
export function selectedIn(expression: string): readonly Selected[] {
  return [...expression.matchAll(/\b(rollout_doctor_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );
}
