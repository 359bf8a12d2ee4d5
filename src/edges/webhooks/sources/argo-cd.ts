import * as z from 'zod';
import type { RawAlert } from '../../../doctor/alerts/alert.js';
import { senderText } from './parsed-alerts.js';

const text = senderText.nullish();

/** An Application, or those of its fields that the template of docs/alerts.md sends. */
const Notification = z.object({
  metadata: z.object({ name: senderText.refine((name) => name !== ''), namespace: text, uid: text }),
  spec: z.object({ destination: z.object({ name: text, namespace: text }).nullish() }).nullish(),
  status: z.object({ health: z.object({ status: senderText, message: text, lastTransitionTime: text }) }),
  url: text,
});

/** In these an Application may still become healthy by itself, or rests on purpose. */
const undecided: ReadonlySet<string> = new Set(['Progressing', 'Suspended']);

/**
 * A notification of Argo CD about the health of an Application. Since 3.6 its message names up to three
 * objects that caused the status, as `apps/Deployment:shop/web`. What is sent is a template of the cluster,
 * so that the body is a choice of fields of the Application.
 * source: argo-cd 3.6 `controller/health.go: formatHealthCauses`,
 * `docs/operator-manual/notifications/services/webhook.md`
 *
 * @throws ZodError
 */
export function alertsOfArgoCd(body: unknown): readonly RawAlert[] {
  const { metadata, spec, status, url } = Notification.parse(body);
  const { status: health, message, lastTransitionTime } = status.health;
  if (undecided.has(health)) return [];
  const { name: cluster, namespace } = spec?.destination ?? {};
  return [
    {
      source: 'argo-cd',
      status: health === 'Healthy' ? 'resolved' : 'firing',
      fingerprint: metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`,
      name: `Application ${metadata.name} is ${health}`,
      startsAt: lastTransitionTime ?? undefined,
      labels: { ...labelled('cluster', cluster), ...labelled('namespace', namespace) },
      text: message ?? '',
      links: typeof url === 'string' ? [url] : [],
    },
  ];
}

/** Argo CD leaves out or empties the field that does not name the destination. */
function labelled(label: string, value: string | null | undefined): Readonly<Record<string, string>> {
  return value ? { [label]: value } : {};
}
