import { ApiProxy, registerDetailsViewSection } from '@kinvolk/headlamp-plugin/lib';
import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents';
import { Button } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import '../lib/card.css';
import { type ApiAnswer, type ApiRequest, answerWorkload } from '../lib/doctor';

const kinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
const words = {
  en: {
    ask: 'Find out why the rollout is stuck',
    reading: 'Reading the cluster …',
    failed: 'The diagnosis failed',
  },
  ko: { ask: '롤아웃이 멈춘 원인 찾기', reading: '클러스터를 읽는 중 …', failed: '진단하지 못했습니다' },
};
interface ShownWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}
type State =
  | { readonly type: 'idle' | 'reading' }
  | { readonly type: 'answer' | 'failed'; readonly text: string };

const maxReadMs = 60_000;

/** Only reads: `ApiProxy.request` sends a GET unless another method is named. A refusal logs nobody out. */
const call = async ({ path, query = {} }: ApiRequest): Promise<ApiAnswer> => {
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  try {
    const body: unknown = await ApiProxy.request(
      `${path}?${new URLSearchParams(asked)}`,
      { timeout: maxReadMs },
      false,
    );
    return { status: 200, body, retryAfterMs: undefined };
  } catch (error) {
    const { status, message } = error as { readonly status?: number; readonly message?: string };
    if (status === undefined) throw error;
    return { status, body: { message }, retryAfterMs: undefined };
  }
};

function RolloutDoctor({ workload }: { readonly workload: ShownWorkload }) {
  const [state, setState] = useState<State>({ type: 'idle' });
  const language = navigator.language.startsWith('ko') ? 'ko' : 'en';
  const text = words[language];
  const ask = () => {
    setState({ type: 'reading' });
    answerWorkload(call, workload, language).then(
      (html) => setState({ type: 'answer', text: html }),
      (error: unknown) => setState({ type: 'failed', text: error instanceof Error ? error.message : '' }),
    );
  };
  return (
    <SectionBox title="Rollout Doctor">
      <Button variant="outlined" onClick={ask} disabled={state.type === 'reading'}>
        {state.type === 'reading' ? text.reading : text.ask}
      </Button>
      {state.type === 'failed' && <p role="alert">{`${text.failed}: ${state.text}`}</p>}
      {state.type === 'answer' && <Card html={state.text} />}
    </SectionBox>
  );
}

/** HTML in which `doctor/redaction/html-text` has escaped all foreign text. */
function Card({ html }: { readonly html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    element.innerHTML = html;
    const copy = ({ target }: Event) => {
      if (!(target instanceof HTMLButtonElement) || target.dataset.copy === undefined) return;
      void navigator.clipboard.writeText(target.previousElementSibling?.textContent ?? '');
    };
    element.addEventListener('click', copy);
    return () => element.removeEventListener('click', copy);
  }, [html]);
  return <div ref={place} />;
}

registerDetailsViewSection(({ resource }) => {
  const { kind, metadata } = resource?.jsonData ?? {};
  if (!kinds.has(kind) || metadata?.namespace === undefined) return null;
  const { namespace, name, uid } = metadata;
  return <RolloutDoctor key={uid} workload={{ kind, namespace, name }} />;
});
