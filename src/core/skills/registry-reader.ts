import { throwIfAborted } from '../util/abort.ts';
import { assemble } from './assemble.ts';
import { discover, type Found } from './discover.ts';
import { type LoadedDefinition, type LoadedSkill, loadDefinition, loadSkill } from './load.ts';
import { type Kind, placesOf, type Surroundings } from './places.ts';
import { EMPTY_REGISTRY, type Registry } from './registry.ts';

const KINDS: readonly Kind[] = ['skill', 'agent', 'prompt'];

/** Looks at the disk again and again: a file is read anew only when it has changed. */
export function createRegistryReader(surroundings: Surroundings) {
  const places = KINDS.flatMap((kind) => placesOf(kind, surroundings));
  let loaded = new Map<string, { stamp: string; skill?: LoadedSkill; definition?: LoadedDefinition }>();
  let state = '';
  let registry = EMPTY_REGISTRY;

  const load = async (found: Found) => {
    const known = loaded.get(found.file);
    if (known?.stamp === found.stamp) return known;
    const { stamp } = found;
    return found.kind === 'skill'
      ? { stamp, skill: await loadSkill(found) }
      : { stamp, definition: await loadDefinition(found) };
  };

  return {
    places,
    /** The registry as the disk has it now: the same object when nothing has changed. */
    async read(signal?: AbortSignal): Promise<Registry> {
      const { found, diagnostics } = await discover(places, signal);
      const now = JSON.stringify([found.map(({ file, stamp }) => [file, stamp]), diagnostics]);
      if (now === state) return registry;
      const next: typeof loaded = new Map();
      for (const item of found) {
        throwIfAborted(signal);
        next.set(item.file, await load(item));
      }
      loaded = next;
      state = now;
      registry = assemble([...loaded.values()], diagnostics, places);
      return registry;
    },
  };
}
