import { PageLinks, placeholders, unknownPlaceholders } from '../doctor/incidents/page-links.js';
import { parseOneYaml, YamlError } from '../edges/files/parse-yaml.js';
import { nearestName } from '../engine/language/nearest-name.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { variables } from './config-variables.js';
import { schemaProblems } from './schema-problems.js';

const variable = 'LINKS';

/** Reads LINKS: the links, or every problem at once. */
export function loadLinks(text: unknown): PageLinks | { readonly problems: readonly SettingProblem[] } {
  if (typeof text !== 'string') return [];
  let content: unknown;
  try {
    content = parseOneYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const found = text.slice(0, 80);
    return { problems: [settingProblem(variable, 'wrong', { expected: variables.links.expects, found })] };
  }
  const parsed = PageLinks.safeParse(content);
  if (!parsed.success) return { problems: schemaProblems(variable, PageLinks, content, parsed.error) };
  const problems = parsed.data.flatMap(({ url }, position) =>
    unknownPlaceholders(url).map((name) =>
      settingProblem(`${variable} [${position}].url`, 'placeholder-unknown', {
        placeholder: `{${name}}`,
        nearest: nearestName(name, placeholders),
        known: placeholders.map((each) => `{${each}}`),
      }),
    ),
  );
  return problems.length > 0 ? { problems } : parsed.data;
}
