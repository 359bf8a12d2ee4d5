import type { KnownBlock } from '@slack/types';
import { needsConfirmation } from '../../../core/remediation/needs-confirmation.js';
import { paragraph, steps } from './blocks.js';
import { fixLine } from './card-actions.js';
import type { CardContext } from './card-context.js';
import { cardText } from './card-text.js';
import { changeRequestText } from './change-request-text.js';

/**
 * The change that somebody asked for: what speaks against it first, then its title and impact with a Review
 * button.
 *
 * @param withReviews false while people decide on one remediation already
 */
export function requestedBlocks(
  { incident, tell, size }: CardContext,
  { withReviews }: { readonly withReviews: boolean },
): KnownBlock[] {
  const { requested, diagnosis, language } = incident;
  const forecast = diagnosis?.requested;
  if (requested === undefined || forecast === undefined) return [];
  const text = changeRequestText[language];
  const heading = paragraph(text.heading(requested), size);
  if (forecast.type === 'impossible') {
    const because = tell(forecast.because, language);
    return [heading, paragraph(text.impossible({ change: requested.change.kind, because }), size)];
  }
  const { remediation, warnings } = forecast;
  return [
    heading,
    ...steps(
      warnings.map((warning) => tell(warning, language)),
      size,
      (count) => cardText[language].more({ count }),
      'bullet',
    ),
    ...(withReviews ? [fixLine({ incident, tell, size }, remediation)] : []),
    ...(withReviews && needsConfirmation(remediation) ? [paragraph(text.warned({}), size)] : []),
  ];
}
