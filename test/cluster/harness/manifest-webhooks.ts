import { readFile } from 'node:fs/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import type { Cluster } from './cluster.js';

interface Hook {
  readonly name: string;
  clientConfig: { readonly service?: { readonly path?: string }; url?: string; caBundle?: string };
  namespaceSelector?: object;
}

/** Where a program beside the control plane is reached that shows the API server's certificate. */
export async function addressOf(cluster: Cluster, port: number, path = '') {
  const caBundle = (await readFile(cluster.controlPlane.certificateAuthority)).toString('base64');
  return { url: `https://127.0.0.1:${port}${path}`, caBundle };
}

/**
 * The webhooks that a manifest of their author declares, reached by their address, as a test has no Service.
 *
 * @param namespaceSelector in place of the declared one
 */
export async function createDeclaredWebhooks(
  cluster: Cluster,
  file: string,
  port: number,
  namespaceSelector?: object,
): Promise<void> {
  for (const document of parseAllDocuments(await readFile(file, 'utf8'))) {
    const configuration = document.toJS() as KubernetesObject & { webhooks: readonly Hook[] };
    const webhooks = configuration.webhooks.map(async (hook) => ({
      ...hook,
      clientConfig: await addressOf(cluster, port, hook.clientConfig.service?.path),
      ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    }));
    await cluster.objects.create({
      ...configuration,
      webhooks: await Promise.all(webhooks),
    } as KubernetesObject);
  }
}
