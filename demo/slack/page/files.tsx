import { useEffect, useState } from 'react';
import type { StoredFile } from '../workspace/model.js';

/** A shared file: pictures are shown, texts can be unfolded. */
export function FileCard({ file }: { file: StoredFile }) {
  const url = `/files/${file.id}/${encodeURIComponent(file.name)}`;
  const size = file.size < 1024 ? `${file.size} B` : `${Math.round(file.size / 1024)} KiB`;
  if (file.mimetype.startsWith('image/')) {
    return (
      <figure className="block-image">
        <figcaption>{file.title}</figcaption>
        <img src={url} alt={file.altText || file.title} className="picture" />
      </figure>
    );
  }
  return (
    <details className="file">
      <summary>
        {file.title} <span className="quiet">{size}</span>
      </summary>
      <FileText url={url} />
      <a href={url} target="_blank" rel="noreferrer">
        Open in a tab
      </a>
    </details>
  );
}

/** Characters shown of a long text. */
const shownCharacters = 20_000;

function FileText({ url }: { url: string }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const loading = new AbortController();
    fetch(url, { signal: loading.signal })
      .then((response) => response.text())
      .then(setText, () => {});
    return () => loading.abort();
  }, [url]);
  return <pre>{text.slice(0, shownCharacters)}</pre>;
}
