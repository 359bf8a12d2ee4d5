import { commandText } from '../../../core/command/command-text.js';
import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import type { Silence } from '../../../usecases/people/people-ports.js';
import { paragraph, steps } from './blocks.js';
import { dotted } from './incident-line.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { renderNotice } from './notice.js';
import { silencesText } from './silences-text.js';

/** A silence has begun. */
export function renderSilenced(silence: Silence, former: Silence | undefined, language: Language): Message {
  const text = silencesText[language];
  const { workload: ref, until } = silence;
  const workload = nameOf(silence);
  return renderNotice(
    text.silenced({ workload, cluster: ref.cluster, until }),
    ...(former === undefined ? [] : [text.instead(former)]),
    text['still-answers']({ workload }),
    text['how-to-end']({ command: `/rollout-doctor ${commandText('silence', ref, 'off')}` }),
  );
}

export function renderLifted(silence: Silence, language: Language): Message {
  const { cluster } = silence.workload;
  return renderNotice(silencesText[language].lifted({ workload: nameOf(silence), cluster }));
}

export function renderTooLong(seconds: number, language: Language): Message {
  return renderNotice(silencesText[language]['too-long']({ seconds }));
}

/** The workload that should speak again is not silenced; those that are. */
export function renderNotSilenced(name: string, others: readonly Silence[], language: Language): Message {
  const says = silencesText[language]['not-silenced']({ name });
  return others.length === 0 ? renderNotice(says) : withList([says], others, language);
}

export function renderSilences(silences: readonly Silence[], language: Language): Message {
  const text = silencesText[language];
  if (silences.length === 0) {
    return renderNotice(text.none({ command: '/rollout-doctor silence namespace/name 2h' }));
  }
  return withList([], silences, language);
}

/** To the one who asked about a silenced workload. */
export function renderSilenceNote(silence: Silence, language: Language): Message {
  return renderNotice(silencesText[language].note({ ...silence, workload: nameOf(silence) }));
}

function withList(says: readonly Prose[], silences: readonly Silence[], language: Language): Message {
  const heading = silenceHeading(silences, language);
  return fitted((size) => ({
    text: spoken([...says, heading]),
    blocks: [
      ...[...says, heading].map((each) => paragraph(each, size)),
      ...silenceList(silences, language, size),
    ],
  }));
}

export function silenceHeading(silences: readonly Silence[], language: Language): Prose {
  return silencesText[language].heading({ count: silences.length });
}

/** One line a silence. */
export function silenceList(silences: readonly Silence[], language: Language, size: Size) {
  const text = silencesText[language];
  const lines = silences.map((silence) => {
    const { workload, by, until, reason } = silence;
    const line = text.line({ workload: nameOf(silence), cluster: workload.cluster, by, until });
    return dotted([line, ...(reason === '' ? [] : [text.reason({ reason })])]);
  });
  return steps(lines, size, (count) => text.more({ count }), 'bullet');
}

function nameOf({ workload }: Silence): string {
  return `${workload.namespace}/${workload.name}`;
}
