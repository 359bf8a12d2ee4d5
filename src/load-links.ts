import { variables } from './config-variables.js';
import { PageLinks, placeholders, unknownPlaceholders } from './core/incident/page-links.js';
import { nearestName } from './core/language/nearest-name.js';
import { parseOneYaml, YamlError } from './parse-yaml.js';
import { schemaProblems } from './schema-problems.js';
import { type SettingProblem, settingProblem } from './usecases/inspect/setting-problem.js';

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
