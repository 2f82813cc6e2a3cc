import { groupBy } from '../util/group-by.ts';
import { type ContentEvent, isContent, newEventId, type Provenance, type WikiEvent } from './event.ts';
import { foldLearnings, heads, type Learning, provenanceIn } from './learning.ts';
import type { Contents, Problem, Shelf, Stored, WikiStore } from './store.ts';

export interface LedgerOptions {
  readonly store: WikiStore;
  readonly shelves: readonly Shelf[];
  /** Whether what agents write waits for a person. */
  readonly review: boolean;
  /** Whether learnings that contain values may lie in the workspace too. */
  readonly shareValues: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Snapshot {
  readonly learnings: ReadonlyMap<string, Learning>;
  /** The files of each learning, by its id. */
  readonly files: ReadonlyMap<string, readonly Stored[]>;
  readonly problems: readonly Problem[];
}

const snapshots = new WeakMap<Contents, Snapshot>();

function snapshotOf(contents: Contents): Snapshot {
  const known = snapshots.get(contents);
  if (known) return known;
  const { events, problems } = contents;
  const files = groupBy(events, ({ event }) => event.statement_id);
  const snapshot = { learnings: foldLearnings(events.map(({ event }) => event)), files, problems };
  snapshots.set(contents, snapshot);
  return snapshot;
}

/** Most events that a removal names as the ones it knew of. */
const MOST_NAMED = 100;

/**
 * The wiki's events on disk and the rule of where each lies: with the team in the workspace, except for values, which
 * stay on this machine.
 */
export function openLedger({ store, shelves, review, shareValues, now }: LedgerOptions) {
  let snapshot: Snapshot = { learnings: new Map(), files: new Map(), problems: [] };

  const filesOf = (statementId: string): readonly Stored[] => snapshot.files.get(statementId) ?? [];
  const sharedContent = (statementId: string) =>
    filesOf(statementId).filter(({ event, shared }) => shared && isContent(event));

  const shelfOf = (learning: Learning | undefined): Shelf => {
    const files = learning ? filesOf(learning.statement_id) : [];
    return (files.find(({ shared }) => shared) ?? files[0])?.shelf ?? shelves[0]!;
  };

  const read = async (): Promise<Snapshot> => {
    snapshot = snapshotOf(await store.load(shelves));
    return snapshot;
  };

  const mayShare = (shelf: Shelf, privacy: Learning['privacy_class']) =>
    shelf.shared !== undefined && (shareValues || privacy === 'metadata');

  /** The learning as it stands, as an event of its own, for a place that does not hold those before it. */
  const restated = (learning: Learning, after: readonly string[], by: Provenance, message: string): ContentEvent => ({
    event: 'edited',
    statement_id: learning.statement_id,
    event_id: newEventId(by.at),
    anchor: learning.anchor,
    changes: [],
    category: learning.category,
    privacy_class: learning.privacy_class,
    ...(learning.status === 'pending' && { review: 'pending' }),
    ...(learning.supersedes !== undefined && { supersedes: learning.supersedes }),
    ...by,
    message,
    after: [...after],
    text: learning.text,
  });

  const removalOf = (learning: Learning, by: Provenance, message: string): WikiEvent => {
    const known = learning.events.map(({ event_id }) => event_id).filter((id) => !learning.undecided.includes(id));
    const { at, author, source_channel } = by;
    return {
      event: 'removed',
      statement_id: learning.statement_id,
      event_id: newEventId(at),
      after: known.slice(-MOST_NAMED),
      at,
      author,
      source_channel,
      message,
    };
  };

  /** Moves a learning out of the workspace or into it, where its class is no longer that of its place. */
  const settle = async (statementId: string, by: Provenance): Promise<void> => {
    const learning = (await read()).learnings.get(statementId);
    if (!learning) return;
    const shelf = shelfOf(learning);
    const shared = sharedContent(statementId);
    if (mayShare(shelf, learning.privacy_class)) {
      if (shared.length > 0 || learning.status !== 'active') return;
      await store.append(
        shelf,
        true,
        restated(learning, heads(learning.events), by, 'shared with the team'),
        learning.anchor,
      );
    } else if (shared.length > 0) {
      const leaving = filesOf(statementId).filter((file) => file.shared);
      const removal = removalOf(learning, by, 'kept off the workspace');
      // Nothing is taken away before it is safe elsewhere.
      for (const { event } of leaving) await store.append(shelf, false, event, learning.anchor);
      await store.append(
        shelf,
        false,
        restated(learning, [removal.event_id], by, 'kept on this machine'),
        learning.anchor,
      );
      await store.append(shelf, true, removal, REMOVED);
      await store.remove(leaving.map(({ path }) => path));
    }
  };

  return {
    review,
    now,
    read,
    filesOf,
    /** Absolute path of the workspace folder that a learning belongs to. */
    folderOf: (learning: Learning | undefined) => shelfOf(learning).folder,
    /** Where a learning lies: in the workspace, or on this machine only. */
    placeOf: ({ statement_id }: Learning) => (sharedContent(statement_id).length > 0 ? 'team' : 'this_machine'),

    /** Adds an event; `learning` is the one it is about, or for a new one the one it stands beside. */
    async append(event: WikiEvent, learning: Learning | undefined): Promise<void> {
      const shelf = shelfOf(learning);
      const own = learning?.statement_id === event.statement_id ? learning : undefined;
      const shared = isContent(event)
        ? mayShare(shelf, event.privacy_class) &&
          // That a text no longer holds values is for a person to say.
          !(event.review === 'pending' && own?.privacy_class === 'contains_values')
        : sharedContent(event.statement_id).length > 0;
      await store.append(shelf, shared, event, isContent(event) ? event.anchor : own!.anchor);
      await settle(event.statement_id, provenanceIn(event));
    },

    /**
     * Deletes a learning's files; where the team had them, word stays that it was removed, for branches that still edit
     * it.
     */
    async remove(learning: Learning, by: Provenance): Promise<void> {
      const files = filesOf(learning.statement_id);
      if (sharedContent(learning.statement_id).length > 0) {
        const removal = {
          ...removalOf(learning, by, 'removed'),
          after: learning.events.map(({ event_id }) => event_id).slice(-MOST_NAMED),
        };
        await store.append(shelfOf(learning), true, removal, REMOVED);
      }
      await store.remove(files.map(({ path }) => path));
    },
  };
}

export type Ledger = ReturnType<typeof openLedger>;

/** Stands for the asset in the file name of a removal: the name must not tell what was taken out. */
const REMOVED = 'wiki://removed';
