import type { ReactNode } from 'react';
import { isJson, type Json, jsonList } from '../json.js';
import { Element } from './element.js';
import { WithSigns } from './emoji-sign.js';
import { Field } from './field.js';
import { LibraryBlock } from './library-block.js';
import { useFrame } from './panel-text.js';
import { plainText, TextObject } from './text.js';

/** Blocks in order. */
export function Blocks({ blocks }: { blocks: readonly Json[] }) {
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <BlockView key={String(block.block_id ?? index)} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Json }): ReactNode {
  const blockId = String(block.block_id);
  switch (block.type) {
    case 'section':
      return <Section block={block} />;
    case 'header':
      return (
        <h3 className="block-header" data-level={String(block.level ?? 1)}>
          <WithSigns text={plainText(block.text)} />
        </h3>
      );
    case 'context':
      return (
        <div className="block-context">
          {jsonList(block.elements).map((element, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: context elements have no identity and never move
            <span key={index} className="context-element">
              {element.type === 'image' ? <Picture of={element} small /> : <TextObject of={element} />}
            </span>
          ))}
        </div>
      );
    case 'actions':
    case 'context_actions':
      return (
        <div className="block-actions">
          {jsonList(block.elements).map((element) => (
            <Element key={String(element.action_id)} blockId={blockId} element={element} />
          ))}
        </div>
      );
    case 'input':
      return <Field block={block} />;
    case 'divider':
      return <hr className="block-divider" />;
    case 'image':
      return (
        <figure className="block-image">
          {block.title === undefined ? null : <figcaption>{plainText(block.title)}</figcaption>}
          <Picture of={block} />
        </figure>
      );
    case 'table':
      return <Table block={block} />;
    case 'alert':
      return (
        <div className={`block-alert alert-${String(block.level ?? 'default')}`} role="note">
          <span className="alert-level">{alertWords[String(block.level)] ?? 'Note'}</span>
          <div>
            <TextObject of={block.text} />
          </div>
        </div>
      );
    case 'container':
      return <Container block={block} />;
    default:
      return <LibraryBlock block={block} />;
  }
}

const alertWords: Readonly<Record<string, string>> = {
  warning: 'Warning',
  error: 'Error',
  success: 'Done',
  info: 'Note',
};

function Section({ block }: { block: Json }) {
  const { accessory } = block;
  return (
    <div className={accessory === undefined ? 'block-section' : 'block-section with-accessory'}>
      <div className="section-body">
        {block.text === undefined ? null : <TextObject of={block.text} />}
        {block.fields === undefined ? null : (
          <div className="section-fields">
            {jsonList(block.fields).map((field, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields have no identity and never move
              <div key={index}>
                <TextObject of={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {isJson(accessory) ? (
        <div className="section-accessory">
          {accessory.type === 'image' ? (
            <Picture of={accessory} />
          ) : (
            <Element blockId={String(block.block_id)} element={accessory} />
          )}
        </div>
      ) : null}
    </div>
  );
}

/** A picture from this server. Others are named, not fetched: the page loads nothing from elsewhere. */
function Picture({ of, small = false }: { of: Json; small?: boolean }) {
  const id = isJson(of.slack_file) ? of.slack_file.id : undefined;
  const own = typeof id === 'string' ? `/files/${id}` : ownPath(of.image_url);
  const alt = String(of.alt_text ?? '');
  if (own === undefined) return <span className="picture-elsewhere">[picture: {alt}]</span>;
  return <img src={own} alt={alt} className={small ? 'picture-small' : 'picture'} />;
}

function ownPath(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  return url.startsWith(`${location.origin}/files/`) ? url.slice(location.origin.length) : undefined;
}

function Table({ block }: { block: Json }) {
  const frame = useFrame();
  const rows = (Array.isArray(block.rows) ? block.rows : []).map(jsonList);
  const settings = Array.isArray(block.column_settings) ? block.column_settings : [];
  const align = (column: number) => {
    const setting: unknown = settings[column];
    return isJson(setting) && typeof setting.align === 'string' ? `align-${setting.align}` : 'align-left';
  };
  const cell = (content: Json) =>
    content.type === 'rich_text' ? (
      <LibraryBlock block={content} />
    ) : (
      <WithSigns text={String(content.text)} />
    );
  const [head = [], ...body] = rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen must be scrollable by key
    <section className="block-table" tabIndex={0} aria-label={frame.table}>
      <table>
        <thead>
          <tr>
            {head.map((content, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <th key={column} scope="col" className={align(column)}>
                {cell(content)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and never move
            <tr key={index}>
              {row.map((content, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td key={column} className={align(column)}>
                  {cell(content)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Container({ block }: { block: Json }) {
  const title = isJson(block.rich_text_title) ? (
    <LibraryBlock block={block.rich_text_title} />
  ) : (
    plainText(block.title)
  );
  const body = <Blocks blocks={jsonList(block.child_blocks)} />;
  const subtitle =
    block.subtitle === undefined ? null : (
      <span className="container-subtitle">
        <TextObject of={block.subtitle} />
      </span>
    );
  if (block.is_collapsible !== true) {
    return (
      <section className="block-container">
        <h3>{title}</h3>
        {subtitle}
        {body}
      </section>
    );
  }
  return (
    <details className="block-container" open={block.default_collapsed !== true}>
      <summary>
        {title} {subtitle}
      </summary>
      {body}
    </details>
  );
}
