import type { Faults } from '../api/faults.js';
import { badRequest, StatusError } from '../api/status-error.js';
import type { AdmissionPlugin } from '../registry/registry.js';

const verbs = {
  create: ['create'],
  update: ['update', 'patch'],
  delete: ['delete', 'deletecollection'],
} as const;

/**
 * Switched-on webhooks: they refuse writes, refuse dry runs, or change what is written. Of what the cluster's
 * own controllers write they see only what is created, so that no fault stops the cluster itself.
 */
export function webhookFaults(faults: Faults): AdmissionPlugin {
  return (object, { operation, type, namespace, name, subresource, options }) => {
    if (operation !== 'create' && options.user.startsWith('system:')) return;
    const suffix = subresource === '' || subresource === 'binding' ? '' : `/${subresource}`;
    for (const verb of verbs[operation]) {
      const request = {
        verb,
        resource: `${type.plural}${suffix}`,
        namespace,
        name,
        user: options.user,
        dryRun: options.dryRun,
      };
      for (const effect of faults.strike(request, ['deny', 'no-dry-run', 'mutate'])) {
        if (effect.type === 'mutate') effect.mutate(object);
        if (effect.type === 'no-dry-run' && options.dryRun) {
          throw badRequest(`admission webhook "${effect.webhook}" does not support dry run`);
        }
        if (effect.type === 'deny') {
          const message = `admission webhook "${effect.webhook}" denied the request: ${effect.message}`;
          throw new StatusError(403, 'Forbidden', message);
        }
      }
    }
  };
}
