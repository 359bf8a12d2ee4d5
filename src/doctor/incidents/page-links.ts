import * as z from 'zod';
import type { Language } from '../../engine/language/language.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { mainFindingOf } from '../findings/main-finding.js';
import type { Incident } from './incident.js';

/** What a link may name of an incident. */
export const placeholders = ['cluster', 'namespace', 'kind', 'name', 'node'] as const;
type Placeholder = (typeof placeholders)[number];

const label = z.string().min(1).max(24);

/**
 * A link to a page of another program, such as a dashboard: what it is called, and a URL with placeholders.
 */
const PageLink = z.strictObject({
  name: z.union([label, z.strictObject({ en: label, ko: label })]),
  /** No placeholder in the host: names of a cluster never decide where a link leads. */
  url: z
    .string()
    .max(1_000)
    .regex(/^https?:\/\/[^\s/{}?#@]+([/?#]\S*)?$/),
});

/** More would be louder than the card. */
export const PageLinks = z.array(PageLink).max(5);
export type PageLinks = Immutable<z.output<typeof PageLinks>>;

/** Where the pages about an incident are. */
export interface Pages {
  /** Address of the pages of `docs/`; absent where no card links to them. */
  readonly docsUrl: string | undefined;
  readonly links: PageLinks;
}

export const noPages: Pages = { docsUrl: undefined, links: [] };

/** Placeholders of a URL that no incident has. */
export function unknownPlaceholders(url: string): readonly string[] {
  const known: ReadonlySet<string> = new Set(placeholders);
  return [...url.matchAll(placeholder)].map(([, name = '']) => name).filter((name) => !known.has(name));
}

/** A word in braces; `{app="x"}` of a query language is none. */
const placeholder = /\{([A-Za-z]+)\}/g;

/** The page of the docs about a cause. */
export function causePage({ docsUrl }: Pages, cause: string): string | undefined {
  if (docsUrl === undefined) return undefined;
  return linkAddress(`${docsUrl}${docsUrl.endsWith('/') ? '' : '/'}causes/${cause}.md`);
}

/**
 * The links of an incident, in the settings' order; one that names a node is left out where no node is known.
 */
export function linksOf(
  { workload, diagnosis }: Pick<Incident, 'workload' | 'diagnosis'>,
  { links }: Pages,
  language: Language,
): readonly { readonly name: string; readonly url: string }[] {
  const main = diagnosis === undefined ? undefined : mainFindingOf(diagnosis).main;
  const node = main?.blames?.kind === 'Node' ? main.blames.name : main?.nodes[0];
  const values: Readonly<Record<Placeholder, string | undefined>> = { ...workload, node };
  return links.flatMap(({ name, url }) => {
    let isWhole = true;
    const filled = url.replace(placeholder, (_, key: Placeholder) => {
      isWhole &&= values[key] !== undefined;
      return encodeURIComponent(values[key] ?? '');
    });
    return isWhole
      ? [{ name: typeof name === 'string' ? name : name[language], url: linkAddress(filled) }]
      : [];
  });
}

/** Characters that end a link in a message. */
function linkAddress(url: string): string {
  return url.replace(/[<>|"\s]/g, (character) => encodeURIComponent(character));
}
