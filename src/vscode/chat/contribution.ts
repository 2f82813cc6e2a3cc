/** The chat participant @loci. */
export const participant = {
  id: 'loci.loci',
  name: 'loci',
  fullName: 'Loci',
  description: 'Answers from what the project knows, and remembers the whole conversation',
  commands: {
    memory: 'How full the memory of this chat is, and with what',
    recover: 'Show word by word what compression hid: a handle, message numbers or a few words',
    context: 'Show or change the tool groups and skills of this chat',
    compress: 'Compress the conversation now; nothing is lost',
    whatsnew: 'What this version of Loci means for the workspace',
  },
  /** When the editor should hand a question to @loci without being told to. */
  disambiguation: {
    category: 'loci_project_knowledge',
    description:
      'The person asks what the documentation, team wiki or data catalog of their project says, or wants something back from earlier in this or another conversation.',
    examples: [
      'What do our docs say about retrying a failed export?',
      'Which tables feed the revenue dashboard?',
      'What was the exact error that you saw at the beginning?',
      'How did we solve the calibration problem last week?',
    ],
  },
} as const;

export type CommandName = keyof typeof participant.commands;
