import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which the shards of this run write what they saw; absent outside the tier. */
    scenarioTally: string;
  }
}

/** Vitest calls it before the tests of the tier, and what it returns after them. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-tally-'));
  project.provide('scenarioTally', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** What the properties met, in this shard and in all. */
export interface Tally {
  expects(properties: readonly string[]): void;
  examined(property: string): void;
  add(property: string, what: string): void;
  /** Absent while another shard runs, and where a recording was left out. */
  ofAllShards(property: string): ReadonlyMap<string, number> | undefined;
}

export function createTally(folder: string | undefined, shard: number, shards: number): Tally {
  const open = new Map<string, number>();
  const seen = new Map<string, Map<string, number>>();
  const count = (of: Map<string, number>, what: string, by: number): void => {
    of.set(what, (of.get(what) ?? 0) + by);
  };
  return {
    expects(properties) {
      for (const property of properties) count(open, property, 1);
    },
    examined: (property) => count(open, property, -1),
    add(property, what) {
      const ofProperty = seen.get(property) ?? new Map<string, number>();
      seen.set(property, ofProperty);
      count(ofProperty, what, 1);
    },
    ofAllShards(property) {
      if (folder === undefined || (open.get(property) ?? 0) !== 0) return undefined;
      const place = join(folder, encodeURIComponent(property));
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, `${shard}.json`), JSON.stringify([...(seen.get(property) ?? [])]));
      const files = readdirSync(place);
      if (files.length < shards) return undefined;
      const sum = new Map<string, number>();
      for (const file of files) {
        const entries = JSON.parse(readFileSync(join(place, file), 'utf8')) as [string, number][];
        for (const [what, times] of entries) count(sum, what, times);
      }
      return sum;
    },
  };
}
