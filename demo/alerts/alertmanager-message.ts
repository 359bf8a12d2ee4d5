/** What Alertmanager writes into a channel, with the fields that docs/alerts.md adds. */
export function alertmanagerMessage(
  state: 'FIRING:1' | 'RESOLVED',
  labels: Readonly<Record<string, string>>,
): { readonly attachments: readonly Readonly<Record<string, unknown>>[] } {
  const { alertname = '', namespace = '' } = labels;
  return {
    attachments: [
      {
        color: state === 'RESOLVED' ? '2eb886' : 'a30200',
        fallback: `[${state}] ${alertname} ${namespace} | http://alertmanager.example.com/#/alerts?receiver=slack`,
        title: `[${state}] ${alertname} ${namespace}`,
        title_link: 'http://alertmanager.example.com/#/alerts?receiver=slack',
        text: '',
        fields: Object.entries(labels).map(([title, value]) => ({ title, value, short: true })),
      },
    ],
  };
}
