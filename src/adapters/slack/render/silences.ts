import { commandText } from '../../../core/command/command-text.js';
import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import type { Silence } from '../../../usecases/people/people-ports.js';
import type { Silences } from '../../../usecases/people/silencing.js';
import { paragraph, steps } from './blocks.js';
import { dotted } from './incident-line.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { renderNotice } from './notice.js';
import { silencesText } from './silences-text.js';

/** One silence has begun, or one for each workload below an object that was named. */
export function renderSilenced(silences: Silences, formers: readonly Silence[], language: Language): Message {
  const text = silencesText[language];
  const [{ workload: ref, owner, until }] = silences;
  const workloads = silences.map(nameOf);
  const { cluster, namespace } = ref;
  const named = owner === undefined ? ref : { owner: owner.kind, name: owner.name, namespace, cluster };
  // One that was begun for several workloads is named once.
  const replaced = new Map(formers.map((former) => [`${former.by} ${former.until}`, former]));
  return renderNotice(
    text.silenced({ workloads, cluster, until }),
    ...[...replaced.values()].map((former) => text.instead(former)),
    text['still-answers']({ workloads }),
    text['how-to-end']({ command: `/rollout-doctor ${commandText('silence', named, 'off')}` }),
  );
}

export function renderLifted(silences: Silences, language: Language): Message {
  const { cluster } = silences[0].workload;
  return renderNotice(silencesText[language].lifted({ workloads: silences.map(nameOf), cluster }));
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
