/** A chunk's slot in its store, with a score. */
export interface Scored {
  readonly slot: number;
  readonly score: number;
}

/**
 * The best `limit` of a stream of scores, best first. `before(a, b)` orders the slots of equal scores, so that the answer
 * does not hang on the order in which chunks were added. A binary heap with the worst kept score at its root.
 */
export function createTop(limit: number, before: (a: number, b: number) => boolean) {
  const slots: number[] = [];
  const scores: number[] = [];

  function worse(a: number, b: number): boolean {
    return scores[a]! < scores[b]! || (scores[a] === scores[b] && before(slots[b]!, slots[a]!));
  }

  function swap(a: number, b: number): void {
    const slot = slots[a]!;
    const score = scores[a]!;
    slots[a] = slots[b]!;
    scores[a] = scores[b]!;
    slots[b] = slot;
    scores[b] = score;
  }

  function siftUp(start: number): void {
    for (let child = start; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!worse(child, parent)) return;
      swap(child, parent);
      child = parent;
    }
  }

  function siftDown(): void {
    for (let parent = 0; ; ) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < slots.length && worse(child, least)) least = child;
      }
      if (least === parent) return;
      swap(parent, least);
      parent = least;
    }
  }

  return {
    /** A score below this would not be kept. */
    get least(): number {
      return slots.length < limit ? Number.NEGATIVE_INFINITY : scores[0]!;
    },
    add(slot: number, score: number): void {
      if (slots.length < limit) {
        slots.push(slot);
        scores.push(score);
        siftUp(slots.length - 1);
      } else if (score > scores[0]! || (score === scores[0] && before(slot, slots[0]!))) {
        slots[0] = slot;
        scores[0] = score;
        siftDown();
      }
    },
    /** Best first. */
    list(): Scored[] {
      return slots
        .map((slot, i) => ({ slot, score: scores[i]! }))
        .sort((a, b) => b.score - a.score || (before(a.slot, b.slot) ? -1 : 1));
    },
  };
}
