import { type Json, jsonList } from '../json.js';
import { Blocks } from './blocks.js';
import { ExternalLink, Mrkdwn } from './text.js';

/** Legacy attachment colours that have names. */
const named: Readonly<Record<string, string>> = { good: '#2eb886', warning: '#daa038', danger: '#a30200' };

/** A legacy attachment, as alerting tools still send them. */
export function Attachment({ of }: { of: Json }) {
  const text = (key: string) => (typeof of[key] === 'string' && of[key] !== '' ? String(of[key]) : undefined);
  const colour = text('color');
  const hex =
    colour === undefined ? undefined : (named[colour] ?? (colour.startsWith('#') ? colour : `#${colour}`));
  const title = text('title');
  const link = text('title_link');
  const body = text('text');
  const pretext = text('pretext');
  const footer = text('footer');
  return (
    <>
      {pretext === undefined ? null : <Mrkdwn text={pretext} />}
      <div className="attachment" style={hex === undefined ? {} : { borderLeftColor: hex }}>
        {title === undefined ? null : (
          <strong className="attachment-title">
            {link === undefined ? title : <ExternalLink url={link}>{title}</ExternalLink>}
          </strong>
        )}
        {body === undefined ? null : <Mrkdwn text={body} />}
        {of.fields === undefined ? null : (
          <dl className="attachment-fields">
            {jsonList(of.fields).map((field) => (
              <div key={String(field.title)} className={field.short === true ? 'short' : ''}>
                <dt>{String(field.title)}</dt>
                <dd>
                  <Mrkdwn text={String(field.value)} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <Blocks blocks={jsonList(of.blocks)} />
        {footer === undefined ? null : <small>{footer}</small>}
      </div>
    </>
  );
}
