import type { KnownBlock } from '@slack/types';
import type { Incident } from '../../../core/incident/incident.js';
import type { Language } from '../../../core/language/language.js';
import { sentences } from '../../../core/language/prose.js';
import type { Proposal } from '../../../usecases/people/conversation.js';
import { paragraph } from './blocks.js';
import type { Size } from './message.js';
import { reviewText } from './review-text.js';

/** Who writes the changed fields as well. */
export function ownerBlocks(
  { remediation, cause, requested }: Proposal,
  { diagnosis }: Incident,
  language: Language,
  size: Size,
): KnownBlock[] {
  const text = reviewText[language];
  const finding = diagnosis?.findings.find((each) => each.cause === cause);
  const forecast = requested === undefined ? undefined : diagnosis?.requested;
  const writers = forecast?.type === 'possible' ? forecast.owners : (finding?.owners ?? []);
  const owners = remediation.price.drift === 'none' ? [] : writers;
  return owners.slice(0, size.items).map(({ by, kind, namespace, name, reverts }) =>
    paragraph(
      sentences(
        text.owner({
          owner: by,
          object: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
          reverts,
        }),
        reverts === 'replicas-only' ? [] : text['lasting-change']({}),
      ),
      size,
    ),
  );
}
