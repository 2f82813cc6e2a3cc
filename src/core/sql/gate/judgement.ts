/** Whether a statement may run without asking a person. */
export interface Judgement {
  /** `read`: it only reads. `write`: it changes data or state, or may. `unclear`: it was not understood. */
  readonly verdict: 'read' | 'write' | 'unclear';
  /** Why it is not a read, as the end of a sentence: "it calls pg_read_file". Empty for a read. */
  readonly reason: string;
  /** Functions that a read calls and that only its database can tell more of, as they are written. */
  readonly functions: readonly (readonly string[])[];
  /** Its rows come in a fixed order. */
  readonly ordered: boolean;
}

export const read = (functions: Judgement['functions'], ordered: boolean): Judgement => ({
  verdict: 'read',
  reason: '',
  functions,
  ordered,
});
export const write = (reason: string): Judgement => ({ verdict: 'write', reason, functions: [], ordered: false });
export const unclear = (reason: string): Judgement => ({ verdict: 'unclear', reason, functions: [], ordered: false });
