import { UserError } from '../../errors.ts';
import type { Thread } from '../model.ts';
import type { MemoryInput } from './input.ts';
import { usageOf } from './usage.ts';

/**
 * What COMPRESS answers for a thread of the editor: it owns the prompt, so it is asked to compact when the turn ends.
 * `editor` is false where no editor hears the request.
 * @throws UserError `cannot_compress` for a thread of another program.
 */
export function compressRequest(thread: Thread, input: MemoryInput, editor: boolean) {
  if (thread.source === 'copilot-cli' || thread.source === 'claude-code') {
    throw new UserError(
      'cannot_compress',
      `The thread ${thread.id} belongs to ${thread.source}, which alone can compact it.`,
      'Run /compact there. What it hides can be recovered here afterwards.',
    );
  }
  const { compression_version: version, target_percentage: target } = input;
  const used: 'V3' | 'V6' = version?.toUpperCase() === 'V3' ? 'V3' : 'V6';
  const warnings = ['The editor decides how far it compacts: the target is not passed on.'];
  if (version !== null && version.toUpperCase() !== used)
    warnings.push(`There is no compressor ${version}; V6 stands.`);
  if (version !== null) warnings.push("In this chat the editor's own compressor runs, whatever the version.");
  return {
    action: 'COMPRESS',
    thread_id: thread.id,
    request: 'compact' as const,
    status: editor ? 'requested' : 'not_requested',
    note: editor
      ? 'The editor is asked to run /compact in this chat when the turn ends. Nothing is lost: what it hides can be recovered.'
      : 'No editor hears this call: run /compact in the chat. Nothing is lost: what it hides can be recovered.',
    target_percentage: target,
    compression_version: used,
    current_usage: usageOf(thread),
    warnings,
  };
}
