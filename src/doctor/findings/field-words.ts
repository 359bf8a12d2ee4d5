import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say } from '../../engine/language/prose.js';

const inContainer = /^spec\.template\.spec\.(?:initContainers|containers)\[([^\]]+)\]\.(.+)$/;
const variable = /^env\[([^\]]+)\]\.value$/;

/**
 * A field of the pod template as people name it: "env `TIMEOUT` of `app`". A field outside of containers
 * keeps its path.
 */
export function fieldWords(language: Language, path: string): Prose {
  const [, container, field] = inContainer.exec(path) ?? [];
  if (container === undefined || field === undefined) return say`${code(path)}`;
  const [, name] = variable.exec(field) ?? [];
  const what = name === undefined ? say`${code(field)}` : say`env ${code(name)}`;
  return language === 'en' ? say`${what} of ${code(container)}` : say`${code(container)} 컨테이너의 ${what}`;
}
