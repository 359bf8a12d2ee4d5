import * as z from 'zod';
import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say } from '../../engine/language/prose.js';
import type { Immutable } from '../../engine/objects/wire.js';
import type { Finding } from './finding.js';

const ChangedFields = z.array(
  z.object({ path: z.string(), before: z.string().optional(), after: z.string().optional() }),
);
/** Fields in which a revision differs from the one before. */
export type ChangedFields = Immutable<z.output<typeof ChangedFields>>;

/** As far as the finding states them in its facts; empty where it does not. */
export function changedFieldsOf({ facts = {} }: Pick<Finding, 'facts'>): ChangedFields {
  return ChangedFields.safeParse(facts.changes).data ?? [];
}

const inContainer = /^spec\.template\.spec\.(?:initContainers|containers)\[([^\]]+)\]\.(.+)$/;
const variable = /^env\[([^\]]+)\]\.value$/;

const en = {
  'of-container': ({ what, container }: { what: Prose; container: string }) =>
    say`${what} of ${code(container)}`,
};
const ko: typeof en = {
  'of-container': ({ what, container }) => say`${code(container)} 컨테이너의 ${what}`,
};
const text = { en, ko };

/**
 * A field of the pod template as people name it: "env `TIMEOUT` of `app`". A field outside of containers
 * keeps its path.
 */
export function fieldWords(language: Language, path: string): Prose {
  const [, container, field] = inContainer.exec(path) ?? [];
  if (container === undefined || field === undefined) return say`${code(path)}`;
  const [, name] = variable.exec(field) ?? [];
  const what = name === undefined ? say`${code(field)}` : say`env ${code(name)}`;
  return text[language]['of-container']({ what, container });
}
