import type { Language } from '../../engine/language/language.js';
import { type Prose, sentences } from '../../engine/language/prose.js';
import type { NodeStrip, Picture } from '../findings/picture.js';
import type { WaitCycle } from '../findings/wait-cycle.js';
import { countedTogether, presentIn, troubledIn } from './seen-pods.js';
import { podsOfGroup, troubleOf } from './strip-rows.js';
import { pictureText } from './text.js';

/** What there is to see, in one line. */
export function captionOf(picture: Picture, language: Language): Prose {
  return picture.kind === 'node-strip'
    ? captionOfStrip(picture, language)
    : pictureText[language]['caption-cycle']({ workload: picture.workload });
}

/** The whole picture in sentences, for those who hear it. */
export function spokenPicture(picture: Picture, language: Language): readonly Prose[] {
  return [captionOf(picture, language), ...(picture.kind === 'wait-cycle' ? stepsOf(picture, language) : [])];
}

/** Steps of a circle with who comes next; the first comes after the last. */
export function withNext({ steps }: WaitCycle) {
  return steps.map((step, at) => ({ ...step, next: (steps[at + 1] ?? steps[0] ?? step).who }));
}

function stepsOf(cycle: WaitCycle, language: Language): readonly Prose[] {
  return [sentences(...withNext(cycle).map((step) => pictureText[language].step(step)))];
}

/** More names than these say no more than their number. */
const mostNames = 3;

function captionOfStrip({ workload, nodes, groups, failing }: NodeStrip, language: Language): Prose {
  const text = pictureText[language];
  const pods = countedTogether(groups.map(podsOfGroup));
  const trouble = troubleOf(pods, failing);
  const of = presentIn(pods);
  if (trouble === undefined) {
    const wanted = of + (pods.waiting ?? 0);
    return text['caption-ready']({ workload, ready: pods.ready ?? 0, of: wanted });
  }
  const rows = groups.flatMap((group) => group.rows);
  const named = rows.filter((row) => row.node !== '' && troubledIn(row.pods) > 0).map(({ node }) => node);
  return text['caption-troubled']({
    workload,
    trouble,
    pods: troubledIn(pods),
    of,
    nodes: nodes.troubled <= mostNames ? [...new Set(named)].sort() : [],
    onNodes: nodes.troubled,
    ofNodes: nodes.all,
  });
}
