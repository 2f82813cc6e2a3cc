import { type Json, label, object } from '../values.ts';
import { uriText } from './attachments.ts';

/** Copilot's own participants, by the mode they stand for. */
const COPILOT_MODES: Readonly<Record<string, string>> = {
  'github.copilot.default': 'ask',
  'github.copilot.workspace': 'ask',
  'github.copilot.editsAgent': 'agent',
  'github.copilot.editingSession': 'edit',
  'github.copilot.editingSession2': 'edit',
};

export interface RequestAgent {
  readonly id: string;
  /** A custom agent: somebody wrote it, as a file. */
  readonly custom: boolean;
}

/**
 * Who answered a request: a chat participant by its id; else the mode, which is `agent`, `ask`, `edit` or a custom
 * agent's name.
 */
export function agentOf(request: Json): RequestAgent | undefined {
  const participant = label(object(request.agent).id);
  if (participant !== undefined && !participant.startsWith('github.copilot.') && participant !== 'copilot') {
    return { id: participant, custom: false };
  }
  const mode = object(request.modeInfo);
  if (mode.isBuiltin === false) {
    const { name: title, uri } = object(mode.modeInstructions);
    const id = label(title) ?? label(fileStem(uriText(uri))) ?? label(mode.modeName) ?? label(mode.telemetryModeName);
    if (id !== undefined) return { id, custom: true };
  }
  const id =
    label(mode.telemetryModeId) ??
    label(mode.modeId) ??
    label(mode.kind) ??
    COPILOT_MODES[participant ?? ''] ??
    'agent';
  return participant === undefined && request.modeInfo === undefined ? undefined : { id, custom: false };
}

function fileStem(uri: string | undefined): string | undefined {
  const file = uri?.split('/').at(-1);
  return file && decodeURIComponent(file).replace(/\.(?:agent|chatmode)\.md$|\.md$/, '');
}
