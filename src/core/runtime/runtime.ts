import { UserError } from '../errors.ts';
import type { WorkspaceFolder } from '../host.ts';

export interface RuntimeConfig {
  readonly folders: readonly WorkspaceFolder[];
  /** The setting `loci.instanceName`; empty when it is not set. */
  readonly instanceName: string;
}

/**
 * What this installation is called, for whoever has to tell several apart. Nothing secret, nothing of the environment.
 */
export function createRuntime() {
  let config: RuntimeConfig = { folders: [], instanceName: '' };
  return {
    async configure(next: RuntimeConfig) {
      config = next;
    },
    /** @throws UserError `no_instance_name`. */
    async values() {
      const name = config.instanceName.trim() || config.folders[0]?.name;
      if (!name) {
        throw new UserError(
          'no_instance_name',
          'This installation has no name: no folder is open and loci.instanceName is not set.',
          'A person can set loci.instanceName.',
        );
      }
      return { product_instance_name: name };
    },
  };
}
